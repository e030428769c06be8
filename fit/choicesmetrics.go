package fit

import "kifu/schemas"

// words are those in which a fit tells of winners, or of moves.
type words struct{ all, never, thin, apart, inverse string }

func (e *estimate) words() words {
	if e.d.decided == nil {
		return words{
			all: "every winner", never: "is zero in every position", thin: "is non-zero",
			apart:   "is always on the winner's side, or always on the loser's",
			inverse: "positions with a higher e(p) are won less often",
		}
	}
	return words{
		all: "every move played", never: "is the same behind all moves of every decision", thin: "differs between moves",
		apart:   "is never less, or never more, behind the move played than behind the others",
		inverse: "moves to a higher e(p) are played less often",
	}
}

// decisionsSay refuses decisions that say nothing.
func decisionsSay(r *rows) error {
	switch {
	case r.n == 0:
		return unidentified("no position", nil, "no decision is left to fit")
	case r.games == 1:
		return unidentified("one game", nil, "all %d decisions are of one game: take more games, since errors are by game", r.decisions())
	}
	return nil
}

// choose adds a decision with the scores z, the move played first.
func (m *tally) choose(z []float64, sign, w float64, scratch []float64) {
	m.n++
	m.weight += w
	m.decided += w
	m.logLoss += w * choice{}.of(z, sign, scratch)
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

// decisionMetrics is metrics for decisions.
func (r *rows) decisionMetrics(f forecaster, workers int) schemas.FitMetrics {
	s := r.scorer(f.of(r))
	type scratch struct {
		t    tally
		z, d []float64
	}
	all := make([]scratch, max(1, workers))
	var total tally
	inOrder(workers, len(r.chunks), func(w, i int) {
		x := &all[w]
		x.t = tally{}
		for _, b := range r.blocks[r.chunks[i].from:r.chunks[i].to] {
			x.z = s.scores(b, x.z[:0])
			x.d = append(x.d[:0], x.z...)
			for from, to := 0, 0; from < len(x.z); from = to {
				to = decisionEnd(b.y, from)
				x.t.choose(x.z[from:to], float64(b.y[from])/playedRow, b.weightOf(from), x.d[from:to])
			}
		}
	}, func(w, _ int) { total.merge(all[w].t) })
	return total.metrics(f.method)
}

// addDecisions is add for decisions. Their strata are those of the moves played.
func (v *evaluation) addDecisions(r *rows, f forecaster) {
	var d []float64
	r.eachForecast(f, func(b *block, z []float64) {
		d = append(d[:0], z...)
		for from, to := 0, 0; from < len(z); from = to {
			to = decisionEnd(b.y, from)
			var one tally
			one.choose(z[from:to], float64(b.y[from])/playedRow, b.weightOf(from), d[from:to])
			v.total.merge(one)
			if s := b.stratum[from]; s != noStratum {
				v.plies[s/phaseBands].merge(one)
				v.phases[s%phaseBands].merge(one)
			}
		}
	})
}
