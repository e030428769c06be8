package panels

// Pair are the two numbers of a table's line.
type Pair [2]float64

// SumEach overwrites sums with a sum per row: that of the table's lines that the row's codes name. Row i has the gaps up to ends[i],
// the first row those from the given place on. Gaps are from one place in codes to the next, from 0 on; 255 goes on in the next gap.
func SumEach(sums []Pair, from uint32, ends []uint32, gaps []uint8, codes []uint32, table []Pair) {
	for i, end := range ends {
		var sum Pair
		place := uint32(0)
		for _, gap := range gaps[from:end] {
			if place += uint32(gap); gap < 255 {
				t := &table[codes[place]]
				sum[0] += t[0]
				sum[1] += t[1]
			}
		}
		sums[i], from = sum, end
	}
}

// AddEach adds each row's pair to the lines of the table that its codes name, which are as SumEach has them.
func AddEach(rows []Pair, from uint32, ends []uint32, gaps []uint8, codes []uint32, table []Pair) {
	for i, end := range ends {
		row := rows[i]
		place := uint32(0)
		for _, gap := range gaps[from:end] {
			if place += uint32(gap); gap < 255 {
				t := &table[codes[place]]
				t[0] += row[0]
				t[1] += row[1]
			}
		}
		from = end
	}
}
