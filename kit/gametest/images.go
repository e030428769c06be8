package gametest

// Images returns the eight images of a square board by turns and reflections, of which text has the cells row by row, and anything after them.
func Images(text string, size int) (all [8]string) {
	for k := range all {
		image := []byte(text)
		for s := range size * size {
			x, y := s%size, s/size
			if k&1 != 0 {
				x = size - 1 - x
			}
			if k&2 != 0 {
				y = size - 1 - y
			}
			if k&4 != 0 {
				x, y = y, x
			}
			image[y*size+x] = text[s]
		}
		all[k] = string(image)
	}
	return all
}
