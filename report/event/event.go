// Package event reports what follows an event in games: how the score, the loss of value and the time of the next moves differ from
// those of the same player in like positions without it. Its command is kifu report event.
//
// In: games with values or clocks in their records. Out: a page and tables. Whether the event is the cause is not for it to decide.
package event

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Params is everything that changes a report of an event.
type Params struct {
	Sources []string `json:"sources"`      // name of the games
	When    string   `json:"when"`         // condition on a move, SQL
	Match   []string `json:"match"`        // what moves that are compared have in common, by the names of Bands
	By      []string `json:"by,omitempty"` // bands that the effect is shown by
	Next    int      `json:"next"`         // moves of the player that follow
	Workers int      `json:"-"`            // threads; 0: one a processor
}

// bands are the widths in which values of moves count as equal, as SQL.
var bands = map[string]string{
	"value":    "floor(sign(value) * ln(1 + abs(value) / 100) * 4)",
	"rating":   "floor((rating - opponent_rating) / 100)",
	"clock":    "CASE WHEN clock IS NOT NULL THEN floor(log2(1 + greatest(0, clock))) END", /* greatest skips nulls */
	"move":     "move // 10",
	"strength": "rating // 200",
}

// labels are the bands as a reader sees them, with a number that orders them.
var labels = map[string]string{
	"value":    "CASE WHEN value < -300 THEN '1: below −300' WHEN value < -100 THEN '2: −300 to −100' WHEN value <= 100 THEN '3: −100 to 100' WHEN value <= 300 THEN '4: 100 to 300' ELSE '5: above 300' END",
	"rating":   "CASE WHEN rating - opponent_rating < -100 THEN '1: more than 100 below' WHEN rating - opponent_rating <= 100 THEN '2: within 100' ELSE '3: more than 100 above' END",
	"clock":    "CASE WHEN clock < 30 THEN '1: below 30 s' WHEN clock < 120 THEN '2: 30 s to 2 min' WHEN clock < 300 THEN '3: 2 to 5 min' ELSE '4: 5 min or more' END",
	"move":     "CASE WHEN move <= 20 THEN '1: to 20' WHEN move <= 40 THEN '2: 21 to 40' ELSE '3: from 41' END",
	"strength": "printf('%d to %d', rating // 200 * 200, rating // 200 * 200 + 199)",
}

// Bands lists the names of bands.
func Bands() []string { return []string{"value", "rating", "clock", "move", "strength"} }

// Validate reports the first parameter that makes no sense whatever the games.
func (p Params) Validate() error {
	switch {
	case strings.TrimSpace(p.When) == "":
		return errors.New("no event: give a condition on a move, such as loss >= 200")
	case len(p.Match) == 0:
		return errors.New("moves are compared that have nothing in common: name value, or others")
	case p.Next < 1 || p.Next > 1000:
		return fmt.Errorf("%d next moves: want 1 to 1000", p.Next)
	}
	for _, name := range slices.Concat(p.Match, p.By) {
		if !slices.Contains(Bands(), name) {
			return fmt.Errorf("%q: want %s", name, strings.Join(Bands(), ", "))
		}
	}
	return nil
}

// querySQL is the data of event.sql; everything is SQL.
type querySQL struct {
	Games, When, Known string
	Next               int
	Match, By          []string
}

// report holds the contents of the page.
type report struct {
	Params Params
	Source sheet.Source
	SQL    string
	rows   *rows
	All    [outcomes]Effect
	By     []group
}

// group is the effect in a band.
type group struct {
	By, Band string
	Effects  [outcomes]Effect
}

//go:embed event.sql
var queryTemplate string

// gamesName is the name of the games in the query.
const gamesName = "games"

// Make reports what follows an event in games.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	return sheet.Make(ctx, p.Workers, out, func(db *query.DB) (*report, error) { return run(ctx, db, p, in) })
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	games, sources, err := sheet.AttachGames(ctx, db, in, []string{gamesName}, nil)
	if err != nil {
		return nil, err
	}
	r := &report{Params: p, Source: sources[0], rows: newRows()}
	r.Source.Name = p.Sources[0]
	if err := r.read(ctx, db, games.Views[0]); err != nil {
		return nil, err
	}
	return r, r.estimate()
}

// condition sees that the event is a condition on the columns of a move; what comes later in the game is none of them.
func (p Params) condition(ctx context.Context) error {
	table := schemas.Table{Name: "moves"}
	for _, c := range []struct {
		of    schemas.Type
		names []string
	}{{schemas.Float32, []string{"value", "loss", "clock", "spent"}}, {schemas.Int64, []string{"move", "ply", "lost_before"}}, {schemas.Int32, []string{"rating", "opponent_rating"}}, {schemas.String, []string{"player", "opponent", "date"}}} {
		for _, name := range c.names {
			table.Columns = append(table.Columns, schemas.Column{Name: name, Type: c.of, Nullable: true})
		}
	}
	f, err := query.NewFilter(ctx, "--when", p.When, table)
	if err != nil {
		return err
	}
	return f.Close()
}

// read reads the moves of the view games.
func (r *report) read(ctx context.Context, db *query.DB, games string) (err error) {
	q := querySQL{Games: games, When: r.Params.When, Next: r.Params.Next}
	var known []string
	for _, name := range r.Params.Match {
		q.Match = append(q.Match, bands[name])
		known = append(known, bands[name]+" IS NOT NULL")
	}
	q.Known = strings.Join(known, " AND ")
	if err := r.Params.condition(ctx); err != nil {
		return err
	}
	table := schemas.Table{Name: "moves", Columns: []schemas.Column{{Name: "game_id", Type: schemas.Int64}, {Name: "player", Type: schemas.Int64}, {Name: "event", Type: schemas.Bool},
		{Name: "score", Type: schemas.Float64, Nullable: true}, {Name: "next_loss", Type: schemas.Float64, Nullable: true}, {Name: "next_spent", Type: schemas.Float64, Nullable: true}, {Name: "cell", Type: schemas.Int64}}}
	for i, name := range r.Params.By {
		q.By = append(q.By, fmt.Sprintf("CASE WHEN (%s) IS NULL THEN '9: unknown' ELSE %s END", bands[name], labels[name]))
		table.Columns = append(table.Columns, schemas.Column{Name: fmt.Sprintf("by%d", i), Type: schemas.String, Nullable: true})
	}
	if r.SQL, err = sheet.Fill("event.sql", queryTemplate, q); err != nil {
		return err
	}
	moves, err := db.Table(ctx, r.SQL, table)
	if err != nil {
		return err
	}
	by := make([]string, len(r.Params.By))
	return datasets.Scan(ctx, moves, "event", "moves", nil, func(_ datasets.Group, b *columns.Batch) error {
		game, player, event, cell := b.Col("game_id"), b.Col("player"), b.Col("event"), b.Col("cell")
		for i := range b.Rows {
			var y [outcomes]float64
			for k, name := range []string{"score", "next_loss", "next_spent"} {
				if y[k] = math.NaN(); !b.Col(name).IsNull(i) {
					y[k] = b.Col(name).Float64[i]
				}
			}
			for k := range by {
				by[k] = string(b.Col(fmt.Sprintf("by%d", k)).Value(i))
			}
			r.rows.add(game.Int64[i], player.Int64[i], cell.Int64[i], event.Bool[i], y, by)
		}
		return nil
	})
}
