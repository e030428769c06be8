package match

import (
	"context"
	"fmt"

	"kifu/internal/hands"
	"kifu/internal/lists"
)

// Asks reports whether the games of a match can be requested from workers one by one, in the order of their
// numbers. A test ends such a match, so its parts are not known beforehand. Games past the end are dropped.
func (p *Params) Asks() bool { return p.SPRT != nil && !p.relearns() }

// question is a stretch of games by their numbers.
type question struct{ From, To int }

// returned returns a record that was played elsewhere, with its place in the schedule.
func (s *schedule) returned(g record) *record {
	at := s.at(g.Number)
	g.meeting, g.index, g.players = at.meeting, at.index, at.players
	g.Moves = append([]byte{}, g.Moves...) // of a game without moves, too
	return &g
}

// ask has the games from one number to another played by others.
func (p *part[P]) ask(ctx context.Context, h hands.Hands, from, to int) error {
	const games = 2 * taskPairs
	return h.Ask(ctx, (to-from+games-1)/games, nil, func(i int) []byte {
		begin := from + i*games
		text, err := hands.Pack(question{begin, min(begin+games, to)})
		if err != nil {
			panic(err) // two numbers have an encoding
		}
		return text
	}, func(_ int, answer []byte) error {
		var all []record
		if err := hands.Unpack(answer, &all); err != nil {
			return fmt.Errorf("the answer of a worker: %w", err)
		}
		played := lists.Of(all, p.returned)
		p.bar.Add(int64(len(played)))
		return p.record(played)
	})
}

// serve plays the requested games.
func (r *run[P]) serve(ctx context.Context, d hands.Desk) error {
	return d.Serve(ctx, func(text []byte) ([]byte, error) {
		var q question
		if err := hands.Unpack(text, &q); err != nil {
			return nil, err
		}
		var all []record
		for number := q.From; number < q.To; number++ {
			g := r.at(number)
			if err := r.tables[0].play(ctx, &g); err != nil {
				return nil, fmt.Errorf("game %d: %w", number, err)
			}
			all = append(all, g)
		}
		return hands.Pack(all)
	})
}
