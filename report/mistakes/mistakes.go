// Package mistakes lists the moves of games that lost value, with the better move and how often each was repeated,
// and the positions in which a model of the opponent goes wrong. Its command is kifu report mistakes.
package mistakes

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
)

// Params is everything that changes a report of mistakes.
type Params struct {
	Value      string  `json:"value,omitempty"`       // column of the choices; empty: their last search
	Model      bool    `json:"model,omitempty"`       // the last input has the choices as the opponent's model values them
	ModelValue string  `json:"model_value,omitempty"` // their column; empty: their last search
	Least      float64 `json:"least"`                 // what a mistake costs at least, in the evaluator's unit
	Cap        float64 `json:"cap"`                   // values beyond ± count as that
	Player     string  `json:"player,omitempty"`      // whose moves; * is any text; empty: all
	Workers    int     `json:"-"`                     // threads; 0: one a processor; the output does not depend on it
}

// Validate reports the first parameter that makes no sense whatever the data.
func (p Params) Validate() error {
	switch {
	case !(p.Least > 0):
		return fmt.Errorf("least %v: want what a mistake costs, above 0", p.Least)
	case !(p.Cap >= p.Least) || math.IsInf(p.Cap, 0):
		return fmt.Errorf("cap %v: want a value of at least %v", p.Cap, p.Least)
	case p.ModelValue != "" && !p.Model:
		return fmt.Errorf("model value %s without a model", p.ModelValue)
	}
	return nil
}

// querySQL is the data of mistakes.sql; everything is quoted.
type querySQL struct {
	Params
	Choices, Positions, Games, Player, Value string
	Model                                    struct{ View, Value string }
	Phase                                    bool
}

// fact is a row of the query, which describes the columns.
type fact struct {
	Section, Item, Position, Move, Better string
	Moves, Mistakes, Repeated             int64
	Cost                                  float64
	Game, Ply                             int64
}

// report holds the contents of the page.
type report struct {
	Params Params
	Game   string
	Unit   string
	Phase  bool
	Source string
	Facts  []fact
	SQL    string
	Result *query.Result
	Inputs []string
	Read   int64
}

//go:embed mistakes.sql
var queryTemplate string

// names of the inputs in the query.
const choices, positions, games, model = "choices", "positions", "games", "model"

// Make lists the mistakes of one dataset each of choices, of the positions that they were made from, and of the
// games, and with p.Model of the model's choices.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	r, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*report, error) { return run(ctx, db, p, in) })
	if err != nil {
		return err
	}
	s := r.sheet()
	if s.Boards, err = r.boards(ctx); err != nil {
		return err
	}
	return s.Write(out)
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	of := in[0]
	r := &report{Params: p, Game: of.Manifest.Meta["game"], Unit: of.Manifest.Meta["unit"], Phase: of.Table.Index("phase") >= 0}
	q := querySQL{Params: p, Choices: query.View(choices), Positions: query.View(positions), Games: query.View(games), Phase: r.Phase}
	for i, name := range []string{choices, positions, games, model}[:len(in)] {
		if err := r.attach(ctx, db, name, in[i]); err != nil {
			return nil, err
		}
	}
	if p.Player != "" {
		q.Player = sheet.QuoteText(p.Player)
	}
	var err error
	if q.Value, err = column(of, p.Value); err != nil {
		return nil, err
	}
	if p.Model {
		q.Model.View = query.View(model)
		if q.Model.Value, err = column(in[3], p.ModelValue); err != nil {
			return nil, err
		}
	}
	var rows []sheet.Fields
	if r.SQL, rows, r.Result, err = sheet.Run(ctx, db, "mistakes.sql", queryTemplate, q); err != nil {
		return nil, err
	}
	for _, f := range rows {
		r.Facts = append(r.Facts, fact{f.Text("section"), f.Text("item"), f.Text("position"), f.Text("move"), f.Text("better"), f.Whole("moves"), f.Whole("mistakes"), f.Whole("repeated"), f.OrNaN("cost"), f.Whole("game_id"), f.Whole("ply")})
	}
	if len(r.of("phase")) == 0 {
		return nil, sheet.Errorf("no decision of %s in choices, positions and games: are they of the same games?", r.mover())
	}
	return r, nil
}

// attach adds an input to the query, which must be of its kind and game, and have all moves.
func (r *report) attach(ctx context.Context, db *query.DB, name string, d *datasets.Dir) error {
	want := name
	if name == model {
		want = choices
	}
	switch has := d.Table.Name; {
	case has != want && !(want == positions && has == "labels"):
		return sheet.Errorf("%s has %s: want %s (kifu choices makes choices of positions)", d.Path, has, want)
	case d.Manifest.Meta["game"] != r.Game:
		return sheet.Errorf("%s is of %s, the choices are of %s", d.Path, d.Manifest.Meta["game"], r.Game)
	case want == choices && d.Manifest.Meta["alternatives"] != "" && d.Manifest.Meta["alternatives"] != "0":
		return sheet.Errorf("%s has a sample of the moves: run kifu choices without --alternatives", d.Path)
	}
	r.Inputs, r.Read = append(r.Inputs, fmt.Sprintf("%s, key %s", name, sheet.ShortKey(d.Manifest.Key))), r.Read+d.Rows()
	return db.Attach(ctx, name, d)
}

// column returns a column of values as SQL: the named one, or the last search's.
func column(d *datasets.Dir, named string) (string, error) {
	if named == "" {
		named = d.Manifest.Meta["leaf"]
	}
	if d.Table.Index(named) < 0 || !strings.HasSuffix(named, "_value") {
		return "", sheet.Errorf("%s has no column %q of values", d.Path, named)
	}
	return query.QuoteName(named), nil
}

// of returns the facts of the sections, in their order.
func (r *report) of(sections ...string) []fact {
	return sheet.Only(r.Facts, func(f fact) bool { return slices.Contains(sections, f.Section) })
}

func (r *report) mover() string {
	if r.Params.Player == "" {
		return "all players"
	}
	return r.Params.Player
}
