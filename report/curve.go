package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/query"
)

// How a curve counts draws.
const (
	DrawsExclude = "exclude" // not at all, as in the paper
	DrawsHalf    = "half"    // as half a win
	DrawsBands   = "bands"   // as themselves: shares won, drawn and lost
)

// Where the 95 % intervals of a curve come from.
const (
	IntervalRobust    = "robust"    // Wilson's at the effective number of positions, from the linearised variance by game
	IntervalBootstrap = "bootstrap" // games drawn with replacement, bias-corrected and accelerated
	IntervalWilson    = "wilson"    // positions taken as independent
)

// CurveParams is everything that changes a curve report.
type CurveParams struct {
	Values   []string      `json:"values,omitempty"`    // columns, a curve each; none: the labels' last search (meta leaf)
	Bin      float64       `json:"bin,omitempty"`       // width; 0: by the unit, see binOf
	MinCount int64         `json:"min_count,omitempty"` // positions of a bin that is drawn; 0: 1000, or 100 where that would hide a fifth of a curve
	Draws    string        `json:"draws"`               // DrawsExclude, DrawsHalf or DrawsBands; empty: exclude
	Interval string        `json:"interval"`            // IntervalRobust, IntervalBootstrap or IntervalWilson; empty: robust
	Seed     uint64        `json:"seed,omitempty"`      // of the bootstrap
	When     []query.Named `json:"when,omitempty"`      // conditioned curves
	Sources  []string      `json:"sources"`             // names of the inputs
	Workers  int           `json:"-"`                   // threads; 0: one a processor; the output does not depend on it
}

// Validate reports the first parameter that makes no sense whatever the labels.
func (p CurveParams) Validate() error {
	switch {
	case p.Draws != "" && !slices.Contains([]string{DrawsExclude, DrawsHalf, DrawsBands}, p.Draws):
		return fmt.Errorf("draws %q: want %s or %s, or %s", p.Draws, DrawsExclude, DrawsHalf, DrawsBands)
	case p.Interval != "" && !slices.Contains([]string{IntervalRobust, IntervalBootstrap, IntervalWilson}, p.Interval):
		return fmt.Errorf("interval %q: want %s, %s or %s", p.Interval, IntervalRobust, IntervalBootstrap, IntervalWilson)
	case p.Bin != 0 && !(p.Bin >= narrowest && p.Bin <= widest):
		return fmt.Errorf("bin %v: want a width from %v to %v, or 0 for the usual one", p.Bin, narrowest, widest)
	case p.MinCount < 0:
		return fmt.Errorf("min count %d: want a number that is not negative", p.MinCount)
	}
	for i, v := range p.Values {
		if slices.Contains(p.Values[:i], v) {
			return fmt.Errorf("value %s: named twice", v)
		}
	}
	for _, n := range p.When {
		if n.Name == totalName {
			return fmt.Errorf("condition %q: that is the name of the curve of all positions: take another", n.Name)
		}
	}
	return nil
}

// The widths of bins for which the number of a bin is an int32 whatever the value.
const narrowest, widest = 1e-4, 1e9

// binOf is the width of a bin in the evaluator's unit when none is asked for: a quarter
// of a pawn, a tenth of a man, two discs or points, a line. Others take it as a flag.
var binOf = map[string]float64{"centipawns": 25, "discs": 2, "points": 2, "centimen": 10, "lines": 1}

// curve is one curve: the total of a source, or one of its conditions.
type curve struct {
	Source, Name string
	SQL          string // of the condition; empty: total
	Bins         []bin  // shown, by ascending value
	Won, NotLost []bin  // with bands, the shares of wins and of wins and draws in the same bins
	Games        int64  // in all bins together
	Omitted      tally  // bins below the minimum
	Forced       int64  // positions whose evaluation is a forced win
	ForcedWon    float64
	NoValue      int64
	Unfinished   int64 // positions of games without a result
	Draws        int64 // in bins, shown or not

	Sigmoid sigmoid
	Steps   steps
	Gap     *gap // of a condition, to its source's total
}

// bin is a row of the query.
type bin struct {
	V                   float64 // centre
	Positions, Games    int64
	Wins, Draws, Losses int64
	P, SE               float64
	Low, High           float64
	won                 float64 // wins, and half the draws when they count
}

type tally struct{ Bins, Positions int64 }

// curves is what the page and the pictures are made of.
type curves struct {
	Params   CurveParams
	Unit     string
	Value    string
	Bin      float64
	MinCount int64
	query    curveSQL
	Lowered  bool // the minimum was lowered from the paper's 1,000
	Sources  []source
	Curves   []*curve // by source, the total first
	SQL      string
	Rows     *query.Result
}

type source struct {
	Name, Column      string // Column is the evaluation
	Key, Game, Zeroed string
	Rows              int64
	Dedup             bool
}

// Curve draws the evaluation curves of labels: in has one dataset a name in p.Sources.
func Curve(ctx context.Context, p CurveParams, in []*datasets.Dir, out Output) error {
	db, err := query.Open(ctx, query.Options{Threads: p.Workers})
	if err != nil {
		return err
	}
	defer db.Close()
	c, err := runCurve(ctx, db, p, in)
	if err != nil {
		return err
	}
	views, err := c.views(ctx, db)
	if err != nil {
		return err
	}
	out.SetMeta("unit", c.Unit)
	out.SetMeta("value", c.Value)
	return c.write(out, views)
}

// runCurve asks the query and computes what hangs on its rows.
func runCurve(ctx context.Context, db *query.DB, p CurveParams, in []*datasets.Dir) (*curves, error) {
	if len(in) == 0 || len(in) != len(p.Sources) {
		return nil, fmt.Errorf("%d datasets for %d names", len(in), len(p.Sources))
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Draws == "" {
		p.Draws = DrawsExclude
	}
	if p.Interval == "" {
		p.Interval = IntervalRobust
	}
	c := &curves{Params: p}
	names, err := attach(ctx, db, in, p.Sources, "labels")
	if err != nil {
		return nil, err
	}
	values := p.Values
	if len(values) == 0 {
		values = []string{""}
	}
	for i, d := range in {
		for _, v := range values {
			if err := c.add(ctx, db, d, names[i], v); err != nil {
				return nil, err
			}
		}
	}
	c.nameSources(len(in))
	return c, c.ask(ctx, db)
}

// nameSources tells the columns of one dataset apart.
func (c *curves) nameSources(datasets int) {
	if len(c.Sources) == datasets {
		return
	}
	for i := range c.Sources {
		s := &c.Sources[i]
		if datasets == 1 {
			s.Name = plainName(s.Column)
		} else {
			s.Name += ", " + plainName(s.Column)
		}
		c.query.Sources[i].Quoted = quoteText(s.Name)
	}
}

// plainName is the name of a column as a person would write it.
func plainName(column string) string { return strings.ReplaceAll(column, "_", " ") }

// ask puts the query for the bin width and draws of c.
func (c *curves) ask(ctx context.Context, db *query.DB) error {
	q := &c.query
	q.Counted, q.Bands = c.Params.Draws != DrawsExclude, c.Params.Draws == DrawsBands
	q.MinCount, q.Curves = c.Params.MinCount, conditions(c.Params.When)
	q.Bin = strconv.FormatFloat(c.Bin, 'f', -1, 64)
	var err error
	if c.SQL, err = q.text(); err != nil {
		return err
	}
	result, err := db.Query(ctx, c.SQL)
	if err != nil {
		return err
	}
	rows, err := result.All()
	if err != nil {
		return err
	}
	c.Rows = query.NewResult(result.Columns, rows)
	if c.Params.Interval == IntervalBootstrap {
		if err := c.bootstrap(ctx, db); err != nil {
			return err
		}
	}
	return c.take()
}

// add takes in one more source, a column of d (empty: of the labels' last search), and
// sees that it goes with those before.
func (c *curves) add(ctx context.Context, db *query.DB, d *datasets.Dir, name, value string) error {
	unit := d.Manifest.Meta["unit"]
	if value == "" {
		value = d.Manifest.Meta["leaf"]
	}
	if value == "" {
		return dataErrorf("%s does not say which column is the evaluation: name one with --value", d.Path)
	}
	typ, err := db.Expression(ctx, d, query.Named{Name: "value", SQL: query.QuoteName(value)})
	if err != nil {
		return err
	}
	if !query.IsNumber(typ) {
		return dataErrorf("%s: column %s is %s, and no evaluation: name a column of numbers with --value", d.Path, value, typ)
	}
	for _, n := range c.Params.When {
		if err := db.Condition(ctx, d, n); err != nil {
			return err
		}
	}
	if len(c.Sources) == 0 {
		c.Unit, c.Value, c.Bin = unit, value, c.Params.Bin
		if c.Bin == 0 {
			c.Bin = binOf[unit]
		}
		if c.Bin == 0 {
			return dataErrorf("%s: no usual width of a bin for values in %q: give one with --bin", d.Path, unit)
		}
	}
	if unit != c.Unit {
		return fmt.Errorf("%s has values in %s, %s in %s: they do not go on one axis", c.Sources[0].Name, c.Unit, name, unit)
	}
	if value != c.Value {
		c.Value = "evaluation"
	}
	dedup := d.Table.Index("occurrences") >= 0
	c.Sources = append(c.Sources, source{
		Name: name, Column: value, Key: d.Manifest.Key, Game: d.Manifest.Meta["game"], Zeroed: d.Manifest.Meta["zeroed"], Rows: d.Rows(), Dedup: dedup,
	})
	c.query.Sources = append(c.query.Sources, sourceSQL{View: query.QuoteName(name), Quoted: quoteText(name), Value: inUnit(value, unit), Dedup: dedup})
	return nil
}

// inUnit is the column as SQL in the evaluator's unit. Comments are in hundredths
// whatever the unit; forced wins stay what they are.
func inUnit(column, unit string) string {
	name := query.QuoteName(column)
	if column != "comment_value" || strings.HasPrefix(unit, "centi") {
		return name
	}
	return "(CASE WHEN abs(" + name + ") < 31000 THEN " + name + " / 100 ELSE " + name + " END)"
}

// take sorts the rows of the query into curves.
func (c *curves) take() error {
	rows, err := c.Rows.All()
	if err != nil {
		return err
	}
	for _, s := range c.Sources {
		c.Curves = append(c.Curves, &curve{Source: s.Name, Name: totalName})
		for _, n := range c.Params.When {
			c.Curves = append(c.Curves, &curve{Source: s.Name, Name: n.Name, SQL: n.SQL})
		}
	}
	for _, row := range rows {
		f := fields{c.Rows.Columns, row}
		i := slices.IndexFunc(c.Curves, func(k *curve) bool {
			return k.Source == f.text("source") && k.Name == f.text("curve")
		})
		c.MinCount = f.whole("min_count")
		c.Curves[i].take(f, c.Params)
	}
	c.Lowered = c.Params.MinCount == 0 && c.MinCount < 1000
	var total *curve
	for _, k := range c.Curves {
		k.Steps = stepsOf(k.Bins)
		if k.SQL == "" {
			total = k
			k.Sigmoid = fitSigmoid(k.Bins)
			if len(k.Bins) == 0 && k.Omitted.Positions == 0 {
				return dataErrorf("%s: no position with an evaluation is of a game that counts: are there results, or draws alone (--draws half)?", k.Source)
			}
			if len(k.Bins) == 0 {
				return dataErrorf("%s: no bin of width %v has %d positions of decided games: make the bins wider with --bin or allow fewer with --min-count", k.Source, c.Bin, c.MinCount)
			}
			continue
		}
		k.Gap = gapBetween(total.Bins, k.Bins)
	}
	return nil
}

func (k *curve) take(f fields, p CurveParams) {
	b := bin{
		V: f.number("bin"), Positions: f.whole("positions"), Games: f.whole("games"),
		Wins: f.whole("wins"), Draws: f.whole("draws"), Losses: f.whole("losses"),
		P: f.number("win_probability"), SE: f.number("se"), Low: f.number("low"), High: f.number("high"),
	}
	if p.Interval != IntervalRobust {
		b.Low, b.High = f.number(p.Interval+"_low"), f.number(p.Interval+"_high")
	}
	b.won = float64(b.Wins)
	if p.Draws != DrawsExclude {
		b.won += float64(b.Draws) / 2
	}
	if p.Draws == DrawsBands && f.text("line") != "score" {
		switch {
		case !f.truth("shown"):
		case f.text("line") == "won":
			k.Won = append(k.Won, b)
		default:
			k.NotLost = append(k.NotLost, b)
		}
		return
	}
	k.Games = f.whole("curve_games")
	k.Unfinished += f.whole("unfinished")
	switch kind := f.text("kind"); {
	case kind == "no value":
		k.NoValue += b.Positions
	case strings.HasPrefix(kind, "forced"):
		k.Forced += b.Positions
		if kind == "forced first" {
			k.ForcedWon += b.won
		} else {
			k.ForcedWon += float64(b.Positions) - b.won
		}
	default:
		k.Draws += b.Draws
		if f.truth("shown") {
			k.Bins = append(k.Bins, b)
			return
		}
		if b.Positions > 0 {
			k.Omitted.Bins++
			k.Omitted.Positions += b.Positions
		}
	}
}

// Total reports whether k is the curve of all positions.
func (k *curve) Total() bool { return k.SQL == "" }

// Positions are those of the bins shown.
func (k *curve) Positions() (n int64) {
	for _, b := range k.Bins {
		n += b.Positions
	}
	return n
}

// fields reads a row by column names. The queries are this package's own: a name that
// is not there is a mistake in the code.
type fields struct {
	columns []query.Column
	row     []any
}

func (f fields) at(name string) any {
	for i, c := range f.columns {
		if c.Name == name {
			return f.row[i]
		}
	}
	panic("report: the query has no column " + name)
}

func (f fields) text(name string) string { s, _ := f.at(name).(string); return s }
func (f fields) truth(name string) bool  { b, _ := f.at(name).(bool); return b }
func (f fields) whole(name string) int64 { n, _ := f.at(name).(int64); return n }
func (f fields) number(name string) float64 {
	switch v := f.at(name).(type) {
	case float64:
		return v
	case float32:
		return float64(v)
	case int64:
		return float64(v)
	}
	return 0
}
