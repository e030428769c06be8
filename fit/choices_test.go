package fit

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"kifu/eval"
)

// gathered puts options together as a fit does, with an evaluator of a term a with two
// stages and a term b with one, and an added feature c.
func gathered(t *testing.T, method string, most int, options func(add func(option))) *sample {
	t.Helper()
	m := &eval.Model{Stages: []string{"opening", "endgame"}, Knots: []int{24, 0}, Terms: []eval.Term{
		{Name: "a", Group: "g", Weights: []float64{0, 0}}, {Name: "b", Group: "g", Weights: []float64{0}}}}
	d := newDesign(m, []int{0, 1}, nil, []string{"c"})
	d.decided = Params{Method: method}.decisionLoss()
	s := &sample{build: newBuilder(d), most: most, seed: 1, gather: &gatherer{}}
	options(func(x option) { s.gather.add(s, &x) })
	if err := s.finish(); err != nil {
		t.Fatal(err)
	}
	s.rows.weighDecisions(false)
	return s
}

func newOption(game, ply int, sign, played bool, phase int, a, b int16, c, value float64) option {
	x := option{row: row{game: int64(game), phase: phase, value: value, weight: 1, y: otherRow, stratum: noStratum, dense: []float64{c}}, ply: int32(ply)}
	if played {
		x.y = playedRow
	}
	if !sign {
		x.y = -x.y
	}
	for slot, n := range []int16{a, b} {
		if n != 0 {
			x.features = append(x.features, count{uint16(slot), n})
		}
	}
	return x
}

// referenceChoices reads testdata/choices.csv.
func referenceChoices(t *testing.T, method string) *rows {
	t.Helper()
	f, err := os.Open("testdata/choices.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return gathered(t, method, 0, func(add func(option)) {
		for _, line := range lines[1:] {
			var v [9]float64
			for i := range v {
				if v[i], err = strconv.ParseFloat(line[i], 64); err != nil {
					t.Fatal(err)
				}
			}
			add(newOption(int(v[0]), int(v[1]), v[2] > 0, v[3] == 1, int(v[4]), int16(v[5]), int16(v[6]), v[7], v[8]))
		}
	}).rows
}

// TestChoicesReference holds fits to moves to the solutions and standard errors of
// statsmodels (testdata/choices.py), to 1e-6 of the value.
func TestChoicesReference(t *testing.T) {
	text, err := os.ReadFile("testdata/choices.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]struct {
		reference
		Accuracy float64
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for name, method := range map[string]string{"choice": Choice, "choice_game": Choice, "pairs": Pairs} {
		want := all[name]
		r := referenceChoices(t, method)
		if name == "choice_game" {
			r.weighDecisions(true)
		}
		e, err := solve(context.Background(), r, settings{method: method, workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		near := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
				t.Errorf("%s: %s %.10g, want %.10g", name, what, got, want)
			}
		}
		got := append(slices.Clone(e.weights), e.theta[r.d.scale()])
		for j := range got {
			near(r.d.name(j), got[j], want.Weights[j])
			near(r.d.name(j)+" error", e.errors.model[j], *want.SE[j])
			near(r.d.name(j)+" robust error", e.errors.robust[j], *want.SERobust[j])
		}
		near("objective", e.meanLoss, want.Objective)
		if metrics := r.metrics(e.fitted(), 2); name == "choice" {
			near("log-loss", metrics.LogLoss, want.Objective)
			near("accuracy", metrics.Accuracy, want.Accuracy)
		} else if name == "pairs" && !(metrics.LogLoss > all["choice"].Objective) {
			t.Errorf("pairs foretell moves with a log-loss of %v, the conditional logit with %v", metrics.LogLoss, all["choice"].Objective)
		}
		other, err := solve(context.Background(), r, settings{method: method, workers: 3})
		if err != nil || !reflect.DeepEqual(e.weights, other.weights) || !reflect.DeepEqual(e.errors, other.errors) {
			t.Errorf("%s: three workers find %v, two %v: %v", name, other.weights, e.weights, err)
		}
	}
}

// Gradient and Hessian are derivatives of the loss.
func TestDecisionDerivatives(t *testing.T) {
	for _, method := range []string{Choice, Pairs} {
		r := referenceChoices(t, method)
		r.weighDecisions(true)
		l := r.d.decided
		theta := []float64{0.2, -0.3, 0.1, 0.15, 0.008}
		grad := make([]float64, len(theta))
		f := func(x []float64) float64 { return r.pass(l, x, 2, make([]float64, len(x))) }
		r.pass(l, theta, 2, grad)
		for j, want := range fd.Gradient(nil, f, theta, &fd.Settings{Formula: fd.Central}) {
			if math.Abs(grad[j]-want) > 1e-5*(1+math.Abs(want)) {
				t.Errorf("%s: gradient by %s %v, by differences %v", method, r.d.name(j), grad[j], want)
			}
		}
		h := r.hessian(theta, l, positive, 2)
		for j := range theta {
			up, down, step := slices.Clone(theta), slices.Clone(theta), 1e-5*math.Abs(theta[j])
			up[j], down[j] = up[j]+step, down[j]-step
			a, b := make([]float64, len(theta)), make([]float64, len(theta))
			r.pass(l, up, 2, a)
			r.pass(l, down, 2, b)
			for i := range theta {
				if want := (a[i] - b[i]) / (2 * step); math.Abs(h.At(i, j)-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("%s: second derivative by %s and %s %v, by differences %v", method, r.d.name(i), r.d.name(j), h.At(i, j), want)
				}
			}
		}
		// Along the value alone.
		scale := r.d.scale()
		clear(theta[:scale])
		r.pass(l, theta, 2, grad)
		_, d, dd := r.along(l, valueColumn, theta[scale], 2)
		if second := r.hessian(theta, l, positive, 2).At(scale, scale); math.Abs(d-grad[scale]) > 1e-9*math.Abs(d) || math.Abs(dd-second) > 1e-9*second {
			t.Errorf("%s: along the value %v and %v, want %v and %v", method, d, dd, grad[scale], second)
		}
	}
}

// simulatedChoices plays moves with the chances of a conditional logit of a, b, c and
// the value, of which some alternatives are then drawn.
func simulatedChoices(t *testing.T, method string, games int, planted [4]float64, scale float64, alternatives int) *rows {
	rng := rand.New(rand.NewPCG(4, 1))
	return gathered(t, method, 0, func(add func(option)) {
		for g := range games {
			for ply := range 20 {
				decision := make([]option, 2+rng.IntN(20))
				u, best, first := make([]float64, len(decision)), 0, ply%2 == 0
				for i := range decision {
					phase, a, b, c, value := max(0, 24-ply-rng.IntN(4)), int16(rng.IntN(5)-2), int16(rng.IntN(3)-1), rng.NormFloat64(), 100*rng.NormFloat64()
					decision[i] = newOption(g, ply, first, false, phase, a, b, c, value)
					m := float64(phase) / 24
					u[i] = scale * (value + planted[0]*float64(a)*m + planted[1]*float64(a)*(1-m) + planted[2]*float64(b) + planted[3]*c)
					if !first {
						u[i] = -u[i]
					}
					// The greatest of u plus Gumbel noise has the chances of the logit.
					if u[i] -= math.Log(rng.ExpFloat64()); u[i] > u[best] {
						best = i
					}
				}
				decision[best].y *= playedRow
				rng.Shuffle(len(decision), func(i, j int) { decision[i], decision[j] = decision[j], decision[i] })
				left := alternatives
				for _, x := range decision {
					if x.y == otherRow || x.y == -otherRow {
						if left == 0 {
							continue
						}
						left--
					}
					add(x)
				}
			}
		}
	}).rows
}

// TestPlantedChoices: the weights by which moves were chosen are found again, from all
// moves and from a draw of them, by either method.
func TestPlantedChoices(t *testing.T) {
	planted, scale := [4]float64{30, -40, 25, 20}, 0.01
	for _, method := range []string{Choice, Pairs} {
		last := math.Inf(1)
		for _, alternatives := range []int{3, 100} {
			r := simulatedChoices(t, method, 250, planted, scale, alternatives)
			e, err := solve(context.Background(), r, settings{method: method, workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for j, want := range append(planted[:], scale) {
				got, se := e.theta[j], e.errors.robust[j]
				if j < len(planted) {
					got = e.weights[j]
				}
				if z := (got - want) / se; !(math.Abs(z) < 3.5) || se > 0.15*math.Abs(want) {
					t.Errorf("%s of %d alternatives: %s %.4g ± %.2g, planted %v", method, alternatives, r.d.name(j), got, se, want)
				}
				sum += se / math.Abs(want)
			}
			if sum > last {
				t.Errorf("%s: more alternatives have larger errors", method)
			}
			last = sum
		}
	}
}

// What moves do not tell is left alone, or refused.
func TestUntoldByChoices(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	play := func(games int, a, b func(played bool, ply int) int16, value float64) *rows {
		return gathered(t, Choice, 0, func(add func(option)) {
			for g := range games {
				for ply := range 8 {
					for i := range 4 {
						played := i == g%4
						add(newOption(g, ply, ply%2 == 0, played, 24, a(played, ply), b(played, ply), rng.NormFloat64(), value*rng.NormFloat64()))
					}
				}
			}
		}).rows
	}
	random := func(bool, int) int16 { return int16(rng.IntN(3) - 1) }
	same := func(_ bool, ply int) int16 { return int16(ply - 3) }
	sure := func(played bool, ply int) int16 { // never worse for the mover
		if !played || rng.IntN(2) == 0 {
			return 0
		}
		return int16(1 - 2*(ply%2))
	}
	ctx, s := context.Background(), settings{method: Choice, minGames: 3, scale: 0.01, workers: 2}
	e, err := solve(ctx, play(40, same, random, 100), s)
	if err != nil || e.status[0] != StatusNever || e.status[2] != StatusFitted || !strings.Contains(e.notes[0].Text, "the same behind all moves") {
		t.Errorf("a term that is the same behind all moves: %v, %v", e, err)
	}
	if e, err = solve(ctx, play(40, sure, random, 100), s); err != nil || e.status[0] != StatusSeparated {
		t.Errorf("a term that the mover never lowers: %v, %v", e, err)
	}
	s.l2 = 1e-3
	if e, err = solve(ctx, play(40, sure, random, 100), s); err != nil || e.status[0] != StatusFitted || e.weights[0] <= 0 {
		t.Errorf("the same with a ridge: %v, %v", e, err)
	}
	s = settings{method: Choice, workers: 2}
	for kind, r := range map[string]*rows{
		"one game":    play(1, random, random, 100),
		"no position": play(0, random, random, 100),
		"no value":    play(40, random, random, 0),
	} {
		var u *Unidentified
		if _, err := solve(ctx, r, s); !errors.As(err, &u) || u.Kind != kind {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// Decisions are taken in whole: with the move played first, with an alternative, so many
// a game.
func TestGather(t *testing.T) {
	s := gathered(t, Choice, 2, func(add func(option)) {
		for g := range 5 {
			for ply := range 4 {
				for i := range 3 {
					add(newOption(g, ply, ply%2 == 0, i == 2, 24, int16(i+1), 0, float64(g), float64(100*ply+i)))
				}
			}
		}
		add(newOption(7, 0, true, true, 24, 1, 0, 0, 0))  // alone
		add(newOption(7, 1, true, false, 24, 1, 0, 0, 0)) // without the move played
		add(newOption(7, 1, true, false, 24, 2, 0, 0, 0))
	})
	r := s.rows
	if r.n != 5*2*3 || r.decisions() != 10 || r.weight != 10 || s.dropped != 30 {
		t.Errorf("%d rows, %d decisions, weight %v, %d dropped", r.n, r.decisions(), r.weight, s.dropped)
	}
	if c := s.gather.counts.Rejected; c[noAlternative] != 1 || c[playedOut] != 2 {
		t.Errorf("rejected %v", c)
	}
	for _, b := range r.blocks {
		for i := 0; i < b.rows(); i += 3 {
			ply := int(b.value[i]) / 100
			if want := float32(playedRow * (1 - 2*(ply%2))); b.y[i] != want || int(b.value[i])%100 != 2 || decisionEnd(b.y, i) != i+3 {
				t.Errorf("row %d: y %v, value %v, decision up to %d", i, b.y[i], b.value[i], decisionEnd(b.y, i))
			}
		}
	}
	two := &sample{build: newBuilder(r.d), gather: &gatherer{}}
	for range 2 {
		x := newOption(1, 1, true, true, 24, 1, 0, 0, 0)
		two.gather.add(two, &x)
	}
	if err := two.finish(); err == nil || !strings.Contains(err.Error(), "two moves are played in game 1 at ply 1") {
		t.Errorf("two moves played: %v", err)
	}
	// A part of the games has the weight of its own decisions.
	if half := r.subset(func(id int64) bool { return id < 2 }); half.weight != 4 || half.decisions() != 4 {
		t.Errorf("two games of five: weight %v, %d decisions", half.weight, half.decisions())
	}
}

// The measures of two decisions, worked out by hand: the best move is played once, once
// it is one of two that are equal, with one of three alternatives above it.
func TestDecisionMetrics(t *testing.T) {
	r := gathered(t, Choice, 0, func(add func(option)) {
		for i, value := range []float64{1, 3, 2} { // the first player moves
			add(newOption(1, 0, true, i == 1, 24, 0, 0, 0, value))
		}
		for i, value := range []float64{1, 1, 0} { // the second, for whom less is better
			add(newOption(1, 1, false, i == 0, 24, 0, 0, 0, value))
		}
	}).rows
	theta := make([]float64, r.d.size())
	theta[r.d.scale()] = 1
	got := r.metrics(forecaster{method: Choice, theta: theta}, 1)
	e := math.Exp
	want := (-math.Log(e(3)/(e(1)+e(2)+e(3))) - math.Log(e(-1)/(2*e(-1)+1))) / 2
	if math.Abs(got.LogLoss-want) > 1e-12 || got.Accuracy != 0.5 || *got.Order != 2.5/4 {
		t.Errorf("log-loss %v, want %v; accuracy %v, order %v", got.LogLoss, want, got.Accuracy, *got.Order)
	}
	chance := r.metrics(r.base(settings{method: Choice}), 1)
	if math.Abs(chance.LogLoss-math.Log(3)) > 1e-12 || math.Abs(chance.Accuracy-1.0/3) > 1e-12 || *chance.Order != 0.5 {
		t.Errorf("by chance: %+v", chance)
	}
}
