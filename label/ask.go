package label

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/schemas"
	"kifu/search/engine"
)

// unpack reads the boards of in and finds where games begin and end.
func (e *engines[P]) unpack(in *columns.Batch) ([]P, error) {
	boards, ids := in.Col("board"), in.Col("game_id")
	positions := make([]P, in.Rows)
	e.games = e.games[:0]
	for i := range positions {
		var err error
		if positions[i], err = e.game.Rules.UnpackBoard(boards.Value(i)); err != nil {
			return nil, fmt.Errorf("game %d: %w", ids.Int64[i], err)
		}
		if i == 0 || ids.Int64[i] != ids.Int64[i-1] {
			e.games = append(e.games, span{from: i})
		}
		e.games[len(e.games)-1].to = i + 1
	}
	e.value, e.static = make([]reply, in.Rows), make([]reply, in.Rows)
	e.mates = make([]engine.FoundMate, in.Rows)
	return positions, nil
}

// ask requests the engines' values of the positions, game by game.
func (e *engines[P]) ask(ctx context.Context, positions []P) error {
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for _, k := range e.pool {
		g.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(e.games) {
					return nil
				}
				if err := e.askGame(ctx, k, positions, e.games[i]); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

func (e *engines[P]) askGame(ctx context.Context, k *process, positions []P, rows span) error {
	if err := k.NewGame(ctx); err != nil {
		return err
	}
	for i := rows.from; i < rows.to; i++ {
		text, err := e.askPosition(ctx, k, positions[i], i)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			k.failed = 0
		} else if k.failed++; k.failed == unanswered {
			return fmt.Errorf("%w (no value for %d positions in a row, now %s; complete parts are kept, run the command again to resume)", err, k.failed, text)
		}
		e.bar.Add(1)
	}
	return nil
}

// askPosition fills row i. The value of a position in which the game has ended is its
// outcome: programs have no move to search there.
func (e *engines[P]) askPosition(ctx context.Context, k *process, p P, i int) (text string, err error) {
	e.mates[i].Known = true // unless play goes on: who cannot move has no mate
	switch p.Outcome() {
	case games.FirstWins:
		e.value[i] = reply{schemas.Win, true}
		return "", nil
	case games.SecondWins:
		e.value[i] = reply{-schemas.Win, true}
		return "", nil
	case games.Drawn:
		e.value[i] = reply{0, true}
		return "", nil
	}
	text = string(e.game.Rules.AppendPosition(nil, p))
	e.mates[i].Known = false
	v, err := k.Search(ctx, text)
	if err != nil {
		return text, err
	}
	e.value[i] = reply{firstPlayers(v, p.ToMove()), true}
	if e.engine.Static {
		score, ok, err := k.Static(ctx, text)
		if err != nil {
			return text, err
		}
		e.static[i] = reply{float32(min(max(score, -schemas.Decided), schemas.Decided)), ok}
	}
	if e.engine.Mate > 0 {
		if e.mates[i], err = k.FindMate(ctx, text, e.engine.Mate); err != nil {
			return text, err
		}
	}
	return text, nil
}

// firstPlayers converts v, seen by toMove, to the value columns: a mate in n moves of the
// side to move is 2n-1 plies away, of the other 2n.
func firstPlayers(v engine.Value, toMove games.Side) float32 {
	x := min(max(v.Score, -schemas.Decided), schemas.Decided)
	switch {
	case v.Mate > 0:
		x = schemas.Win - float64(2*v.Mate-1)
	case v.Mate < 0:
		x = -schemas.Win - float64(2*v.Mate)
	}
	return float32(x) * float32(toMove.Sign())
}
