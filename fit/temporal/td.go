package temporal

import "math"

// Value is a value of a position as a function of its score z, with its derivative.
type Value func(z float64) (v, slope float64)

// Linear is the score itself: V = z.
func Linear(z float64) (v, slope float64) { return z, 1 }

// Logistic is a win probability: V = 1/(1+exp(-z)). KnightCap's tanh(βz) is 2V-1 with
// half the β.
func Logistic(z float64) (v, slope float64) {
	e := math.Exp(-math.Abs(z))
	v = 1 / (1 + e)
	if z < 0 {
		v *= e
	}
	return v, e / ((1 + e) * (1 + e))
}

// Learner adds up the changes that TD(λ) makes. One serves any number of sequences, one
// after the other.
type Learner struct {
	Value     Value
	Lambda    float64
	Replacing bool // a trace is replaced where its unknown occurs again (Singh and Sutton 1996; 5.17 of the book), else they add up

	z, v, slope, c []float64
	seen           []int // by unknown: the next position in which it occurs
	marked         []int32
}

// Change adds Σ_t δ_t e_t of a game at theta to sum, both as long as there are unknowns: the
// direction in which TD(λ) moves theta.
func (l *Learner) Change(s *Sequence, theta, sum []float64) {
	m := s.Len()
	l.z = s.Scores(theta, l.z)
	l.v, l.slope = l.v[:0], l.slope[:0]
	for _, z := range l.z {
		v, slope := l.Value(z)
		l.v, l.slope = append(l.v, v), append(l.slope, slope)
	}
	l.c = append(l.c[:0], make([]float64, m+1)...)
	for k := m - 1; k >= 0; k-- {
		next := s.Result
		if k+1 < m {
			next = l.v[k+1]
		}
		l.c[k] = l.Lambda * l.c[k+1]
		if !s.cut(k) {
			l.c[k] += next - l.v[k]
		}
	}
	if l.Replacing {
		l.replace(s, sum)
		return
	}
	for k := range m {
		at, x := s.line(k)
		d := l.c[k] * l.slope[k]
		for j, i := range at {
			sum[i] += d * x[j]
		}
	}
}

// replace is the end of Change with replacing traces: what an unknown does at k ends where
// it occurs next, at n: Σ_{k≤t<n} λ^{t-k} δ_t = c_k - λ^{n-k} c_n.
func (l *Learner) replace(s *Sequence, sum []float64) {
	m := s.Len()
	if len(l.seen) < len(sum) {
		l.seen = make([]int, len(sum))
		for i := range l.seen {
			l.seen[i] = math.MaxInt
		}
	}
	for k := m - 1; k >= 0; k-- {
		at, x := s.line(k)
		for j, i := range at {
			c := l.c[k]
			if n := l.seen[i]; n < m {
				c -= math.Pow(l.Lambda, float64(n-k)) * l.c[n]
			}
			sum[i] += c * l.slope[k] * x[j]
		}
		for _, i := range at {
			l.seen[i] = k
			l.marked = append(l.marked, i)
		}
	}
	for _, i := range l.marked {
		l.seen[i] = math.MaxInt
	}
	l.marked = l.marked[:0]
}
