package opening

import (
	"context"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/schemas"
)

// playedGames has the dates of the games that are chosen, four bytes a game.
type playedGames struct {
	dir   *datasets.Dir
	dates []date // by number of the game
	some  bool   // not all are chosen
}

// leftOut is the date of a game that is not chosen.
const leftOut = noDate

// readGames returns errApart for games that are not numbered by their rows, and for dates that are none.
func readGames(ctx context.Context, games *datasets.Dir, p Params) (*playedGames, error) {
	for name, typ := range map[string]schemas.Type{"game_id": schemas.Int64, "date": schemas.String, "first_player": schemas.String, "second_player": schemas.String} {
		if !has(games, name, typ) {
			return nil, errApart
		}
	}
	columns := []string{"game_id", "date"}
	if len(p.Names) > 0 {
		columns = append(columns, "first_player", "second_player")
	}
	all := &playedGames{games, make([]date, games.Rows()), len(p.Chosen.ofGames()) > 0}
	batches := datasets.Batches(games.Table, p.Workers, columns...)
	return all, datasets.Each(ctx, games, p.Workers, "opening: games", "games", func(worker int, g datasets.Group, _ func(struct{}) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		dates := b.Col("date")
		for i, id := range b.Col("game_id").Int64 {
			if id != g.First+int64(i) {
				return errApart
			}
			of := &all.dates[id]
			if !dates.IsNull(i) {
				if *of = dateOf(dates.Value(i)); *of == noDate {
					return errApart
				}
			}
			if !p.Chosen.game(b, i) {
				*of = leftOut
			}
		}
		return nil
	}, nil)
}

// of returns the date of a game, 0 if it is not known, and whether it is among those chosen.
func (g *playedGames) of(id int64) (date, bool) {
	if id < 0 || id >= int64(len(g.dates)) {
		return 0, !g.some
	}
	d := g.dates[id]
	return d, d != leftOut
}

// game reports whether row i of games meets the conditions of ofGames.
func (c Chosen) game(b *columns.Batch, i int) bool {
	if len(c.Names) > 0 {
		is := func(column string) bool {
			v := b.Col(column)
			if v.IsNull(i) {
				return false
			}
			for _, name := range c.Names {
				if string(v.Value(i)) == name {
					return true
				}
			}
			return false
		}
		switch c.Side {
		case "":
			if !is("first_player") && !is("second_player") {
				return false
			}
		default:
			if !is(c.Side + "_player") {
				return false
			}
		}
	}
	if c.From == "" && c.To == "" {
		return true
	}
	v := b.Col("date")
	if v.IsNull(i) {
		return false
	}
	on := string(v.Value(i))
	return on >= c.From && (c.To == "" || on[:min(len(on), len(c.To))] <= c.To)
}
