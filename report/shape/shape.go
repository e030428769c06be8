package shape

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/human"
)

// Sigmoid is 1/(1+exp(-W0·v)), fitted to a curve.
type Sigmoid struct {
	W0 float64 // in 1/unit; 0 with OK false
	OK bool    // false: no finite maximum, the wins and losses do not overlap
}

// Scale is the evaluation at which the odds are e to 1: 1/W0.
func (s Sigmoid) Scale() float64 { return 1 / s.W0 }

// At is the win probability at v.
func (s Sigmoid) At(v float64) float64 { return 1 / (1 + math.Exp(-s.W0*v)) }

// FitSigmoid maximises the likelihood of the bins' wins and losses at their centres by
// iteratively reweighted least squares, which for one unknown is Newton's method. The
// log-likelihood is concave.
func FitSigmoid(bins []Bin) Sigmoid {
	w := 0.0
	for range 100 {
		gradient, curvature := 0.0, 0.0
		for _, b := range bins {
			n := float64(b.Positions)
			p := 1 / (1 + math.Exp(-w*b.V))
			gradient += b.V * (b.Won - n*p)
			curvature += b.V * b.V * n * p * (1 - p)
		}
		if curvature < 1e-12 {
			return Sigmoid{}
		}
		step := gradient / curvature
		// Far from the maximum a full step can overshoot to where everything is certain.
		if limit := math.Max(math.Abs(w), 1/spread(bins)); math.Abs(step) > limit {
			step = math.Copysign(limit, step)
		}
		w += step
		if math.Abs(step) <= 1e-13*math.Abs(w) {
			return Sigmoid{w, true}
		}
	}
	return Sigmoid{}
}

func spread(bins []Bin) float64 {
	widest := 0.0
	for _, b := range bins {
		widest = math.Max(widest, math.Abs(b.V))
	}
	return widest
}

// Steps says how a curve goes from bin to bin. A good evaluation's goes up.
type Steps struct {
	All    int
	Down   int // the next bin is below
	Beyond int // and by more than its error
	Worst  float64
	At     float64 // where the worst of these ends
}

// StepsOf looks at neighbouring bins. A step down is beyond its error when a curve that
// nowhere falls would show one like it, at any of its steps, in one of twenty samples at
// most (one-sided, Bonferroni). The errors of the two bins are added as if they had no
// game in common; with common games the true error is smaller.
func StepsOf(bins []Bin) Steps {
	s := Steps{All: max(0, len(bins)-1)}
	if s.All == 0 {
		return s
	}
	z := distuv.UnitNormal.Quantile(1 - 0.05/float64(s.All))
	for i := 1; i < len(bins); i++ {
		a, b := bins[i-1], bins[i]
		fall := a.P - b.P
		if fall <= 0 {
			continue
		}
		s.Down++
		if fall > z*math.Hypot(a.StandardError(), b.StandardError()) {
			s.Beyond++
			if fall > s.Worst {
				s.Worst, s.At = fall, b.V
			}
		}
	}
	return s
}

func (s Steps) Sentence() string {
	switch {
	case s.Beyond > 0:
		return fmt.Sprintf("is not monotone: %d of its %d steps from bin to bin go down by more than the 95 %% error of so many comparisons, the worst by %s at %s.", s.Beyond, s.All, human.Percent(s.Worst, 1), human.Number(s.At))
	case s.Down == 0:
		return fmt.Sprintf("is monotone: each of its %d steps from bin to bin goes up.", s.All)
	}
	return fmt.Sprintf("is monotone within error: %d of its %d steps from bin to bin go down, none by more than the 95 %% error of so many comparisons.", s.Down, s.All)
}
