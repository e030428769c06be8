// Package shapes counts local patterns around moves: how often each was played of the times that it could be. A pattern is a
// key that the game computes from a position and a move, for several sizes of shape, each within the next
// (games.Patterns); the package depends on no board.
package shapes

import (
	"kifu/games"
	"kifu/internal/splitmix"
)

// Of returns the patterns of a game's moves: its own, or its board's if that can be drawn (nil: it has
// neither).
func Of[P games.Position[P]](rules games.Rules[P]) games.Patterns[P] {
	if own, ok := rules.(games.Patterns[P]); ok {
		return own
	}
	if d, ok := rules.(games.Drawer[P]); ok {
		return drawn[P]{d}
	}
	return nil
}

// drawn are patterns of the pieces of a board around the cells that a move leaves and enters, as seen
// by the side to move: they distinguish the piece, both cells and the captured ones, then more and more
// of the surroundings. Reflections are different, as two wings of a board are.
type drawn[P games.Position[P]] struct{ games.Drawer[P] }

var drawnNames = []string{"piece and squares", "and what it takes", "and 3×3 around the target", "and 3×3 around both squares", "and 5×5 around the target", "all squares"}

// PatternSizes implements games.Patterns.
func (drawn[P]) PatternSizes() []string { return drawnNames }

// EachPattern implements games.Patterns.
func (d drawn[P]) EachPattern(p P, moves []games.Move, f func(move int, key uint64) bool) {
	l := d.Layout(p)
	cells := d.AppendCells(nil, p)
	content := func(piece uint8) uint64 { // 0 nothing, then own pieces, then the other's
		if p.ToMove() == d.Pieces()[1].Side {
			return uint64(piece)
		}
		return uint64(games.OtherSide(piece, d.Pieces()))
	}
	var after []uint8
	var marks []int
	for i, m := range moves {
		marks = d.AppendMarks(marks[:0], p, m)
		after = d.AppendCells(after[:0], p.Play(m))
		d.eachKey(l, p.ToMove(), cells, after, marks, content, func(key uint64) bool { return f(i, key) })
	}
}

// eachKey calls f with the keys of one move.
func (d drawn[P]) eachKey(l *games.Layout, side games.Side, cells, after []uint8, marks []int, content func(uint8) uint64, f func(key uint64) bool) {
	if len(marks) == 0 { // a pass
		for size := range drawnNames {
			if !f(splitmix.Mix(1<<63 | uint64(size))) {
				return
			}
		}
		return
	}
	seen := func(cell int) int { return Turned(l, side, cell) }
	from, to := marks[0], marks[len(marks)-1]
	key := uint64(len(marks))
	add := func(a, b uint64) { key = splitmix.Mix(key + a<<32 + b + splitmix.Golden) }
	for _, cell := range marks {
		add(1, uint64(seen(cell)))
	}
	add(content(cells[from]), content(after[to]))
	if !f(key) {
		return
	}
	taken := uint64(0) // what is gone elsewhere than from the first cell, whatever the order
	for cell, piece := range cells {
		if piece != 0 && after[cell] != piece && cell != from {
			taken += splitmix.Mix(uint64(seen(cell))<<8 | content(piece))
		}
	}
	if add(2, 0); taken != 0 {
		key = splitmix.Mix(key ^ taken)
	}
	if !f(key + 1) {
		return
	}
	for size, reach := range []struct{ to, from int }{{1, -1}, {1, 1}, {2, 1}, {len(cells), 1}} {
		contents := uint64(0)
		for cell, piece := range cells {
			if near(l, cell, to, reach.to) || near(l, cell, from, reach.from) {
				contents += splitmix.Mix(uint64(seen(cell))<<8 | content(piece) | 1<<40)
			}
		}
		if !f(splitmix.Mix(key^contents) + uint64(size)) {
			return
		}
	}
}

// near reports whether two cells are at most so many columns and rows apart.
func near(l *games.Layout, a, b, reach int) bool {
	return apart(a/l.Columns, b/l.Columns) <= reach && apart(a%l.Columns, b%l.Columns) <= reach
}

func apart(a, b int) int { return max(a-b, b-a) }

// Turned returns the cell as the side to move sees it: the second one exchanges the sides of
// the board.
func Turned(l *games.Layout, side games.Side, cell int) int {
	if side == games.First {
		return cell
	}
	row, column := cell/l.Columns, cell%l.Columns
	switch l.Exchange {
	case games.UpsideDown:
		row = l.Rows - 1 - row
	case games.HalfTurned:
		row, column = l.Rows-1-row, l.Columns-1-column
	}
	return row*l.Columns + column
}
