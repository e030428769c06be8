package rows

import "kifu/fit/losses"

// Blend turns the y of every row into share·g(scale·target) + (1-share)·y and drops the targets.
func (r *Store) Blend(share, scale float64) {
	r.blend = scale
	for _, b := range r.Blocks {
		for i, v := range b.target {
			b.Y[i] = float32(share*losses.Win(scale*float64(v)) + (1-share)*float64(b.Y[i]))
		}
		b.target = nil
	}
}

// Targets is the column of the targets.
func Targets(b *Block) []float32 { return b.target }
