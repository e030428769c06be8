// Package moves compares the moves that were played with the first ones by evaluation, by
// patterns and by predictions.
package moves

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"kifu/datasets"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Params is everything that changes a report of moves.
type Params struct {
	Values   []string      `json:"values,omitempty"`   // columns; none: each dataset's last search (meta leaf)
	Patterns []query.Named `json:"patterns,omitempty"` // what a pattern is: an expression over the columns of a choice
	Holdout  float64       `json:"holdout,omitempty"`  // share of the games that is judged; 0: all
	Seed     uint64        `json:"seed,omitempty"`     // draws them, as fit does
	Players  int           `json:"players,omitempty"`  // those with the most decisions have a row each, when there are games
	Sources  []string      `json:"sources"`            // names of the inputs: choices, predictions, and at most one of games
	Workers  int           `json:"-"`                  // threads; 0: one a processor; the output does not depend on it
	sheet.Clusters
}

// Validate reports the first parameter that makes no sense whatever the choices.
func (p Params) Validate() error {
	switch {
	case !(p.Holdout >= 0 && p.Holdout < 1):
		return fmt.Errorf("holdout %v: want a share of the games, at least 0 and less than 1", p.Holdout)
	case len(p.Patterns) > 0 && p.Holdout == 0:
		return errors.New("patterns are tested on held-out games: set --holdout above 0")
	case p.Players < 0:
		return fmt.Errorf("%d players: want 0 or more", p.Players)
	}
	return nil
}

// querySQL is the data of moves.sql and of decisions.sql.
type querySQL struct {
	Params
	Counted bool // there are patterns
	Phases  sheet.Bands
	Views   []string // of the choices, as SQL
	Orders  []moveOrder
	// Predicted are orders that were made elsewhere: predictions.
	Predicted []moveOrder
	Games     string // view, as SQL; empty: none
	Clustered sheet.Players
	Heads     sheet.Heads
	Paired    []int    // orders of the decisions of the first
	Part      string   // condition of games, as SQL; empty: all
	Boards    bool     // decisions have values
	Found     []string // views of the decisions, as SQL; empty: the query finds them
}

// All are the orders of both kinds.
func (q querySQL) All() []moveOrder { return slices.Concat(q.Orders, q.Predicted) }

// Tops are the ks of the query.
func (querySQL) Tops() []int { return lists.N(20, func(i int) int { return i + 1 }) }

// Hit returns, as SQL, how much of a decision's played move is among the first k.
func (querySQL) Hit(k int, better, equal string) string {
	return fmt.Sprintf("greatest(0, least(1, (%d - %s) / %s))", k, better, equal)
}

// moveOrder is an order of the moves of a decision: by value, or by how often a pattern
// was played.
type moveOrder struct {
	sheet.Contender
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
	// Difference is Share less the first order's in the same decisions; NaN without one.
	Difference, DifferenceLow, DifferenceHigh float64
	EffectiveGames                            float64 // number of games of equal length with as much information
}

// report holds the contents of the page and of the picture.
type report struct {
	Params Params
	Game   string
	Orders []moveOrder
	Drawn  []string // sources that have not all the moves
	Shapes []string // how predictions were learned
	Rows   []guess
	Paired bool   // rows have differences
	Errors string // how they were taken
	SQL    string
	Result *query.Result
	Unit   string
	asked  querySQL
}

//go:embed moves.sql
var queryTemplate string

//go:embed decisions.sql
var decisionsTemplate string

// Make compares the moves that were played with the first ones of evaluators: in has
// one dataset of choices or predictions a name in p.Sources, and at most one of the games
// that they are from.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	s, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*sheet.Sheet, error) {
		g, err := run(ctx, db, p, in)
		if err != nil {
			return nil, err
		}
		s := g.sheet()
		s.Boards, err = g.boards(ctx, db, g.asked, out)
		return s, err
	})
	if err != nil {
		return err
	}
	return s.Write(out)
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if len(in) < len(p.Sources) || len(in) > len(p.Sources) && len(p.Names) == 0 {
		return nil, fmt.Errorf("%d datasets for %d names", len(in), len(p.Sources))
	}
	of, err := sortInputs(p, in[:len(p.Sources)])
	if err != nil {
		return nil, err
	}
	g := &report{Params: p}
	q := querySQL{Params: p, Counted: len(p.Patterns) > 0}
	if err := g.orders(ctx, db, of, &q); err != nil {
		return nil, err
	}
	if err := q.lookUp(ctx, db, of); err != nil {
		return nil, err
	}
	all := sheet.ContendersOf(g.Orders)
	q.Paired = sheet.Comparable(all)
	g.Paired = len(q.Paired) > 0
	if q.Clustered, err = p.Clusters.Attach(ctx, db, in, p.Sources, all); err != nil {
		return nil, err
	}
	if len(q.Views) > 0 {
		q.Heads = q.Clustered.HeadsOf(all, p.Holdout, p.Seed)
	}
	if g.Errors, err = q.Clustered.Note(ctx, db); err != nil {
		return nil, err
	}
	if g.asked, err = q.find(ctx, db); err != nil {
		return nil, err
	}
	var rows []sheet.Fields
	if g.SQL, rows, g.Result, err = sheet.RunFound(ctx, db, "moves.sql", decisionsTemplate+queryTemplate, q, g.asked); err != nil {
		return nil, err
	}
	return g, sheet.About(p.Sources, g.fill(rows))
}

// inputs are the datasets of a report by kind, with their names.
type inputs struct {
	choices, predictions    []*datasets.Dir
	choiceNames, predictors []string
	games                   *datasets.Dir // nil: none
	gamesName               string
}

func sortInputs(p Params, in []*datasets.Dir) (inputs, error) {
	var of inputs
	unique := sheet.UniqueNames(p.Sources)
	for i, d := range in {
		switch d.Table.Name {
		case schemas.Predictions().Name:
			of.predictions, of.predictors = append(of.predictions, d), append(of.predictors, unique[i])
		case schemas.Games.Name:
			if of.games != nil {
				return of, fmt.Errorf("%s: a second dataset of games: give one", d.Path)
			}
			of.games, of.gamesName = d, p.Sources[i]
			for slices.Contains(p.Sources[:i], of.gamesName) || slices.Contains(p.Sources[i+1:], of.gamesName) {
				of.gamesName += " games"
			}
		default:
			of.choices, of.choiceNames = append(of.choices, d), append(of.choiceNames, unique[i])
		}
	}
	if len(of.choices)+len(of.predictions) == 0 {
		return of, sheet.Errorf("only games: also give choices (kifu choices) or predictions (kifu patterns) of their positions")
	}
	return of, nil
}

// orders attaches choices and predictions and lists the orders of moves that they have.
func (g *report) orders(ctx context.Context, db *query.DB, of inputs, q *querySQL) error {
	var all []sheet.Contender
	if len(of.choices) > 0 {
		var err error
		if all, err = sheet.Contenders(ctx, db, of.choices, of.choiceNames, g.Params.Values, "choices"); err != nil {
			return err
		}
	}
	first := slices.Concat(of.choices, of.predictions)[0].Manifest.Meta
	g.Game, g.Unit = first["game"], first["unit"]
	if err := g.order(ctx, db, of.choices, all); err != nil {
		return err
	}
	q.Orders = g.Orders
	for i, o := range q.Orders {
		at := slices.Index(q.Views, o.View)
		if at < 0 {
			at, q.Views = len(q.Views), append(q.Views, o.View)
		}
		q.Orders[i].ViewIndex = at
	}
	var err error
	if q.Predicted, err = g.predicted(ctx, db, of.predictions, of.predictors); err != nil {
		return err
	}
	g.Orders = q.All()
	return nil
}

// lookUp attaches the games that players are looked up in, and finds the bands of phases.
func (q *querySQL) lookUp(ctx context.Context, db *query.DB, of inputs) (err error) {
	var all []sheet.Contender
	for _, o := range q.All() {
		if o.Pattern == "" {
			all = append(all, o.Contender)
		}
	}
	if of.games != nil {
		if err := db.Attach(ctx, of.gamesName, of.games); err != nil {
			return err
		}
		q.Games = query.View(of.gamesName)
		if err := sameGames(ctx, db, all, q.Games); err != nil {
			return err
		}
	}
	q.Phases, err = sheet.PhaseBands(ctx, db, all)
	return err
}

// order lists the orders: the values, then the patterns of each source.
func (g *report) order(ctx context.Context, db *query.DB, choices []*datasets.Dir, all []sheet.Contender) error {
	for _, c := range all {
		g.Orders = append(g.Orders, moveOrder{Contender: c})
	}
	for i, d := range choices {
		if n := d.Manifest.Meta["alternatives"]; n != "" && n != "0" {
			g.Drawn = append(g.Drawn, fmt.Sprintf("%s has the move played and at most %s others", all[i*len(all)/len(choices)].Source, n))
		}
		first := slices.IndexFunc(all, func(c sheet.Contender) bool { return c.View == all[i*len(all)/len(choices)].View })
		for _, n := range g.Params.Patterns {
			if _, err := db.Expression(ctx, d, n); err != nil {
				return err
			}
			c := all[first]
			c.Index, c.Name = len(g.Orders), n.Name
			if len(choices) > 1 {
				c.Name = c.Source + ", " + n.Name
			}
			g.Orders = append(g.Orders, moveOrder{Contender: c, Pattern: n.SQL})
		}
	}
	return nil
}

// predicted returns the orders of datasets of predictions.
func (g *report) predicted(ctx context.Context, db *query.DB, in []*datasets.Dir, names []string) ([]moveOrder, error) {
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
		all = append(all, moveOrder{Contender: sheet.Contender{Index: len(g.Orders) + i, Source: name, Name: name, View: query.View(name), Phase: "phase", Key: d.Manifest.Key, Rows: d.Rows()}})
		g.Shapes = append(g.Shapes, fmt.Sprintf("%s orders the moves by the shapes around them (kifu patterns). It is judged on the %s of the games held out by seed %s. The shapes were counted in the other games.", name, percentText(of["holdout"]), of["seed"]))
	}
	return all, nil
}

// percentText is a share of a manifest in hundredths.
func percentText(share string) string {
	p, err := strconv.ParseFloat(share, 64)
	if err != nil {
		return "share"
	}
	return human.Percent(p, 0)
}

// sameGames checks that the choices are of these games, as far as results show.
func sameGames(ctx context.Context, db *query.DB, all []sheet.Contender, games string) error {
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
		if n := (sheet.Fields{Columns: r.Columns, Row: rows[0]}).Whole("strangers"); n > 0 {
			return sheet.Errorf("%s: %s missing from the games, or with another result there: name the games that it was made from", c.Source, human.Plural(n, "game is", "games are"))
		}
	}
	return nil
}

func (g *report) fill(rows []sheet.Fields) error {
	number := map[string]int{}
	for i, o := range g.Orders {
		number[o.Name] = i
	}
	for _, f := range rows {
		g.Rows = append(g.Rows, guess{
			Number: number[f.Text("contest")], Kind: f.Text("kind"), Level: f.Text("level"), Top: f.Whole("top"), Decisions: f.Whole("decisions"), Games: f.Whole("games"),
			Share: f.Number("share"), Low: f.Number("low"), High: f.Number("high"), Chance: f.Number("chance"), Moves: f.Number("moves"),
			Difference: f.IfThere("difference"), DifferenceLow: f.IfThere("difference_low"), DifferenceHigh: f.IfThere("difference_high"), EffectiveGames: f.Number("effective_games"),
		})
	}
	if len(g.Rows) == 0 {
		return sheet.Errorf("no decision between two moves: are any games held out (--holdout)?")
	}
	return nil
}

// guesses are the rows of order i of a kind, by level and top.
func (g *report) guesses(i int, kind string) []guess {
	return lists.Where(g.Rows, func(r guess) bool { return r.Number == i && r.Kind == kind })
}
