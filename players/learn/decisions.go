package learn

import (
	"cmp"
	"context"
	"slices"

	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/internal/person"
	"kifu/internal/splitmix"
	"kifu/players/decide"
)

// decision is a choice of the player between several moves.
type decision[P games.Position[P]] struct {
	position P
	game     int64
	ply      int
	chosen   int // among the legal moves, in their order
	moves    int // legal ones, at least two
	part     part
	rank     uint64 // by which decisions are sampled
	// values are the values of the moves for the player, by depth less one, in
	// 1/search.Grain units. Equal positions share them.
	values [][]int32
	quiet  [][]int32 // those by searches with quiescence, nil without
	calm   []int32   // by quiescence after the move, for the test of fit, where quiet is nil
	next   []int32   // by a search one ply deeper than for values, of a sample of the games; else nil
	model  []int32   // values by the chosen model
}

// part is the use of a game's decisions.
type part = decide.Part

const (
	train = decide.Train
	held  = decide.Held
	test  = decide.Test
)

// part returns the part of a game and its copies, of which game is the least id.
func (p *Params) part(game int64) part {
	return decide.Split{Seed: p.Seed, Holdout: p.Holdout, Test: p.Test}.Of(game)
}

// reader replays the games that are learned from.
type reader[P games.Position[P]] struct{ decide.Reader[P] }

// Played is one game of the player.
type Played[P any] = decide.Played[P]

// found holds what was found of the player in the games.
type found[P games.Position[P]] struct {
	decisions []decision[P] // in the order of the games
	games     int           // selected games of the player
	moves     int           // of the player in them
	choices   int           // moves neither forced nor left out, from which decisions are sampled
	counts    manifest.Counts
}

// Reasons for which moves of the player are not decisions.
const (
	forced  = "forced"
	outside = "outside the plies"
	inBook  = "in the book"
	undrawn = "not drawn"
	illegal = "not legal"
)

// decisions replays the games of the player and finds its decisions.
func (r *reader[P]) decisions(ctx context.Context, p Params) (*found[P], error) {
	s := &selector{Params: p, player: person.Pattern(slices.Concat(p.Player, p.Aliases)...)}
	played := func(b *columns.Batch, i int) ([2]bool, bool) {
		is := s.sides(b, i)
		return is, is[0] || is[1]
	}
	book, err := r.book(ctx, s, played)
	if err != nil {
		return nil, err
	}
	var copies *bygame.Copies
	if r.In != nil {
		if copies, err = bygame.CopiesOf(ctx, nil, r.In, "copies", bygame.CopiesMemory); err != nil {
			return nil, err
		}
	}
	f := &found[P]{}
	f.counts.Read = r.Rows()
	err = r.Each(ctx, "decisions", played, func(g *decide.Replayed[P]) {
		if g.Err != nil {
			f.counts.Reject(string(games.ReasonOf(g.Err)), 1)
			return
		}
		f.games++
		f.add(s, book, g, s.part(copies.Head(g.ID)))
	})
	f.sample(p.MaxDecisions)
	slices.SortFunc(f.decisions, func(a, b decision[P]) int {
		return cmp.Or(cmp.Compare(a.game, b.game), cmp.Compare(a.ply, b.ply))
	})
	f.counts.Written = int64(len(f.decisions))
	if n := f.choices - len(f.decisions); n > 0 {
		f.counts.Note(undrawn, int64(n))
	}
	return f, err
}

// add adds the decisions of one game of a part.
func (f *found[P]) add(s *selector, book map[uint64]int, g *decide.Replayed[P], of part) {
	var legal []games.Move
	for ply, p := range g.Positions {
		if !g.Is[mover(p)] {
			continue
		}
		f.moves++
		legal = p.AppendMoves(legal[:0])
		chosen := slices.Index(legal, g.Moves[ply])
		switch {
		case chosen < 0:
			f.counts.Note(illegal, 1)
		case !decide.Within(ply, s.SkipPlies, s.MaxPly):
			f.counts.Note(outside, 1)
		case len(legal) < 2:
			f.counts.Note(forced, 1)
		case s.Book > 0 && book[decide.Key(p, g.Moves[ply])] > s.Book: // this game is one of them
			f.counts.Note(inBook, 1)
		default:
			f.choices++
			f.decisions = append(f.decisions, decision[P]{
				position: p, game: g.ID, ply: ply, moves: len(legal), part: of,
				chosen: chosen,
				rank:   splitmix.Mix(s.Seed ^ splitmix.Mix(uint64(g.ID)<<16^uint64(ply)+1)),
			})
			if len(f.decisions) >= 2*s.MaxDecisions {
				f.sample(s.MaxDecisions)
			}
		}
	}
}

// sample keeps the n decisions of the lowest rank: a random sample that does not depend on
// the order in which they came.
func (f *found[P]) sample(n int) {
	if len(f.decisions) <= n {
		return
	}
	slices.SortFunc(f.decisions, func(a, b decision[P]) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.game, b.game), cmp.Compare(a.ply, b.ply))
	})
	f.decisions = f.decisions[:n]
}

// book counts the games in which each of the player's moves was played in its position; it
// returns nil when not needed. Only these moves are counted, so that memory is proportional
// to the player's games and not to the dataset.
func (r *reader[P]) book(ctx context.Context, s *selector, played func(b *columns.Batch, i int) ([2]bool, bool)) (map[uint64]int, error) {
	if s.Book == 0 {
		return nil, nil
	}
	counts := map[uint64]int{}
	err := r.Each(ctx, "book", played, func(g *decide.Replayed[P]) {
		for ply, p := range g.Positions {
			if g.Is[mover(p)] && decide.Within(ply, s.SkipPlies, s.MaxPly) {
				counts[decide.Key(p, g.Moves[ply])] = 0
			}
		}
	})
	if err != nil {
		return nil, err
	}
	all := func(*columns.Batch, int) (is [2]bool, want bool) { return is, true }
	err = r.Each(ctx, "count book", all, func(g *decide.Replayed[P]) {
		seen := map[uint64]bool{} // a game counts once
		for ply, p := range g.Positions {
			k := decide.Key(p, g.Moves[ply])
			if n, ok := counts[k]; ok && !seen[k] {
				counts[k], seen[k] = n+1, true
			}
		}
	})
	return counts, err
}

// by returns the values of the moves by a candidate.
func (d *decision[P]) by(depth int, quiet bool) []int32 {
	if quiet {
		return d.quiet[depth-1]
	}
	return d.values[depth-1]
}
