package opening

import (
	"context"
	"math"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/report/sheet"
	"kifu/schemas"
)

// playedGames has the dates of the games that are chosen, four bytes a game.
type playedGames struct {
	bygame.Index
	dir   *datasets.Dir
	dates []schemas.Date // by row of games
	some  bool           // not all are chosen
}

// leftOut is the date of a game that is not chosen.
const leftOut schemas.Date = math.MaxUint32

func readGames(ctx context.Context, games *datasets.Dir, p Params) (*playedGames, error) {
	columns := []string{"game_id", "date"}
	if len(p.Names) > 0 {
		columns = append(columns, "first_player", "second_player")
	}
	all := &playedGames{dir: games, dates: make([]schemas.Date, games.Rows()), some: len(p.Chosen.ofGames()) > 0}
	batches := datasets.Batches(games.Table, p.Workers, columns...)
	err := datasets.Each(ctx, games, p.Workers, "opening: games", "games", func(worker int, g datasets.Group, emit func(bygame.Index) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		dates, ids := b.Col("date"), b.Col("game_id").Int64
		for i, id := range ids {
			of := &all.dates[g.First+int64(i)]
			if !dates.IsNull(i) {
				var ok bool
				if *of, ok = schemas.DateOf(dates.Value(i)); !ok {
					return sheet.Errorf("%s: game %d: date %q: want 1950, 1950-07 or 1950-07-15: make the games again (--force)", games.Path, id, dates.Value(i))
				}
			}
			if !p.Chosen.game(b, i) {
				*of = leftOut
			}
		}
		var some bygame.Index
		some.Add(g.First, ids)
		return emit(some)
	}, func(some bygame.Index) error {
		all.Join(some)
		return nil
	})
	all.Sort()
	return all, err
}

// of returns the date of a game, 0 if it is not known, and whether it is among those chosen.
func (g *playedGames) of(id int64) (schemas.Date, bool) {
	row := g.Row(id)
	if row < 0 {
		return 0, !g.some
	}
	d := g.dates[row]
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
