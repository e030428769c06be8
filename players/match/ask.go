package match

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"

	"kifu/games"
	"kifu/internal/hands"
)

// Asks reports whether the games of a match can be requested from workers one by one, in the order
// of their numbers: a test ends it, so that its parts are not known beforehand. What is
// played past the end is dropped.
func (p *Params) Asks() bool { return p.SPRT != nil && !p.relearns() }

// question is a stretch of games by their numbers.
type question struct{ From, To int }

// wire is a record on its way.
type wire struct {
	Number                int
	Variant, Rule, Why    string
	Start, Opening, Moves []byte
	Booked, Plies         int
	Begun                 uint32
	Values                []int32
	Valued                []bool
	Depths, Times, Left   []int32
	Outcome               games.Outcome
	AnyValue              bool
}

func (g *record) wire() wire {
	return wire{g.number, g.variant, g.rule, g.why, g.start, g.opening, g.moves, g.booked, g.plies, g.begun,
		g.values, g.valued, g.depths, g.times, g.left, g.outcome, g.anyValue}
}

// record returns g, of which the schedule alone is known, with what w has.
func (w wire) record(g record) *record {
	g.variant, g.rule, g.why, g.start, g.opening, g.moves = w.Variant, w.Rule, w.Why, w.Start, w.Opening, append([]byte{}, w.Moves...)
	g.booked, g.plies, g.begun, g.values, g.valued, g.depths, g.times, g.left = w.Booked, w.Plies, w.Begun, w.Values, w.Valued, w.Depths, w.Times, w.Left
	g.outcome, g.anyValue = w.Outcome, w.AnyValue
	return &g
}

// ask has the games from one number to another played by others.
func (p *part[P]) ask(ctx context.Context, h hands.Hands, from, to int) error {
	const games = 2 * taskPairs
	return h.Ask(ctx, (to-from+games-1)/games, nil, func(i int) []byte {
		begin := from + i*games
		return encode(question{begin, min(begin+games, to)})
	}, func(_ int, answer []byte) error {
		var all []wire
		if err := gob.NewDecoder(bytes.NewReader(answer)).Decode(&all); err != nil {
			return fmt.Errorf("the answer of a worker: %w", err)
		}
		played := make([]*record, len(all))
		for i, w := range all {
			played[i] = w.record(p.at(w.Number))
		}
		p.bar.Add(int64(len(played)))
		return p.take(played)
	})
}

// serve plays the requested games.
func (r *run[P]) serve(ctx context.Context, d hands.Desk) error {
	return d.Serve(ctx, func(text []byte) ([]byte, error) {
		var q question
		if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&q); err != nil {
			return nil, err
		}
		var all []wire
		for number := q.From; number < q.To; number++ {
			g := r.at(number)
			if err := r.tables[0].play(ctx, &g); err != nil {
				return nil, fmt.Errorf("game %d: %w", number, err)
			}
			all = append(all, g.wire())
		}
		return encode(all), nil
	})
}

// encode returns the bytes of a question or an answer.
func encode(v any) []byte {
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(v); err != nil {
		panic(err) // a buffer takes everything, and all of these have an encoding
	}
	return text.Bytes()
}
