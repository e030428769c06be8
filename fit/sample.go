package fit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kifu/datasets/manifest"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/internal/lists"
	"kifu/internal/splitmix"
)

// newSample is a sample without a row yet.
func (in *input) newSample() *sample {
	s := &sample{build: rows.NewBuilder(in.design), most: in.p.MaxPerGame, seed: in.p.Seed}
	s.build.Blend, s.build.Spill = in.p.Blend > 0, in.spill
	s.build.Levels = in.levelled.any() || in.p.temporal() && in.p.WithoutBlunders > 0
	if in.design.Decided != nil {
		s.gather = &gatherer{}
	}
	return s
}

// sample is a set of games.
type sample struct {
	rows    *rows.Store
	build   *rows.Builder
	results rows.Results

	most    int // positions a game; 0: all
	seed    uint64
	game    []rows.Row // the rows of the last game, when there is a limit
	dropped int64
	gather  *gatherer // of decisions; nil: every row is by itself
}

// add takes a row in, or keeps it until its game is whole.
func (s *sample) add(x *rows.Row) {
	if s.most == 0 {
		s.put(x)
		return
	}
	if len(s.game) > 0 && s.game[0].Game != x.Game {
		s.endGame()
	}
	kept := *x
	kept.Features, kept.Dense = slices.Clone(x.Features), slices.Clone(x.Dense)
	s.game = append(s.game, kept)
}

func (s *sample) put(x *rows.Row) {
	s.build.Add(x)
	s.results.First += x.Won.First
	s.results.Draws += x.Won.Draws
	s.results.Second += x.Won.Second
}

// endGame puts the rows of a game in, a seeded choice of them if they are too many.
func (s *sample) endGame() {
	if n := len(s.game); n > s.most {
		for _, i := range drawn(n, s.most, splitmix.Hash(s.seed^capSalt, s.game[0].Game)) {
			s.game[i].At = s.game[0].At // the choice is of all of them
			s.put(&s.game[i])
		}
		s.dropped += int64(n - s.most)
	} else {
		for i := range s.game {
			s.put(&s.game[i])
		}
	}
	s.game = s.game[:0]
}

// finish makes the rows and adds the left-out ones to the counts of in. If there was a limit, rows of a
// game must be adjacent.
func (s *sample) finish(in *input) error {
	s.endGame()
	if s.gather != nil {
		if s.gather.endGame(s); s.gather.err != nil {
			return s.gather.err
		}
	}
	if s.most > 0 && s.build.Apart {
		return errors.New("the positions of a game are not adjacent in the labels, as after --dedup: --max-per-game cannot count them")
	}
	if in.spill.Used() && s.build.Apart {
		return errors.New("the positions of a game are not adjacent in the labels, as after --dedup, and must be joined in memory: use a larger --memory")
	}
	s.rows, s.build = s.build.Finish(), nil
	if s.dropped > 0 {
		in.counts.Reject(overCap, s.dropped)
	}
	if s.gather != nil {
		in.counts.Add(s.gather.counts)
	}
	return nil
}

// gatherer puts the moves of decisions together, the one played first. A game is taken
// in as a whole, so that decisions can be drawn from it.
type gatherer struct {
	options  []readRow
	features []rows.Count // of the options, end to end
	dense    []float64    // likewise
	counts   manifest.Counts
	err      error
}

// add takes a move. The moves of a decision come one after the other.
func (g *gatherer) add(s *sample, x *readRow) {
	if n := len(g.options); n > 0 && g.options[n-1].Game != x.Game {
		g.endGame(s)
	}
	g.options = append(g.options, *x)
	g.features = append(g.features, x.Features...)
	g.dense = append(g.dense, x.Dense...)
}

// endGame puts the decisions of a game into s, a seeded choice of them if they are too
// many.
func (g *gatherer) endGame(s *sample) {
	features, dense := g.features, g.dense
	for i := range g.options {
		x := &g.options[i]
		x.At = g.options[0].At // the moves of a decision change places
		x.Features, features = features[:len(x.Features)], features[len(x.Features):]
		x.Dense, dense = dense[:len(x.Dense)], dense[len(x.Dense):]
	}
	var whole []rows.Span
	for from, to := 0, 0; from < len(g.options); from = to {
		for to = from + 1; to < len(g.options) && g.options[to].ply == g.options[from].ply; to++ {
		}
		if g.order(g.options[from:to]) {
			whole = append(whole, rows.Span{From: from, To: to})
		}
	}
	if s.most > 0 && len(whole) > s.most {
		some := drawn(len(whole), s.most, splitmix.Hash(s.seed^capSalt, g.options[0].Game))
		for i, w := range whole {
			if _, in := slices.BinarySearch(some, i); !in {
				s.dropped += int64(w.To - w.From)
				continue
			}
			g.put(s, w)
		}
	} else {
		for _, w := range whole {
			g.put(s, w)
		}
	}
	g.options, g.features, g.dense = g.options[:0], g.features[:0], g.dense[:0]
}

// capSalt keeps the choice of positions apart from the others that one seed makes.
const capSalt = 0x27d4eb2f165667c5

// drawn are some of the numbers below n, ascending: those with the least hashes.
func drawn(n, some int, seed uint64) []int {
	order := lists.N(n, func(i int) int { return i })
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(splitmix.Hash(seed, int64(a)), splitmix.Hash(seed, int64(b))) })
	order = order[:some]
	slices.Sort(order)
	return order
}

// order brings the move played to the front. It reports whether there is a choice.
func (g *gatherer) order(decision []readRow) bool {
	at, n := -1, int64(len(decision))
	for i, x := range decision {
		if x.Y == losses.PlayedRow || x.Y == -losses.PlayedRow {
			if at >= 0 && g.err == nil {
				g.err = fmt.Errorf("two moves are played in game %d at ply %d: damaged, or a position that was labelled twice", x.Game, x.ply)
			}
			at = i
		}
	}
	switch {
	case at < 0:
		g.counts.Reject(playedOut, n)
	case n == 1:
		g.counts.Reject(noAlternative, n)
	default:
		played := decision[at]
		copy(decision[1:at+1], decision[:at])
		decision[0] = played
		return true
	}
	return false
}

func (g *gatherer) put(s *sample, decision rows.Span) {
	for i := decision.From; i < decision.To; i++ {
		s.put(&g.options[i].Row)
	}
}
