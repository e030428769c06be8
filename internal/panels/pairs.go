package panels

// Pair are the two numbers of a table's line.
type Pair [2]float64

// SumEach overwrites sums with a sum per row: that of the table's lines that the row's codes name. Row i has the codes up to ends[i],
// the first row those from the given place on. The table has a line for every code.
func SumEach[C uint16 | uint32](sums []Pair, from uint32, ends []uint32, codes []C, table []Pair) {
	for i, end := range ends {
		var sum Pair
		for _, code := range codes[from:end] {
			t := &table[code]
			sum[0] += t[0]
			sum[1] += t[1]
		}
		sums[i], from = sum, end
	}
}

// AddEach adds each row's pair to the lines of the table that its codes name, which are as SumEach has them.
func AddEach[C uint16 | uint32](rows []Pair, from uint32, ends []uint32, codes []C, table []Pair) {
	for i, end := range ends {
		row := rows[i]
		for _, code := range codes[from:end] {
			t := &table[code]
			t[0] += row[0]
			t[1] += row[1]
		}
		from = end
	}
}
