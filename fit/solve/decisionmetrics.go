package solve

import (
	"kifu/fit/rows"
	"kifu/internal/ordered"
	"kifu/schemas"
)

// words are the words of messages about winners, or about moves.
type words struct{ all, never, thin, apart, inverse string }

func (e *Estimate) words() words {
	if e.Design.Decided == nil {
		return words{
			all: "every winner", never: "is zero in every position", thin: "is non-zero",
			apart:   "is always on the winner's side, or always on the loser's",
			inverse: "positions with a higher e(p) are won less often",
		}
	}
	return words{
		all: "every move played", never: "is the same after all moves of every decision", thin: "differs between moves",
		apart:   "is never less, or never more, after the move played than after the others",
		inverse: "moves to a higher e(p) are played less often",
	}
}

// decisionsSay refuses decisions without information.
func decisionsSay(r *rows.Store) error {
	switch {
	case r.N == 0:
		return Refuse("no position", nil, "no decision is left to fit")
	case r.Games == 1:
		return Refuse("one game", nil, "all %d decisions are of one game: take more games, since errors are by game", r.Decisions())
	}
	return nil
}

// choose adds a decision with the scores z, the move played first.
func (m *tally) choose(z []float64, sign, w float64, scratch []float64) {
	m.n++
	m.weight += w
	m.decided += w
	m.logLoss += w * rows.ChoiceLogit{}.Of(z, sign, scratch)
	better, equal := 0, 0
	for _, zi := range z[1:] {
		switch {
		case sign*zi > sign*z[0]:
			better++
		case zi == z[0]:
			equal++
		}
	}
	if better == 0 {
		m.right += w / float64(1+equal)
	}
	others := len(z) - 1
	m.pairs += w * float64(others)
	m.inOrder += w * (float64(others-better-equal) + float64(equal)/2)
}

// decisionMetrics is measure for decisions.
func decisionMetrics(r *rows.Store, f Forecaster, workers int) schemas.FitMetrics {
	s := r.Scorer(f.of(r))
	type scratch struct {
		t    tally
		z, d []float64
	}
	all := make([]scratch, max(1, workers))
	var total tally
	ordered.Merge(workers, len(r.Chunks), func(w, i int) {
		x := &all[w]
		x.t = tally{}
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			x.z = s.Scores(b, x.z[:0])
			x.d = append(x.d[:0], x.z...)
			for from, to := 0, 0; from < len(x.z); from = to {
				to = rows.DecisionEnd(b.Y, from)
				x.t.choose(x.z[from:to], float64(b.Y[from])/rows.PlayedRow, b.WeightOf(from), x.d[from:to])
			}
		}
	}, func(w, _ int) { total.merge(all[w].t) })
	return total.metrics(f.method)
}

// addDecisions is add for decisions. Their strata belong to the moves played.
func (v *Evaluation) addDecisions(r *rows.Store, f Forecaster) {
	var d []float64
	eachForecast(r, f, func(b *rows.Block, z []float64) {
		d = append(d[:0], z...)
		for from, to := 0, 0; from < len(z); from = to {
			to = rows.DecisionEnd(b.Y, from)
			var one tally
			one.choose(z[from:to], float64(b.Y[from])/rows.PlayedRow, b.WeightOf(from), d[from:to])
			v.total.merge(one)
			if s := b.Stratum[from]; s != rows.NoStratum {
				v.plies[s/rows.PhaseBands].merge(one)
				v.phases[s%rows.PhaseBands].merge(one)
			}
		}
	})
}
