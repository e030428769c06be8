// Package tune finds values of a program's options by letting it play itself: parameters go in,
// a dataset with the trajectory of their values comes out.
//
// The method is simultaneous perturbation stochastic approximation (SPSA; J. C. Spall, IEEE
// Transactions on Automatic Control 37, 1992, section II) in the form of fishtest and OpenBench.
// In iteration k, from 1 to N, every parameter θ is moved by c_k up or down, by a coin each:
// Δ = ±1. Pairs of games between θ + c_k Δ and θ - c_k Δ, of W won, D drawn and L lost games,
// then move it:
//
//	θ ← θ + a_k/c_k Δ (W - L),   a_k = a/(A + k)^α,   c_k = c/k^γ   (Spall 1998, section III)
//
// within its bounds. a and c are given by their last values: c_N = c_end and a_N = r_end c_end².
//
// All random numbers derive from the seed and the numbers of iterations and pairs. The result
// depends on nothing else if the program's games do not. An interrupted run resumes after the last
// finished pair of games: the values are computed again from the results.
//
// The package plays no games: the caller passes what does.
package tune

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/journal"
	"kifu/datasets/manifest"
	"kifu/internal/elo"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
	"kifu/search/engine"
)

// Params are the parameters that determine a run, in addition to the games. Their JSON is hashed into the
// dataset's key.
type Params struct {
	Parameters []Parameter `json:"parameters"`
	Schedule
	Pairs int    `json:"pairs"` // of games in an iteration
	Seed  uint64 `json:"seed"`
}

// Schedule are the gains of SPSA.
type Schedule struct {
	Iterations int     `json:"iterations"` // N
	Share      float64 `json:"a_share"`    // A as a share of N
	Alpha      float64 `json:"alpha"`
	Gamma      float64 `json:"gamma"`
}

// Usual are the gains that Spall recommends (1998, section III), as fishtest and OpenBench have
// them.
var Usual = Schedule{Iterations: 1000, Share: 0.1, Alpha: 0.602, Gamma: 0.101}

// Validate returns the first error in p.
func (p Params) Validate() error {
	switch {
	case len(p.Parameters) == 0:
		return errors.New("no parameter to tune")
	case p.Iterations < 1:
		return fmt.Errorf("%d iterations: want at least one", p.Iterations)
	case p.Pairs < 1:
		return fmt.Errorf("%d pairs of games in an iteration: want at least one", p.Pairs)
	case !(p.Share >= 0) || math.IsInf(p.Share, 0):
		return fmt.Errorf("share A of %g of the iterations: want a number from 0", p.Share)
	case !(p.Alpha > 0 && p.Alpha <= 1 && p.Gamma > 0 && p.Gamma < 1):
		return fmt.Errorf("alpha %g and gamma %g: want numbers above 0 and below 1", p.Alpha, p.Gamma)
	}
	seen := map[string]bool{}
	for _, q := range p.Parameters {
		if seen[q.Name] {
			return fmt.Errorf("parameter %s is given twice", q.Name)
		}
		seen[q.Name] = true
		if err := q.validate(); err != nil {
			return fmt.Errorf("parameter %s: %w", q.Name, err)
		}
	}
	return nil
}

// Play plays a pair of games between two settings of the options, as one of the workers, and counts them from the side of the first, θ + c Δ.
type Play func(ctx context.Context, worker, pair int, settings [2][]engine.Option) (elo.Tally, error)

// mostParts bounds the parts of a dataset.
const mostParts = 1000

// Run tunes on a number of workers (0: one per processor) and writes the trajectory to out.
func Run(ctx context.Context, p Params, play Play, workers int, out *datasets.Builder) (*Trajectory, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	workers = ordered.Workers(workers)
	out.SetTable(schemas.Trajectory)
	bar := progress.Start(ctx, "tune", int64(2*p.Pairs*p.Iterations), "games")
	defer bar.Done()
	t := NewTrajectory(p)
	size := (p.Iterations + mostParts - 1) / mostParts
	for i := 0; i*size < p.Iterations; i++ {
		from, to := i*size, min((i+1)*size, p.Iterations)
		if info, done := out.Done(i); done {
			if err := t.recall(info.State, to-from); err != nil {
				return nil, fmt.Errorf("the results of part %d: %w (tune again with --force)", i, err)
			}
			bar.Skip(int64(2 * p.Pairs * (to - from)))
			continue
		}
		if err := t.play(ctx, from, to, i, play, workers, out, bar); err != nil {
			return nil, err
		}
	}
	return t, t.write(out)
}

// recall takes the results of a part that an interrupted run has played.
func (t *Trajectory) recall(state []byte, n int) error {
	var results []elo.Tally
	if err := json.Unmarshal(state, &results); err != nil {
		return err
	}
	if len(results) != n {
		return fmt.Errorf("%d iterations, want %d", len(results), n)
	}
	for _, r := range results {
		t.Learn(t.Next(), r)
	}
	return nil
}

// play plays the iterations of part i.
func (t *Trajectory) play(ctx context.Context, from, to, i int, play Play, workers int, out *datasets.Builder, bar *progress.Bar) (err error) {
	w, err := out.Part(i)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			w.Abort()
		}
	}()
	pairs, err := journal.Of[int, elo.Tally](out.Journal(fmt.Sprintf("pairs-%d", i)))
	if err != nil {
		return err
	}
	defer func() { err = pairs.End(err) }()
	var results []elo.Tally
	for k := from; k < to; k++ {
		trial, sum := t.Next(), elo.Tally{}
		settings := [2][]engine.Option{t.options(trial.Plus), t.options(trial.Minus)}
		err := ordered.Run(ctx, t.params.Pairs, min(workers, t.params.Pairs), func(worker, pair int, emit func(elo.Tally) error) error {
			number := k*t.params.Pairs + pair
			r, played := pairs.Kept(number)
			if !played {
				var err error
				if r, err = play(ctx, worker, number, settings); err == nil {
					err = pairs.Keep(number, r)
				}
				if err != nil {
					return fmt.Errorf("iteration %d (%s against %s): %w", k+1, words(settings[0]), words(settings[1]), err)
				}
			}
			bar.Add(2)
			return emit(r)
		}, func(r elo.Tally) error {
			sum.Add(r)
			return nil
		})
		if err != nil {
			return err
		}
		results = append(results, sum)
		t.Learn(trial, sum)
		bar.Note(t.now())
	}
	batch := columns.NewBatch(schemas.Trajectory)
	for _, it := range t.Iterations[from:to] {
		t.appendRows(batch, it)
	}
	if err := w.Put(batch); err != nil {
		return err
	}
	return w.Close(manifest.Counts{Written: int64(batch.Rows)}, results)
}

// forFlips is the purpose of the random numbers.
const forFlips = 1
