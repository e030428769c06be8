package label

import (
	"slices"
	"strings"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/search"
)

// variations writes principal variations: their moves and their leaves.
type variations[P games.Position[P]] struct {
	rules      games.Rules[P]
	pv, leaves []*columns.Vec // by value column, nil where not requested
	text       []byte
}

func newVariations[P games.Position[P]](rules games.Rules[P], out *columns.Batch, values []string) *variations[P] {
	v := &variations[P]{rules: rules}
	for _, name := range values {
		search := strings.TrimSuffix(name, "_value")
		v.pv = append(v.pv, out.Col(search+"_pv"))
		v.leaves = append(v.leaves, out.Col(search+"_leaf"))
	}
	return v
}

// append writes the variation of a search of p to the columns of value column i.
func (v *variations[P]) append(i int, p P, r search.Result[P]) {
	if v.pv[i] == nil {
		return
	}
	v.text = v.text[:0]
	for j, m := range r.PV {
		if j > 0 {
			v.text = append(v.text, ' ')
		}
		v.text = v.rules.AppendCoordinates(v.text, p, m)
		p = p.Play(m)
	}
	v.pv[i].AppendBytes(v.text)
	v.leaves[i].AppendBytes(v.rules.AppendBoard(v.text[:0], r.Leaf))
}

// openings remembers the labels of positions from the first plies of games, which recur in
// other games: of 21,707 rapid games one position in fifteen. A label depends on nothing
// but its position, so this changes none. (Two positions would have to share all 64 bits of
// their hashes, as in package search.)
type openings [1 << openingBits]opening

const (
	openingBits  = 12
	openingPlies = 24 // later positions are rarely the same
)

// opening is the label of one position.
type opening struct {
	known  bool
	hash   uint64
	values []float32 // of the searches
	groups []float32
	phase  int32
	bytes  []byte // packed features
}

// at returns the slot for a position at a ply of its game; nil when it has none.
func (o *openings) at(hash uint64, ply int32) *opening {
	if ply >= openingPlies {
		return nil
	}
	return &o[hash>>(64-openingBits)]
}

// keep stores the last row of the columns.
func (o *opening) keep(hash uint64, values, groups []columns.Vec, phase int, bytes []byte) {
	o.known, o.hash, o.phase = true, hash, int32(phase)
	o.values, o.groups = last(o.values, values), last(o.groups, groups)
	o.bytes = append(o.bytes[:0], bytes...)
}

// last returns the last value of each column, in dst if it is large enough.
func last(dst []float32, of []columns.Vec) []float32 {
	dst = slices.Grow(dst[:0], len(of))
	for i := range of {
		dst = append(dst, of[i].Float32[len(of[i].Float32)-1])
	}
	return dst
}
