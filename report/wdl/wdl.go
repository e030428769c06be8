// Package wdl fits the chances of a win, a draw and a loss to values and to the move number or material, like
// Stockfish's WDL_model, and writes them as code.
package wdl

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/games/board"
	"kifu/internal/dyads"
	"kifu/internal/progress"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// byMove and byMaterial are the known scales of values by phase: anything else is SQL.
const byMove, byMaterial = "move", "material"

// Params is everything that changes a report of wins, draws and losses.
type Params struct {
	Value   string  `json:"value,omitempty"`  // column; empty: the dataset's last search, or the record's comments
	By      string  `json:"by,omitempty"`     // byMove, byMaterial or SQL of a whole number; empty: material where there is some, else move
	Target  float64 `json:"target,omitempty"` // the reference point of the polynomials and the scale; 0: 58 of material, 32 of moves (64 where each has its own number), else, or with few positions beyond it, the mean
	Least   int64   `json:"least,omitempty"`  // positions below and
	Most    int64   `json:"most,omitempty"`   // above are left out; both 0: 17 to 78 of material, 1 to 120 of moves, else all; at last what the positions have
	Within  float64 `json:"within,omitempty"` // values beyond ± are left out; 0: 400 of centipawns, else none
	Holdout float64 `json:"holdout"`          // share of the games by which the model is judged
	Seed    uint64  `json:"seed"`             // draws them, as fit does
	Source  string  `json:"source"`
	sheet.Clusters
	Workers int `json:"-"` // threads; 0: one a processor; the output does not depend on it
}

// Validate reports the first parameter that makes no sense whatever the data.
func (p Params) Validate() error {
	switch {
	case !(p.Holdout >= 0 && p.Holdout < 1):
		return fmt.Errorf("holdout %v: want a share of the games, at least 0 and less than 1", p.Holdout)
	case p.Least > p.Most:
		return fmt.Errorf("range %d,%d: want the lower one first", p.Least, p.Most)
	case !(p.Target >= 0) || math.IsInf(p.Target, 0):
		return fmt.Errorf("target %v: want a positive number", p.Target)
	case !(p.Within >= 0):
		return fmt.Errorf("within %v: want a positive number", p.Within)
	}
	return nil
}

// querySQL is the data of the queries.
type querySQL struct {
	Params
	Of        sheet.Contender
	MOM       string // move or material, as SQL
	scale            // and as a sum of columns
	Width     float64
	Unbounded bool
	Usual     bool // the target is not given
}

// report holds the contents of the page and of the pictures.
type report struct {
	Params Params
	Game   string
	Unit   string
	Sides  [2]string // of the game
	Of     sheet.Contender
	sample
	Fit    fitted
	Bins   []bin
	Rivals []rival
	Held   int
	played *dyads.Clusters // who played, in all games
	Errors string          // how they were taken
	SQL    string
	Result *query.Result
}

// bin is the positions of a band of values: the shares of their results with the model's.
type bin struct {
	x, positions float64
	share        [3]float64 // win, draw, loss
	low, high    [results]float64
	model        [results]float64
}

//go:embed wdl.sql
var queryTemplate string

// Make fits a model to one dataset of positions or labels; the games come after it, if players are
// looked up in them (Params.Names).
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	r, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*report, error) { return run(ctx, db, p, in) })
	if err != nil {
		return err
	}
	for _, code := range r.codes() {
		if err := out.AddFile(code.name, []byte(code.text)); err != nil {
			return err
		}
	}
	return r.Sheet().Write(out)
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if len(in) == 0 || len(in) > 1 && len(p.Names) == 0 {
		return nil, fmt.Errorf("%d datasets: a model is fitted to one", len(in))
	}
	given := in
	in = in[:1]
	columns := []string(nil)
	if p.Value != "" {
		columns = []string{p.Value}
	} else if in[0].Manifest.Meta["leaf"] == "" && in[0].Table.Index("comment_value") >= 0 {
		columns = []string{"comment_value"} // positions, which nothing has searched
	}
	kind := "labels"
	if in[0].Table.Name == "positions" {
		kind = "positions"
	}
	all, err := sheet.Contenders(ctx, db, in, []string{p.Source}, columns, kind)
	if err != nil {
		return nil, err
	}
	r := &report{Game: in[0].Manifest.Meta["game"], Unit: in[0].Manifest.Meta["unit"], Of: all[0]}
	r.Unit, r.Sides = cmp.Or(r.Unit, "hundredths"), board.SidesOf(ctx, r.Game)
	q := querySQL{Params: p, Of: all[0]}
	if err := q.by(ctx, db, in[0]); err != nil {
		return nil, err
	}
	if q.Within == 0 && (r.Unit == "centipawns" || r.Unit == "hundredths") {
		q.Within = 400
	}
	players, err := p.Clusters.Attach(ctx, db, given, []string{p.Source}, all)
	if err != nil {
		return nil, err
	}
	who, names := &bygame.Players{Index: &bygame.Index{}}, dyads.NewNames(p.Aliases)
	if players.On() {
		if who, err = bygame.PlayersOf(ctx, given[p.Names[0]], p.Workers, "wdl: players", names); err != nil {
			return nil, err
		}
	}
	if err := r.read(ctx, db, &q, in[0], who); err != nil {
		return nil, err
	}
	var known []sheet.Known
	if r.played.Games > r.played.Unnamed {
		known = append(known, sheet.KnownOf(r.played, names))
	}
	r.Errors = players.NoteOf(known)
	r.Params = q.Params
	bar := progress.Phase(ctx, "wdl: fit")
	err = r.judge()
	bar.Done()
	if err != nil {
		return nil, sheet.About([]string{p.Source}, err)
	}
	q.Width = r.width()
	r.Bins, r.Result = r.bins(q.Width), r.rows(q.Width)
	r.SQL, err = sheet.Fill("wdl.sql", queryTemplate, q)
	return r, err
}

// pieces are the columns of material, with the pieces' weights in Stockfish's model.
var pieces = []struct {
	column string
	count  int32
}{{"queens", 9}, {"rooks", 5}, {"bishops", 3}, {"knights", 3}, {"pawns", 1}}

// by finds what values mean by, and what of it is looked at.
func (q *querySQL) by(ctx context.Context, db *query.DB, in *datasets.Dir) error {
	material := in.Table.Index("white_"+pieces[0].column) >= 0
	if q.By == "" {
		q.By = byMove
		if material {
			q.By = byMaterial
		}
	}
	target, least, most := 0.0, int64(0), int64(0)
	switch q.By {
	case byMove:
		pairs := board.NumbersPairs(ctx, in.Manifest.Meta["game"])
		q.MOM, target, least, most = fmt.Sprintf("move_number(ply, %t)", pairs), 64, 1, 240
		q.scale = scale{columns: []string{"ply"}, weights: []int32{1}, divide: 1, plus: 1}
		if pairs {
			q.divide, target, most = 2, 32, 120
		}
	case byMaterial:
		if !material {
			return sheet.Errorf("%s has no columns of pieces: give --by move, or SQL as --by phase", in.Path)
		}
		q.divide = 1
		for i, k := range pieces {
			if i > 0 {
				q.MOM += " + "
			}
			q.MOM += fmt.Sprintf("%d * (white_%s + black_%s)", k.count, k.column, k.column)
			q.columns, q.weights = append(q.columns, "white_"+k.column, "black_"+k.column), append(q.weights, k.count, k.count)
		}
		target, least, most = 58, 17, 78
	default:
		typ, err := db.Expression(ctx, in, query.Named{Name: "by", SQL: q.By})
		if err != nil {
			return fmt.Errorf("--by: %w", err)
		}
		if !query.IsNumber(typ) {
			return fmt.Errorf("--by %s is %s: want a number, move or material", q.By, typ)
		}
		q.MOM = q.By
	}
	if q.Least == 0 && q.Most == 0 {
		q.Least, q.Most = least, most
		q.Unbounded = most == 0
	}
	q.Usual = q.Target == 0
	q.Target = cmp.Or(q.Target, target)
	return nil
}

// judge fits the model to all games, and judges one that knows some on those that are held out.
func (r *report) judge() (err error) {
	if r.Fit, err = fit(&r.sample, r.Params); err != nil {
		return err
	}
	for _, g := range r.games {
		if g.held {
			r.Held++
		}
	}
	if r.Params.Holdout > 0 && r.Held > 1 {
		r.Rivals, err = judge(&r.sample, r.Fit, r.Params)
	}
	return err
}

// width returns the width of the bins of values: at most 33 of them.
func (r *report) width() float64 {
	most := 0.0
	for _, c := range r.cells {
		most = math.Max(most, math.Abs(c.x))
	}
	width := math.Pow(10, math.Floor(math.Log10(math.Max(most, 1e-9)/16)))
	for _, f := range []float64{1, 2, 2.5, 5, 10} {
		if most/(f*width) <= 16 {
			return f * width
		}
	}
	return 10 * width
}

// binned returns the cells of bins of values, by ascending m and value, and the number of the one that each cell is in.
func binned(cells []cell, width float64, m func(cell) int32) (bins []cell, of []int32) {
	n := &numbering{}
	for _, c := range cells {
		of = append(of, n.add(m(c), math.Floor(c.x/width+0.5)*width, c))
	}
	bins, to := n.ordered()
	for i, k := range of {
		of[i] = to[k]
	}
	return bins, of
}

// rows returns the rows of wdl.sql, counted from the games that were read.
func (r *report) rows(width float64) *query.Result {
	bins, of := binned(r.cells, width, func(c cell) int32 { return c.m })
	games, last := make([]int64, len(bins)), slices.Repeat([]int{-1}, len(bins))
	for g, game := range r.games {
		for _, p := range game.positions {
			if k := of[p.cell()]; last[k] != g {
				games[k], last[k] = games[k]+1, g
			}
		}
	}
	var rows [][]any
	for i, k := range bins {
		rows = append(rows, []any{int64(k.m), k.x, int64(k.positions()), games[i], int64(k.n[0]), int64(k.n[1]), int64(k.n[2])})
	}
	return sheet.Result(rows, "BIGINT mom", "DOUBLE value", "BIGINT positions games wins draws losses")
}

// bins counts the results by value, with intervals that let positions of a game, and games of a player, depend on
// each other.
func (r *report) bins(width float64) []bin {
	type counts struct {
		results []float64 // wins, draws and losses of each game
		sizes   []float64
		who     []dyads.Pair
		last    int
	}
	cells, of := binned(r.cells, width, func(cell) int32 { return 0 })
	games, bins := make([]counts, len(cells)), make([]bin, len(cells))
	for i, c := range r.cells {
		b, n := &bins[of[i]], c.positions()
		win, draw, loss := r.Fit.Probabilities(float64(c.m), c.x)
		for k, p := range [results]float64{win, draw, loss} {
			b.model[k] += n * p
		}
		b.positions += n
		b.x += n * c.x
	}
	for i := range games {
		games[i].last = -1
	}
	for g, game := range r.games {
		for _, p := range game.positions {
			k := &games[of[p.cell()]]
			if k.last != g {
				k.results, k.sizes, k.who, k.last = append(k.results, 0, 0, 0), append(k.sizes, 0), append(k.who, game.who), g
			}
			end := len(k.sizes) - 1
			k.sizes[end]++
			k.results[results*end+p.result()]++
		}
	}
	var all []bin
	for i, b := range bins {
		if b.positions < shape.LeastDrawn {
			continue
		}
		b.x /= b.positions
		k := games[i]
		shares, spreads := ratios(k.results, results, k.sizes, k.who, r.Fit.way)
		for i, share := range shares {
			b.model[i] /= b.positions
			n := float64(len(k.sizes))
			if se := spreads[i].Reach() / dyads.Normal95; se > 0 {
				n = math.Min(b.positions, share*(1-share)/(se*se))
			}
			b.share[i] = share
			b.low[i], b.high[i] = shape.Wilson(share, n)
		}
		all = append(all, b)
	}
	return all
}
