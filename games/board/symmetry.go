package board

import (
	"slices"
	"sync"

	"kifu/games"
)

// orientations are the eight ways to lay a square board: each gives for a cell the cell that
// it comes to. The first leaves all where they are.
type orientations [8][]int

var oriented sync.Map // of the number of columns

func orientationsOf(columns int) *orientations {
	if known, ok := oriented.Load(columns); ok {
		return known.(*orientations)
	}
	var o orientations
	for k := range o {
		o[k] = make([]int, columns*columns)
		for i := range o[k] {
			x, y := i%columns, i/columns
			for range k % 4 {
				x, y = columns-1-y, x
			}
			if k >= 4 {
				x = columns - 1 - x
			}
			o[k][i] = y*columns + x
		}
	}
	known, _ := oriented.LoadOrStore(columns, &o)
	return known.(*orientations)
}

// Canonical returns a number that is the same for all mirror images and rotations of a position,
// where these change nothing in the game's rules (games.Layout.Symmetric); else its hash.
// Positions whose boards differ have different numbers but for chance, as with hashes.
func Canonical(b Board) uint64 {
	l := b.Layout()
	if !l.Symmetric || l.Columns != l.Rows {
		return b.Hash()
	}
	var buffer, turned, least [384]uint8
	cells := b.AppendCells(buffer[:0])
	for k, to := range orientationsOf(l.Columns) {
		for i, c := range cells {
			turned[to[i]] = c
		}
		if k == 0 || slices.Compare(turned[:len(cells)], least[:len(cells)]) < 0 {
			least = turned
		}
	}
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range append(least[:len(cells)], uint8(b.ToMove())) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// MoveAs returns the coordinates of a move of one board on another that is a mirror image or rotation
// of it: of several that are equal by the symmetries of the position, the move to the first cell. A
// move that goes to no cell, or on boards of games without symmetries, is unchanged.
func MoveAs(m Move, from, to Board) string {
	text := string(m.AppendCoordinates(nil))
	l, marks := from.Layout(), m.Marks()
	if !l.Symmetric || l.Columns != l.Rows || len(marks) == 0 {
		return text
	}
	var a, b [384]uint8
	here, there := from.AppendCells(a[:0]), to.AppendCells(b[:0])
	cell := -1
	for _, t := range orientationsOf(l.Columns) {
		image := t[marks[len(marks)-1]]
		if (cell < 0 || image < cell) && len(here) == len(there) && laysOn(here, there, t) {
			cell = image
		}
	}
	if cell < 0 {
		return text
	}
	if n, err := to.Find(l.Names[cell]); err == nil {
		return string(n.AppendCoordinates(nil))
	}
	return text
}

// laysOn reports whether the cells fall on equal ones.
func laysOn(here, there []uint8, to []int) bool {
	for i, c := range here {
		if there[to[i]] != c {
			return false
		}
	}
	return true
}

// Alike returns the positions that show what b shows: the same pieces with the same side to
// move, whatever a board does not show (games.Placer). If Layout.Symmetric is set, mirror
// images and rotations follow.
func Alike(g Game, b Board) []Board {
	l := b.Layout()
	hands := [2][]uint8{b.AppendHand(nil, games.First), b.AppendHand(nil, games.Second)}
	cells := b.AppendCells(nil)
	images := [][]uint8{cells}
	if l.Symmetric && l.Columns == l.Rows {
		images = images[:0]
		for _, to := range orientationsOf(l.Columns) {
			image := make([]uint8, len(cells))
			for i, c := range cells {
				image[to[i]] = c
			}
			if !slices.ContainsFunc(images, func(known []uint8) bool { return slices.Equal(known, image) }) {
				images = append(images, image)
			}
		}
	}
	all, known := []Board{b}, map[uint64]bool{b.Hash(): true}
	for _, image := range images {
		found, err := g.Place(b, image, hands, b.ToMove())
		if err != nil { // b is a position that no pieces make, such as one with passes that end it
			continue
		}
		for _, f := range found {
			if h := f.Hash(); !known[h] {
				known[h] = true
				all = append(all, f)
			}
		}
	}
	return all
}

// Merge joins the moves that symmetries make one: those for which write returns the same text, unless it is empty. Each group keeps its
// first move that is written as it was played, or else its first; join adds the others to it.
func Merge[K, M any](moves []K, write func(K) (m M, same string, asPlayed bool), join func(to *M, more M)) (all []M) {
	known := map[string]int{}
	var own []bool
	for _, k := range moves {
		m, same, asPlayed := write(k)
		i, ok := known[same]
		switch {
		case !ok || same == "":
			known[same] = len(all)
			all, own = append(all, m), append(own, asPlayed)
		case asPlayed && !own[i]:
			join(&m, all[i])
			all[i], own[i] = m, true
		default:
			join(&all[i], m)
		}
	}
	return all
}
