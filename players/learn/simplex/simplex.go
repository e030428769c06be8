// Package simplex finds weights by which the moves that were chosen are worth more than others.
//
// In: the differences between the counts of a chosen move and another, as sparse rows. Out: the weights of least slack, which are
// small. It does not know moves, games and terms.
package simplex

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/players/decide"
)

// Problem finds the weights of the linear programme
//
//	minimise   Σ_i ξ_i + pull Σ_j s_j |w_j|
//	subject to w·x_i >= 1 - ξ_i,  ξ_i >= 0
//
// over the rows x_i, where s_j is the root mean square of column j. The margin of 1 excludes w = 0;
// the pull, above 0, draws towards small weights. With a small pull it finds the shortest of all
// weights with the least slack. A column without support gets 0.
//
// The cost is convex and linear except at kinks, where w·x_i = 1 or w_j = 0. A vertex is a point
// where as many kinks meet as there are weights. The algorithm moves from vertex to vertex along
// the steepest edge, past other vertices until the cost rises, as Barrodale and Roberts do for
// least absolute deviations ("An Improved Algorithm for Discrete L1 Linear Approximation", 1973).
// Since every vertex is feasible, any pull can start from the solution of another one. Margins are
// perturbed by at most a millionth of themselves, each by a different share, to avoid steps of
// length zero.
//
// Rejected: the simplex method for bounded variables on the dual. It moves one slack from
// bound to bound at a time, and there are as many as wrongly predicted moves.
//
// Not gonum's lp.Simplex: it solves only the standard form, with a dense column for each slack and surplus of
// a row and for each sign of a weight, and cannot step past a kink.
type Problem struct {
	n       int   // number of columns of the caller
	columns []int // numbers of those with support; m in all
	m       int
	scale   []float64
	x       [][]Cell // in columns scaled to a mean square of 1
	pull    float64

	// Kinks are numbered: 0 to m-1 are w_j = 0, those above the rows.
	margin []float64 // by row
	active []int     // the kinks that meet in w
	edges  []float64 // by active kink, m each: w·kink rises by 1, and no other one changes
	w      []float64
	rest   []float64 // by kink: margin - w·x, or -w_j
	side   []int8    // by kink: the sign of rest; 0: active
	slope  []float64 // of the cost without the active kinks, by column

	z      []float64 // by kink, how fast rest falls on an edge
	breaks []crossing
	pivots int
}

// crossing is the point where an edge meets a kink.
type crossing struct {
	at   float64
	kink int
	rise float64 // of the slope
}

const (
	renewal   = 100 // pivots after which everything is recomputed from the active kinks
	tolerance = 1e-9
)

// New begins at w = 0. columns is the number of columns of rows.
func New(rows [][]Cell, columns int) *Problem {
	s := &Problem{n: columns}
	squares := make([]float64, columns)
	for _, r := range rows {
		for _, c := range r {
			squares[c.Column] += c.X * c.X
		}
	}
	narrow := make([]int32, columns)
	for j, q := range squares {
		if q > 0 {
			narrow[j] = int32(s.m)
			s.columns = append(s.columns, j)
			s.scale = append(s.scale, math.Sqrt(q/float64(len(rows))))
			s.active = append(s.active, s.m)
			s.m++
		}
	}
	for i, r := range rows {
		x := make([]Cell, len(r))
		for k, c := range r {
			j := narrow[c.Column]
			x[k] = Cell{j, c.X / s.scale[j]}
		}
		s.x = append(s.x, x)
		s.margin = append(s.margin, 1+1e-6*decide.Share(2, uint64(i)))
	}
	kinks := s.m + len(rows)
	s.rest, s.side, s.z = make([]float64, kinks), make([]int8, kinks), make([]float64, kinks)
	s.w, s.slope, s.edges = make([]float64, s.m), make([]float64, s.m), make([]float64, s.m*s.m)
	for i := range rows {
		s.side[s.m+i] = 1
	}
	return s
}

// Separate solves the programme for a pull, starting from the last solution.
func (s *Problem) Separate(pull float64) ([]float64, error) {
	s.pull = pull
	if err := s.renew(); err != nil {
		return nil, err
	}
	for step := 0; ; step++ {
		k, way, slope := s.steepest()
		if k < 0 {
			break
		}
		if step > 50*len(s.rest)+1000 {
			return nil, errors.New("the linear programme takes too many steps")
		}
		if err := s.step(k, way, slope); err != nil {
			return nil, err
		}
	}
	w := make([]float64, s.n)
	for j, full := range s.columns {
		w[full] = s.w[j] / s.scale[j]
	}
	return w, nil
}

// force returns the rate at which a kink's cost rises with its rest on a side of it.
func (s *Problem) force(kink int, side int8) float64 {
	switch {
	case kink < s.m:
		return s.pull * float64(side)
	case side > 0:
		return 1
	}
	return 0
}

// add adds times the kink's row to v.
func (s *Problem) add(v []float64, kink int, times float64) {
	if kink < s.m {
		v[kink] += times
		return
	}
	for _, c := range s.x[kink-s.m] {
		v[c.Column] += times * c.X
	}
}

// along returns the kink's row times v.
func (s *Problem) along(v []float64, kink int) float64 {
	if kink < s.m {
		return v[kink]
	}
	return Dot(s.x[kink-s.m], v)
}

// steepest returns the edge on which the cost falls fastest per length: the index of the active kink that it
// leaves, the direction, and the slope. At the least cost the index is -1.
func (s *Problem) steepest() (best int, way int8, slope float64) {
	best = -1
	steep := -tolerance
	for i, kink := range s.active {
		edge := s.edges[i*s.m : (i+1)*s.m]
		rise, square := 0.0, 0.0
		for j, d := range edge {
			rise += s.slope[j] * d
			square += d * d
		}
		length := math.Sqrt(square)
		// Forth, the rest of the kink falls below 0, back it rises.
		forth, back := rise-s.force(kink, -1), s.force(kink, 1)-rise
		if forth/length < steep {
			best, way, slope, steep = i, 1, forth, forth/length
		}
		if back/length < steep {
			best, way, slope, steep = i, -1, back, back/length
		}
	}
	return best, way, slope
}

// step moves along an edge until the cost rises.
func (s *Problem) step(i int, way int8, slope float64) error {
	m := s.m
	direction := make([]float64, m)
	for j, d := range s.edges[i*m : (i+1)*m] {
		direction[j] = float64(way) * d
	}
	s.breaks = s.breaks[:0]
	for kink, side := range s.side {
		if side == 0 {
			continue
		}
		z := s.along(direction, kink)
		s.z[kink] = z
		if z*float64(side) > tolerance {
			rise := math.Abs(z) * (s.force(kink, 1) - s.force(kink, -1))
			s.breaks = append(s.breaks, crossing{max(s.rest[kink]/z, 0), kink, rise})
		}
	}
	n := turn(s.breaks, -slope)
	if n == len(s.breaks) {
		return errors.New("the linear programme is unbounded")
	}
	for _, c := range s.breaks[:n] {
		s.add(s.slope, c.kink, s.force(c.kink, s.side[c.kink])-s.force(c.kink, -s.side[c.kink]))
		s.side[c.kink] = -s.side[c.kink]
	}
	in, length, out := s.breaks[n].kink, s.breaks[n].at, s.active[i]
	for j, d := range direction {
		s.w[j] += length * d
	}
	for kink, side := range s.side {
		if side != 0 {
			s.rest[kink] -= length * s.z[kink]
		}
	}
	s.add(s.slope, in, s.force(in, s.side[in]))
	s.side[out], s.rest[out] = -way, -float64(way)*length
	s.add(s.slope, out, -s.force(out, -way))
	s.side[in], s.rest[in], s.active[i] = 0, 0, in
	return s.pivot(i, in)
}

// turn finds the crossing at which the slope changes sign; the slope begins at below under 0. It reorders the
// crossings so that all earlier ones precede it, and returns its index, or their number without one. It is a
// weighted quickselect.
func turn(breaks []crossing, below float64) int {
	before := func(a, b crossing) bool { return a.at < b.at || a.at == b.at && a.kink < b.kink }
	low, high := 0, len(breaks)
	for high-low > 1 {
		middle := low + (high-low)/2
		breaks[middle], breaks[high-1] = breaks[high-1], breaks[middle]
		pivot, at, sum := breaks[high-1], low, 0.0
		for k := low; k < high-1; k++ {
			if before(breaks[k], pivot) {
				sum += breaks[k].rise
				breaks[k], breaks[at] = breaks[at], breaks[k]
				at++
			}
		}
		breaks[at], breaks[high-1] = breaks[high-1], breaks[at]
		switch {
		case sum >= below:
			high = at
		case sum+pivot.rise >= below:
			return at
		default:
			below -= sum + pivot.rise
			low = at + 1
		}
	}
	if low < high && breaks[low].rise < below {
		low++
	}
	return low
}

// pivot updates the edges for a new active kink at index i.
func (s *Problem) pivot(i, in int) error {
	if s.pivots++; s.pivots%renewal == 0 {
		return s.renew()
	}
	m := s.m
	edge := s.edges[i*m : (i+1)*m]
	z := s.along(edge, in)
	for j := range edge {
		edge[j] /= z
	}
	for k := range m {
		other := s.edges[k*m : (k+1)*m]
		if u := s.along(other, in); k != i && u != 0 {
			for j, d := range edge {
				other[j] -= u * d
			}
		}
	}
	return nil
}

// renew computes everything from the active kinks and the sides, so that rounding errors do
// not accumulate.
func (s *Problem) renew() error {
	m := s.m
	rows, row := mat.NewDense(m, m, nil), make([]float64, m)
	margins := make([]float64, m)
	for i, kink := range s.active {
		clear(row)
		s.add(row, kink, 1)
		rows.SetRow(i, row)
		if kink >= m {
			margins[i] = s.margin[kink-m]
		}
	}
	var inverse mat.Dense
	if err := inverse.Inverse(rows); err != nil {
		var condition mat.Condition
		if !errors.As(err, &condition) || math.IsInf(float64(condition), 1) {
			return errors.New("the linear programme has a singular vertex")
		}
	}
	clear(s.w)
	for i := range m {
		for j := range m {
			d := inverse.At(j, i)
			s.edges[i*m+j] = d
			s.w[j] += d * margins[i]
		}
	}
	clear(s.slope)
	for kink, side := range s.side {
		if side == 0 {
			continue
		}
		s.rest[kink] = -s.along(s.w, kink)
		if kink >= m {
			s.rest[kink] += s.margin[kink-m]
		}
		s.add(s.slope, kink, -s.force(kink, side))
	}
	return nil
}

// Cell is one entry of a sparse row.
type Cell struct {
	Column int32
	X      float64
}

// Dot returns the sum of the products of a row and weights.
func Dot(r []Cell, w []float64) (sum float64) {
	for _, c := range r {
		sum += c.X * w[c.Column]
	}
	return sum
}

// Minus returns a-b.
func Minus(a, b []Cell) (d []Cell) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Column < b[0].Column:
			d, a = append(d, a[0]), a[1:]
		case len(a) == 0 || b[0].Column < a[0].Column:
			d, b = append(d, Cell{b[0].Column, -b[0].X}), b[1:]
		default:
			if x := a[0].X - b[0].X; x != 0 {
				d = append(d, Cell{a[0].Column, x})
			}
			a, b = a[1:], b[1:]
		}
	}
	return d
}
