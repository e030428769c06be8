package decide

import (
	"context"
	"hash/fnv"

	"kifu/datasets"
	"kifu/datasets/columns"
)

// Seat is one player's side of one game.
type Seat struct {
	Game   int64
	Side   int // 0 for the first player
	Player int // the number that Seats was given for the name
}

// copiesFrom is the ply to which two games must agree to be copies, or to agree so long that one predicts the
// other. fit has the same.
const copiesFrom = 30

// Seats returns the seats of the players to whom player gives a number (below 0: none), in the order of the
// games. Games in which both sides have the same number are left out. The first of several copies is taken; copies
// counts the others.
func Seats(ctx context.Context, in *datasets.Dir, workers int, player func(name []byte) int) (all []Seat, copies int, err error) {
	type piece struct {
		seats []Seat
		begun uint64
	}
	seen := map[uint64]bool{}
	err = datasets.Each(ctx, in, workers, "players", "games", func(_ int, g datasets.Group, emit func(piece) error) error {
		b := columns.NewBatch(in.Table, "game_id", "first_player", "second_player", "start_position", "moves")
		if err := g.Read(b); err != nil {
			return err
		}
		for i := range b.Rows {
			if seats := seatsOf(b, i, player); len(seats) > 0 {
				if err := emit(piece{seats, beginning(b, i)}); err != nil {
					return err
				}
			}
		}
		return nil
	}, func(p piece) error {
		if p.begun != 0 && seen[p.begun] {
			copies++
			return nil
		}
		seen[p.begun] = true
		all = append(all, p.seats...)
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

// beginning returns a hash of the game up to copiesFrom, 0 for shorter ones.
func beginning(b *columns.Batch, i int) uint64 {
	moves := b.Col("moves").Value(i)
	if len(moves) < 2*copiesFrom {
		return 0
	}
	h := fnv.New64a()
	if v := b.Col("start_position"); !v.IsNull(i) {
		h.Write(v.Value(i))
	}
	h.Write(moves[:2*copiesFrom])
	return h.Sum64() | 1
}
