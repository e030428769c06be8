package learn

import (
	"context"

	"kifu/datasets"
	"kifu/games"
)

// columns are the columns read from the games.
var columns = []string{"game_id", "first_player", "second_player", "first_elo", "second_elo", "date", "variant", "start_position", "moves"}

// reader replays games of one dataset, or returns those given in memory.
type reader[P games.Position[P]] struct {
	rules   games.Rules[P]
	in      *datasets.Dir // nil: the games given
	given   []Played[P]
	workers int
}

// Played is one game of the player.
type Played[P any] struct {
	ID        int64
	Is        [2]bool // the sides of the player
	Positions []P     // before each of the moves
	Moves     []games.Move
}

// replayed is a game, or the error of its replay.
type replayed[P games.Position[P]] struct {
	Played[P]
	err error
}

// rows returns the number of games to read.
func (r *reader[P]) rows() int64 {
	if r.in == nil {
		return int64(len(r.given))
	}
	return r.in.Rows()
}

// gamesAPiece is the number of games handed on together: few enough to bound the memory.
const gamesAPiece = 64

// name returns the name of the games for messages.
func (r *reader[P]) name() string {
	if r.in == nil {
		return "the list of games"
	}
	return r.in.Path
}

// each replays the games that of selects, several at once, and calls visit with them in
// their order. For a game that does not replay, visit gets the error.
func (r *reader[P]) each(ctx context.Context, title string, of func(b *datasets.Batch, i int) (is [2]bool, want bool), visit func(g *replayed[P])) error {
	if r.in == nil {
		for i := range r.given {
			visit(&replayed[P]{Played: r.given[i]})
		}
		return nil
	}
	return datasets.Each(ctx, r.in, r.workers, title, "games", func(_ int, g datasets.Group, emit func([]replayed[P]) error) error {
		b := datasets.NewBatch(r.in.Table, columns...)
		if err := g.Read(b); err != nil {
			return err
		}
		return r.group(b, of, emit)
	}, func(piece []replayed[P]) error {
		for i := range piece {
			visit(&piece[i])
		}
		return nil
	})
}

// group replays the games of one row group.
func (r *reader[P]) group(b *datasets.Batch, of func(b *datasets.Batch, i int) ([2]bool, bool), emit func([]replayed[P]) error) error {
	var piece []replayed[P]
	u := games.NewUnroller(r.rules)
	for i := range b.Rows {
		is, want := of(b, i)
		if !want {
			continue
		}
		g := replayed[P]{Played: Played[P]{ID: b.Col("game_id").Int64[i], Is: is}}
		start, err := u.Start(b.Col("variant").Value(i), b.Col("start_position").Value(i))
		if err == nil {
			_, err = u.Play(start, b.Col("moves").Value(i), func(p P, m games.Move) {
				g.Positions, g.Moves = append(g.Positions, p), append(g.Moves, m)
			})
		}
		g.err = err
		if piece = append(piece, g); len(piece) == gamesAPiece {
			if err := emit(piece); err != nil {
				return err
			}
			piece = nil
		}
	}
	if len(piece) == 0 {
		return nil
	}
	return emit(piece)
}
