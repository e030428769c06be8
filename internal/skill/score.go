package skill

// Score is a sum over moves at a rating. Its unit of ratings is a hundred points.
type Score struct {
	Moves         int
	U             float64 // the score: above 0 where less was lost than is usual at the rating
	Information   float64 // minus the expected derivative of U
	Best          float64 // U had each move been the best one
	Loss          float64 // scaled, of the moves played
	Expected      float64 // loss at the rating
	First         float64 // times the best move was played, with losses of all legal moves
	ExpectedFirst float64
	slope         []float64 // minus the expected derivative of U by the curve's weights
}

// score adds a turn at a rating.
func (c *Curve) score(m *Moves, t Turn, rating float64) (s Score) {
	law := m.law()
	var x []float64
	var p point
	for i := t.first; i < t.end; i++ {
		x = law.features(c.rated(x[:0], rating), i)
		law.at(&p, i, c.quantities(x))
		if s.slope == nil {
			s.slope = make([]float64, len(x)*len(c.Weights))
		}
		s.Moves++
		s.Loss, s.Expected = s.Loss+m.loss(i), s.Expected+p.expected
		s.First, s.ExpectedFirst = s.First+p.first, s.ExpectedFirst+p.expectedFirst
		for a, w := range c.Weights {
			s.U += w[1] * p.score[a]
			s.Best += w[1] * p.best[a]
			along := 0.0
			for b, v := range c.Weights {
				along += p.information[a][b] * v[1]
			}
			s.Information += w[1] * along
			for k, v := range x {
				s.slope[a*len(x)+k] += along * v
			}
		}
	}
	return s
}

// plus adds another score.
func (s *Score) plus(o Score) {
	s.Moves += o.Moves
	s.U, s.Information, s.Best = s.U+o.U, s.Information+o.Information, s.Best+o.Best
	s.Loss, s.Expected, s.First, s.ExpectedFirst = s.Loss+o.Loss, s.Expected+o.Expected, s.First+o.First, s.ExpectedFirst+o.ExpectedFirst
	if s.slope == nil {
		s.slope = make([]float64, len(o.slope))
	}
	add(s.slope, o.slope)
}

// curveVariance is the variance of U by the errors of the curve.
func (c *Curve) curveVariance(s Score) (v float64) {
	n := len(s.slope)
	for i, a := range s.slope {
		for j, b := range s.slope {
			v += a * b * c.Covariance[i*n+j]
		}
	}
	return v
}
