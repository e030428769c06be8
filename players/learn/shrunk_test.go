package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"kifu/eval"
	"kifu/players/learn/simplex"
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
			all, m, err := learnStrategy(context.Background(), checkers(), &p, 2, ds, nil, new(kept))
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
	all, m, err := learnStrategy(context.Background(), checkers(), p, 2, noisy(t, model, p, 7, 1500), nil, new(kept))
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

// The influences on β/α are those of its differences.
func TestShrunkInfluences(t *testing.T) {
	beta, of := []float64{0.3, -0.2, 0.05}, []float64{2, -0.4, 0.3}
	got := shrunkInfluences(beta, [][]float64{slices.Clone(of)})[0]
	if len(got) != 2 {
		t.Fatal(got)
	}
	for i := range got {
		const h = 1e-6
		moved := func(by float64) float64 { return (beta[i] + by*of[i]) / (beta[2] + by*of[2]) }
		if want := (moved(h) - moved(-h)) / (2 * h); math.Abs(got[i]-want) > 1e-5*math.Abs(want) {
			t.Errorf("influence on weight %d: %g, want %g", i, got[i], want)
		}
	}
}

// The influences on lengthened weights are those of their differences.
func TestLengthenedInfluences(t *testing.T) {
	rows := [][]simplex.Cell{{{Column: 0, X: 2}, {Column: 1, X: -1}}, {{Column: 1, X: 3}}, {{Column: 0, X: -1}, {Column: 2, X: 0.5}}}
	beta, of, factor := []float64{0.3, -0.2, 0.7}, []float64{2, -0.4, 0.3}, 1.7
	got := lengthened([][]float64{slices.Clone(of)}, rows, beta, factor)[0]
	for i := range got {
		const h = 1e-6
		moved := func(by float64) float64 {
			at := slices.Clone(beta)
			floats.AddScaled(at, by, of)
			return factor * spread(rows, beta) / spread(rows, at) * at[i]
		}
		if want := (moved(h) - moved(-h)) / (2 * h); math.Abs(got[i]-want) > 1e-5*math.Abs(want) {
			t.Errorf("influence on weight %d: %g, want %g", i, got[i], want)
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
