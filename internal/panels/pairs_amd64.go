package panels

// SumPairs is SumEach.
func SumPairs(sums []Pair, from uint32, ends []uint32, codes []uint16, table []Pair) {
	if len(ends) > 0 {
		sumPairs(sums[:len(ends)], int(from), ends, codes[:ends[len(ends)-1]], table)
	}
}

// AddPairs is AddEach.
func AddPairs(rows []Pair, from uint32, ends []uint32, codes []uint16, table []Pair) {
	if len(ends) > 0 {
		addPairs(rows[:len(ends)], int(from), ends, codes[:ends[len(ends)-1]], table)
	}
}

//go:noescape
func sumPairs(sums []Pair, from int, ends []uint32, codes []uint16, table []Pair)

//go:noescape
func addPairs(rows []Pair, from int, ends []uint32, codes []uint16, table []Pair)
