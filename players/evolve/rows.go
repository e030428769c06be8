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
		r.append(b, s, g, i, p.Results[place])
	}
	w, err := r.out.Part(g)
	if err != nil {
		return err
	}
	return w.CloseWith(b, manifest.Counts{}, p)
}

func (r *run[P]) append(b *columns.Batch, s *individual, generation, rank int, got result) {
	b.Col("generation").AppendInt32(int32(generation))
	b.Col("rank").AppendInt32(int32(rank + 1))
	b.Col("strategy").AppendInt64(int64(s.id))
	b.Col("parent").AppendInt64If(int64(s.parent), s.parent >= 0)
	b.Col("born").AppendInt32(int32(s.born))
	b.Col("wins").AppendInt32(int32(got.Wins))
	b.Col("draws").AppendInt32(int32(got.Draws))
	b.Col("losses").AppendInt32(int32(got.Losses))
	b.Col("score").AppendInt32(int32(got.score()))
	b.Col("kept").AppendBool(rank < r.Population/2)
	b.Col("sigma").AppendFloat64(math.Exp(s.logStep()))
	b.Col("king").AppendFloat64If(s.king, r.Network != nil)
	if v := b.Col("weights"); s.born == generation {
		v.AppendBytes(r.encoding.bytes(s))
	} else {
		v.AppendNull()
	}
	b.Rows++
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
