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

// SumHeld is HeldEach.
func SumHeld(sums []Held, spans []Words, first, second []uint64, codes []uint16, table []Pair, counts []uint32) {
	switch {
	case !hasAVX2:
		HeldEach(sums, spans, first, second, codes, table, counts)
	case len(spans) > 0:
		sumHeld(sums[:len(spans)], spans, first, second, codes, table, counts)
	}
}

//go:noescape
func sumHeld(sums []Held, spans []Words, first, second []uint64, codes []uint16, table []Pair, counts []uint32)

//go:noescape
func sumPairs(sums []Pair, from int, ends []uint32, gaps []uint8, codes []uint32, table []Pair)

//go:noescape
func addPairs(rows []Pair, from int, ends []uint32, gaps []uint8, codes []uint32, table []Pair)
