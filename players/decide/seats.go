package decide

import (
	"context"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
)

// Seat is one player's side of one game.
type Seat struct {
	Game   int64
	Side   int // 0 for the first player
	Player int // the number that Seats was given for the name
}

// Seats returns the seats of the players to whom player gives a number (below 0: none), in the order of the
// games. Games in which both sides have the same number are left out. The first of several copies is taken; copies
// counts the others.
func Seats(ctx context.Context, in *datasets.Dir, workers int, player func(name []byte) int) (all []Seat, copies int, err error) {
	same, err := bygame.CopiesOf(ctx, nil, in, "copies", bygame.CopiesMemory)
	if err != nil {
		return nil, 0, err
	}
	seen := map[int64]bool{}
	err = datasets.Each(ctx, in, workers, "players", "games", func(_ int, g datasets.Group, emit func([]Seat) error) error {
		b := columns.NewBatch(in.Table, "game_id", "first_player", "second_player")
		if err := g.Read(b); err != nil {
			return err
		}
		for i := range b.Rows {
			if seats := seatsOf(b, i, player); len(seats) > 0 {
				if err := emit(seats); err != nil {
					return err
				}
			}
		}
		return nil
	}, func(seats []Seat) error {
		if head := same.Head(seats[0].Game); !seen[head] {
			seen[head] = true
			all = append(all, seats...)
		} else {
			copies++
		}
		return nil
	})
	return all, copies, err
}

// seatsOf returns the seats of game i.
func seatsOf(b *columns.Batch, i int, player func(name []byte) int) (seats []Seat) {
	of := [2]int{-1, -1}
	for side, name := range []string{"first_player", "second_player"} {
		if v := b.Col(name); !v.IsNull(i) {
			of[side] = player(v.Value(i))
		}
	}
	for side, k := range of {
		if k >= 0 && of[1-side] != k {
			seats = append(seats, Seat{b.Col("game_id").Int64[i], side, k})
		}
	}
	return seats
}
