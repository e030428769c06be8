package conjunctions

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/fit/solve"
	"kifu/fit/sparse"
	"kifu/internal/dyads"
	"kifu/internal/multiple"
	"kifu/internal/progress"
)

// chosen reports whether the positions learned from chose the conjunctions: by their information on the
// winner, or by their weights. Errors would take them as given beforehand, and be too small.
func (p Params) chosen() bool { return p.Prune > 0 || p.Select != "" && p.Select != selectAll }

// known has the facts of a weight: its standard error, its degrees of freedom, p of
// its being 0, and q of that among all conjunctions.
type known struct{ se, degrees, p, q float64 }

// errors returns the errors of the strongest weights, by their set; none where the same positions chose
// the conjunctions.
func (r *run) errors(ctx context.Context, order []int) (map[int]known, error) {
	if r.estimate == nil || r.Errors == 0 || r.chosen() {
		return nil, nil
	}
	bar := progress.Start(ctx, "errors", sparse.Groups, "groups of games")
	defer bar.Done()
	all, clusters, err := judged(ctx, r.estimate, r.weights, r.means.Players, r.Cluster, func() { bar.Add(1) })
	told := solve.Told(clusters, r.Cluster, r.in.noGames, r.means.Names.Of)
	r.fit.Clusters = &told
	of := map[int]known{}
	if all != nil {
		for _, i := range order[:min(r.Errors, len(order))] {
			of[i] = all[i]
		}
	}
	return of, err
}

// judged returns what is known of all weights, nil if errors are not available, and the clusters of the games; after is called often.
func judged(ctx context.Context, e *sparse.Estimate, w Weights, players dyads.Players, way string, after func()) ([]known, *dyads.Clusters, error) {
	spreads, clusters, err := e.Jackknife(ctx, sparse.Groups, players, way, after)
	if err != nil {
		return nil, nil, ctx.Err()
	}
	all, p := make([]known, len(w.Of)), make([]float64, len(w.Of))
	for i, x := range spreads[1:] {
		p[i] = 2 * distuv.StudentsT{Sigma: 1, Nu: x.Degrees}.CDF(-math.Abs(w.Of[i]/x.SE))
		if math.IsNaN(x.SE) {
			p[i] = math.NaN()
		}
		all[i] = known{se: x.SE, degrees: x.Degrees, p: p[i]}
	}
	for i, q := range multiple.FalseDiscovery(p) {
		all[i].q = q
	}
	return all, clusters, nil
}
