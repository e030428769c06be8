package conjunctions

import (
	"context"
	"fmt"
	"math"

	"kifu/fit/losses"
	"kifu/fit/sparse"
	"kifu/internal/lists"
	"kifu/internal/ordered"
)

// Weights holds the weights of conjunctions, in logits, or for the method value in the target's unit.
type Weights struct {
	Constant float64
	Of       []float64
}

// naive returns the weights of a naive Bayesian classifier: conjunctions are taken for
// independent of each other, once the winner is known, and one is added to each count.
//
//	w_i = ln P(X_i|win)/P(X_i|loss) - ln P(¬X_i|win)/P(¬X_i|loss)
func naive(s *Sample, sets []Set) Weights {
	won := float64(count(s.Won))
	lost := float64(s.N) - won
	w := Weights{Constant: math.Log((won + 1) / (lost + 1)), Of: make([]float64, len(sets))}
	for i, set := range sets {
		inWon := (float64(set.Won) + 1) / (won + 2)
		inLost := (float64(set.Support-set.Won) + 1) / (lost + 2)
		without := math.Log(1-inWon) - math.Log(1-inLost)
		w.Constant += without
		w.Of[i] = math.Log(inWon) - math.Log(inLost) - without
	}
	return w
}

// store makes rows of s: weight 0 is the constant, weight i+1 belongs to conjunction i.
func store(ctx context.Context, s *Sample, sets []Set, workers int) (*sparse.Store, error) {
	type block struct {
		at   []uint32
		ends []int
	}
	b := sparse.NewBuilder(len(sets) + 1)
	row := sparse.Row{Weight: 1}
	n := 0
	err := ordered.Run(ctx, s.blocks(), workers, func(_, k int, emit func(block) error) error {
		var out block
		s.truths(k, sets, func(_ int, at []uint32) {
			out.at = append(out.at, 0)
			for _, j := range at {
				out.at = append(out.at, j+1)
			}
			out.ends = append(out.ends, len(out.at))
		})
		return emit(out)
	}, func(x block) error {
		from := 0
		for _, end := range x.ends {
			row.Game, row.Y, row.At = s.Game[n], s.Y[n], x.at[from:end]
			if err := b.Add(&row); err != nil {
				return err
			}
			from, n = end, n+1
		}
		return nil
	})
	return b.Finish(), err
}

// fitted fits the weights of conjunctions.
func fitted(ctx context.Context, s *Sample, sets []Set, p Params, workers int) (Weights, *sparse.Estimate, error) {
	rows, err := store(ctx, s, sets, workers)
	if err != nil {
		return Weights{}, nil, err
	}
	e, err := sparse.Fit(ctx, rows, sparse.Settings{Loss: losses.Of(p.Method), Ridge: p.Ridge, Workers: workers, Iterations: iterations(Truths(sets) + int64(s.N))})
	if err != nil {
		return Weights{}, nil, err
	}
	return Weights{e.Weights[0], e.Weights[1:]}, e, nil
}

// pruned fits, takes the conjunctions out whose weights are below p.Prune, and fits the others
// again, until all weights are as large; taken are the numbers of those that were taken out.
func pruned(ctx context.Context, s *Sample, sets []Set, p Params, workers int) (w Weights, e *sparse.Estimate, taken []int, err error) {
	left := lists.N(len(sets), func(i int) int { return i })
	for {
		list := lists.Of(left, func(at int) Set { return sets[at] })
		small, of, err := Weights{}, (*sparse.Estimate)(nil), error(nil)
		if small, of, err = fitted(ctx, s, list, p, workers); err != nil {
			return w, e, nil, err
		}
		var keep []int
		for i, at := range left {
			if math.Abs(small.Of[i]) < p.Prune {
				taken = append(taken, at)
			} else {
				keep = append(keep, at)
			}
		}
		if len(keep) == len(left) {
			w = Weights{small.Constant, make([]float64, len(sets))}
			for i, at := range left {
				w.Of[at] = small.Of[i]
			}
			return w, of, taken, nil
		}
		left = keep
	}
}

// scores returns the value of each position of s.
func (w Weights) scores(ctx context.Context, s *Sample, sets []Set, workers int) ([]float64, error) {
	z := make([]float64, s.N)
	err := ordered.Run(ctx, s.blocks(), workers, func(_, k int, _ func(int) error) error {
		s.truths(k, sets, func(row int, at []uint32) {
			sum := w.Constant
			for _, j := range at {
				sum += w.Of[j]
			}
			z[row] = sum
		})
		return nil
	}, func(int) error { return nil })
	return z, err
}

// mostWork is how many truths a fit goes through, about two nanoseconds each: it ends within some minutes.
const mostWork, fewestIterations = 4e10, 50

// iterations returns the limit of iterations. Conjunctions of all squares add up to each other, so that only the ridge
// tells their weights apart, and a fit of tens of thousands would take thousands of iterations.
func iterations(truths int64) int {
	return max(fewestIterations, int(min(sparse.Iterations, mostWork/float64(truths))))
}

// bytesOf is the memory of the rows of a fit.
func bytesOf(truths float64, n int) int64 { return int64(5*truths) + 55*int64(n) }

// enough returns an error if the rows of a fit take more than memory bytes.
func enough(sets []Set, n int, memory int64) error {
	truths := Truths(sets)
	if bytes := bytesOf(float64(truths), n); memory > 0 && bytes > memory {
		return fmt.Errorf("%d conjunctions are true %d times in %d positions: %d MB to fit them, and --memory is %d MB: %s", len(sets), truths, n, bytes>>20, memory>>20, lessMemory)
	}
	return nil
}

const lessMemory = "raise --min-support, lower --max-size, keep their squares together (--distance, --squares), or select some (--select cmim:N)"

// bound returns an error if the rows of a fit of all conjunctions are sure to take more than memory bytes with n positions or more:
// in each of them one pair of atoms is true of each two groups. Those that are rarer than the least support are at most all pairs of
// atoms, each true as often.
func (a *Atoms) bound(l Limits, n int, memory int64) error {
	if memory <= 0 || l.Size == 1 || l.Fewer {
		return nil
	}
	each, rare := float64(a.Groups()), 0.0
	sizes := make([]float64, a.Groups())
	for g, first := range a.first {
		end := len(a.List)
		if g+1 < len(a.first) {
			end = a.first[g+1]
		}
		sizes[g] = float64(end - first)
	}
	for g, x := range a.first {
		for h, y := range a.first[:g] {
			x, y := uint32(x), uint32(y)
			if (l.Pair == nil || l.Pair(x, y)) && (l.Lists == nil || l.Lists[x]&l.Lists[y] != 0) {
				each, rare = each+1, rare+sizes[g]*sizes[h]
			}
		}
	}
	truths := float64(n)*each - rare*float64(l.Support)
	if bytes := bytesOf(truths, n); truths > 0 && bytes > memory {
		return fmt.Errorf("in %d positions or more, conjunctions of two atoms are true %.0f times or more: at least %d MB to fit them, and --memory is %d MB: %s", n, truths, bytes>>20, memory>>20, lessMemory)
	}
	return nil
}
