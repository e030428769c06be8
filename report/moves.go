package report

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"kifu/datasets"
	"kifu/query"
	"kifu/schemas"
)

// MovesParams is everything that changes a report of moves.
type MovesParams struct {
	Values   []string      `json:"values,omitempty"`   // columns; none: each dataset's last search (meta leaf)
	Patterns []query.Named `json:"patterns,omitempty"` // what a pattern is: an expression over the columns of a choice
	Holdout  float64       `json:"holdout,omitempty"`  // share of the games that is judged; 0: all
	Seed     uint64        `json:"seed,omitempty"`     // draws them, as fit does
	Players  int           `json:"players,omitempty"`  // those with the most decisions have a row each, when there are games
	Sources  []string      `json:"sources"`            // names of the inputs: choices, predictions, and at most one of games
	Workers  int           `json:"-"`                  // threads; 0: one a processor; the output does not depend on it
}

// Validate reports the first parameter that makes no sense whatever the choices.
func (p MovesParams) Validate() error {
	switch {
	case !(p.Holdout >= 0 && p.Holdout < 1):
		return fmt.Errorf("holdout %v: want a share of the games, at least 0 and less than 1", p.Holdout)
	case len(p.Patterns) > 0 && p.Holdout == 0:
		return errors.New("patterns are counted in games that are not judged: give the share that is with --holdout")
	case p.Players < 0:
		return fmt.Errorf("%d players: want a number that is not negative", p.Players)
	}
	return nil
}

// movesSQL is the data of sql/moves.sql.
type movesSQL struct {
	MovesParams
	Counted bool // there are patterns
	Phases  bands
	Views   []string // of the choices, as SQL
	Orders  []moveOrder
	// Foretold are orders that were made elsewhere: predictions.
	Foretold []moveOrder
	Games    string // view, as SQL; empty: none
}

// All are the orders of both kinds.
func (q movesSQL) All() []moveOrder { return slices.Concat(q.Orders, q.Foretold) }

// moveOrder is an order of the moves of a decision: by value, or by how often a pattern
// was played.
type moveOrder struct {
	contender
	Pattern   string // SQL; empty: by value
	ViewIndex int
}

// Rates is the query's table of the order's patterns.
func (o moveOrder) Rates() string { return "rates" + strconv.Itoa(o.Index) }

// guess is a row of the query: the moves played against the first Top of an order.
type guess struct {
	Number           int // of the order
	Kind, Level      string
	Top              int64
	Decisions, Games int64
	Share, Low, High float64
	Chance, Moves    float64
}

// guesses is what the page and the picture are made of.
type guesses struct {
	Params MovesParams
	Game   string
	Orders []moveOrder
	Drawn  []string // sources that have not all the moves
	Shapes []string // how predictions were learned
	Rows   []guess
	SQL    string
	Result *query.Result
}

//go:embed sql/moves.sql
var movesTemplate string

// Moves compares the moves that were played with the first ones of evaluators: in has
// one dataset of choices or predictions a name in p.Sources, and at most one of the games
// that they are from.
func Moves(ctx context.Context, p MovesParams, in []*datasets.Dir, out Output) error {
	db, err := query.Open(ctx, query.Options{Threads: p.Workers})
	if err != nil {
		return err
	}
	defer db.Close()
	g, err := runMoves(ctx, db, p, in)
	if err != nil {
		return err
	}
	return g.sheet().write(out)
}

func runMoves(ctx context.Context, db *query.DB, p MovesParams, in []*datasets.Dir) (*guesses, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if len(in) != len(p.Sources) {
		return nil, fmt.Errorf("%d datasets for %d names", len(in), len(p.Sources))
	}
	g := &guesses{Params: p}
	q := movesSQL{MovesParams: p, Counted: len(p.Patterns) > 0}
	var choices, foretold []*datasets.Dir
	var names, foretellers []string
	unique := uniqueNames(p.Sources)
	for i, d := range in {
		switch d.Table.Name {
		case schemas.Predictions().Name:
			foretold, foretellers = append(foretold, d), append(foretellers, unique[i])
			continue
		case schemas.Games.Name:
		default:
			choices, names = append(choices, d), append(names, unique[i])
			continue
		}
		if q.Games != "" {
			return nil, fmt.Errorf("%s: a second dataset of games: the players are looked up in one", d.Path)
		}
		view := p.Sources[i]
		for slices.Contains(p.Sources[:i], view) || slices.Contains(p.Sources[i+1:], view) {
			view += " games"
		}
		if err := db.Attach(ctx, view, d); err != nil {
			return nil, err
		}
		q.Games = query.QuoteName(view)
	}
	var all []contender
	if len(choices) > 0 || len(foretold) == 0 {
		var err error
		if all, err = contenders(ctx, db, choices, names, p.Values, "choices"); err != nil {
			return nil, err
		}
	}
	g.Game = slices.Concat(choices, foretold)[0].Manifest.Meta["game"]
	if err := g.order(ctx, db, choices, all); err != nil {
		return nil, err
	}
	q.Orders = g.Orders
	foretellings, err := g.foretold(ctx, db, foretold, foretellers)
	if err != nil {
		return nil, err
	}
	q.Foretold = foretellings
	for _, o := range foretellings {
		all = append(all, o.contender)
	}
	if q.Games != "" {
		if err := sameGames(ctx, db, all, q.Games); err != nil {
			return nil, err
		}
	}
	for i, o := range q.Orders {
		at := slices.Index(q.Views, o.View)
		if at < 0 {
			at, q.Views = len(q.Views), append(q.Views, o.View)
		}
		q.Orders[i].ViewIndex = at
	}
	g.Orders = q.All()
	if q.Phases, err = phaseBands(ctx, db, all); err != nil {
		return nil, err
	}
	var rows []fields
	if g.SQL, rows, g.Result, err = runTemplate(ctx, db, "moves.sql", movesTemplate, q); err != nil {
		return nil, err
	}
	return g, g.take(rows)
}

// order lists the orders: the values, then the patterns of each source.
func (g *guesses) order(ctx context.Context, db *query.DB, choices []*datasets.Dir, all []contender) error {
	for _, c := range all {
		g.Orders = append(g.Orders, moveOrder{contender: c})
	}
	for i, d := range choices {
		if n := d.Manifest.Meta["alternatives"]; n != "" && n != "0" {
			g.Drawn = append(g.Drawn, fmt.Sprintf("%s has the move played and at most %s others", d.Manifest.Meta["game"], n))
		}
		first := slices.IndexFunc(all, func(c contender) bool { return c.View == all[i*len(all)/len(choices)].View })
		for _, n := range g.Params.Patterns {
			if _, err := db.Expression(ctx, d, n); err != nil {
				return err
			}
			c := all[first]
			c.Index, c.Name = len(g.Orders), n.Name
			if len(choices) > 1 {
				c.Name = c.Source + ", " + n.Name
			}
			g.Orders = append(g.Orders, moveOrder{contender: c, Pattern: n.SQL})
		}
	}
	return nil
}

// foretold are the orders of datasets of predictions.
func (g *guesses) foretold(ctx context.Context, db *query.DB, in []*datasets.Dir, names []string) ([]moveOrder, error) {
	var all []moveOrder
	for i, d := range in {
		of := d.Manifest.Meta
		if of["game"] != g.Game {
			return nil, fmt.Errorf("%s is of %s: a report is about one game, here %s", d.Path, of["game"], g.Game)
		}
		name := names[i]
		if err := db.Attach(ctx, name, d); err != nil {
			return nil, err
		}
		all = append(all, moveOrder{contender: contender{Index: len(g.Orders) + i, Source: name, Name: name, View: query.QuoteName(name), Phase: "phase", Key: d.Manifest.Key, Rows: d.Rows()}})
		g.Shapes = append(g.Shapes, fmt.Sprintf("%s puts the moves in order by the shapes around them, counted in the other games (kifu patterns); it is judged on the %s of the games that were held out by seed %s then.", name, percentText(of["holdout"]), of["seed"]))
	}
	return all, nil
}

// percentText is a share of a manifest in hundredths.
func percentText(share string) string {
	p, err := strconv.ParseFloat(share, 64)
	if err != nil {
		return "share"
	}
	return percent(p, 0)
}

// sameGames sees that the choices are of these games, as far as results tell.
func sameGames(ctx context.Context, db *query.DB, all []contender, games string) error {
	for _, c := range all {
		r, err := db.Query(ctx, fmt.Sprintf(`SELECT count(*) AS strangers FROM (SELECT DISTINCT game_id, result FROM %s) c LEFT JOIN %s g USING (game_id)
			WHERE g.ply_count IS NULL OR c.result IS DISTINCT FROM g.result`, c.View, games))
		if err != nil {
			return err
		}
		rows, err := r.All()
		if err != nil {
			return err
		}
		if n := (fields{r.Columns, rows[0]}).whole("strangers"); n > 0 {
			return dataErrorf("%s: %s not in the games given, or with another result there: give the games that it was made from", c.Source, plural(n, "game is", "games are"))
		}
	}
	return nil
}

func (g *guesses) take(rows []fields) error {
	number := map[string]int{}
	for i, o := range g.Orders {
		number[o.Name] = i
	}
	for _, f := range rows {
		g.Rows = append(g.Rows, guess{
			Number: number[f.text("contest")], Kind: f.text("kind"), Level: f.text("level"), Top: f.whole("top"), Decisions: f.whole("decisions"), Games: f.whole("games"),
			Share: f.number("share"), Low: f.number("low"), High: f.number("high"), Chance: f.number("chance"), Moves: f.number("moves"),
		})
	}
	if len(g.Rows) == 0 {
		return dataErrorf("no decision between two moves: are any games held out (--holdout)?")
	}
	return nil
}

// of are the rows of order i of a kind, by level and top.
func (g *guesses) of(i int, kind string) []guess {
	var some []guess
	for _, r := range g.Rows {
		if r.Number == i && r.Kind == kind {
			some = append(some, r)
		}
	}
	return some
}
