package match

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
)

// ReadBook makes openings from the games of a dataset, as a text for Openings. An opening is a game's first
// plies moves (0: all), or the position after them if the game has an unusual start. Equal openings are kept
// once, in the order of the games.
func ReadBook[P games.Position[P]](ctx context.Context, rules games.Rules[P], d *datasets.Dir, plies int) (text string, err error) {
	if err := d.Want("games"); err != nil {
		return "", err
	}
	var lines []string
	seen := map[string]bool{}
	unroller := games.NewUnroller(rules)
	read := []string{"game_id", "variant", "start_position", "moves"}
	err = datasets.Scan(ctx, d, "openings", "games", read, func(_ datasets.Group, b *columns.Batch) error {
		for i := range b.Rows {
			line, err := bookLine(rules, unroller, b, i, plies)
			if err != nil {
				return fmt.Errorf("game %d: %w", b.Col("game_id").Int64[i], err)
			}
			if !seen[line] {
				seen[line] = true
				lines = append(lines, line)
			}
		}
		return nil
	})
	return strings.Join(lines, "\n"), err
}

func bookLine[P games.Position[P]](rules games.Rules[P], u *games.Unroller[P], b *columns.Batch, i, plies int) (string, error) {
	position, codes := b.Col("start_position").Value(i), b.Col("moves").Value(i)
	start, err := u.Start(b.Col("variant").Value(i), position)
	if err != nil {
		return "", err
	}
	if plies > 0 && len(codes) > 2*plies {
		codes = codes[:2*plies]
	}
	var line []byte
	p, err := u.Play(start, codes, func(p P, m games.Move) {
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = rules.AppendMove(line, p, m)
	})
	if err != nil {
		return "", err
	}
	switch {
	case p.Outcome() != games.Undecided:
		return "", errors.New("it is over after its opening: use fewer plies of each game (--opening-plies)")
	case len(position) > 0 || len(line) == 0:
		return string(rules.AppendPosition(nil, p)), nil
	}
	return string(line), nil
}

// booked is a player with a book. In the book's positions it plays the book's first move; in all others it
// chooses as without a book.
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
