package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kifu/eval"
	"kifu/schemas"
)

// noisy are decisions of an opponent that draws its moves at a temperature, one ply ahead,
// with two parts in three fitted to and the values of the weights given.
func noisy(t *testing.T, model *eval.Model, p *Params, seed uint64, n int) []decision[position] {
	t.Helper()
	o := newOpponent(t, model, 1, 0)
	o.temperature = 15
	ds := o.decisions(t, rand.New(rand.NewPCG(seed, 1)), n)
	for i := range ds {
		ds[i].part = p.part(ds[i].game)
	}
	if err := value(context.Background(), checkers(), *p, false, 2, ds, nil); err != nil {
		t.Fatal(err)
	}
	return ds
}

// offBy returns the root mean square of what the weights of a strategy differ by from a
// model's, without their common length.
func offBy(s *strategy, m *eval.Model) float64 {
	ab, aa := 0.0, 0.0
	for _, w := range s.Weights {
		ab, aa = ab+w.Value*plantedWeight(m, w.Term), aa+w.Value*w.Value
	}
	sum := 0.0
	for _, w := range s.Weights {
		d := w.Value*ab/aa - plantedWeight(m, w.Term)
		sum += d * d / float64(len(s.Weights))
	}
	return math.Sqrt(sum)
}

// flat returns the default model with one weight a term for all stages.
func flat(t *testing.T) *eval.Model {
	t.Helper()
	m := checkers().Default()
	for _, term := range m.Terms {
		for stage := range term.Weights {
			term.Weights[stage] = term.Weights[len(term.Weights)-1]
		}
	}
	return m
}

// From few decisions of a player with the weights given, shrunk weights stay near these
// where those by likelihood go astray, and the model predicts no less than the ones given.
func TestShrunkStaysNear(t *testing.T) {
	model := flat(t)
	p := Params{Eval: model, MaxDepth: 1, Holdout: 0.33, Seed: 1, Epsilon: 0.002}
	off := map[string]float64{}
	for seed := range uint64(2) {
		ds := noisy(t, model, &p, seed, 150)
		for _, p.Fit = range []string{Likelihood, Shrunk} {
			all, m, err := learnStrategy(context.Background(), checkers(), &p, 2, ds, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			off[p.Fit] += offBy(all[0], model) / 2
			if m.Solver == Likelihood {
				t.Errorf("seed %d: weights far off are chosen", seed)
			}
		}
	}
	if off[Shrunk] > off[Likelihood]/2 {
		t.Errorf("off by %.2f shrunk, by %.2f otherwise: want half of it at most", off[Shrunk], off[Likelihood])
	}
}

// From many decisions of a player with other weights, shrunk ones come to his, by as much
// as their errors say; terms that are not free keep what is given.
func TestShrunkMoves(t *testing.T) {
	given := flat(t)
	model := given.Clone()
	set := func(term string, to float64) {
		at, err := model.Match(term)
		if err != nil {
			t.Fatal(err)
		}
		for stage := range model.Terms[at[0]].Weights {
			model.Terms[at[0]].Weights[stage] = to
		}
	}
	set("safe_man_steps", plantedWeight(given, "safe_man_steps")+12)
	set("man_attacked", plantedWeight(given, "man_attacked")-30)
	p := &Params{Eval: given, MaxDepth: 1, Holdout: 0.33, Seed: 1, Fit: Shrunk, Free: []string{"mobility", "threats"}, Epsilon: 0.002}
	all, m, err := learnStrategy(context.Background(), checkers(), p, 2, noisy(t, model, p, 7, 1500), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Solver != Shrunk || plantedWeight(m.model, "man_centre") != plantedWeight(given, "man_centre") {
		t.Errorf("weights %s, man_centre %g, given %g", m.Solver, plantedWeight(m.model, "man_centre"), plantedWeight(given, "man_centre"))
	}
	for _, w := range all[0].Weights {
		if has := plantedWeight(m.model, w.Term); math.Abs(has-w.Value) > 0.01 {
			t.Errorf("the model plays with %s %g, not %g", w.Term, has, w.Value)
		}
		if w.Term != "safe_man_steps" && w.Term != "man_attacked" {
			continue
		}
		want := plantedWeight(model, w.Term)
		if math.Abs(w.Value-want) > 3**w.SE || math.Abs(w.Value-w.Given) < 4**w.SE {
			t.Errorf("%s is %.2f ± %.2f, want %.2f, given %.2f", w.Term, w.Value, *w.SE, want, w.Given)
		}
	}
}

// The covariance of β/α is that of its differences.
func TestShrunkCovariance(t *testing.T) {
	beta := []float64{0.3, -0.2, 0.05}
	cov := mat.NewSymDense(3, []float64{4, 1, 0.5, 1, 3, -0.2, 0.5, -0.2, 0.1})
	got := shrunkCovariance(beta, cov)
	slope := func(of, by int) float64 {
		const h = 1e-6
		up, down := append([]float64{}, beta...), append([]float64{}, beta...)
		up[by], down[by] = up[by]+h, down[by]-h
		return (up[of]/up[2] - down[of]/down[2]) / (2 * h)
	}
	for a := range 2 {
		for b := range 2 {
			want := 0.0
			for i := range 3 {
				for j := range 3 {
					want += slope(a, i) * cov.At(i, j) * slope(b, j)
				}
			}
			if math.Abs(got.At(a, b)-want) > 1e-5*math.Abs(want)+1e-9 {
				t.Errorf("covariance %d, %d: %g, want %g", a, b, got.At(a, b), want)
			}
		}
	}
}

// The choice: of the strategies level with the most accurate one, the least log-loss; one
// that is behind by more than an error is none of them, whatever its log-loss.
func TestChoose(t *testing.T) {
	var ds []decision[position]
	for game := range int64(40) {
		ds = append(ds, decision[position]{game: game, part: held})
	}
	l := &learner[position]{decisions: ds}
	made := func(name string, from, hits int, loss float64) *strategy {
		s := &strategy{LearnStrategy: schemas.LearnStrategy{Solver: name, Held: schemas.LearnScore{Accuracy: float64(hits) / 40, LogLoss: loss}}, hits: make([]float64, 40), loss: make([]float64, 40)}
		for i := range hits {
			s.hits[from+i] = 1
		}
		for i := range s.loss {
			s.loss[i] = loss
		}
		return s
	}
	all := []*strategy{made("behind", 10, 20, 1.0), made("level", 3, 29, 1.3), made("best", 0, 30, 1.5), made("worse", 0, 30, 1.4)}
	if best := l.choose(all); best.Solver != "level" {
		t.Errorf("%s is chosen", best.Solver)
	}
	if d := all[2].Behind; math.Abs(d+1./40) > 1e-12 || all[1].Behind != 0 {
		t.Errorf("the most accurate is behind by %g, the one chosen by %g", d, all[1].Behind)
	}
	if d := *all[2].LossBehind; math.Abs(d-0.2) > 1e-12 || *all[2].LossBehindSE > 1e-9 {
		t.Errorf("its log-loss is larger by %g ± %g", d, *all[2].LossBehindSE)
	}
}
