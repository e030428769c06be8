// Package calibration judges the win probabilities implied by evaluations on games that their scale was
// not fitted to.
package calibration

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"strconv"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/examples"
	"kifu/report/page"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// Params is everything that changes a calibration report.
type Params struct {
	Values  []string      `json:"values,omitempty"` // columns; none: each dataset's last search (meta leaf)
	Bins    int           `json:"bins"`             // of the reliability curve, over forecasts from 0 to 1
	Draws   string        `json:"draws"`            // DrawsExclude or DrawsHalf
	Holdout float64       `json:"holdout"`          // share of the games that is judged; 0: all, fitted to all
	Seed    uint64        `json:"seed"`             // draws them, as fit does
	Scale   float64       `json:"scale,omitempty"`  // w_0 in 1/unit; 0: fitted to the other games
	By      []query.Named `json:"by,omitempty"`     // groups of positions in addition to ply, phase and rating
	Sources []string      `json:"sources"`          // names of the inputs
	Workers int           `json:"-"`                // threads; 0: one a processor; the output does not depend on it
	sheet.Clusters
}

// Validate reports the first parameter that makes no sense whatever the labels.
func (p Params) Validate() error {
	switch {
	case p.Draws != shape.DrawsExclude && p.Draws != shape.DrawsHalf:
		return fmt.Errorf("draws %q: want %s or %s", p.Draws, shape.DrawsExclude, shape.DrawsHalf)
	case p.Bins < 2 || p.Bins > 100:
		return fmt.Errorf("%d bins: want 2 to 100", p.Bins)
	case !(p.Holdout >= 0 && p.Holdout < 1):
		return fmt.Errorf("holdout %v: want a share of the games, at least 0 and less than 1", p.Holdout)
	case !(p.Scale >= 0 && p.Scale < math.Inf(1)):
		return fmt.Errorf("scale %v: want w_0 in 1/unit, more than 0, or 0 to fit it", p.Scale)
	}
	for _, n := range p.By {
		switch n.Name {
		case "all", "bin", "ply", "phase", "rating":
			return fmt.Errorf("--by %s: a group has this name already: choose another", n.Name)
		}
	}
	return nil
}

// querySQL is the data of sql/calibration.sql.
type querySQL struct {
	Params
	Half      bool
	Phases    sheet.Bands
	Forecasts []forecast
	By        []groupSQL
	Players   sheet.Players
	Paired    []int // forecasts of the positions of the first
	Plies     bool  // all labels have the ply
	Rated     bool  // and the players' ratings
	Heads     sheet.Heads
}

type groupSQL struct {
	Index, Kind int
	Quoted, SQL string
}

// forecast is the win probability implied by a value.
type forecast struct {
	sheet.Contender
	W0   string // in 1/unit, as SQL
	Mean float64
	By   []groupSQL
}

// scale is W0 as a number.
func (f forecast) scale() float64 {
	w, _ := strconv.ParseFloat(f.W0, 64)
	return w
}

// judgement is a row of the query: a forecast on a group of positions.
type judgement struct {
	Forecast, Kind, Level         string
	Positions, Games              int64
	Mean, Won, Low, High          float64
	LogLoss, SE, Brier            float64
	Accuracy, OrderAgreement      float64 // NaN without decided positions, or pairs
	ShareSE                       float64 // of Won
	Difference                    float64 // of log-loss from the first forecast's; NaN without one
	DifferenceLow, DifferenceHigh float64
	EffectiveGames                float64 // number of games of equal length with as much information
	Number                        int     // of the forecast
}

// report holds the contents of the page and of the picture.
type report struct {
	Params    Params
	Game      string
	Unit      string
	Sides     [2]string // of the game
	Forecasts []forecast
	Rows      []judgement
	Errors    string // how they were taken
	paired    bool   // forecasts are compared on the same positions
	SQL       string
	Result    *query.Result
}

//go:embed calibration.sql
var queryTemplate string

// Make judges the win probabilities implied by evaluations: in has one dataset of labels a name in
// p.Sources.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	c, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (*report, error) { return run(ctx, db, p, in) })
	if err != nil {
		return err
	}
	s := c.sheet()
	value := c.Forecasts[0].Column
	if s.Boards, err = examples.Add(ctx, out, "calibration-examples.csv", in[0], value, p.Workers, c.surest()); err != nil {
		return err
	}
	return s.Write(out)
}

// surest wants the positions that were surest, and lost.
func (c *report) surest() []examples.Ask {
	return []examples.Ask{
		{Name: "The lowest values of games that " + c.Sides[0] + " won", Condition: "true", More: true},
		{Name: "The highest values of games that " + c.Sides[1] + " won", Condition: "true"},
	}
}

func run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*report, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	games := in
	if len(in) > len(p.Sources) {
		in = in[:len(p.Sources)]
	}
	all, err := sheet.Contenders(ctx, db, in, p.Sources, p.Values, "labels")
	if err != nil {
		return nil, err
	}
	c := &report{Params: p, Game: in[0].Manifest.Meta["game"], Unit: in[0].Manifest.Meta["unit"]}
	c.Sides = board.SidesOf(ctx, c.Game)
	q := querySQL{Params: p, Half: p.Draws == shape.DrawsHalf, Plies: haveAll(in, "ply"), Rated: haveAll(in, "first_elo", "second_elo")}
	if c.paired = q.Plies && len(sheet.Comparable(all)) > 0; c.paired {
		q.Paired = sheet.Comparable(all)
	}
	if q.Players, err = p.Clusters.Attach(ctx, db, games, p.Sources, all); err != nil {
		return nil, err
	}
	heads := q.Players.HeadsOf(all, p.Holdout, p.Seed)
	if q.Heads, err = heads.Find(ctx, db); err != nil {
		return nil, err
	}
	if c.Errors, err = q.Players.Note(ctx, db); err != nil {
		return nil, err
	}
	for i, n := range p.By {
		q.By = append(q.By, groupSQL{i, 5 + i, query.QuoteText(n.Name), n.SQL})
		for _, d := range in {
			if _, err := db.Expression(ctx, d, n); err != nil {
				return nil, err
			}
		}
	}
	for _, k := range all {
		f := forecast{Contender: k, By: q.By}
		if err := f.fit(ctx, db, q); err != nil {
			return nil, err
		}
		c.Forecasts = append(c.Forecasts, f)
	}
	q.Forecasts = c.Forecasts
	if q.Phases, err = sheet.PhaseBands(ctx, db, all); err != nil {
		return nil, err
	}
	published := q
	published.Heads = heads
	var rows []sheet.Fields
	if c.SQL, rows, c.Result, err = sheet.RunFound(ctx, db, "calibration.sql", queryTemplate, published, q); err != nil {
		return nil, err
	}
	return c, c.fill(rows)
}

// haveAll reports whether all labels have these columns: labels from a table of features may lack them.
func haveAll(in []*datasets.Dir, columns ...string) bool {
	for _, d := range in {
		for _, name := range columns {
			if d.Table.Index(name) < 0 {
				return false
			}
		}
	}
	return true
}

// scaleSQL is the data of scaleTemplate.
type scaleSQL struct {
	querySQL
	forecast
}

// scaleTemplate is the query of the results by value of the games that are not held out.
//
//go:embed scale.sql
var scaleTemplate string

// fit finds w0 by the games that are not held out.
func (f *forecast) fit(ctx context.Context, db *query.DB, q querySQL) error {
	_, rows, _, err := sheet.Run(ctx, db, "scale.sql", scaleTemplate, scaleSQL{querySQL: q, forecast: *f})
	if err != nil {
		return err
	}
	var bins []shape.Bin
	var won, positions float64
	for _, k := range rows {
		b := shape.Bin{V: k.Number("value"), Positions: k.Whole("wins") + k.Whole("losses"), Won: k.Number("wins")}
		if q.Half {
			b.Positions, b.Won = b.Positions+k.Whole("draws"), b.Won+k.Number("draws")/2
		}
		if b.Positions > 0 {
			bins, won, positions = append(bins, b), won+b.Won, positions+float64(b.Positions)
		}
	}
	if positions == 0 {
		return sheet.Errorf("%s: no position with a value is from a decided game: results are missing, or all games are drawn (count draws with --draws half)", f.Name)
	}
	f.Mean = won / positions
	w := q.Scale
	if w == 0 {
		s := shape.FitSigmoid(bins)
		if !s.OK || s.W0 <= 0 {
			return sheet.Errorf("%s: higher values do not win more often, so no scale gives win probabilities: set it with --scale", f.Name)
		}
		w = s.W0
	}
	f.W0 = strconv.FormatFloat(w, 'e', -1, 64)
	return nil
}

// mostLevels bounds the groups that --by makes.
const mostLevels = 60

func (c *report) fill(rows []sheet.Fields) error {
	number := map[string]int{}
	for i, f := range c.Forecasts {
		number[f.Name] = i
	}
	levels := map[string]int{}
	for _, f := range rows {
		k := judgement{
			Forecast: f.Text("forecast"), Kind: f.Text("kind"), Level: f.Text("level"), Positions: f.Whole("positions"), Games: f.Whole("games"),
			Mean: f.Number("forecast_mean"), Won: f.Number("won"), Low: f.Number("low"), High: f.Number("high"),
			LogLoss: f.Number("log_loss"), SE: f.OrNaN("log_loss_se"), Brier: f.Number("brier"), Accuracy: f.OrNaN("accuracy"), OrderAgreement: f.OrNaN("order_agreement"),
			ShareSE: f.Number("se"), Difference: f.IfThere("difference"), DifferenceLow: f.IfThere("difference_low"), DifferenceHigh: f.IfThere("difference_high"), EffectiveGames: f.Number("effective_games"),
		}
		k.Number = number[k.Forecast]
		if c.Rows = append(c.Rows, k); k.Number == 0 && k.Kind != "bin" {
			if levels[k.Kind]++; levels[k.Kind] > mostLevels {
				return fmt.Errorf("--by %s: more than %d groups: cut it into bands, as in %s=floor(x / 10) * 10", k.Kind, mostLevels, k.Kind)
			}
		}
	}
	for i, f := range c.Forecasts {
		if len(c.judgements(i, "all")) == 0 {
			return sheet.Errorf("%s: no held-out position with a value counts: hold out more with --holdout, or count draws with --draws half", f.Name)
		}
	}
	return nil
}

// judgements are the rows of forecast i of a kind.
func (c *report) judgements(i int, kind string) []judgement {
	return lists.Where(c.Rows, func(k judgement) bool { return k.Number == i && k.Kind == kind })
}

// calibrationError is the mean distance of won from forecast over the bins, weighted
// with their positions (expected calibration error, Naeini, Cooper and Hauskrecht 2015).
func (c *report) calibrationError(i int) float64 {
	sum, n := 0.0, 0.0
	for _, k := range c.judgements(i, "bin") {
		sum += float64(k.Positions) * math.Abs(k.Won-k.Mean)
		n += float64(k.Positions)
	}
	return sum / n
}

// calibrationNoise is the calibration error that a right forecast would have on so many games,
// on average: in a bin the mean of the absolute value of a normal error.
func (c *report) calibrationNoise(i int) float64 {
	sum, n := 0.0, 0.0
	for _, k := range c.judgements(i, "bin") {
		sum += float64(k.Positions) * k.ShareSE * math.Sqrt(2/math.Pi)
		n += float64(k.Positions)
	}
	return sum / n
}
