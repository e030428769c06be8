package clogit

import "gonum.org/v1/gonum/floats"

// sums holds the derivatives that one worker has summed: of the unknowns, and of one decision by column.
type sums struct {
	p, mean, weights  []float64
	gradient, hessian []float64 // hessian is the upper triangle in a square; nil if it is not asked for
	slope, curve      []float64 // of one decision, by column; those of the unknowns without a context
}

func (m *Model[X]) newSums(hessian bool) *sums {
	n := len(m.beta)
	s := &sums{mean: make([]float64, m.columns), gradient: make([]float64, n)}
	if hessian {
		s.hessian = make([]float64, n*n)
	}
	if s.slope, s.curve = s.gradient, s.hessian; m.context != nil {
		s.slope = make([]float64, m.columns)
		if hessian {
			s.curve = make([]float64, m.columns*m.columns)
		}
	}
	return s
}

func (s *sums) clear() {
	clear(s.gradient)
	clear(s.hessian)
}

// add adds the score of decision i and the covariance of its rows under the chances, and returns the
// logarithm of the chance of the move played.
func (m *Model[X]) add(s *sums, i int) (log float64) {
	s.weights = m.in(i, m.beta, s.weights)
	log, s.p = m.chances(i, s.weights, s.p)
	if m.context != nil {
		clear(s.slope)
		clear(s.curve)
	}
	m.byColumn(s, i)
	if m.context != nil {
		m.spread(s, m.contextOf(i))
	}
	return log
}

// byColumn adds to slope and curve.
func (m *Model[X]) byColumn(s *sums, i int) {
	clear(s.mean)
	from := m.from(i)
	for j, p := range s.p {
		weight := -p
		if j == int(m.chosen[i]) {
			weight++
		}
		cells := m.column[m.cellsFrom(from+j):m.cells[from+j]]
		x := m.x[m.cellsFrom(from+j):m.cells[from+j]]
		for a, column := range cells {
			s.slope[column] += weight * float64(x[a])
		}
		if s.curve == nil {
			continue
		}
		for a, column := range cells {
			px := p * float64(x[a])
			s.mean[column] += px
			line, right := s.curve[int(column)*m.columns:], x[a:]
			for b, other := range cells[a:] {
				line[other] += px * float64(right[b])
			}
		}
	}
	if s.curve == nil {
		return
	}
	for a, x := range s.mean {
		if x == 0 {
			continue
		}
		floats.AddScaled(s.curve[a*m.columns+a:(a+1)*m.columns], -x, s.mean[a:])
	}
}

// spread adds slope and curve to the derivatives of the unknowns, of which each column has one for each number of
// the context.
func (m *Model[X]) spread(s *sums, z []float32) {
	n, c := len(m.beta), m.numbers
	for f, g := range s.slope {
		for k, x := range z {
			s.gradient[f*c+k] += g * float64(x)
		}
	}
	if s.hessian == nil {
		return
	}
	for a := range m.columns {
		for b := a; b < m.columns; b++ {
			h := s.curve[a*m.columns+b]
			if h == 0 {
				continue
			}
			for k, x := range z {
				line := s.hessian[(a*c+k)*n+b*c:]
				for l, y := range z {
					if x*y != 0 && (a < b || l >= k) {
						line[l] += h * float64(x) * float64(y)
					}
				}
			}
		}
	}
}
