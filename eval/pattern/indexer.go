package pattern

import (
	"fmt"
	"math"

	"kifu/games"
)

// Indexer gives the weights that count in positions of a game.
type Indexer[P games.Position[P]] struct {
	plan   *Plan
	drawer games.Drawer[P]
	views  [2]*view
	cells  []uint8
}

// Entries holds the table entries of a position.
type Entries struct {
	At     []uint32
	X      []float32 // nil: all 1
	ToMove games.Side
	Pieces int
}

// NewIndexer returns an indexer, which must not be shared by goroutines.
func NewIndexer[P games.Position[P]](p *Plan, d games.Drawer[P]) *Indexer[P] {
	return &Indexer[P]{plan: p, drawer: d, views: [2]*view{newView(p, games.First), newView(p, games.Second)}, cells: make([]uint8, (p.cells+7)/8*8)}
}

// see moves the view of the side to move to p, and reports whether it was elsewhere. A board of
// another size than the plan's gives nil.
func (x *Indexer[P]) see(p P) (v *view, moved bool) {
	cells := x.drawer.AppendCells(x.cells[:0], p)
	if len(cells) != x.plan.cells {
		return nil, false
	}
	v = x.views[p.ToMove()&1]
	return v, v.to(x.cells)
}

// Of returns the entries of p, appended to the slices.
func (x *Indexer[P]) Of(at []uint32, values []float32, p P) (Entries, error) {
	v, _ := x.see(p)
	if v == nil {
		return Entries{}, fmt.Errorf("a board of %d cells, but the patterns are for %d: leave other boards out, as with --where 'size = %.0f'", len(x.drawer.AppendCells(nil, p)), x.plan.cells, math.Sqrt(float64(x.plan.cells)))
	}
	both := false
	for i, place := range x.plan.places {
		t := &x.plan.tables[place.table]
		at = append(at, uint32(t.At+int(t.phaseOf[v.pieces])*t.Classes)+t.class[v.entries[i]])
		if place.other {
			both = true
		}
	}
	e := Entries{At: at, ToMove: p.ToMove(), Pieces: v.pieces}
	if both {
		for _, place := range x.plan.places {
			sign := float32(1)
			if place.other {
				sign = -1
			}
			values = append(values, sign)
		}
		e.X = values
	}
	return e, nil
}
