package rows

import "kifu/fit/losses"

// Blend turns the y of every row into share·g(s·target) + (1-share)·y and drops the targets. s is
// scale; if scale is 0, s is the value at which the targets predict y best. It reports false, and
// changes nothing, when no positive scale does.
func (r *Store) Blend(share, scale float64, workers int) (s float64, ok bool) {
	s = scale
	if s == 0 {
		if s, ok = r.FitScale(losses.Logistic{}, targetColumn, workers); !ok || s <= 0 {
			return 0, false
		}
	}
	r.blend = s
	for _, b := range r.Blocks {
		for i, v := range b.target {
			b.Y[i] = float32(share*losses.Win(s*float64(v)) + (1-share)*float64(b.Y[i]))
		}
		b.target = nil
	}
	return s, true
}
