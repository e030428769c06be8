package match

import (
	"context"
	"errors"
	"fmt"
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
