package fit

import "math"

// Metrics say how well win probabilities foretell results.
type Metrics struct {
	LogLoss float64 `json:"log_loss"` // mean of -y·ln(g)-(1-y)·ln(1-g), nats a position
	Brier   float64 `json:"brier"`    // mean of (y-g)²
	// Accuracy is the share of the decided positions (y is not 1/2) in which the side
	// that won has the better probability; g = 1/2 counts half.
	Accuracy float64 `json:"accuracy"`
}

// Sample is a set of games with what the evaluators foretell of it.
type Sample struct {
	Positions int `json:"positions"`
	Games     int `json:"games"`
	// Positions by the result of their game; of distinct positions, occurrences.
	FirstWins  float64 `json:"first_wins"`
	Draws      float64 `json:"draws"`
	SecondWins float64 `json:"second_wins"`

	Base     Metrics  `json:"base"`     // the mean result of the games fitted to, for every position
	Original *Metrics `json:"original"` // e(p) with its own best w_0; null when there is none
	Fitted   Metrics  `json:"fitted"`   // e'(p)
}

// report fills a Sample.
func (s *sample) report(e *estimate, mean float64) *Sample {
	out := &Sample{Positions: s.rows.n, Games: s.rows.games,
		FirstWins: s.results.first, Draws: s.results.draws, SecondWins: s.results.second}
	constant := math.Log(mean / (1 - mean))
	k := e.d.scale()
	zero := make([]float64, k+1)
	out.Base = s.rows.metrics(zero, constant)
	if !math.IsNaN(e.present) {
		zero[k] = e.present
		original := s.rows.metrics(zero, 0)
		out.Original = &original
	}
	out.Fitted = s.rows.metrics(e.theta, 0)
	return out
}

// metrics scores theta, with offset added to every score.
func (r *rows) metrics(theta []float64, offset float64) Metrics {
	var m Metrics
	var sure float64
	r.eachScore(theta, func(b *block, z []float64) {
		for i, zi := range z {
			zi += offset
			y, w := float64(b.y[i]), b.weightOf(i)
			m.LogLoss += w * logistic{}.at(zi, y).f
			m.Brier += w * squares{}.at(zi, y).f
			if y == 0.5 {
				continue
			}
			sure += w
			switch {
			case zi > 0:
				m.Accuracy += w * y
			case zi < 0:
				m.Accuracy += w * (1 - y)
			default:
				m.Accuracy += w / 2
			}
		}
	})
	if r.weight > 0 {
		m.LogLoss /= r.weight
		m.Brier /= r.weight
	}
	if sure > 0 {
		m.Accuracy /= sure
	}
	return m
}

// mean is the mean result.
func (r *rows) mean() float64 {
	sum := 0.0
	for _, b := range r.blocks {
		for i, y := range b.y {
			sum += b.weightOf(i) * float64(y)
		}
	}
	return sum / r.weight
}
