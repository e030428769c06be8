//go:build !amd64

package panels

// SumPairs is SumEach.
func SumPairs(sums []Pair, from uint32, ends []uint32, codes []uint16, table []Pair) {
	SumEach(sums, from, ends, codes, table)
}

// AddPairs is AddEach.
func AddPairs(rows []Pair, from uint32, ends []uint32, codes []uint16, table []Pair) {
	AddEach(rows, from, ends, codes, table)
}
