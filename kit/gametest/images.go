package gametest

// Images returns the eight images of a square board by turns and reflections, of which text has the cells row by row, and anything after them.
func Images(text string, size int) (all [8]string) {
	for k := range all {
		image := []byte(text)
		for s := range size * size {
			image[Turn(s, size, k)] = text[s]
		}
		all[k] = string(image)
	}
	return all
}

// Turn returns the cell of a square board to which a cell comes by turn or reflection k, from 0 to 7.
func Turn(cell, size, k int) int {
	x, y := cell%size, cell/size
	if k&1 != 0 {
		x = size - 1 - x
	}
	if k&2 != 0 {
		y = size - 1 - y
	}
	if k&4 != 0 {
		x, y = y, x
	}
	return y*size + x
}
