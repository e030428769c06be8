package shape

import "sort"

// Rising is a curve that does not fall, so that it can be read from the side.
type Rising struct{ v, p []float64 }

// RisingCurve is the nearest one that does not fall, by least squares weighted with the
// positions (isotonic regression: neighbours that violate the order are pooled). A
// pool is at the mean of its centres.
func RisingCurve(bins []Bin) Rising {
	type pool struct{ v, p, n float64 }
	var pools []pool
	for _, b := range bins {
		n := float64(b.Positions)
		pools = append(pools, pool{b.V, b.P, n})
		for len(pools) > 1 && pools[len(pools)-2].p >= pools[len(pools)-1].p {
			a, z := pools[len(pools)-2], pools[len(pools)-1]
			n := a.n + z.n
			pools = append(pools[:len(pools)-2], pool{(a.v*a.n + z.v*z.n) / n, (a.p*a.n + z.p*z.n) / n, n})
		}
	}
	var r Rising
	for _, k := range pools {
		r.v, r.p = append(r.v, k.v), append(r.p, k.p)
	}
	return r
}

// Invert is the value at which the curve has the win probability p.
func (r Rising) Invert(p float64) (float64, bool) {
	i := sort.SearchFloat64s(r.p, p)
	switch {
	case i == len(r.p):
		return 0, false
	case r.p[i] == p:
		return r.v[i], true
	case i == 0:
		return 0, false
	}
	return r.v[i-1] + (r.v[i]-r.v[i-1])*(p-r.p[i-1])/(r.p[i]-r.p[i-1]), true
}

// Height is the curve's at v, beyond its ends the height of the end.
func (r Rising) Height(v float64) float64 {
	i := sort.SearchFloat64s(r.v, v)
	switch {
	case i == 0:
		return r.p[0]
	case i == len(r.v):
		return r.p[i-1]
	}
	return r.p[i-1] + (r.p[i]-r.p[i-1])*(v-r.v[i-1])/(r.v[i]-r.v[i-1])
}
