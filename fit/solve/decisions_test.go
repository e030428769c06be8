package solve

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/forecast"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/schemas"
)

// TestChoicesReference holds fits to moves to the solutions and standard errors of
// statsmodels (testdata/choices.py), to 1e-6 of the value.
func TestChoicesReference(t *testing.T) {
	type solution struct {
		fittest.Solution
		Accuracy float64
	}
	all := map[string]solution{}
	for name, text := range fittest.Solutions(t, "choices.json") {
		var x solution
		if err := json.Unmarshal(text, &x); err != nil {
			t.Fatal(err)
		}
		all[name] = x
	}
	for name, method := range map[string]string{"choice": losses.Choice, "choice_game": losses.Choice, "pairs": losses.Pairs} {
		want := all[name]
		r := fittest.ReferenceChoices(t, method)
		if name == "choice_game" {
			r.WeighDecisions(true)
		}
		e, err := Fit(context.Background(), r, Settings{Method: method, Workers: 2, plain: true})
		if err != nil {
			t.Fatal(err)
		}
		near := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
				t.Errorf("%s: %s %.10g, want %.10g", name, what, got, want)
			}
		}
		got := append(slices.Clone(e.Weights), e.theta[r.Design.Scale()])
		for j := range got {
			near(r.Design.Name(j), got[j], want.Weights[j])
			near(r.Design.Name(j)+" error", e.se.model[j], *want.SE[j])
			near(r.Design.Name(j)+" robust error", e.se.robust[j], *want.SERobust[j])
		}
		near("objective", e.MeanLoss, want.Objective)
		if metrics := forecast.Measure(r, e.Fitted(), 2); name == "choice" {
			near("log-loss", metrics.LogLoss, want.Objective)
			near("accuracy", metrics.Accuracy, want.Accuracy)
		} else if name == "pairs" && !(metrics.LogLoss > all["choice"].Objective) {
			t.Errorf("pairs predict moves with a log-loss of %v, the conditional logit with %v", metrics.LogLoss, all["choice"].Objective)
		}
		other, err := Fit(context.Background(), r, Settings{Method: method, Workers: 3, plain: true})
		if err != nil || !reflect.DeepEqual(e.Weights, other.Weights) || !reflect.DeepEqual(e.se, other.se) {
			t.Errorf("%s: three workers find %v, two %v: %v", name, other.Weights, e.Weights, err)
		}
	}
}

// simulatedChoices plays moves with the chances of a conditional logit of a, b, c and
// the value, of which some alternatives are then drawn.
func simulatedChoices(t *testing.T, method string, games int, planted [4]float64, scale float64, alternatives int) *rows.Store {
	rng := rand.New(rand.NewPCG(4, 1))
	return fittest.Decisions(method, func(add func(fittest.Move)) {
		for g := range games {
			for ply := range 20 {
				decision := make([]fittest.Move, 2+rng.IntN(20))
				u, best, first := make([]float64, len(decision)), 0, ply%2 == 0
				for i := range decision {
					phase, a, b, c, value := max(0, 24-ply-rng.IntN(4)), int16(rng.IntN(5)-2), int16(rng.IntN(3)-1), rng.NormFloat64(), 100*rng.NormFloat64()
					decision[i] = fittest.NewMove(g, ply, first, false, phase, a, b, c, value)
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
				decision[best].Y *= losses.PlayedRow
				rng.Shuffle(len(decision), func(i, j int) { decision[i], decision[j] = decision[j], decision[i] })
				left := alternatives
				for _, x := range decision {
					if x.Y == losses.OtherRow || x.Y == -losses.OtherRow {
						if left == 0 {
							continue
						}
						left--
					}
					add(x)
				}
			}
		}
	})
}

// TestPlantedChoices: the weights by which moves were chosen are found again, from all
// moves and from a draw of them, by either method.
func TestPlantedChoices(t *testing.T) {
	planted, scale := [4]float64{30, -40, 25, 20}, 0.01
	for _, method := range []string{losses.Choice, losses.Pairs} {
		last := math.Inf(1)
		for _, alternatives := range []int{3, 100} {
			r := simulatedChoices(t, method, 250, planted, scale, alternatives)
			e, err := Fit(context.Background(), r, Settings{Method: method, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for j, want := range append(planted[:], scale) {
				got, se := e.theta[j], e.se.robust[j]
				if j < len(planted) {
					got = e.Weights[j]
				}
				if z := (got - want) / se; !(math.Abs(z) < 3.5) || se > 0.15*math.Abs(want) {
					t.Errorf("%s of %d alternatives: %s %.4g ± %.2g, planted %v", method, alternatives, r.Design.Name(j), got, se, want)
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
	play := func(games int, a, b func(played bool, ply int) int16, value float64) *rows.Store {
		return fittest.Decisions(losses.Choice, func(add func(fittest.Move)) {
			for g := range games {
				for ply := range 8 {
					for i := range 4 {
						played := i == g%4
						add(fittest.NewMove(g, ply, ply%2 == 0, played, 24, a(played, ply), b(played, ply), rng.NormFloat64(), value*rng.NormFloat64()))
					}
				}
			}
		})
	}
	random := func(bool, int) int16 { return int16(rng.IntN(3) - 1) }
	same := func(_ bool, ply int) int16 { return int16(ply - 3) }
	sure := func(played bool, ply int) int16 { // never worse for the mover
		if !played || rng.IntN(2) == 0 {
			return 0
		}
		return int16(1 - 2*(ply%2))
	}
	ctx, s := context.Background(), Settings{Method: losses.Choice, MinGames: 3, Scale: 0.01, Workers: 2}
	e, err := Fit(ctx, play(40, same, random, 100), s)
	if err != nil || e.Status[0] != schemas.StatusNever || e.Status[2] != schemas.StatusFitted || !strings.Contains(e.Notes[0].Text, "the same after all moves") {
		t.Errorf("a term that is the same after all moves: %v, %v", e, err)
	}
	if e, err = Fit(ctx, play(40, sure, random, 100), s); err != nil || e.Status[0] != schemas.StatusSeparated {
		t.Errorf("a term that the mover never lowers: %v, %v", e, err)
	}
	s.L2 = 1e-3
	if e, err = Fit(ctx, play(40, sure, random, 100), s); err != nil || e.Status[0] != schemas.StatusFitted || e.Weights[0] <= 0 {
		t.Errorf("the same with a ridge: %v, %v", e, err)
	}
	s = Settings{Method: losses.Choice, Workers: 2}
	for kind, r := range map[string]*rows.Store{
		"one game":    play(1, random, random, 100),
		"no position": play(0, random, random, 100),
		"no value":    play(40, random, random, 0),
	} {
		var u *Unidentified
		if _, err := Fit(ctx, r, s); !errors.As(err, &u) || u.Kind != kind {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// The measures of two decisions, worked out by hand: the best move is played once, once
// it is one of two that are equal, with one of three alternatives above it.
func TestDecisionMetrics(t *testing.T) {
	r := fittest.Decisions(losses.Choice, func(add func(fittest.Move)) {
		for i, value := range []float64{1, 3, 2} { // the first player moves
			add(fittest.NewMove(1, 0, true, i == 1, 24, 0, 0, 0, value))
		}
		for i, value := range []float64{1, 1, 0} { // the second, for whom less is better
			add(fittest.NewMove(1, 1, false, i == 0, 24, 0, 0, 0, value))
		}
	})
	theta := make([]float64, r.Design.Size())
	theta[r.Design.Scale()] = 1
	got := forecast.Measure(r, forecast.Forecaster{Method: losses.Choice, Theta: theta}, 1)
	e := math.Exp
	want := (-math.Log(e(3)/(e(1)+e(2)+e(3))) - math.Log(e(-1)/(2*e(-1)+1))) / 2
	if math.Abs(got.LogLoss-want) > 1e-12 || got.Accuracy != 0.5 || *got.Order != 2.5/4 {
		t.Errorf("log-loss %v, want %v; accuracy %v, order %v", got.LogLoss, want, got.Accuracy, *got.Order)
	}
	chance := forecast.Measure(r, forecast.Forecaster{Method: losses.Choice}.Mean(r), 1)
	if math.Abs(chance.LogLoss-math.Log(3)) > 1e-12 || math.Abs(chance.Accuracy-1.0/3) > 1e-12 || *chance.Order != 0.5 {
		t.Errorf("by chance: %+v", chance)
	}
}
