// Package decide is shared by the studies of players. It replays games into decisions, and values the moves
// of a decision by a strategy of fixed depth. It gives the chance of the move played, and divides games into
// parts.
package decide

import (
	"context"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
)

// readColumns are those read from the games.
var readColumns = []string{"game_id", "first_player", "second_player", "first_elo", "second_elo", "date", "variant", "start_position", "moves"}

// Reader replays games of one dataset, or returns those given in memory.
type Reader[P games.Position[P]] struct {
	Rules   games.Rules[P]
	In      *datasets.Dir // nil: the games given
	Given   []Played[P]
	Workers int
}

// Played is one game of the player.
type Played[P any] struct {
	ID        int64
	Is        [2]bool // the sides of the player
	Positions []P     // before each of the moves
	Moves     []games.Move
}

// Replayed is a game, or the error of its replay.
type Replayed[P games.Position[P]] struct {
	Played[P]
	Err error
}

// Rows returns the number of games to read.
func (r *Reader[P]) Rows() int64 {
	if r.In == nil {
		return int64(len(r.Given))
	}
	return r.In.Rows()
}

// gamesAPiece is the number of games handed on together: few enough to bound the memory.
const gamesAPiece = 64

// Name returns the name of the games for messages.
func (r *Reader[P]) Name() string {
	if r.In == nil {
		return "the list of games"
	}
	return r.In.Path
}

// Each replays the games that of selects, several at once, and calls visit with them in order. If a game
// cannot be replayed, visit gets the error.
func (r *Reader[P]) Each(ctx context.Context, title string, of func(b *columns.Batch, i int) (is [2]bool, want bool), visit func(g *Replayed[P])) error {
	if r.In == nil {
		for i := range r.Given {
			visit(&Replayed[P]{Played: r.Given[i]})
		}
		return nil
	}
	return datasets.Each(ctx, r.In, r.Workers, title, "games", func(_ int, g datasets.Group, emit func([]Replayed[P]) error) error {
		b := columns.NewBatch(r.In.Table, readColumns...)
		if err := g.Read(b); err != nil {
			return err
		}
		return r.group(b, of, emit)
	}, func(piece []Replayed[P]) error {
		for i := range piece {
			visit(&piece[i])
		}
		return nil
	})
}

// group replays the games of one row group.
func (r *Reader[P]) group(b *columns.Batch, of func(b *columns.Batch, i int) ([2]bool, bool), emit func([]Replayed[P]) error) error {
	var piece []Replayed[P]
	u := games.NewUnroller(r.Rules)
	for i := range b.Rows {
		is, want := of(b, i)
		if !want {
			continue
		}
		g := Replayed[P]{Played: Played[P]{ID: b.Col("game_id").Int64[i], Is: is}}
		start, err := u.Start(b.Col("variant").Value(i), b.Col("start_position").Value(i))
		if err == nil {
			_, err = u.Play(start, b.Col("moves").Value(i), func(p P, m games.Move) {
				g.Positions, g.Moves = append(g.Positions, p), append(g.Moves, m)
			})
		}
		g.Err = err
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
