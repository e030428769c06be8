package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kifu/eval"
	"kifu/kit/slow"
	"kifu/players/decide"
	"kifu/players/learn/simplex"
)

// tenTerms are the features offered, of which planted opponents use the first six.
var tenTerms = []string{"man", "king", "safe_man_steps", "man_attacked", "man_centre", "backed", "bridge", "exposed", "dyke", "threat"}

// sixWeights returns a variation of Samuel's function: six terms of ten, with no two
// weights in a simple ratio.
func sixWeights(t testing.TB) *eval.Model {
	t.Helper()
	m := checkers().Default()
	for _, term := range m.Terms {
		clear(term.Weights)
	}
	for i, w := range []float64{100, 152.3, 13.1, -36.7, 17.9, 7.7} {
		at, err := m.Match(tenTerms[i])
		if err != nil {
			t.Fatal(err)
		}
		for stage := range m.Terms[at[0]].Weights {
			m.Terms[at[0]].Weights[stage] = w
		}
	}
	return m
}

func cosine(s *strategy, m *eval.Model) float64 {
	planted := map[string]float64{}
	for _, t := range m.Terms {
		planted[t.Name] = t.Weights[0]
	}
	ab, aa, bb := 0.0, 0.0, 0.0
	for _, w := range s.Weights {
		p := planted[w.Term]
		ab, aa, bb = ab+w.Value*p, aa+w.Value*w.Value, bb+p*p
	}
	return ab / math.Sqrt(aa*bb)
}

// planted learns from n decisions of an opponent that has six of the ten terms.
func planted(t *testing.T, o *opponent, seed uint64, n, deepest int) (*strategy, []*strategy) {
	t.Helper()
	p := Params{Eval: checkers().Default(), MaxDepth: deepest, Holdout: 0.5, Seed: 1, Fit: Both, Free: tenTerms, Epsilon: 0.002}
	ds := o.decisions(t, rand.New(rand.NewPCG(seed, 1)), n)
	for i := range ds {
		ds[i].part = p.part(ds[i].game)
	}
	if err := value(context.Background(), checkers(), p, false, 2, ds, nil); err != nil {
		t.Fatal(err)
	}
	all, m, err := learnStrategy(context.Background(), checkers(), &p, 2, ds, nil, new(kept))
	if err != nil {
		t.Fatal(err)
	}
	return m, all
}

// The paper's check: the true depth predicts best, with the weights of the opponent, and
// all but a few of its moves, near ties, are among the best.
func TestPlantedStrategy(t *testing.T) {
	slow.Test(t, "learns from a planted player")
	model := sixWeights(t)
	m, all := planted(t, newOpponent(t, model, 2, 0), 2, 700, 3)
	if m.Depth != 2 || m.Held.InBest < 0.95 {
		t.Errorf("depth %d, %.3f of the moves among the best, want depth 2 and 0.95", m.Depth, m.Held.InBest)
	}
	for _, s := range all {
		if s.Depth != 2 {
			if s.Behind < 5**s.BehindSE {
				t.Errorf("%s at depth %d is only %.3f ± %.3f behind", s.Solver, s.Depth, s.Behind, *s.BehindSE)
			}
			continue
		}
		if c := cosine(s, model); c < 0.99 || s.Held.InBest < 0.94 || s.Solved != 2 {
			t.Errorf("%s: cosine %.4f, %.3f of the moves among the best", s.Solver, c, s.Held.InBest)
		}
	}
}

// A player that searches captures to their end comes back as one, with its depth and weights, and in
// model.toml.
func TestPlantedQuiescence(t *testing.T) {
	slow.Test(t, "learns from a planted player")
	model := sixWeights(t)
	o := newOpponent(t, model, 2, 0)
	p := Params{Eval: checkers().Default(), MaxDepth: 2, Quiescence: true, Holdout: 0.5, Seed: 1, Fit: Both, Free: tenTerms, Epsilon: 0.002}
	quiet := func(at position) []int32 { return decide.QuietValues(o.search, at, 2)[1] }
	ds := sampled(t, o, rand.New(rand.NewPCG(6, 1)), 50, false, quiet, choice{temperature: 0.01})
	for i := range ds {
		ds[i].part = p.part(ds[i].game)
	}
	if err := value(context.Background(), checkers(), p, false, 2, ds, nil); err != nil {
		t.Fatal(err)
	}
	l := learnDepth(p.MaxDepth, ds)
	if err := learnModel(context.Background(), checkers(), &p, 2, ds, nil, new(kept), l); err != nil {
		t.Fatal(err)
	}
	if m := l.Player(); m.Depth != 2 || !m.Quiescence || l.Model.Held.InBest < 0.9 {
		t.Errorf("depth %d, quiescence %v, %.3f of the moves among the best", m.Depth, m.Quiescence, l.Model.Held.InBest)
	}
	for _, s := range l.Strategies {
		switch {
		case isModel(l.Model, s):
			if c := cosine(&strategy{LearnStrategy: *s}, model); c < 0.97 || s.Behind != 0 || *s.LossBehind != 0 {
				t.Errorf("cosine %.4f of the model's weights, behind itself by %g", c, s.Behind)
			}
		case s.Depth == 2 && !s.Quiescence && s.Behind < 3**s.BehindSE:
			t.Errorf("%s without quiescence is only %.3f ± %.3f behind", s.Solver, s.Behind, *s.BehindSE)
		}
	}
	// The given weights: the differences printed are those of the means.
	for _, d := range allDepths(&l.LearnResults) {
		if got, want := d.Against.Behind, l.Model.Held.Accuracy-d.Held.Accuracy; math.Abs(got-want) > 1e-9 {
			t.Errorf("depth %d is behind by %g, means differ by %g", d.Depth, got, want)
		}
		if got, want := d.Against.LossBehind, d.Held.LogLoss-l.Model.Held.LogLoss; math.Abs(got-want) > 1e-9 {
			t.Errorf("depth %d has a log-loss larger by %g, means differ by %g", d.Depth, got, want)
		}
	}
}

// An opponent that draws its moves at a temperature comes back with depth, weights and
// temperature, and the errors of the weights are what they are off by.
func TestNoisyStrategy(t *testing.T) {
	model := sixWeights(t)
	o := newOpponent(t, model, 2, 0)
	o.temperature = 8
	m, all := planted(t, o, 3, 900, 2)
	if m.Depth != 2 {
		t.Fatalf("depth %d, want 2", m.Depth)
	}
	for _, s := range all {
		if s.Depth != 2 || s.Solver != Likelihood {
			continue
		}
		ab, aa := 0.0, 0.0
		for _, w := range s.Weights {
			p := plantedWeight(model, w.Term)
			ab, aa = ab+w.Value*p, aa+p*p
		}
		length := ab / aa
		if got := s.Temperature / length; got < 6 || got > 10 || cosine(s, model) < 0.98 {
			t.Errorf("temperature %.2f, cosine %.4f; want 8 and 1", got, cosine(s, model))
		}
		far, z2 := 0, 0.0
		for _, w := range s.Weights {
			z := (w.Value/length - plantedWeight(model, w.Term)) / (*w.SE / length)
			z2 += z * z / float64(len(s.Weights))
			if math.Abs(z) > 4 {
				far++
			}
		}
		if far > 0 || z2 < 0.1 || z2 > 4 {
			t.Errorf("weights are off by %.2f errors in the mean square, %d by more than 4: %+v", z2, far, s.Weights)
		}
	}
}

func plantedWeight(m *eval.Model, term string) float64 {
	at, err := m.Match(term)
	if err != nil {
		panic(err)
	}
	return m.Terms[at[0]].Weights[0]
}

// Of two moves, one with a feature, 70 of 100 take it: β = ln(7/3), with the standard
// error of a log-odds, 1/√(n p q), times √(n/(n-1)) as each decision is a game.
func TestLogitClosedForm(t *testing.T) {
	var ds []alternatives
	for i := range 100 {
		chosen := 0
		if i%10 >= 7 {
			chosen = 1
		}
		ds = append(ds, alternatives{game: int64(i), chosen: chosen, rows: [][]simplex.Cell{{{Column: 0, X: 2}}, nil}})
	}
	l := oddsOf(ds, 1).pulled(0, 1)
	beta, err := l.Maximise([]float64{0})
	if err != nil {
		t.Fatal(err)
	}
	se := (&solution{influences: func() [][]float64 { return l.Influences(beta) }}).errors()[0]
	if want := math.Log(7./3) / 2; math.Abs(beta[0]-want) > 1e-6 {
		t.Errorf("β %g, want %g", beta[0], want)
	}
	if want := math.Sqrt(1/(100*0.21)*100/99) / 2; math.Abs(se-want) > 1e-6 {
		t.Errorf("standard error %g, want %g", se, want)
	}
}

// Gradient and Hessian are those of central differences.
func TestLogitDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	const n = 4
	var ds []alternatives
	for i := range 20 {
		rows := make([][]simplex.Cell, 3)
		for k := range rows {
			for j := range n {
				rows[k] = append(rows[k], simplex.Cell{Column: int32(j), X: rng.NormFloat64()})
			}
		}
		ds = append(ds, alternatives{game: int64(i / 3), chosen: rng.IntN(3), rows: rows})
	}
	l := oddsOf(ds, n).pulled(1, n)
	beta := []float64{0.3, -0.2, 0.1, 0.4}
	at := func(beta []float64) (float64, []float64) {
		value := l.Set(beta)
		slopes, _ := l.Derivatives()
		return value, slopes
	}
	l.Set(beta)
	gradient, curvature := l.Derivatives()
	hessian := mat.DenseCopyOf(curvature)
	const h = 1e-5
	for j := range beta {
		up, down := slices.Clone(beta), slices.Clone(beta)
		up[j], down[j] = beta[j]+h, beta[j]-h
		above, slopes := at(up)
		below, aside := at(down)
		if got := (above - below) / (2 * h); math.Abs(got-gradient[j]) > 1e-6 {
			t.Errorf("slope %d: %g, differences %g", j, gradient[j], got)
		}
		for k := range beta {
			if got := (aside[k] - slopes[k]) / (2 * h); math.Abs(got-hessian.At(j, k)) > 1e-5 {
				t.Errorf("curvature %d, %d: %g, differences %g", j, k, hessian.At(j, k), got)
			}
		}
	}
}
