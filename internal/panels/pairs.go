package panels

// Pair are the two numbers of a table's line.
type Pair [2]float64

// Wide is a gap that goes on in the next one.
const Wide = 255

// SumEach overwrites sums[i] with the sum of the table's lines that row i names. The gaps of row i end at ends[i]; those of the first row
// begin at from. A gap is the distance in codes from one line's code to the next, the first from 0.
func SumEach(sums []Pair, from uint32, ends []uint32, gaps []uint8, codes []uint32, table []Pair) {
	for i, end := range ends {
		var sum Pair
		place := uint32(0)
		for _, gap := range gaps[from:end] {
			if place += uint32(gap); gap < Wide {
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
			if place += uint32(gap); gap < Wide {
				t := &table[codes[place]]
				t[0] += row[0]
				t[1] += row[1]
			}
		}
		from = end
	}
}
