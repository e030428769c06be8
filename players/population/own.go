package population

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kifu/internal/clogit"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/splitmix"
	"kifu/internal/table"
)

// own is how one player's weights differ from other players'. If theirs give a move the log-odds v, the
// player's give (1 + more)·v + δ·x.
type own struct {
	pull float64   // that predicts held-out games best
	more float64   // how much more the player follows what others prefer
	odds []float64 // δ of each feature, in log-odds a standard deviation
}

// pulls are the pulls towards the other players' weights that are tried; the first is practically infinite. A
// pull of 1 is a prior of one unit of log-odds per standard deviation of a feature.
var pulls = []float64{1e6, 3000, 1000, 300, 100, 30, 10}

// folds is the number of parts of the games for choosing the pull: each part is predicted by a fit to the
// others.
const folds = 5

// near fits the weights of one player near the weights of others.
func (l *learner[P]) near(d *clogit.Data[float32], step func() error) (*clogit.Fit, error) {
	beta, contexts := l.Prior.Weights, len(l.Prior.Contexts())
	all := d.Beside(beta, func(int64) bool { return true })
	squares := all.Squares()
	centre := make([]float64, len(squares))
	last := len(centre) - 1
	centre[last] = 1
	fit := func(d *clogit.Data[float32], pull float64, from []float64) ([]float64, error) {
		ridges := make([]float64, len(squares))
		for j, s := range squares {
			ridges[j] = max(pull*s, 1e-6)
		}
		found, err := d.FitNear(ridges, centre, from, l.workers)
		if err == nil {
			err = step()
		}
		return found, err
	}
	chosen, err := l.pull(d, centre, fit)
	if err != nil {
		return nil, err
	}
	found, err := fit(all, chosen, centre)
	if err != nil {
		return nil, err
	}
	f := &clogit.Fit{Decisions: d.Len(), Groups: len(lists.Set(lists.Of(l.fitted, func(d decision[P]) int64 { return d.whose })))}
	for j, b := range beta {
		w := found[last] * b
		if j%contexts == 0 {
			w += found[j/contexts]
		}
		f.Beta = append(f.Beta, w)
	}
	l.own = own{pull: chosen, more: found[last] - 1}
	l.model.Pairs = l.model.Pairs.Times(found[last])
	for j, s := range squares[:last] {
		l.own.odds = append(l.own.odds, found[j]*math.Sqrt(s))
	}
	return f, nil
}

// pull returns the pull whose fits predict the games that they have not seen best; among equals the largest.
func (l *learner[P]) pull(d *clogit.Data[float32], centre []float64, fit func(d *clogit.Data[float32], pull float64, from []float64) ([]float64, error)) (float64, error) {
	likelihood, none := make([]float64, len(pulls)), make([]float64, len(centre))
	for fold := range folds {
		held := func(game int64) bool { return int(splitmix.Share(l.Seed+3, game)*folds) == fold }
		unseen := d.Beside(l.Prior.Weights, held)
		seen := d.Beside(l.Prior.Weights, func(game int64) bool { return !held(game) })
		from, err := centre, error(nil)
		for i, pull := range pulls {
			if from, err = fit(seen, pull, from); err != nil {
				return 0, err
			}
			likelihood[i] += unseen.Model(none, l.workers).Set(from)
		}
	}
	return pulls[slices.Index(likelihood, slices.Max(likelihood))], nil
}

// mostOdds is how many differences the text has.
const mostOdds = 10

// text describes how the player differs from others.
func (o *own) text(features []string) string {
	if o.pull == pulls[0] {
		return "Held-out games are predicted best by the other players' weights, so the model has these.\n"
	}
	order := lists.N(len(features), func(i int) int { return i })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(o.odds[b]), math.Abs(o.odds[a])) })
	t := table.Table{Head: []table.Cell{table.Text("differs most by"), table.Number("log-odds a standard deviation")}}
	for _, i := range order[:min(mostOdds, len(order))] {
		t.Rows = append(t.Rows, []string{features[i], human.Signed(o.odds[i], 3)})
	}
	return fmt.Sprintf("A pull of %v to the other players' weights predicts held-out games best; these weights count %s times.\n\n%s", o.pull, human.Fixed(1+o.more, 2), t.Plain())
}
