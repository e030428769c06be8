package evolve

import (
	"encoding/binary"
	"math"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

// write writes generation g as a part.
func (r *run[P]) write(g int, population []*individual, ranks []int, p played) error {
	b := columns.NewBatch(schemas.Generations)
	for i, place := range ranks {
		s := population[place]
		for j := range b.Cols {
			r.column(&b.Cols[j], s, g, i, p.Results[place])
		}
		b.Rows++
	}
	w, err := r.out.Part(g)
	if err != nil {
		return err
	}
	return w.CloseWith(b, manifest.Counts{}, p)
}

func (r *run[P]) column(v *columns.Vec, s *individual, generation, rank int, got result) {
	switch v.Column.Name {
	case "generation":
		v.AppendInt32(int32(generation))
	case "rank":
		v.AppendInt32(int32(rank + 1))
	case "strategy":
		v.AppendInt64(int64(s.id))
	case "parent":
		v.AppendInt64If(int64(s.parent), s.parent >= 0)
	case "born":
		v.AppendInt32(int32(s.born))
	case "wins":
		v.AppendInt32(int32(got.Wins))
	case "draws":
		v.AppendInt32(int32(got.Draws))
	case "losses":
		v.AppendInt32(int32(got.Losses))
	case "score":
		v.AppendInt32(int32(got.score()))
	case "kept":
		v.AppendBool(rank < r.Population/2)
	case "sigma":
		v.AppendFloat64(math.Exp(s.logStep()))
	case "king":
		v.AppendFloat64If(s.king, r.Network != nil)
	case "weights":
		if s.born == generation {
			v.AppendBytes(r.encoding.bytes(s))
		} else {
			v.AppendNull()
		}
	}
}

// bytes returns the weights of s in the dataset's encoding.
func (c *encoding) bytes(s *individual) []byte {
	scale := 1.0
	if c.network == nil {
		scale = c.piece
	}
	var b []byte
	for _, w := range s.weights {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(w*scale)))
	}
	return b
}
