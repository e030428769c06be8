package match

import (
	"context"
	"errors"
	"fmt"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/elo"
	"kifu/players/play"
	"kifu/search/engine"
)

// Duels lets a program play itself with two settings, pair by pair: its processes stay, and are
// told their settings before each game.
type Duels[P games.Position[P]] struct{ tables []*table[P] }

// NewDuels makes the tables of a number of workers for a match of one program, p.Players[0],
// which is also its opponent.
func NewDuels[P games.Position[P]](g eval.Game[P], p Params, workers int) (*Duels[P], error) {
	if len(p.Players) != 1 || p.Players[0].Outside == nil {
		return nil, errors.New("a duel needs one program")
	}
	p.Players = []play.Player{p.Players[0], p.Players[0]}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	o, err := newOpener(g.Rules, p)
	if err != nil {
		return nil, err
	}
	d := &Duels[P]{}
	for range workers {
		t, err := newTable(g, p, o)
		if err != nil {
			d.Close()
			return nil, err
		}
		d.tables = append(d.tables, t)
	}
	return d, nil
}

// Pair plays a pair of games between two settings, and counts them from the side of the first; its number gives it its opening and its random
// numbers. It must not be called twice at once for the same worker.
func (d *Duels[P]) Pair(ctx context.Context, worker, number int, settings [2][]engine.Option) (result elo.Tally, err error) {
	t := d.tables[worker]
	for i, options := range settings {
		if err := t.players[i].(play.Setter).Set(ctx, options); err != nil {
			return result, err
		}
	}
	for side := range 2 {
		g := record{Number: 2*number + side, index: 2*number + side, players: [2]int{0, 1}}
		if err := t.play(ctx, &g); err != nil {
			return result, fmt.Errorf("pair %d: %w", number, err)
		}
		switch n, finished := g.halves(); {
		case !finished:
			result.Unfinished++
		case n == 2:
			result.Wins++
		case n == 1:
			result.Draws++
		default:
			result.Losses++
		}
	}
	return result, nil
}

// Close ends the programs.
func (d *Duels[P]) Close() {
	for _, t := range d.tables {
		t.close()
	}
}
