package logit

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/panels"
)

// beetles are the data of Bliss (1935): dose, number, killed.
var beetles = [][3]float64{
	{1.6907, 59, 6}, {1.7242, 60, 13}, {1.7552, 62, 18}, {1.7842, 56, 28},
	{1.8113, 63, 52}, {1.8369, 59, 53}, {1.8610, 62, 61}, {1.8839, 60, 60},
}

// TestFitEqualsDobson: the published logistic regression of the beetles, −60.717 and 34.270
// (Dobson, An Introduction to Generalized Linear Models, 2nd edition, 2002, section 7.3),
// from starts near and far.
func TestFitEqualsDobson(t *testing.T) {
	var rows []Row
	for _, b := range beetles {
		rows = append(rows, Row{X: []float64{1, b[0]}, N: b[1], Won: b[2]})
	}
	for _, start := range [][]float64{{0, 0}, {-60, 34}, {9, -3}, {-20, 14}} {
		theta, err := Fit(rows, start)
		if err != nil || math.Abs(theta[0]+60.717) > 5e-4 || math.Abs(theta[1]-34.270) > 5e-4 {
			t.Errorf("from %v: %v, %v", start, theta, err)
		}
	}
}

// TestFitOfTwoGroups: a constant and a difference of two groups are log-odds.
func TestFitOfTwoGroups(t *testing.T) {
	odds := func(won, n float64) float64 { return math.Log(won / (n - won)) }
	theta, err := Fit([]Row{{X: []float64{1, 0}, N: 1e4, Won: 3e3}, {X: []float64{1, 1}, N: 41, Won: 40.5}, {X: []float64{5, 5}}}, []float64{0, 0})
	if err != nil || math.Abs(theta[0]-odds(3, 10)) > 1e-9 || math.Abs(theta[1]-odds(40.5, 41)+odds(3, 10)) > 1e-9 {
		t.Errorf("%v, %v", theta, err)
	}
}

// well is −√(1+x²), whose full Newton steps from beyond ±1 go ever farther.
type well struct{ x float64 }

func (w *well) Set(theta []float64) float64 { w.x = theta[0]; return -math.Sqrt(1 + w.x*w.x) }

func (w *well) Step(step []float64) (float64, error) {
	root := math.Sqrt(1 + w.x*w.x)
	return Solve(new(panels.Cholesky), step, []float64{-w.x / root}, mat.NewSymDense(1, []float64{1 / (root * root * root)}))
}

func TestStepsAreHalved(t *testing.T) {
	w := &well{}
	theta, err := Maximise(w, []float64{50})
	if err != nil || math.Abs(theta[0]) > 1e-9 || w.x != theta[0] {
		t.Errorf("%v (left at %v), %v", theta, w.x, err)
	}
}

// slope has no maximum.
type slope struct{}

func (slope) Set(theta []float64) float64          { return theta[0] }
func (slope) Step(step []float64) (float64, error) { step[0] = 1; return 1, nil }

func TestNoMaximum(t *testing.T) {
	if _, err := Maximise(slope{}, []float64{0}); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
	if _, err := Fit([]Row{{X: []float64{1, 1}, N: 4, Won: 2}}, []float64{0, 0}); err == nil {
		t.Error("two unknowns that cannot be told apart have a maximum")
	}
}
