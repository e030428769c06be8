package solve

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/eval"
	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/rows"
)

// walks are games of Sutton's random walk, a term for each of the five states. The value
// ½+z of state i is i/6: with -1 as the weight of the first, w_0 is ⅓ and the others have -½,
// 0, ½ and 1.
func walks(r *rand.Rand, games int) *rows.Store { return walksWith(-1, r, games) }

// walksWith are walks in which the first state has another weight.
func walksWith(first float64, r *rand.Rand, games int) *rows.Store {
	m := &eval.Model{Game: "test", Name: "walk", Unit: "points", Stages: []string{"all"}, Knots: []int{0}}
	for i := range 5 {
		m.Terms = append(m.Terms, eval.Term{Name: fmt.Sprintf("s%d", i), Group: "state", Weights: []float64{0}})
	}
	m.Terms[0].Weights[0] = first
	b := rows.NewBuilder(rows.NewDesign(m, []int{1, 2, 3, 4}, nil, nil))
	for g := range games {
		var states []int
		at := 2
		for ; at >= 0 && at < 5; at += 2*r.IntN(2) - 1 {
			states = append(states, at)
		}
		for _, s := range states {
			x := &rows.Row{Game: int64(g), Weight: 1, Y: float64(max(0, at) / 5)}
			if s == 0 {
				x.Value = first
			} else {
				x.Features = []rows.Count{{Slot: uint32(s - 1), N: 1}}
			}
			b.Add(x)
		}
	}
	return b.Finish()
}

// TestLSTD: the values of the random walk are found, and intervals hold them in 95 of 100
// cases.
func TestLSTD(t *testing.T) {
	const runs = 80
	r := rand.New(rand.NewPCG(7, 7))
	planted := []float64{-0.5, 0, 0.5, 1}
	for _, lambda := range []float64{0, 0.8} {
		inside, mean := 0, make([]float64, 4)
		for range runs {
			e, err := Fit(context.Background(), walks(r, 300), Settings{Method: losses.LSTD, Workers: 2, Temporal: Temporal{Lambda: []float64{lambda}}})
			if err != nil {
				t.Fatal(err)
			}
			for j, want := range planted {
				mean[j] += e.Weights[j] / runs
				if e.se.low[j] <= want && want <= e.se.high[j] {
					inside++
				}
			}
		}
		// Runs are independent, the four weights of one are not: as if there were runs·2.
		if share := float64(inside) / (4 * runs); math.Abs(share-0.95) > 3*math.Sqrt(0.95*0.05/(2*runs)) {
			t.Errorf("λ %g: intervals hold %.3f of the weights", lambda, share)
		}
		for j, want := range planted {
			if math.Abs(mean[j]-want) > 0.06 {
				t.Errorf("λ %g: weight %d is %.3f on average, planted %g", lambda, j, mean[j], want)
			}
		}
	}
}

// TestTD: with games of one position, or with λ = 1 and one result a game, TD comes to the
// least squares of results.
func TestTD(t *testing.T) {
	for _, perGame := range []int{1, 10} {
		s := &fittest.Simulation{Terms: 8, PerRow: 3, Games: 6000 / perGame * 2, PerGame: perGame, Scale: 0.02, Seed: 4}
		s.Models()
		free := fittest.Between(1, s.Terms)
		s.Zero(free)
		r := s.Rows(free)
		for _, p := range r.Places() {
			for i := p.From; i < p.To; i++ {
				p.Block.Y[i] = p.Block.Y[p.To-1]
			}
		}
		least, err := Fit(context.Background(), r, Settings{Method: losses.LS, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		e, err := Fit(context.Background(), r, Settings{Method: losses.TD, Workers: 2, Temporal: Temporal{Lambda: []float64{1}, Seed: 1}})
		if err != nil {
			t.Fatal(err)
		}
		// It learns from nine tenths of the games: a third of an error apart on average.
		sum := 0.0
		for j := range e.Weights {
			d := (e.Weights[j] - least.Weights[j]) / least.se.robust[j]
			sum += d * d / float64(len(e.Weights))
		}
		if sum > 0.6 {
			t.Errorf("%d positions a game: weights %.2f, of LS %.2f: %.2f errors apart", perGame, e.Weights, least.Weights, math.Sqrt(sum))
		}
		if e.Temporal.Best == 0 || *e.Temporal.Epochs[e.Temporal.Best-1].LogLoss >= e.Temporal.Start {
			t.Errorf("%+v", e.Temporal)
		}
	}
}

// TestLSTDWithoutScale: where the terms that are held tell the loser, the error names what LSTD
// takes: it has no --scale.
func TestLSTDWithoutScale(t *testing.T) {
	_, err := Fit(context.Background(), walksWith(1, rand.New(rand.NewPCG(3, 3)), 400), Settings{Method: losses.LSTD, Workers: 1, Temporal: Temporal{Lambda: []float64{0.7}}})
	if err == nil || !strings.Contains(err.Error(), "w_0 is -") || !strings.Contains(err.Error(), "Leave more terms out of --free") || strings.Contains(err.Error(), "--scale") {
		t.Errorf("%v", err)
	}
}

// TestTemporalWorkers: results do not depend on the number of workers, and the order of the
// games on the seed alone.
func TestTemporalWorkers(t *testing.T) {
	s := &fittest.Simulation{Terms: 12, PerRow: 4, Games: 400, PerGame: 12, Scale: 0.02, Tapered: true, Seed: 5}
	s.Models()
	free := fittest.Between(1, s.Terms)
	s.Zero(free)
	r := s.Rows(free)
	fit := func(method string, workers int, seed uint64) []float64 {
		e, err := Fit(context.Background(), r, Settings{Method: method, Workers: workers, Temporal: Temporal{Lambda: []float64{0.7}, Epochs: 3, Seed: seed}})
		if err != nil {
			t.Fatal(err)
		}
		return e.Weights
	}
	for _, method := range []string{losses.TD, losses.LSTD} {
		want := fit(method, 1, 1)
		for _, workers := range []int{2, 5} {
			if got := fit(method, workers, 1); !slices.Equal(got, want) {
				t.Errorf("%s with %d workers: %v, with one %v", method, workers, got, want)
			}
		}
	}
	if slices.Equal(fit(losses.TD, 1, 1), fit(losses.TD, 1, 2)) {
		t.Error("another seed gives the same weights")
	}
}

// TestSchedule: steps and λ are those of the epoch, the last number of all later ones.
func TestSchedule(t *testing.T) {
	r := walks(rand.New(rand.NewPCG(3, 3)), 400)
	e, err := Fit(context.Background(), r, Settings{Method: losses.TD, Workers: 1, Temporal: Temporal{Lambda: []float64{0.9, 0.5}, Alpha: []float64{0.3, 0.2, 0.1}, Epochs: 5}})
	if err != nil {
		t.Fatal(err)
	}
	var alpha, lambda []float64
	for _, x := range e.Temporal.Epochs {
		alpha, lambda = append(alpha, x.Alpha), append(lambda, x.Lambda)
	}
	if !slices.Equal(alpha, []float64{0.3, 0.2, 0.1, 0.1, 0.1}) || !slices.Equal(lambda, []float64{0.9, 0.5, 0.5, 0.5, 0.5}) {
		t.Errorf("steps %v, λ %v", alpha, lambda)
	}
	e, err = Fit(context.Background(), r, Settings{Method: losses.TD, Workers: 1, Temporal: Temporal{Lambda: []float64{0}, Alpha: []float64{1e6}}})
	if err != nil {
		t.Fatal(err)
	}
	if e.Temporal.Best != 0 || slices.ContainsFunc(e.Weights[1:], func(w float64) bool { return w != 0 }) || len(e.Temporal.Epochs) != patience {
		t.Errorf("steps of a million: %v, %+v", e.Weights, e.Temporal)
	}
}
