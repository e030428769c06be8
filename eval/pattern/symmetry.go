package pattern

import (
	"slices"

	"kifu/games"
)

// symmetries returns the ways to lay a board, each as the cell that a cell comes to; the first
// changes nothing.
func symmetries(name string, l *games.Layout) (all [][]int) {
	if name == "" {
		if name = "none"; l.Symmetric {
			name = "all"
		}
	}
	w, h := l.Columns, l.Rows
	move := func(f func(x, y int) (int, int)) {
		to := make([]int, w*h)
		for i := range to {
			x, y := f(i%w, i/w)
			to[i] = y*w + x
		}
		all = append(all, to)
	}
	move(func(x, y int) (int, int) { return x, y })
	if name == "mirror" || name == "all" {
		move(func(x, y int) (int, int) { return w - 1 - x, y })
	}
	if name == "turn" || name == "all" {
		move(func(x, y int) (int, int) { return w - 1 - x, h - 1 - y })
	}
	if name == "all" {
		move(func(x, y int) (int, int) { return x, h - 1 - y })
	}
	if name == "all" && w == h {
		move(func(x, y int) (int, int) { return y, x })
		move(func(x, y int) (int, int) { return w - 1 - y, x })
		move(func(x, y int) (int, int) { return y, h - 1 - x })
		move(func(x, y int) (int, int) { return w - 1 - y, h - 1 - x })
	}
	return all
}

// spread returns the places that the symmetries make of those named, each set of cells once,
// and the orders of a pattern's squares that lay it on itself.
func spread(named [][]int, ways [][]int) (places [][]int, same [][]int) {
	bySet := map[string]int{}
	for _, cells := range named {
		for _, to := range ways {
			image := make([]int, len(cells))
			for k, c := range cells {
				image[k] = to[c]
			}
			key := setOf(image)
			at, known := bySet[key]
			if !known {
				bySet[key] = len(places)
				places = append(places, image)
				continue
			}
			order := make([]int, len(image))
			for k, c := range places[at] {
				order[k] = slices.Index(image, c)
			}
			same = append(same, order)
		}
	}
	return places, same
}

// setOf returns a key of a set of cells.
func setOf(cells []int) string {
	sorted := slices.Sorted(slices.Values(cells))
	key := make([]byte, 0, 2*len(sorted))
	for _, c := range sorted {
		key = append(key, byte(c), byte(c>>8))
	}
	return string(key)
}

// share numbers the classes of entries that orders of the squares make equal: each class by
// its lowest entry.
func (t *table) share(orders [][]int) {
	root := make([]uint32, t.size)
	for i := range root {
		root[i] = uint32(i)
	}
	find := func(i uint32) uint32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	contents := make([]int, t.Squares)
	for _, order := range orders {
		for i := range root {
			for k, rest := 0, i; k < t.Squares; k++ {
				contents[k] = rest % t.base
				rest /= t.base
			}
			image, weight := 0, 1
			for _, k := range order {
				image += weight * contents[k]
				weight *= t.base
			}
			if a, b := find(uint32(i)), find(uint32(image)); a < b {
				root[b] = a
			} else {
				root[a] = b
			}
		}
	}
	t.class = make([]uint32, t.size)
	for i := range t.class {
		if r := find(uint32(i)); int(r) == i {
			t.class[i] = uint32(t.Classes)
			t.Classes++
		} else {
			t.class[i] = t.class[r]
		}
	}
}
