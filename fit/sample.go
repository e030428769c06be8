package fit

import (
	"errors"
	"slices"

	"kifu/fit/rows"
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
