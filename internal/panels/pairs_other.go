//go:build !amd64

package panels

// SumPairs is SumEach.
func SumPairs(sums []Pair, from uint32, ends []uint32, gaps []uint8, codes []uint32, table []Pair) {
	SumEach(sums, from, ends, gaps, codes, table)
}

// AddPairs is AddEach.
func AddPairs(rows []Pair, from uint32, ends []uint32, gaps []uint8, codes []uint32, table []Pair) {
	AddEach(rows, from, ends, gaps, codes, table)
}

// SumHeld is HeldEach.
func SumHeld(sums []Held, spans []Words, first, second []uint64, codes []uint16, table []Pair, counts []uint32) {
	HeldEach(sums, spans, first, second, codes, table, counts)
}
