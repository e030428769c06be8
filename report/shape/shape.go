package shape

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/human"
	"kifu/internal/logit"
)

// Sigmoid is 1/(1+exp(-W0·v)), fitted to a curve.
type Sigmoid struct {
	W0 float64 // in 1/unit; 0 with OK false
	OK bool    // false: no finite maximum, the wins and losses do not overlap
}

// Scale is the evaluation at which the odds are e to 1: 1/W0.
func (s Sigmoid) Scale() float64 { return 1 / s.W0 }

// At is the win probability at v.
func (s Sigmoid) At(v float64) float64 { return logit.Probability(s.W0 * v) }

// FitSigmoid maximises the likelihood of the bins' wins and losses at their centres. A finite
// maximum needs both kinds of results: those that a positive slope explains (won above 0 or
// lost below), and the others.
func FitSigmoid(bins []Bin) Sigmoid {
	var up, down float64
	rows := make([]logit.Row, 0, len(bins))
	for _, b := range bins {
		won, lost := b.Won, float64(b.Positions)-b.Won
		switch {
		case b.V > 0:
			up, down = up+won, down+lost
		case b.V < 0:
			up, down = up+lost, down+won
		}
		rows = append(rows, logit.Row{X: []float64{b.V}, N: won + lost, Won: won})
	}
	if up <= 0 || down <= 0 {
		return Sigmoid{}
	}
	w, err := logit.Fit(rows, []float64{0})
	return Sigmoid{w[0], err == nil}
}

// Steps counts how a curve goes from bin to bin. A good evaluation's goes up.
type Steps struct {
	All    int
	Down   int // the next bin is below
	Beyond int // and by more than its error
	Worst  float64
	At     float64 // where the worst of these ends
}

// StepsOf looks at neighbouring bins. A step down is beyond its error if a curve that falls
// nowhere would show one like it in at most one of twenty samples, at any of its steps
// (one-sided, Bonferroni). The errors of the two bins are added as if they had no game in
// common; with common games the true error is smaller.
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

// Sentence describes whether the curve rises; its subject goes before.
func (s Steps) Sentence() string {
	switch {
	case s.Beyond > 0:
		return fmt.Sprintf("is not monotone: %d of its %d steps from bin to bin go down by more than the 95 %% error of so many comparisons, the worst by %s at %s.", s.Beyond, s.All, human.Percent(s.Worst, 1), human.Number(s.At))
	case s.Down == 0:
		return fmt.Sprintf("is monotone: each of its %d steps from bin to bin goes up.", s.All)
	}
	return fmt.Sprintf("is monotone within error: %d of its %d steps from bin to bin go down, none by more than the 95 %% error of so many comparisons.", s.Down, s.All)
}
