package panels

// SumPairs is SumEach.
func SumPairs(sums []Pair, from uint32, ends []uint32, gaps []uint8, codes []uint32, table []Pair) {
	if len(ends) > 0 {
		sumPairs(sums[:len(ends)], int(from), ends, gaps[:ends[len(ends)-1]], codes, table)
	}
}

// AddPairs is AddEach.
func AddPairs(rows []Pair, from uint32, ends []uint32, gaps []uint8, codes []uint32, table []Pair) {
	if len(ends) > 0 {
		addPairs(rows[:len(ends)], int(from), ends, gaps[:ends[len(ends)-1]], codes, table)
	}
}

//go:noescape
func sumPairs(sums []Pair, from int, ends []uint32, gaps []uint8, codes []uint32, table []Pair)

//go:noescape
func addPairs(rows []Pair, from int, ends []uint32, gaps []uint8, codes []uint32, table []Pair)
