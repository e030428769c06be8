package identify

import (
	"context"
	"math"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/internal/splitmix"
	"kifu/players/decide"
)

// tree counts the moves of the library's players in their games to learn from, position by
// position. A move has the chance
//
//	Q_k(m | p) = (n_k(p, m) + α Q(m | p)) / (n_k(p) + α),  Q(m | p) = (n(p, m) + 1/L) / (n(p) + 1)
//
// n_k counts the games of player k, n all games, and L is the number of legal moves. This is a Dirichlet
// prior around the frequencies of all players (MacKay and Peto, "A hierarchical Dirichlet language model",
// 1995, equation 9). If no player has a game there, all have the same chance, and the move is no evidence. α
// is chosen among several values: the one with the highest likelihood of known players' games held out for
// the posterior, each by its own player's counts.
type tree struct {
	counts map[uint64]int32 // by position, or position and move, and player
}

// alphas are the strengths of the prior, in games.
var alphas = [...]float64{0.5, 1, 2, 4, 8, 16, 32}

// treePlies is how far the tree goes: no two games of these databases are likely to agree
// further without being copies.
const treePlies = 40

// everyone is the player that means all.
const everyone = -1

func (t *tree) count(key uint64, player int) float64 { return float64(t.counts[keyOf(key, player)]) }

func keyOf(key uint64, player int) uint64 {
	return splitmix.Mix(key + uint64(player+2)*splitmix.Golden)
}

// add counts a move of a player.
func (t *tree) add(player int, position, move uint64) {
	for _, k := range []int{player, everyone} {
		t.counts[keyOf(position, k)]++
		t.counts[keyOf(move, k)]++
	}
}

// judge adds a move's evidence on each of the candidates to the seat's.
func (t *tree) judge(s *seat, position, move uint64, legal int) {
	all := (t.count(move, everyone) + 1/float64(legal)) / (t.count(position, everyone) + 1)
	for k := range s.trees[0] {
		played, seen := t.count(move, k), t.count(position, k)
		for i, alpha := range alphas {
			s.trees[i][k] += math.Log((played + alpha*all) / (seen + alpha))
		}
	}
}

// chooseAlpha takes the evidence by the α under which the known players' moves are likeliest.
func chooseAlpha(seats []*seat) float64 {
	best, most := 0, math.Inf(-1)
	for i := range alphas {
		sum := 0.0
		for _, s := range seats {
			if s.use == toFit {
				sum += s.trees[i][s.player]
			}
		}
		if sum > most {
			best, most = i, sum
		}
	}
	for _, s := range seats {
		s.tree = s.trees[best]
	}
	return alphas[best]
}

// learnTree counts the moves of the games that the models were learned from.
func (f *finder[P]) learnTree(ctx context.Context, in *datasets.Dir) error {
	f.tree = &tree{counts: map[uint64]int32{}}
	r := decide.Reader[P]{Rules: f.game.Rules, In: in, Workers: f.workers}
	return r.Each(ctx, "opening tree", f.wants(f.known, toTree), func(g *decide.Replayed[P]) {
		if g.Err != nil {
			f.counts.Reject(string(games.ReasonOf(g.Err)), 1)
			return
		}
		for _, s := range f.known[g.ID] {
			if s.use != toTree {
				continue
			}
			for ply, p := range g.Positions[:min(len(g.Positions), treePlies)] {
				if int(p.ToMove()) == s.side && decide.Within(ply, f.SkipPlies, f.MaxPly) {
					f.tree.add(s.player, p.Hash(), decide.Key(p, g.Moves[ply]))
				}
			}
		}
	})
}

// wants selects the games with a seat of one of the uses.
func (f *finder[P]) wants(of map[int64][]*seat, uses ...use) func(b *columns.Batch, i int) (is [2]bool, want bool) {
	return func(b *columns.Batch, i int) (is [2]bool, want bool) {
		for _, s := range of[b.Col("game_id").Int64[i]] {
			for _, u := range uses {
				want = want || s.use == u
			}
		}
		return is, want
	}
}
