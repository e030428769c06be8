// Package curve draws evaluation curves of labels: the share of games won against the
// evaluation, of all positions and of those where a condition holds (Takeuchi, Kaneko,
// Yamaguchi and Kawai 2007). Intervals are clustered by game.
package curve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games/board"
	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/examples"
	"kifu/report/page"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Where the 95 % intervals of a curve come from.
const (
	IntervalRobust    = "robust"    // Wilson's at the effective number of positions, from the linearised variance by game
	IntervalBootstrap = "bootstrap" // games sampled with replacement, bias-corrected and accelerated
	IntervalWilson    = "wilson"    // positions taken as independent
)

// Params is everything that changes a curve report.
type Params struct {
	Values   []string      `json:"values,omitempty"`    // columns, a curve each; none: the labels' last search (meta leaf)
	Bin      float64       `json:"bin,omitempty"`       // width; 0: by the unit, see eval.UnitOf
	MinCount int64         `json:"min_count,omitempty"` // positions of a bin that is drawn; 0: 1000, or 100 where that would hide a fifth of a curve
	Draws    string        `json:"draws"`               // DrawsExclude, DrawsHalf or DrawsBands; empty: exclude
	Interval string        `json:"interval"`            // IntervalRobust, IntervalBootstrap or IntervalWilson; empty: robust
	Seed     uint64        `json:"seed,omitempty"`      // of the bootstrap
	When     []query.Named `json:"when,omitempty"`      // conditioned curves
	Sources  []string      `json:"sources"`             // names of the inputs
	Workers  int           `json:"-"`                   // threads; 0: one a processor; the output does not depend on it
	sheet.Clusters
}

// Validate reports the first parameter that makes no sense whatever the labels.
func (p Params) Validate() error {
	switch {
	case p.Draws != "" && !slices.Contains([]string{shape.DrawsExclude, shape.DrawsHalf, shape.DrawsBands}, p.Draws):
		return fmt.Errorf("draws %q: want %s or %s, or %s", p.Draws, shape.DrawsExclude, shape.DrawsHalf, shape.DrawsBands)
	case p.Interval != "" && !slices.Contains([]string{IntervalRobust, IntervalBootstrap, IntervalWilson}, p.Interval):
		return fmt.Errorf("interval %q: want %s, %s or %s", p.Interval, IntervalRobust, IntervalBootstrap, IntervalWilson)
	case p.Bin != 0 && !(p.Bin >= narrowest && p.Bin <= widest):
		return fmt.Errorf("bin %v: want a width from %v to %v, or 0 for the default", p.Bin, narrowest, widest)
	case p.MinCount < 0:
		return fmt.Errorf("min count %d: want 0 or more", p.MinCount)
	}
	for i, v := range p.Values {
		if slices.Contains(p.Values[:i], v) {
			return fmt.Errorf("value %s: named twice", v)
		}
	}
	for _, n := range p.When {
		if n.Name == totalName {
			return fmt.Errorf("condition %q: this is the name of the curve of all positions: choose another", n.Name)
		}
	}
	return nil
}

// The widths of bins for which the number of a bin is an int32 whatever the value.
const narrowest, widest = 1e-4, 1e9

// Curve is one curve: the total of a source, or one of its conditions.
type Curve struct {
	Source, Name string
	SQL          string      // of the condition; empty: total
	Says         string      // the condition in words; empty: its SQL
	Bins         []shape.Bin // shown, by ascending value
	Won, NotLost []shape.Bin // with bands, the shares of wins and of wins and draws in the same bins
	Games        int64       // in all bins together
	Omitted      tally       // bins below the minimum
	Forced       int64       // positions whose evaluation is a forced win
	ForcedWon    float64
	NoValue      int64
	Unfinished   int64 // positions of games without a result
	Draws        int64 // in bins, shown or not

	Sigmoid shape.Sigmoid
	Steps   shape.Steps
	Gap     *shape.Gap // of a condition, to its source's total
}

type tally struct{ Bins, Positions int64 }

// Report holds the contents of the page and of the pictures.
type Report struct {
	Params   Params
	Unit     string
	Value    string
	Sides    [2]string // of the first source's game
	Bin      float64
	MinCount int64
	query    querySQL
	rows     []estimate // of the query, in its order
	errors   string     // how they were taken
	Lowered  bool       // the minimum was lowered from the paper's 1,000
	Sources  sheet.Sources
	Curves   []*Curve // by source, the total first
	SQL      string
}

// Make draws the evaluation curves of labels: in has one dataset a name in p.Sources.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	var views []chart.View
	c, err := sheet.Ask(ctx, p.Workers, func(db *query.DB) (c *Report, err error) {
		if c, err = Run(ctx, db, p, in); err == nil {
			views, err = c.views(ctx, db)
		}
		return c, err
	})
	if err != nil {
		return err
	}
	out.SetMeta("unit", c.Unit)
	out.SetMeta("value", c.Value)
	boards, err := examples.Add(ctx, out, "curve-examples.csv", in[0], c.Sources[0].Column, p.Workers, c.asks())
	if err != nil {
		return err
	}
	return c.write(out, views, boards)
}

// asks wants positions of the conditions, from the first source.
func (c *Report) asks() (all []examples.Ask) {
	for _, k := range c.Curves {
		if k.SQL != "" && k.Source == c.Sources[0].Name && k.Gap != nil {
			all = append(all, examples.Ask{Name: k.Name, Condition: k.SQL, More: k.Gap.Signed > 0})
		}
	}
	return all
}

// Run sums up the labels, and computes what hangs on the sums.
func Run(ctx context.Context, db *query.DB, p Params, in []*datasets.Dir) (*Report, error) {
	inputs := in
	if len(p.Names) > 0 && len(in) > len(p.Sources) {
		in = in[:len(p.Sources)]
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p.Draws = cmp.Or(p.Draws, shape.DrawsExclude)
	p.Interval = cmp.Or(p.Interval, IntervalRobust)
	c := &Report{Params: p}
	names, err := sheet.Attach(ctx, db, in, p.Sources, "labels")
	if err != nil {
		return nil, err
	}
	values := p.Values
	if len(values) == 0 {
		values = []string{""}
	}
	var games []sheet.Contender // in whose games players are looked up
	for i, d := range in {
		var who *known
		if i < len(p.Names) && p.Names[i] >= 0 {
			who = &known{games: inputs[p.Names[i]], names: dyads.NewNames(p.Aliases)}
		}
		for _, v := range values {
			if err := c.add(ctx, db, d, names[i], v); err != nil {
				return nil, err
			}
			at := len(c.Sources) - 1
			if c.query.Sources[at].known = who; !c.Sources[at].Dedup {
				games = append(games, sheet.Contender{Index: at, Source: names[i], View: query.View(names[i])})
			}
		}
	}
	if p.Interval != IntervalWilson {
		if c.query.Players, err = p.Clusters.Attach(ctx, db, inputs, p.Sources, games); err != nil {
			return nil, err
		}
	}
	c.nameSources(len(in))
	c.ways()
	if c.SQL, err = c.query.text(); err != nil {
		return nil, err
	}
	if err := c.sum(ctx, db); err != nil {
		return nil, err
	}
	c.errors = c.note()
	return c, c.fill()
}

// note reports how errors were taken, when the players are read.
func (c *Report) note() string {
	var who []sheet.Known
	for _, k := range c.query.Players.Sources {
		if of := c.query.Sources[k.Index].known; of.of != nil && of.of.Games > of.of.Unnamed {
			who = append(who, of.who)
		}
	}
	return c.query.Players.NoteOf(who)
}

// nameSources gives the columns of each dataset its name.
func (c *Report) nameSources(datasets int) {
	if len(c.Sources) == datasets {
		return
	}
	for i := range c.Sources {
		s := &c.Sources[i]
		if datasets == 1 {
			s.Name = sheet.PlainName(s.Column)
		} else {
			s.Name += ", " + sheet.PlainName(s.Column)
		}
		c.query.Sources[i].Quoted = query.QuoteText(s.Name)
	}
}

// sum reads the labels of all sources and finishes the sums.
func (c *Report) sum(ctx context.Context, db *query.DB) error {
	all := make([][]*sums, len(c.Sources))
	for i := range all {
		var err error
		if all[i], err = c.sumsOf(ctx, db, i, c.query.Curves); err != nil {
			return err
		}
	}
	c.finish(all)
	return nil
}

// finish makes the rows of the sums.
func (c *Report) finish(all [][]*sums) {
	c.MinCount = c.minimum(all)
	c.rows = c.estimates(all)
	if c.Params.Interval == IntervalBootstrap {
		c.bootstrap()
	}
}

// ways puts the parameters of c into its query.
func (c *Report) ways() {
	c.query.MinCount, c.query.Curves = c.Params.MinCount, conditions(c.Params.When)
	c.query.Counted, c.query.Bands = c.Params.Draws != shape.DrawsExclude, c.Params.Draws == shape.DrawsBands
	c.query.Bin = strconv.FormatFloat(c.Bin, 'f', -1, 64)
}

// add takes in one more source, a column of d (empty: of the labels' last search), and
// sees that it goes with those before.
func (c *Report) add(ctx context.Context, db *query.DB, d *datasets.Dir, name, value string) error {
	value, err := sheet.Evaluation(ctx, db, d, value)
	if err != nil {
		return err
	}
	unit := sheet.UnitOf(d, value)
	for _, n := range c.Params.When {
		if err := db.Condition(ctx, d, n); err != nil {
			return err
		}
	}
	if len(c.Sources) == 0 {
		c.Unit, c.Value, c.Sides = unit, value, board.SidesOf(ctx, d.Manifest.Meta["game"])
		if c.Bin, err = BinWidth(d, value, c.Params.Bin); err != nil {
			return err
		}
	}
	if unit != c.Unit {
		return fmt.Errorf("%s has values (%s) in %s, %s (%s) in %s: they cannot share an axis: make separate reports, or compare them with kifu report calibration",
			c.Sources[0].Name, c.Sources[0].Column, c.Unit, name, value, unit)
	}
	if value != c.Value {
		c.Value = "evaluation"
	}
	of := sheet.SourceOf(d, name, value)
	c.Sources = append(c.Sources, of)
	c.query.Sources = append(c.query.Sources, sourceSQL{View: query.View(name), Quoted: query.QuoteText(name), Value: inUnit(value, unit), Dedup: of.Dedup, stored: isStored(d, of, inUnit(value, unit)), dir: d})
	return nil
}

// BinWidth returns the width of bins of a column of values of d in their unit: the one asked
// for, or for 0 the usual one of the unit. It is an Error if the unit has none.
func BinWidth(d *datasets.Dir, column string, asked float64) (float64, error) {
	unit := sheet.UnitOf(d, column)
	if width := cmp.Or(asked, eval.UnitOf(unit).Bin); width > 0 {
		return width, nil
	}
	return 0, sheet.Errorf("%s: no default bin width for values in %q: give one with --bin", d.Path, unit)
}

// inUnit is the column as SQL in the evaluator's unit. Comments are in hundredths
// whatever the unit; forced wins stay what they are.
func inUnit(column, unit string) string {
	name := query.QuoteName(column)
	if per := eval.UnitOf(unit).Per; column != "comment_value" || per == 100 {
		return name
	}
	return fmt.Sprintf("(CASE WHEN abs(%s) <= %d THEN %s / 100 ELSE %s END)", name, schemas.Decided, name, name)
}

// fill sorts the rows into curves.
func (c *Report) fill() error {
	for _, s := range c.Sources {
		c.Curves = append(c.Curves, &Curve{Source: s.Name, Name: totalName})
		for _, n := range c.Params.When {
			c.Curves = append(c.Curves, &Curve{Source: s.Name, Name: n.Name, SQL: n.SQL})
		}
	}
	for i := range c.rows {
		e := &c.rows[i]
		c.Curves[e.source*len(c.query.Curves)+e.curve].fill(e, c)
	}
	c.Lowered = c.Params.MinCount == 0 && c.MinCount < 1000
	var total *Curve
	for _, k := range c.Curves {
		k.Steps = shape.StepsOf(k.Bins)
		if k.SQL == "" {
			total = k
			k.Sigmoid = shape.FitSigmoid(k.Bins)
			if len(k.Bins) == 0 && k.Omitted.Positions == 0 {
				return sheet.Errorf("%s: no position with an evaluation is from a decided game: results are missing, or all games are drawn (count draws with --draws half)", k.Source)
			}
			if len(k.Bins) == 0 {
				return sheet.Errorf("%s: no bin of width %v has %d positions of decided games: make the bins wider with --bin or allow fewer with --min-count", k.Source, c.Bin, c.MinCount)
			}
			continue
		}
		k.Gap = shape.GapBetween(total.Bins, k.Bins)
	}
	return nil
}

func (k *Curve) fill(e *estimate, c *Report) {
	b := shape.Bin{V: c.centre(e.bin), Positions: e.positions, Games: e.games, Wins: e.wins, Draws: e.draws, Losses: e.losses,
		P: orZero(e.share), SE: orZero(e.se), Low: orZero(e.low), High: orZero(e.high), Won: float64(e.wins)}
	switch c.Params.Interval {
	case IntervalBootstrap:
		b.Low, b.High = orZero(e.bootstrapLow), orZero(e.bootstrapHigh)
	case IntervalWilson:
		b.Low, b.High = orZero(e.wilsonLow), orZero(e.wilsonHigh)
	}
	if c.Params.Draws != shape.DrawsExclude {
		b.Won += float64(b.Draws) / 2
	}
	shown := c.shown(e)
	switch e.line {
	case "won":
		if shown {
			k.Won = append(k.Won, b)
		}
		return
	case "not lost":
		if shown {
			k.NotLost = append(k.NotLost, b)
		}
		return
	}
	k.Games = e.curveGames
	k.Unfinished += e.unfinished
	switch e.bin {
	case noBin:
		k.NoValue += b.Positions
	case forcedFirst:
		k.Forced, k.ForcedWon = k.Forced+b.Positions, k.ForcedWon+b.Won
	case forcedSecond:
		k.Forced, k.ForcedWon = k.Forced+b.Positions, k.ForcedWon+float64(b.Positions)-b.Won
	default:
		k.Draws += b.Draws
		if shown {
			k.Bins = append(k.Bins, b)
			return
		}
		if b.Positions > 0 {
			k.Omitted.Bins++
			k.Omitted.Positions += b.Positions
		}
	}
}

// centre returns the centre of a bin; 0 for codes of no bin.
func (c *Report) centre(bin int32) float64 {
	if !isBin(bin) {
		return 0
	}
	return float64(bin) * c.Bin
}

// orZero is a number, 0 if it is unknown.
func orZero(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// Total reports whether k is the curve of all positions.
func (k *Curve) Total() bool { return k.SQL == "" }

// Positions returns the number of positions in the bins shown.
func (k *Curve) Positions() int64 {
	return lists.Sum(k.Bins, func(b shape.Bin) int64 { return b.Positions })
}
