package learn

import (
	"context"
	"encoding/binary"
	"errors"

	"kifu/datasets"
	"kifu/games"
)

// columns are those of the games that are read.
var columns = []string{"game_id", "first_player", "second_player", "first_elo", "second_elo", "date", "variant", "start_position", "moves"}

// reader replays games of one dataset.
type reader[P games.Position[P]] struct {
	rules   games.Rules[P]
	in      *datasets.Dir
	workers int
}

// replayed is a game: a move and the position that it was played in.
type replayed[P games.Position[P]] struct {
	id        int64
	is        [2]bool // the sides of the player
	positions []P
	moves     []games.Move
	err       error // why it does not replay
}

// gamesAPiece are handed on together: few enough to bound the memory.
const gamesAPiece = 64

// each replays the games that of wants, several at once, and calls take with them in
// their order. Of a game that does not replay, take gets the error.
func (r *reader[P]) each(ctx context.Context, title string, of func(b *datasets.Batch, i int) (is [2]bool, want bool), take func(g *replayed[P])) error {
	return datasets.Each(ctx, r.in, r.workers, title, "games", func(_ int, g datasets.Group, emit func([]replayed[P]) error) error {
		b := datasets.NewBatch(r.in.Table, columns...)
		if err := g.Read(b); err != nil {
			return err
		}
		return r.group(b, of, emit)
	}, func(piece []replayed[P]) error {
		for i := range piece {
			take(&piece[i])
		}
		return nil
	})
}

// group replays the games of one row group.
func (r *reader[P]) group(b *datasets.Batch, of func(b *datasets.Batch, i int) ([2]bool, bool), emit func([]replayed[P]) error) error {
	var piece []replayed[P]
	for i := range b.Rows {
		is, want := of(b, i)
		if !want {
			continue
		}
		g := replayed[P]{id: b.Col("game_id").Int64[i], is: is}
		g.err = r.replay(b, i, &g)
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

func (r *reader[P]) replay(b *datasets.Batch, i int, g *replayed[P]) error {
	start, variant, position := b.Col("start_position"), string(b.Col("variant").Value(i)), ""
	if !start.IsNull(i) {
		position = string(start.Value(i))
	}
	p, _, err := r.rules.Start(variant, position)
	if err != nil {
		return err
	}
	codes := b.Col("moves").Value(i)
	for ; len(codes) > 1; codes = codes[2:] {
		m, err := r.rules.UnpackMove(p, binary.LittleEndian.Uint16(codes))
		if err != nil {
			return err
		}
		g.positions, g.moves = append(g.positions, p), append(g.moves, m)
		p = p.Play(m)
	}
	return nil
}

// reason is what a game that does not replay is counted under.
func reason(err error) string {
	var r games.Reason
	if errors.As(err, &r) {
		return string(r)
	}
	return "moves that do not decode"
}
