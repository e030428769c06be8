package sparse

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kifu/fit/meat"
	"kifu/fit/rows"
	"kifu/internal/dyads"
)

const (
	// Groups is the number of groups of games for Jackknife: more would be slower, fewer need larger weights to be sure.
	Groups = 50
	// jackknifeTolerance is the share of the norm that the step without a group may leave.
	jackknifeTolerance = 1e-4
)

// Spread is the standard error of a weight and its degrees of freedom. These are one less than the number of
// equally weighted games with as much information, and less than groups. SE is NaN for a weight that was not
// fitted.
type Spread struct{ SE, Degrees float64 }

// Jackknife returns the errors of all weights. Games are dealt into groups; a step of Newton's without
// each group gives its shift of the weights. These shifts are valid even with many weights (CR3 of
// Bell and McCaffrey 2002, by groups). A game draws the weights to itself and so makes its own score
// smaller; a sandwich of scores mistakes this for certainty. The degrees of freedom are
// Satterthwaite's (dyads.DegreesOf). The ridge counts unchanged: the error belongs to the shrunk
// weight about its own mean. Fewer than two games, or too few iterations, are an error. after is
// called after each group.
//
// If there are enough known players to be clusters (clusters returns them), players are dealt into
// groups too, and each group's games are left out. A game is then left out twice, for each of its
// players: the squares by game are subtracted, except with few players (package dyads). The wider
// of the two errors counts, or the one by player if way requests it.
func (e *Estimate) Jackknife(ctx context.Context, groups int, players dyads.Players, way string, after func()) (all []Spread, clusters *dyads.Clusters, err error) {
	groups = min(groups, e.n.Games)
	if groups < 2 {
		return nil, nil, fmt.Errorf("errors need two games or more: there are %d", e.n.Games)
	}
	dealt := make([][2]int32, e.n.Games)
	for g := range dealt {
		dealt[g] = [2]int32{int32(g % groups), -1}
	}
	byGame, err := e.leaveOut(ctx, dealt, groups, after)
	if err != nil {
		return nil, nil, err
	}
	var byPlayer []dyads.Spread
	clusters = e.n.clusters(players)
	if way != dyads.ByGame && clusters != nil && clusters.Usable() {
		groups = min(groups, clusters.Players)
		if byPlayer, err = e.leaveOut(ctx, e.n.dealt(players, clusters, groups), groups, after); err != nil {
			return nil, nil, err
		}
	}
	all = make([]Spread, e.n.Weights)
	for j, s := range byGame {
		if byPlayer != nil {
			p := byPlayer[j]
			if clusters.Pairs {
				p.Variance -= s.Variance
			}
			s = dyads.Wider(s, p, dyads.Way(way))
		}
		if all[j] = (Spread{s.Error(), s.Degrees}); e.n.held[j] || !(all[j].SE > 0) {
			all[j].SE = math.NaN()
		}
	}
	return all, clusters, nil
}

// clusters are the games as their players make them depend; nil: unknown.
func (s *Store) clusters(players dyads.Players) *dyads.Clusters {
	if players == nil {
		return nil
	}
	var games []dyads.Pair
	for _, id := range s.ids {
		games = append(games, players.Of(id))
	}
	return dyads.Count(games)
}

// dealt returns the groups of the games' players, who are dealt as they come; a game without a cluster is in one by itself.
func (s *Store) dealt(players dyads.Players, c *dyads.Clusters, groups int) [][2]int32 {
	of, all := map[int32]int32{}, make([][2]int32, len(s.ids))
	group := func(player int32) int32 {
		if player < 0 || c.Hub(player) {
			return -1
		}
		g, seen := of[player]
		if !seen {
			g = int32(len(of) % groups)
			of[player] = g
		}
		return g
	}
	for n, id := range s.ids {
		p := players.Of(id)
		all[n] = [2]int32{group(p.A), group(p.B)}
		if all[n][0] < 0 && all[n][1] < 0 {
			all[n][0] = int32(n % groups)
		}
	}
	return all
}

// leaveOut is the variance of each weight by leaving out groups of games, up to two a game.
func (e *Estimate) leaveOut(ctx context.Context, dealt [][2]int32, groups int, after func()) ([]dyads.Spread, error) {
	n := e.n
	iterations, passed := e.Iterations, e.Passes
	curves, scores := slices.Clone(n.q), make([]float64, n.Rows)
	defer func() {
		e.Iterations, e.Passes = iterations, passed
		copy(n.q, curves)
	}()
	sums := meat.NewFourths(make([][]rows.Entry, n.Weights))
	for group := range groups {
		n.leave(int32(group), dealt, curves, scores)
		e.Iterations = 0
		if err := n.conjugate(ctx, jackknifeTolerance, func(_, _ float64) {}); err != nil {
			return nil, err
		}
		if e.Iterations >= n.set.Iterations {
			return nil, fmt.Errorf("errors are not available: %d iterations do not determine them", n.set.Iterations)
		}
		for j, v := range n.dir {
			sums.Squares[j] += v * v
			sums.Fourths[j] += v * v * v * v
		}
		after()
	}
	all := make([]dyads.Spread, n.Weights)
	for j, df := range sums.Degrees() {
		all[j] = dyads.Spread{Variance: sums.Squares[j] * float64(groups-1) / float64(groups), Degrees: min(df, float64(groups-1))}
	}
	return all, nil
}

// leave takes the rows of a group's games out of the curvature, and sets residual to their gradient.
func (n *newton) leave(group int32, dealt [][2]int32, curves, scores []float64) {
	n.overLanes(func(_ int, b *block) {
		for i, g := range b.game {
			row := b.first + i
			scores[row], n.q[row] = 0, curves[row]
			if dealt[g][0] == group || dealt[g][1] == group {
				scores[row], n.q[row] = n.d[row], 0
			}
		}
	})
	n.transpose(scores, n.residual)
}

// Scores calls f for each row of s, which must have as many weights as e: with the game's number, the score
// under e, the target and the weight. Rows come by class, within a class in order.
func (e *Estimate) Scores(s *Store, f func(game int, score, y, weight float64)) {
	var buffer [blockRows]float64
	for _, b := range s.blocks {
		z := buffer[:b.rows()]
		b.gather(e.Weights, z)
		for i, v := range z {
			if b.off != nil {
				v += float64(b.off[i])
			}
			f(int(b.game[i]), v, float64(b.y[i]), b.weightOf(i))
		}
	}
}
