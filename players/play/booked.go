package play

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"kifu/games"
)

// booked is a player with a book. In the book's positions it plays the book's first move; in all others it
// chooses as without a book.
type booked[P games.Position[P]] struct {
	Chooser[P]
	moves map[uint64]games.Move // by the hash of the position
}

func (b *booked[P]) Choose(ctx context.Context, p P, h *History[P], rng *rand.Rand) (Choice, error) {
	if m, known := b.moves[p.Hash()]; known && len(h.allowed([]games.Move{m})) == 1 {
		return Choice{Move: m}, nil
	}
	return b.Chooser.Choose(ctx, p, h, rng)
}

// readBest reads the first move of bm in each line of an EPD. Errors name the file and the line.
func readBest[P games.Position[P]](rules games.Rules[P], name, text string) (map[uint64]games.Move, error) {
	moves := map[uint64]games.Move{}
	for i, row := range strings.Split(text, "\n") {
		if row = strings.TrimSpace(row); row == "" || strings.HasPrefix(row, "#") {
			continue
		}
		position, rest, found := strings.Cut(row, " bm ")
		best := strings.Fields(strings.ReplaceAll(rest, ";", " "))
		if !found || len(best) == 0 {
			return nil, fmt.Errorf("%s:%d: no best move: want a position with bm MOVE;", name, i+1)
		}
		start, _, _, err := ReadPosition(rules, "", strings.Fields(position))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		m, err := rules.ParseMove(start, []byte(best[0]))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", name, i+1, best[0], err)
		}
		moves[start.Hash()] = m
	}
	return moves, nil
}

// ReadPosition reads a position, with or without the words of UCI and USI before it, and operations of EPD after it. usual: it is
// the start of the variant by its name.
func ReadPosition[P games.Position[P]](rules games.Rules[P], variant string, words []string) (start P, of string, usual bool, err error) {
	for len(words) > 0 && (words[0] == "position" || words[0] == "fen" || words[0] == "sfen") {
		words = words[1:]
	}
	if len(words) == 1 && words[0] == "startpos" {
		start, of, err = rules.Start(variant, "")
		return start, of, true, err
	}
	const fields = 4 // of a position in EPD, which operations follow
	for _, n := range []int{len(words), fields, 1} {
		if n == 0 || n > len(words) {
			continue
		}
		if start, of, err = rules.Start(variant, strings.Join(words[:n], " ")); err == nil {
			return start, of, false, nil
		}
	}
	return start, variant, false, fmt.Errorf("no position: %q", strings.Join(words, " "))
}
