package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"kifu/eval"
	"kifu/kit/slow"
	"kifu/players/decide"
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
	all, m, err := learnStrategy(context.Background(), checkers(), &p, 2, ds, nil, nil)
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
	if err := learnModel(context.Background(), checkers(), &p, 2, ds, nil, nil, l); err != nil {
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

// randomRows are constraints that weights of length 1 to columns satisfy but for noise.
func randomRows(rng *rand.Rand, n, columns int, noise float64) (rows [][]cell) {
	for range n {
		var r []cell
		sum := noise * rng.NormFloat64()
		for j := range columns {
			if rng.IntN(3) == 0 {
				continue
			}
			x := float64(rng.IntN(7) - 3)
			r = append(r, cell{int32(j), x})
			sum += x * float64(j+1)
		}
		if sum < 0 {
			for i := range r {
				r[i].x = -r[i].x
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// The linear programme of separate, written out and solved by gonum's simplex method, has
// the same least cost.
func TestSeparateAgainstGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for trial := range 12 {
		const n, columns = 30, 4
		pull := []float64{1e-3, 0.1, 3}[trial%3]
		rows := randomRows(rng, n, columns, 3)
		w, err := newSimplex(rows, columns).separate(pull)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := cost(rows, w, pull), leastCost(t, rows, columns, pull); math.Abs(got-want) > 1e-4*(1+want) {
			t.Errorf("trial %d: cost %.8g, gonum's %.8g", trial, got, want)
		}
	}
}

// scales returns the root mean squares of columns.
func scales(rows [][]cell, columns int) []float64 {
	s := make([]float64, columns)
	for _, r := range rows {
		for _, c := range r {
			s[c.column] += c.x * c.x / float64(len(rows))
		}
	}
	for j := range s {
		s[j] = math.Sqrt(s[j])
	}
	return s
}

func cost(rows [][]cell, w []float64, pull float64) (sum float64) {
	for _, r := range rows {
		sum += max(0, 1-dot(r, w))
	}
	for j, s := range scales(rows, len(w)) {
		sum += pull * s * math.Abs(w[j])
	}
	return sum
}

// leastCost is by w = u - v, slacks and surpluses, all of them at least 0.
func leastCost(t *testing.T, rows [][]cell, columns int, pull float64) float64 {
	t.Helper()
	n := len(rows)
	c, b := make([]float64, 2*columns+2*n), make([]float64, n)
	a := mat.NewDense(n, len(c), nil)
	for j, s := range scales(rows, columns) {
		c[j], c[columns+j] = pull*s, pull*s
	}
	for i, r := range rows {
		for _, x := range r {
			a.Set(i, int(x.column), x.x)
			a.Set(i, columns+int(x.column), -x.x)
		}
		a.Set(i, 2*columns+i, 1)
		a.Set(i, 2*columns+n+i, -1)
		c[2*columns+i], b[i] = 1, 1
	}
	least, _, err := lp.Simplex(c, a, b, 1e-10, nil)
	if err != nil {
		t.Fatal(err)
	}
	return least
}

// Rows that weights satisfy are all satisfied, and many rows of many columns are solved to
// where no pull of the dual is left: the cost has no direction down.
func TestSeparate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	rows := randomRows(rng, 300, 6, 0)
	rows = slices.DeleteFunc(rows, func(r []cell) bool { return dot(r, []float64{1, 2, 3, 4, 5, 6}) == 0 })
	w, err := newSimplex(rows, 6).separate(1e-6)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if dot(r, w) < 1-1e-4 {
			t.Fatalf("%v counts %g", r, dot(r, w))
		}
	}
	const columns = 25
	rows = randomRows(rng, 1500, columns, 60)
	if w, err = newSimplex(rows, columns).separate(0.01); err != nil {
		t.Fatal(err)
	}
	least := cost(rows, w, 0.01)
	for range 300 {
		v := slices.Clone(w)
		for j := range v {
			v[j] += 1e-3 * rng.NormFloat64()
		}
		if cost(rows, v, 0.01) < least*(1-1e-7) {
			t.Fatalf("cost %g, nearby %g", least, cost(rows, v, 0.01))
		}
	}
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
		ds = append(ds, alternatives{game: int64(i), chosen: chosen, rows: [][]cell{{{0, 2}}, nil}})
	}
	l := oddsOf(ds, 1).pulled(0, 1)
	beta, err := l.Maximise([]float64{0})
	if err != nil {
		t.Fatal(err)
	}
	se := math.Sqrt(covariance(l, beta).At(0, 0))
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
		ds = append(ds, alternatives{game: int64(i / 3), chosen: rng.IntN(3), rows: randomRows(rng, 3, n, 5)})
	}
	l := oddsOf(ds, n).pulled(1, n)
	beta := []float64{0.3, -0.2, 0.1, 0.4}
	at := func(beta []float64) (float64, []float64) {
		value := l.Set(beta)
		slopes, _ := l.Derivatives()
		return value, slopes
	}
	l.Set(beta)
	gradient, hessian := l.Derivatives()
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
