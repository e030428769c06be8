package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit/losses"
	"kifu/fit/solve"
	"kifu/schemas"
)

// leastRated is the number of rated games from which strength is looked at.
const leastRated = 300

// readRatings returns the mean rating of the two players of the games that have both.
func readRatings(ctx context.Context, dir *datasets.Dir) (map[int64]float64, error) {
	if dir == nil {
		return nil, nil
	}
	of := map[int64]float64{}
	return of, datasets.Scan(ctx, dir, "ratings", "games", []string{"game_id", "first_elo", "second_elo"}, func(_ datasets.Group, b *columns.Batch) error {
		first, second := b.Col("first_elo"), b.Col("second_elo")
		for row, id := range b.Col("game_id").Int64 {
			if !first.IsNull(row) && !second.IsNull(row) {
				of[id] = (float64(first.Int32[row]) + float64(second.Int32[row])) / 2
			}
		}
		return nil
	})
}

// strength notes that w_0 differs between the thirds of the rated games with the lowest and with the
// highest ratings: strong players make more of the same evaluation. The weights are e(p)'s in both.
func (in *input) strength(ctx context.Context, s solve.Settings) []schemas.FitNote {
	r := in.train.rows
	if in.levelled.any() || s.Scale != 0 || s.Method != losses.MLM && s.Method != losses.LS || r.Design.Bounded() {
		return nil
	}
	var all []float64
	for _, id := range r.IDs() {
		if rating, rated := in.ratings[id]; rated {
			all = append(all, rating)
		}
	}
	if len(all) < max(leastRated, r.Games/2) {
		return nil
	}
	slices.Sort(all)
	below, above := all[len(all)/3], all[2*len(all)/3]
	s.Levels, s.L1, s.L2, s.MinGames = nil, 0, 0, math.MaxInt // w_0 alone
	scale := func(keep func(rating float64) bool) (w0, se float64, ok bool) {
		e, err := solve.Fit(ctx, r.Subset(func(id int64) bool {
			rating, rated := in.ratings[id]
			return rated && keep(rating)
		}), s)
		if err != nil {
			return 0, 0, false
		}
		w := e.Number(r.Design.Scale())
		if w.SERobust == nil {
			return 0, 0, false
		}
		return w.Value, *w.SERobust, true
	}
	low, lowSE, ok := scale(func(rating float64) bool { return rating < below })
	high, highSE, ok2 := scale(func(rating float64) bool { return rating >= above })
	if !ok || !ok2 || math.Abs(high-low) < 3*math.Hypot(lowSE, highSE) {
		return nil
	}
	return []schemas.FitNote{{Kind: "strength", Text: fmt.Sprintf("with the original weights w_0 is %.3g ± %.1g in games of a mean rating below %.0f and %.3g ± %.1g from %.0f on: --scale-by '(first_elo + second_elo) // 400' fits one to each strength", low, lowSE, below, high, highSE, above)}}
}
