package pattern

import (
	"encoding/binary"
	"math/bits"

	"kifu/games"
)

// view follows the entries of all places through positions with the same side to move: from
// one position to the next it changes what depends on the cells that differ.
type view struct {
	plan    *Plan
	uses    [][]use // by cell
	last    []uint8 // the cells of the last position, a multiple of eight
	entries []uint32
	pieces  int
}

// use is a square of a place: a piece on it adds to the place's entry.
type use struct {
	place uint32
	adds  []uint32 // by piece
}

// newView returns the view of the empty board with that side to move.
func newView(p *Plan, toMove games.Side) *view {
	v := &view{plan: p, uses: make([][]use, p.cells), last: make([]uint8, (p.cells+7)/8*8), entries: make([]uint32, len(p.places))}
	type key struct {
		weight uint32
		table  int
		second bool
	}
	shared := map[key][]uint32{}
	for i, place := range p.places {
		t := &p.tables[place.table]
		second := (toMove == games.Second) != place.other
		weight := uint32(1)
		for _, c := range place.cells {
			if second {
				c = p.exchange[c]
			}
			k := key{weight, place.table, second}
			if shared[k] == nil {
				shared[k] = t.additions(weight, second)
			}
			v.uses[c] = append(v.uses[c], use{uint32(i), shared[k]})
			weight *= uint32(t.base)
		}
	}
	return v
}

// additions returns what each piece adds to an entry on a square of that weight.
func (t *table) additions(weight uint32, second bool) []uint32 {
	adds := make([]uint32, len(t.digits))
	own := uint8(t.base-1) / 2
	for piece, d := range t.digits {
		if second && d > 0 {
			if d > own {
				d -= own
			} else {
				d += own
			}
		}
		adds[piece] = weight * uint32(d)
	}
	return adds
}

// to moves the view to the position with those cells, a multiple of eight, and reports whether
// one differs.
func (v *view) to(cells []uint8) (moved bool) {
	for at := 0; at < len(v.last); at += 8 {
		differ := binary.LittleEndian.Uint64(v.last[at:]) ^ binary.LittleEndian.Uint64(cells[at:])
		moved = moved || differ != 0
		for differ != 0 {
			k := bits.TrailingZeros64(differ) / 8
			differ &^= 0xff << (8 * k)
			c := at + k
			old, now := v.last[c], cells[c]
			v.last[c] = now
			if old == 0 {
				v.pieces++
			}
			if now == 0 {
				v.pieces--
			}
			for _, u := range v.uses[c] {
				v.entries[u.place] += u.adds[now] - u.adds[old] // the difference may wrap around, the sum does not
			}
		}
	}
	return moved
}
