package learn

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// separate finds the weights of the linear programme
//
//	minimise   Σ_i ξ_i + pull Σ_j s_j |w_j|
//	subject to w·x_i >= 1 - ξ_i,  ξ_i >= 0
//
// over the rows x_i, s_j being the root mean square of column j: the sum of slacks, with
// a margin of 1 against w = 0, and a pull, more than 0, towards small weights. With a small
// one it finds, of all weights of least slack, those of least length. A column
// without support gets 0. Columns are those of rows, so many.
//
// It solves the dual, which has a row a weight and no need of a first solution:
//
//	maximise   Σ_i α_i
//	subject to |Σ_i α_i x_ij| <= pull s_j,  0 <= α_i <= 1
//
// by the simplex method for bounded variables (Dantzig, Linear Programming and Extensions,
// 1963, section 18.1); w are the multipliers of its rows. Bounds are moved by a millionth
// of themselves, each by another share, against steps of no length.
func separate(rows [][]cell, columns int, pull float64) ([]float64, error) {
	s := newSimplex(rows, columns, pull)
	if err := s.solve(); err != nil {
		return nil, err
	}
	w := make([]float64, columns)
	for j, full := range s.columns {
		w[full] = s.y[j] / s.scale[j]
	}
	return w, nil
}

const (
	candidates = 64  // of one look at all variables
	renewal    = 100 // pivots after which the inverse is computed afresh
	tolerance  = 1e-9
)

// simplex holds the dual as Σ α_i x_i - r = 0 in scaled columns. Variables are numbered:
// 0 to m-1 are r, those above α.
type simplex struct {
	m       int // rows of the dual
	columns []int
	scale   []float64
	x       [][]cell
	norm    []float64 // by variable: of its column and itself
	upper   []float64 // by variable; the lower bound of r is -upper, of α 0

	basis   []int     // by row, the variable
	place   []int     // by variable, its row; -1: at its lower bound, -2: at its upper
	value   []float64 // by row, of the variable there
	inverse []float64 // of the basis, m × m
	y       []float64
	pivots  int
}

const (
	atLower = -1
	atUpper = -2
)

func newSimplex(rows [][]cell, columns int, pull float64) *simplex {
	s := &simplex{}
	squares := make([]float64, columns)
	for _, r := range rows {
		for _, c := range r {
			squares[c.column] += c.x * c.x
		}
	}
	narrow := make([]int32, columns)
	for j, q := range squares {
		narrow[j] = -1
		if q > 0 {
			narrow[j] = int32(len(s.columns))
			s.columns = append(s.columns, j)
			s.scale = append(s.scale, math.Sqrt(q/float64(len(rows))))
		}
	}
	s.m = len(s.columns)
	for j := range s.m {
		s.norm = append(s.norm, math.Sqrt2)
		s.upper = append(s.upper, pull*(1+1e-6*share(1, uint64(j))))
		s.basis = append(s.basis, j)
		s.place = append(s.place, j)
	}
	for i, r := range rows {
		x, square := make([]cell, len(r)), 1.0
		for k, c := range r {
			j := narrow[c.column]
			x[k] = cell{j, c.x / s.scale[j]}
			square += x[k].x * x[k].x
		}
		s.x = append(s.x, x)
		s.norm = append(s.norm, math.Sqrt(square))
		s.upper = append(s.upper, 1+1e-6*share(2, uint64(i)))
		s.place = append(s.place, atLower)
	}
	s.value, s.y, s.inverse = make([]float64, s.m), make([]float64, s.m), make([]float64, s.m*s.m)
	for j := range s.m {
		s.inverse[j*s.m+j] = -1
	}
	return s
}

// gain is what a variable adds to the sum for each unit that it grows.
func (s *simplex) gain(v int) float64 {
	if v < s.m {
		return s.y[v]
	}
	return 1 - dot(s.x[v-s.m], s.y)
}

// enters is the gain of a variable that is not in the basis in the direction in which it
// can go, over its norm; 0 or less if it had better stay.
func (s *simplex) enters(v int) float64 {
	switch s.place[v] {
	case atLower:
		return s.gain(v) / s.norm[v]
	case atUpper:
		return -s.gain(v) / s.norm[v]
	}
	return 0
}

func (s *simplex) solve() error {
	type candidate struct {
		v    int
		gain float64
	}
	var list []candidate
	column := make([]float64, s.m)
	limit := 50*(len(s.place)+1) + 1000
	for step := 0; ; {
		list = list[:0]
		for v := range s.place {
			if g := s.enters(v); g > tolerance {
				list = append(list, candidate{v, g})
			}
		}
		if len(list) == 0 {
			return nil
		}
		slices.SortFunc(list, func(a, b candidate) int {
			switch {
			case a.gain > b.gain:
				return -1
			case a.gain < b.gain:
				return 1
			}
			return a.v - b.v
		})
		for _, c := range list[:min(len(list), candidates)] {
			if s.enters(c.v) < max(tolerance, c.gain/4) { // a pivot before it changed that
				continue
			}
			if step++; step > limit {
				return errors.New("the linear programme takes too many steps")
			}
			if err := s.step(c.v, column); err != nil {
				return err
			}
		}
	}
}

// step moves v from its bound as far as it goes.
func (s *simplex) step(v int, column []float64) error {
	way := 1.0
	if s.place[v] == atUpper {
		way = -1
	}
	s.solveColumn(v, column)
	length, out := s.upper[v], -1
	if v < s.m {
		length *= 2
	}
	for i, u := range column {
		u *= way
		if math.Abs(u) < tolerance {
			continue
		}
		b := s.basis[i]
		room := s.upper[b] - s.value[i] // it grows
		if u > 0 {
			room = s.value[i] - s.lower(b)
		}
		t := max(room, 0) / math.Abs(u)
		if t < length || t == length && out >= 0 && math.Abs(u) > math.Abs(column[out]) {
			length, out = t, i
		}
	}
	for i, u := range column {
		s.value[i] -= way * length * u
	}
	if out < 0 { // to its other bound
		s.place[v] = atLower + atUpper - s.place[v]
		return nil
	}
	return s.pivot(v, out, way, length, column)
}

func (s *simplex) lower(v int) float64 {
	if v < s.m {
		return -s.upper[v]
	}
	return 0
}

// bound is the value of a variable that is not in the basis.
func (s *simplex) bound(v int) float64 {
	if s.place[v] == atUpper {
		return s.upper[v]
	}
	return s.lower(v)
}

// solveColumn is the inverse of the basis times the column of v.
func (s *simplex) solveColumn(v int, out []float64) {
	if v < s.m {
		for i := range out {
			out[i] = -s.inverse[i*s.m+v]
		}
		return
	}
	x := s.x[v-s.m]
	for i := range out {
		out[i] = dot(x, s.inverse[i*s.m:(i+1)*s.m])
	}
}

// pivot puts v in the place of the variable in a row.
func (s *simplex) pivot(v, row int, way, length float64, column []float64) error {
	gain := s.gain(v)
	old := s.basis[row]
	entered := s.bound(v) + way*length
	if way*column[row] > 0 {
		s.place[old] = atLower
	} else {
		s.place[old] = atUpper
	}
	s.basis[row], s.place[v], s.value[row] = v, row, entered
	if s.pivots++; s.pivots%renewal == 0 {
		return s.renew()
	}
	m := s.m
	pivot := s.inverse[row*m : (row+1)*m]
	for j := range pivot {
		pivot[j] /= column[row]
	}
	for i := range m {
		if u := column[i]; i != row && u != 0 {
			line := s.inverse[i*m : (i+1)*m]
			for j, p := range pivot {
				line[j] -= u * p
			}
		}
	}
	for j, p := range pivot {
		s.y[j] += gain * p
	}
	return nil
}

// renew computes inverse, values and multipliers from the basis alone, which keeps errors
// of rounding from adding up.
func (s *simplex) renew() error {
	m := s.m
	b := mat.NewDense(m, m, nil)
	for i, v := range s.basis {
		if v < m {
			b.Set(v, i, -1)
			continue
		}
		for _, c := range s.x[v-m] {
			b.Set(int(c.column), i, c.x)
		}
	}
	inverse := mat.NewDense(m, m, s.inverse)
	if err := inverse.Inverse(b); err != nil {
		var condition mat.Condition
		if !errors.As(err, &condition) || math.IsInf(float64(condition), 1) {
			return errors.New("the linear programme has a singular basis")
		}
	}
	rest := make([]float64, m) // less what the others add up to
	for v, place := range s.place {
		switch {
		case place >= 0:
		case v < m:
			rest[v] += s.bound(v)
		case place == atUpper:
			for _, c := range s.x[v-m] {
				rest[c.column] -= c.x * s.upper[v]
			}
		}
	}
	clear(s.y)
	for i, v := range s.basis {
		line := s.inverse[i*m : (i+1)*m]
		s.value[i] = 0
		for j, x := range line {
			s.value[i] += x * rest[j]
		}
		if v >= m {
			for j, x := range line {
				s.y[j] += x
			}
		}
	}
	return nil
}
