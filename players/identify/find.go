package identify

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/lists"
	"kifu/internal/person"
	"kifu/internal/splitmix"
	"kifu/players/decide"
)

// use is the purpose of the moves that one player made in a game.
type use uint8

const (
	toTree  use = iota // counted in the opening tree
	toFit              // the posterior is fitted to them
	toTest             // it is tested by them
	toGuess            // their player is unknown
)

// seat is one player in one game.
type seat struct {
	game   int64
	side   int
	player int // index into the library; -1: the one asked for
	use    use
	// trees, by the strength of the prior, and models are the evidence for each candidate, in
	// nats; tree is the chosen prior's.
	trees        [len(alphas)][]float64
	tree, models []float64
	decisions    int // that were searched
}

// unknown is the player asked for.
const unknown = -1

// Reasons for which games are left out.
const (
	copied  = "copy of another game"
	fitted  = "learned from"
	tooMany = "not drawn"
)

// finder finds the games and their evidence.
type finder[P games.Position[P]] struct {
	Params
	game    eval.Game[P]
	workers int
	counts  manifest.Counts

	seats     []*seat // to fit, to test, to guess
	known     map[int64][]*seat
	asked     map[int64][]*seat
	tree      *tree
	questions []question[P]
}

// find reads the players of the games, and decides the use of each game.
func (f *finder[P]) find(ctx context.Context, known, asked *datasets.Dir) error {
	is := lists.Of(f.Library, func(c Candidate) *regexp.Regexp { return person.Pattern(c.Names...) })
	f.counts.Read = known.Rows()
	all, err := f.read(ctx, known, func(name []byte) int {
		return slices.IndexFunc(is, func(r *regexp.Regexp) bool { return r.Match(name) })
	})
	if err != nil {
		return err
	}
	learned := map[int64]bool{}
	for _, s := range all {
		s.use = [...]use{decide.Train: toTree, decide.Held: toFit, decide.Test: toTest}[f.Library[0].Split.Of(s.game)]
		learned[s.game] = learned[s.game] || s.use != toTest
	}
	var wanted []*seat
	for k := range f.Library {
		for _, u := range []use{toTree, toFit, toTest} {
			if u == toTest && len(f.Player) > 0 {
				continue
			}
			wanted = append(wanted, f.some(all, k, u)...)
		}
	}
	f.known = bySeats(wanted)
	if len(f.Player) > 0 {
		if err := f.findAsked(ctx, known, asked, learned); err != nil {
			return err
		}
	}
	for _, s := range wanted {
		if s.use != toTree {
			f.seats = append(f.seats, s)
		}
	}
	slices.SortFunc(f.seats, func(a, b *seat) int {
		return cmp.Or(cmp.Compare(a.use, b.use), cmp.Compare(a.player, b.player), cmp.Compare(a.game, b.game))
	})
	return f.enough()
}

// findAsked finds the games of the player in question. Of the games that the models were learned from,
// it takes only those held out for the test.
func (f *finder[P]) findAsked(ctx context.Context, known, asked *datasets.Dir, learned map[int64]bool) error {
	is := person.Pattern(slices.Concat(f.Player, f.Aliases)...)
	all, err := f.read(ctx, asked, func(name []byte) int {
		if is.Match(name) {
			return 0
		}
		return -1
	})
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s has no game of %q: kifu names lists the players", asked.Path, f.Player)
	}
	var fresh []*seat
	for _, s := range all {
		if asked.Manifest.Key == known.Manifest.Key && learned[s.game] {
			f.counts.Note(fitted, 1)
			continue
		}
		s.player, s.use = unknown, toGuess
		fresh = append(fresh, s)
	}
	if len(fresh) == 0 {
		return fmt.Errorf("all %d games of %q are games that the models were learned from", len(all), f.Player)
	}
	f.asked, f.seats = bySeats(fresh), fresh
	return nil
}

// some returns the seats of one player and use, a seeded sample of them if they are more than
// MaxGames; the tree takes all.
func (f *finder[P]) some(all []*seat, player int, u use) (list []*seat) {
	list = lists.Where(all, func(s *seat) bool { return s.player == player && s.use == u })
	if u == toTree || len(list) <= f.MaxGames {
		return list
	}
	slices.SortStableFunc(list, func(a, b *seat) int {
		return cmp.Compare(splitmix.Share(f.Seed, a.game), splitmix.Share(f.Seed, b.game))
	})
	f.counts.Note(tooMany, int64(len(list)-f.MaxGames))
	return list[:f.MaxGames]
}

// enough refuses players of the library without games to fit the posterior to, or to test.
func (f *finder[P]) enough() error {
	for k := range f.Library {
		for _, u := range []use{toFit, toTest} {
			if u == toTest && len(f.Player) > 0 {
				continue
			}
			if !slices.ContainsFunc(f.seats, func(s *seat) bool { return s.player == k && s.use == u }) {
				return fmt.Errorf("%q has no game left %s: omit its model, or learn all with a larger --holdout and --test", f.Library[k].title(),
					map[use]string{toFit: "to fit the posterior to", toTest: "to test"}[u])
			}
		}
	}
	return nil
}

func bySeats(all []*seat) map[int64][]*seat {
	of := map[int64][]*seat{}
	for _, s := range all {
		of[s.game] = append(of[s.game], s)
	}
	return of
}

// read returns the seats of players with an index, from the first copy of each game.
func (f *finder[P]) read(ctx context.Context, in *datasets.Dir, player func(name []byte) int) (all []*seat, err error) {
	seats, copies, err := decide.Seats(ctx, in, f.workers, player)
	if copies > 0 {
		f.counts.Note(copied, int64(copies))
	}
	all = lists.Of(seats, func(s decide.Seat) *seat { return &seat{game: s.Game, side: s.Side, player: s.Player} })
	return all, err
}
