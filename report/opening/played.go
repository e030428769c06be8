package opening

import (
	"cmp"
	"context"
	"math"
	"strings"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/query"
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

func readGames(ctx context.Context, db *query.DB, games *datasets.Dir, p Params) (*playedGames, error) {
	chosen := p.Chosen.ofGames()
	all := &playedGames{dir: games, dates: make([]schemas.Date, games.Rows()), some: len(chosen) > 0}
	holds, err := db.Bits(ctx, games, []query.Named{{Name: "chosen", SQL: cmp.Or(strings.Join(chosen, " AND "), "true")}})
	if err != nil {
		return nil, err
	}
	batches := datasets.Batches(games.Table, p.Workers, "game_id", "date")
	err = datasets.Each(ctx, games, p.Workers, "opening: games", "games", func(worker int, g datasets.Group, emit func(bygame.Index) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		is, err := holds(ctx, g.Part)
		if err != nil {
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
			if !is[0].Has(g.At + i) {
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

// date returns the date of a game, 0 if it is not known, and whether it is among those chosen.
func (g *playedGames) date(id int64) (schemas.Date, bool) {
	row := g.Row(id)
	if row < 0 {
		return 0, !g.some
	}
	d := g.dates[row]
	return d, d != leftOut
}
