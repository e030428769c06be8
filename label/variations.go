package label

import (
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
