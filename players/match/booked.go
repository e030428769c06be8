package match

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"kifu/games"
)

// booked is a player with a book: it plays the book's first move in the positions of the book, and chooses as it
// does without one in all others.
type booked[P games.Position[P]] struct {
	chooser[P]
	moves map[uint64]games.Move // by the hash of the position
}

func (b *booked[P]) choose(ctx context.Context, p P, h *history[P], rng *rand.Rand) (choice, error) {
	if m, known := b.moves[p.Hash()]; known && len(h.allowed([]games.Move{m})) == 1 {
		return choice{move: m}, nil
	}
	return b.chooser.choose(ctx, p, h, rng)
}

// readBest reads the first move of bm in each line of an EPD. Errors name the file and the line.
func readBest[P games.Position[P]](rules games.Rules[P], name, text string) (map[uint64]games.Move, error) {
	moves := map[uint64]games.Move{}
	o := &opener[P]{rules: rules}
	for i, row := range strings.Split(text, "\n") {
		if row = strings.TrimSpace(row); row == "" || strings.HasPrefix(row, "#") {
			continue
		}
		position, rest, found := strings.Cut(row, " bm ")
		best := strings.Fields(strings.ReplaceAll(rest, ";", " "))
		if !found || len(best) == 0 {
			return nil, fmt.Errorf("%s:%d: no best move: want a position with bm MOVE;", name, i+1)
		}
		l, err := o.position(strings.Fields(position))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		m, err := rules.ParseMove(l.start, []byte(best[0]))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", name, i+1, best[0], err)
		}
		moves[l.start.Hash()] = m
	}
	return moves, nil
}
