package learn

import (
	"math"
	"slices"

	"kifu/eval"
	"kifu/games"
	"kifu/players"
	"kifu/players/decide"
	"kifu/schemas"
)

// Learned holds the results of learning.
type Learned struct {
	schemas.LearnResults
	eval *eval.Model // the chosen weights
}

// Player returns the model as stored in model.toml, without a name.
func (l *Learned) Player() *players.Player {
	return &players.Player{
		Game: l.eval.Game, Depth: l.Model.Depth, Quiescence: l.Model.Quiescence, Temperature: l.Model.Temperature, Lapse: l.Model.Lapse,
		Weights: players.Weights, Eval: l.eval,
	}
}

// learnDepth learns from decisions with values up to depth deepest.
func learnDepth[P games.Position[P]](deepest int, decisions []decision[P]) *Learned {
	l := &Learned{LearnResults: schemas.LearnResults{Train: sampleOf(in(decisions, train))}}
	for of, sample := range map[part]**schemas.LearnSample{held: &l.Held, test: &l.Test} {
		if all := in(decisions, of); len(all) > 0 {
			s := sampleOf(all)
			*sample = &s
		}
	}
	for d := 1; d <= deepest; d++ {
		l.Depths = append(l.Depths, learnOne(d, decisions, l.Held != nil, func(i int) []int32 { return decisions[i].values[d-1] }))
	}
	for d := 1; d <= deepest && decisions[0].quiet != nil; d++ {
		l.Quiescent = append(l.Quiescent, learnOne(d, decisions, l.Held != nil, func(i int) []int32 { return decisions[i].quiet[d-1] }))
	}
	testFit(l, decisions)
	l.normalise()
	l.choose()
	return l
}

// learnOne learns from decisions valued by one candidate. Its posterior is a logarithm, until
// normalise.
func learnOne[P games.Position[P]](depth int, decisions []decision[P], heldOut bool, values func(i int) []int32) schemas.LearnDepth {
	fitted := rank(decisions, train, values)
	fit := fitChoice(fitted)
	d := schemas.LearnDepth{
		Depth: depth, Counter: counter(fitted),
		Temperature: fit.temperature, Lapse: fit.lapse, LogLikelihood: fit.logLikelihood,
		Posterior: fit.evidence,
		Train:     scoreOf(fitted, fit),
	}
	if heldOut {
		s := scoreOf(rank(decisions, held, values), fit)
		d.Held = &s
	}
	return d
}

// testFit tests the likeliest candidate and tempers the evidence of all if it does not fit. Its rivals are the
// other candidates and, where none of them has it, quiescence alone.
func testFit[P games.Position[P]](l *Learned, decisions []decision[P]) {
	candidates, best := allDepths(&l.LearnResults), 0
	var all []rival
	for i, c := range candidates {
		if c.Posterior > candidates[best].Posterior {
			best = i
		}
		ds := rank(decisions, train, func(k int) []int32 { return decisions[k].by(c.Depth, i >= len(l.Depths)) })
		all = append(all, rival{choice: choice{temperature: c.Temperature, lapse: c.Lapse}, decisions: ds})
	}
	own := all[best].decisions
	if len(own) == 0 {
		return
	}
	l.Likeliest = &schemas.LearnLikeliest{Depth: candidates[best].Depth, Quiescence: best >= len(l.Depths)}
	l.Likeliest.AtLeast = l.Likeliest.Depth == len(l.Depths)
	rivals := slices.Concat(all[:best], all[best+1:])
	if decisions[0].calm != nil {
		ds := rank(decisions, train, func(k int) []int32 { return decisions[k].calm })
		rivals = append(rivals, rival{choice: fitChoice(ds), decisions: ds})
	}
	deeper := rival{deeper: true, decisions: rank(decisions, train, func(k int) []int32 { return decisions[k].next })}
	if seen := slices.DeleteFunc(slices.Clone(deeper.decisions), func(d ranked) bool { return d.values == nil }); len(seen) > 0 {
		deeper.choice = fitChoice(seen)
		rivals = append(rivals, deeper)
	}
	if len(rivals) > 0 {
		l.Likeliest.Misfit = misfit(own, fitChoice(own).refine(own), rivals)
	}
	if m := l.Likeliest.Misfit; m != nil {
		for _, c := range candidates {
			c.Posterior /= m.Tempered
		}
	}
}

// allDepths returns all of them, the plain ones first.
func allDepths(l *schemas.LearnResults) (all []*schemas.LearnDepth) {
	for _, list := range [][]schemas.LearnDepth{l.Depths, l.Quiescent} {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	return all
}

// ranked is a decision with the values of its moves by one strategy, for its side to move
// in 1/search.Grain units.
type ranked struct {
	game   int64
	chosen int
	values []int32
}

// rank pairs the decisions of a part with the values by their index.
func rank[P games.Position[P]](decisions []decision[P], of part, values func(i int) []int32) (rs []ranked) {
	for i := range decisions {
		if d := &decisions[i]; d.part == of {
			rs = append(rs, ranked{d.game, d.chosen, values(i)})
		}
	}
	return rs
}

// in returns the decisions of a part.
func in[P games.Position[P]](decisions []decision[P], of part) (ds []*decision[P]) {
	for i := range decisions {
		if decisions[i].part == of {
			ds = append(ds, &decisions[i])
		}
	}
	return ds
}

// counter returns the counter of figure 6.
func counter(decisions []ranked) (n int64) {
	for _, d := range decisions {
		for _, v := range d.values {
			if v <= d.values[d.chosen] {
				n++
			} else {
				n--
			}
		}
	}
	return n
}

// normalise turns the logarithms of the evidence into posteriors.
func (l *Learned) normalise() {
	most, sum := math.Inf(-1), 0.0
	for _, d := range allDepths(&l.LearnResults) {
		most = max(most, d.Posterior)
	}
	for _, d := range allDepths(&l.LearnResults) {
		d.Posterior = math.Exp(d.Posterior - most)
		sum += d.Posterior
	}
	for _, d := range allDepths(&l.LearnResults) {
		d.Posterior /= sum
	}
	if l.Likeliest == nil {
		return
	}
	switch {
	case l.Likeliest.AtLeast: // who looks further is none of the candidates
	case l.Likeliest.Quiescence:
		l.Likeliest.Posterior = &l.Quiescent[l.Likeliest.Depth-1].Posterior
	default:
		l.Likeliest.Posterior = &l.Depths[l.Likeliest.Depth-1].Posterior
	}
}

func (l *Learned) choose() {
	best := int64(math.MinInt64)
	for _, d := range l.Depths {
		if d.Counter > best {
			best, l.ByCounter = d.Counter, nil
		}
		if d.Counter == best {
			l.ByCounter = append(l.ByCounter, d.Depth)
		}
		if l.ByPosterior == 0 || d.Posterior > l.Depths[l.ByPosterior-1].Posterior {
			l.ByPosterior = d.Depth
		}
		if d.Held != nil && (l.ByHeldOut == 0 || d.Held.Accuracy > l.Depths[l.ByHeldOut-1].Held.Accuracy) {
			l.ByHeldOut = d.Depth
		}
	}
}

func sampleOf[P games.Position[P]](decisions []*decision[P]) (s schemas.LearnSample) {
	s.Decisions = len(decisions)
	last := int64(-1)
	for _, d := range decisions {
		if d.game != last {
			s.Games++
			last = d.game
		}
		s.Chance += 1 / float64(d.moves)
		s.LogLoss += math.Log(float64(d.moves))
	}
	if n := float64(len(decisions)); n > 0 {
		s.Chance, s.LogLoss = s.Chance/n, s.LogLoss/n
	}
	return s
}

// scoreOf scores values, with the choice fitted to them, on decisions in the order of
// their games.
func scoreOf(decisions []ranked, c choice) (s schemas.LearnScore) {
	n := float64(len(decisions))
	if n == 0 {
		return s
	}
	hits := hitsOf(decisions)
	for i, d := range decisions {
		if hits[i] > 0 {
			s.InBest++
		}
		s.LogLoss -= c.log(d.values, d.chosen)
	}
	s.InBest, s.LogLoss = s.InBest/n, s.LogLoss/n
	s.Accuracy, s.SE = meanByGame(decisions, hits)
	s.End = decide.End95(hits, func(i int) int64 { return decisions[i].game })
	return s
}

// hitsOf returns, for each decision, the probability that a random choice among its best
// moves gives the move played.
func hitsOf(decisions []ranked) []float64 {
	hits := make([]float64, len(decisions))
	for i, d := range decisions {
		if best, is := bestMoves(d.values, d.chosen); is {
			hits[i] = 1 / float64(best)
		}
	}
	return hits
}

// meanByGame returns the mean of x, one per decision, and its standard error when decisions
// of one game may depend on each other; nil for less than two games.
func meanByGame(decisions []ranked, x []float64) (mean float64, se *float64) {
	return decide.MeanByCluster(x, func(i int) int64 { return decisions[i].game })
}

// bestMoves returns the number of the greatest values and whether chosen has one of them.
func bestMoves(values []int32, chosen int) (n int, is bool) {
	best := values[0]
	for _, v := range values {
		if v > best {
			best, n = v, 0
		}
		if v == best {
			n++
		}
	}
	return n, values[chosen] == best
}
