// Package mistakes lists moves of games that lost value, with the better move and how often
// each was repeated, and positions in which a model of the opponent goes wrong. Its command is
// kifu report mistakes; explore shows it as a page.
package mistakes

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Params is everything that changes a report of mistakes.
type Params struct {
	Value      string  `json:"value,omitempty"`       // column of the choices; empty: their last search
	Model      bool    `json:"model,omitempty"`       // the last input has the choices as the opponent's model values them
	ModelValue string  `json:"model_value,omitempty"` // their column; empty: their last search
	Least      float64 `json:"least"`                 // what a mistake costs at least, in the unit of the values; 0: a tenth of Cap
	Cap        float64 `json:"cap"`                   // values beyond ± count as that; 0: ten pawns or men, 60 discs or points
	Player     string  `json:"player,omitempty"`      // whose moves; * is any text; empty: all
	Workers    int     `json:"-"`                     // threads; 0: one a processor; the output does not depend on it
}

// Validate reports the first parameter that makes no sense whatever the data.
func (p Params) Validate() error {
	switch {
	case !(p.Least >= 0):
		return fmt.Errorf("least %v: want the cost of a mistake, 0 or more", p.Least)
	case !(p.Cap >= 0) || math.IsInf(p.Cap, 0) || p.Cap > 0 && p.Cap < p.Least:
		return fmt.Errorf("cap %v: want a value of at least %v", p.Cap, p.Least)
	case p.ModelValue != "" && !p.Model:
		return fmt.Errorf("model value %s without a model", p.ModelValue)
	}
	return nil
}

// Data are the attached datasets of a report, as SQL.
type Data struct {
	// Choices are views of all moves, Positions of positions or labels: one of both may be empty, both where Games have values.
	Choices, Positions, Games string
	Motifs                    string        // view of the motifs of moves; may be empty
	Names                     []string      // its columns of motifs
	Column                    string        // of values, quoted; empty: the games'
	Better                    string        // column of the best line; empty: none
	Phase                     bool          // positions have it
	Pairs                     bool          // move numbers count pairs of moves; Ask finds it
	SecondMark                string        // board.SecondMark; Ask finds it
	from                      *datasets.Dir // of Positions
	Model                     struct{ View, Column string }
	Game, Unit                string
	// Where are conditions on games, Mover on the player who moves (column player), Only on mistakes by what a table counts them by
	// (player, opening, phase, moves, clock, motifs); empty: all.
	Where, Mover, Only string
	// Most is how many mistakes the query lists, of those that lost most; 0: all.
	Most int
	Params
}

// Quoted is the game as a text, which functions of boards take where datasets are of several games.
func (d Data) Quoted() string { return query.QuoteText(d.Game) }

// Has is the condition that the reply has a motif, one of Names: a bit of motifs.
func (d Data) Has(motif string) string {
	i := slices.Index(d.Names, motif)
	if i < 0 {
		return "false"
	}
	return fmt.Sprintf("motifs & (1::BIGINT << %d) <> 0", i)
}

// Stronger is how many rating points more a stronger player has.
func (Data) Stronger() int { return 100 }

// Clocks are the bands of the time left.
func (Data) Clocks() []sheet.ClockBand { return sheet.ClockBands }

// Fact is a row of the query, which describes the columns.
type Fact struct {
	Section, Item, Position, Move, Better string
	Moves, Mistakes, Repeated             int64 // 0 where a position's moves and repeated mistakes are unknown
	Cost                                  float64
	Game, Ply                             int64
	// Stronger is the move that stronger players choose there most often, StrongerN of StrongerOf times; empty: none of them was there.
	Stronger              string
	StrongerN, StrongerOf int64
}

// Report holds the mistakes.
type Report struct {
	Params Params
	Game   string
	Unit   string
	Phase  bool
	Facts  []Fact
	rules  board.Game // nil: boards are not known
	every  bool       // costs are by choices among all moves
	values string     // column of the values; empty: those in the records
	placed bool       // there are positions, so that equal ones are known
	SQL    string
	Result *query.Result
	inputs []string
	read   int64
}

//go:embed mistakes.sql
var queryTemplate string

// names of the inputs in the query.
const choices, positions, games, motifs, model = "choices", "positions", "games", "motifs", "model"

// Make lists the mistakes of datasets of games and of choices, positions, labels or motifs of them, of each one at most; with
// p.Model the last one has the model's choices.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	r, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*Report, error) { return run(ctx, db, p, in) })
	if err != nil {
		return err
	}
	s := r.sheet()
	if s.Boards, err = r.boards(); err != nil {
		return err
	}
	return s.Write(out)
}

// most is how many mistakes a report lists: without boards each is one of its own, and a million games have millions.
const most = 100_000

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*Report, error) {
	if err := datasets.CheckTogether(in...); err != nil {
		return nil, err
	}
	d := Data{Params: p, Game: in[0].Manifest.Meta["game"], Most: most}
	var inputs []string
	var read int64
	for i, one := range in {
		name := one.Table.Name
		switch {
		case p.Model && i == len(in)-1:
			name = model
		case name == "labels":
			name = positions
		}
		if err := d.Add(one, name); err != nil {
			return nil, err
		}
		if err := db.Attach(ctx, name, one); err != nil {
			return nil, err
		}
		inputs, read = append(inputs, fmt.Sprintf("%s, key %s", name, sheet.ShortKey(one.Manifest.Key))), read+one.Rows()
	}
	if p.Player != "" {
		d.Mover = fmt.Sprintf("lower(player) GLOB lower(%s)", query.QuoteText(p.Player))
	}
	r, err := Ask(ctx, db, d)
	if err != nil {
		return nil, sheet.About(lists.Of(in, func(d *datasets.Dir) string { return d.Path }), err)
	}
	r.inputs, r.read = inputs, read
	return r, nil
}

// Add takes in a dataset that is attached under a name; it is an error where it is of another game or does not fit.
func (d *Data) Add(in *datasets.Dir, name string) (err error) {
	if game := in.Manifest.Meta["game"]; game != d.Game {
		return sheet.Errorf("%s is of %s, the others are of %s", in.Path, game, d.Game)
	}
	view := query.View(name)
	switch kind := in.Table.Name; {
	case kind == "choices" && in.Manifest.Meta["alternatives"] != "" && in.Manifest.Meta["alternatives"] != "0":
		return sheet.Errorf("%s has a sample of the moves: run kifu choices without --alternatives", in.Path)
	case kind == "choices" && d.Model == struct{ View, Column string }{} && name == model:
		d.Model.View = view
		d.Model.Column, err = column(in, d.ModelValue)
	case kind == "choices" && d.Choices == "":
		d.Choices, d.Phase, d.Unit = view, in.Table.Index("phase") >= 0, in.Manifest.Meta["unit"]
		d.Column, err = column(in, d.Value)
	case kind == "games" && d.Games == "":
		d.Games = view
	case (kind == "positions" || kind == "labels") && d.Positions == "" && in.Table.Index("occurrences") < 0:
		d.Positions, d.from = view, in
	case kind == "motifs" && d.Motifs == "":
		d.Motifs, d.Names = view, schemas.MotifNames(in.Table)
	default:
		err = sheet.Errorf("%s has %s: want games, and at most one dataset each of choices (kifu choices), of all positions or labels, and of motifs", in.Path, kind)
	}
	return err
}

// value takes the values from labels, or from the comments of records that positions have.
func (d *Data) value(in *datasets.Dir) (err error) {
	d.Phase, d.Unit = in.Table.Index("phase") >= 0, "hundredths"
	if in.Table.Name == "positions" && d.Value == "" {
		d.Column = "comment_value"
		return nil
	}
	if d.Column, err = column(in, d.Value); err != nil {
		return err
	}
	name := strings.Trim(d.Column, `"`)
	d.Unit = sheet.UnitOf(in, name)
	if line := strings.TrimSuffix(name, "_value") + "_pv"; in.Table.Index(line) >= 0 {
		d.Better = query.QuoteName(line)
	}
	return nil
}

// Ask reads the mistakes from the attached datasets.
func Ask(ctx context.Context, db *query.DB, d Data) (*Report, error) {
	if d.Games == "" || d.Choices != "" && d.Positions == "" {
		return nil, sheet.Errorf("want games with values, or positions or labels and games, or choices, positions and games")
	}
	if d.Choices == "" && d.from != nil {
		if err := d.value(d.from); err != nil {
			return nil, err
		}
	}
	if d.Column == "" {
		d.Unit = "hundredths"
	}
	if d.Cap == 0 {
		d.Cap = max(10*float64(eval.UnitOf(d.Unit).Per), 60)
		if d.Unit == "hundredths" {
			d.Cap = 1000
		}
	}
	d.Least, d.Pairs, d.SecondMark = cmp.Or(d.Least, d.Cap/10), board.NumbersPairs(ctx, d.Game), board.SecondMarkOf(ctx, d.Game)
	r := &Report{Params: d.Params, Game: d.Game, Unit: d.Unit, Phase: d.Phase, rules: board.Named(ctx, d.Game), every: d.Choices != "", placed: d.Positions != ""}
	if r.values = strings.Trim(d.Column, `"`); r.values == "comment_value" {
		r.values = ""
	}
	var rows []sheet.Fields
	var err error
	if r.SQL, rows, r.Result, err = sheet.Run(ctx, db, "mistakes.sql", queryTemplate, d); err != nil {
		return nil, err
	}
	for _, f := range rows {
		r.Facts = append(r.Facts, Fact{f.Text("section"), f.Text("item"), f.Text("position"), f.Text("move"), f.Text("better"), f.Whole("moves"), f.Whole("mistakes"), f.Whole("repeated"), f.OrNaN("cost"), f.Whole("game_id"), f.Whole("ply"),
			f.Text("stronger"), f.Whole("stronger_n"), f.Whole("stronger_of")})
	}
	if len(r.Of("phase")) == 0 {
		if r.Params.Player != "" {
			return nil, sheet.Errorf("no move of %s has a value: kifu names --like NAME GAMES shows spellings, kifu label makes values", r.Params.Player)
		}
		return nil, sheet.Errorf("no move has a value, because the comments of these games have none: make labels (kifu transform, kifu label), then kifu report mistakes --out DIR LABELS GAMES")
	}
	return r, nil
}

// column returns a column of values as SQL: the named one, or the last search's.
func column(d *datasets.Dir, named string) (string, error) {
	named = cmp.Or(named, d.Manifest.Meta["leaf"])
	if d.Table.Index(named) < 0 || !strings.HasSuffix(named, "_value") {
		return "", sheet.Errorf("%s has no column %q of values", d.Path, named)
	}
	return query.QuoteName(named), nil
}

// Of returns the facts of the sections, in their order.
func (r *Report) Of(sections ...string) []Fact {
	return lists.Where(r.Facts, func(f Fact) bool { return slices.Contains(sections, f.Section) })
}

func (r *Report) mover() string {
	if r.Params.Player == "" {
		return "all players"
	}
	return r.Params.Player
}
