package opening

import (
	"cmp"
	"context"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/report/sheet"
)

// playedGames has the dates of the games that are chosen, four bytes a game.
type playedGames struct {
	dir   *datasets.Dir
	runs  []idRun // by id
	dates []date  // by row of games
	some  bool    // not all are chosen
}

// idRun is rows of games with consecutive ids: all games of a dataset, and several runs where datasets are read as one.
type idRun struct{ id, row, games int64 }

// leftOut is the date of a game that is not chosen.
const leftOut = noDate

func readGames(ctx context.Context, games *datasets.Dir, p Params) (*playedGames, error) {
	columns := []string{"game_id", "date"}
	if len(p.Names) > 0 {
		columns = append(columns, "first_player", "second_player")
	}
	all := &playedGames{dir: games, dates: make([]date, games.Rows()), some: len(p.Chosen.ofGames()) > 0}
	batches := datasets.Batches(games.Table, p.Workers, columns...)
	err := datasets.Each(ctx, games, p.Workers, "opening: games", "games", func(worker int, g datasets.Group, emit func([]idRun) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		dates := b.Col("date")
		var runs []idRun
		for i, id := range b.Col("game_id").Int64 {
			row := g.First + int64(i)
			runs = appendRun(runs, idRun{id, row, 1})
			of := &all.dates[row]
			if !dates.IsNull(i) {
				if *of = dateOf(dates.Value(i)); *of == noDate {
					return sheet.Errorf("%s: game %d: date %q: want 1950, 1950-07 or 1950-07-15: make the games again (--force)", games.Path, id, dates.Value(i))
				}
			}
			if !p.Chosen.game(b, i) {
				*of = leftOut
			}
		}
		return emit(runs)
	}, func(runs []idRun) error {
		for _, r := range runs {
			all.runs = appendRun(all.runs, r)
		}
		return nil
	})
	slices.SortFunc(all.runs, func(a, b idRun) int { return cmp.Compare(a.id, b.id) })
	return all, err
}

// appendRun appends a run to those of the rows before.
func appendRun(all []idRun, r idRun) []idRun {
	if n := len(all) - 1; n >= 0 && all[n].id+all[n].games == r.id {
		all[n].games += r.games
		return all
	}
	return append(all, r)
}

// row returns the row of a game, -1 if it is not there.
func (g *playedGames) row(id int64) int64 {
	i, found := slices.BinarySearchFunc(g.runs, id, func(r idRun, id int64) int { return cmp.Compare(r.id, id) })
	if !found {
		i--
	}
	if i < 0 || id >= g.runs[i].id+g.runs[i].games {
		return -1
	}
	return g.runs[i].row + id - g.runs[i].id
}

// of returns the date of a game, 0 if it is not known, and whether it is among those chosen.
func (g *playedGames) of(id int64) (date, bool) {
	row := g.row(id)
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
