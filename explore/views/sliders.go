package views

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/curve"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
)

// slider is a group of terms whose weights can be changed together, by a factor.
type slider struct{ Name string }

// sliders are the groups that are part of the value of d.
func (c *call) sliders(d *site.Set) (all []slider) {
	if d.Kind() != "labels" || d.Value() == "" || d.Has("occurrences") { // a distinct position is of many games
		return nil
	}
	for _, name := range d.List("groups") {
		if !slices.Contains(d.List("zeroed"), name) && d.Has(name) {
			all = append(all, slider{name})
		}
	}
	return all
}

// changed holds the values of a position and of a sample by other weights.
type changed struct {
	Value  string      `json:"value"`
	Plot   *parts.Plot `json:"plot"`
	Losses string      `json:"losses"`
	Scales string      `json:"scales"`
	Sample string      `json:"sample"`
	Total  float64     `json:"total"` // the value as a number
}

// sampleRows is about how many labels the sample has, of whole games.
const sampleRows = 200_000

// weightsView answers a script with the value of a position, and the curve and log-loss of a
// sample, under factors of groups: on, game, ply, and f.GROUP for each factor. The variations stay
// what they were.
func weightsView(c *call) (*page, error) {
	d := site.Named(c.site.ofKind("labels"), c.here.Get("on"))
	if d == nil || len(c.sliders(d)) == 0 {
		return nil, c.noSet("labels", nil)
	}
	value := query.QuoteName(d.Value())
	other := value
	for _, s := range c.sliders(d) {
		if f, ok := c.here.Real("f." + s.Name); ok && f != 1 {
			other += fmt.Sprintf(" + (%s) * %s", strconv.FormatFloat(f-1, 'g', -1, 64), query.QuoteName(s.Name))
		}
	}
	other = fmt.Sprintf("(CASE WHEN abs(%s) > %d THEN %s ELSE greatest(-%d, least(%d, %s)) END)", value, schemas.Decided, value, schemas.Decided, schemas.Decided, other)
	out := &changed{}
	if err := c.changedValue(d, other, out); err != nil {
		return nil, err
	}
	every := max(1, d.Rows()/sampleRows)
	out.Sample = fmt.Sprintf("games whose game_id is a multiple of %d", every)
	if every == 1 {
		out.Sample = "all games"
	}
	sample := fmt.Sprintf("FROM %s WHERE game_id %% %d = 0", d.View(), every)
	live, err := c.live(d)
	if err != nil {
		return nil, err
	}
	before, after, err := c.changedCurves(live, d, sample, other, out)
	if err != nil {
		return nil, err
	}
	return &page{JSON: out}, c.losses(live, sample, value, other, before, after, out)
}

// changedValue returns the value of the position.
func (c *call) changedValue(d *site.Set, other string, out *changed) error {
	r, err := c.query(fmt.Sprintf("SELECT %s::DOUBLE FROM %s WHERE game_id = %d AND ply = %d", other, d.View(), c.here.Number("game", -1), c.here.Number("ply", -1)), 1)
	if err != nil {
		return err
	}
	return r.Each(func(row []any) error {
		v, _ := row[0].(float64)
		out.Total, out.Value = v, parts.Short(v)
		return nil
	})
}

// changedCurves draws the curve of the sample with both values and returns their sigmoids.
func (c *call) changedCurves(live *curve.Live, d *site.Set, sample, other string, out *changed) (before, after shape.Sigmoid, err error) {
	key := "sample\x00" + d.Name + "\x00" + sample
	c.site.mu.Lock()
	was := c.site.lives[key]
	if was == nil {
		was = live.From("(SELECT * " + sample + ")")
		c.site.lives[key] = was
	}
	c.site.mu.Unlock()
	now := live.From("(SELECT * REPLACE (" + other + " AS " + query.QuoteName(d.Value()) + ") " + sample + ")")
	a, err := was.Draw(c.ctx, c.db, nil)
	if err != nil {
		return before, after, complaint{400, err}
	}
	b, err := now.Draw(c.ctx, c.db, nil)
	if err != nil {
		return before, after, complaint{400, err}
	}
	out.Plot = both(a, b)
	before, after = a.Curves[0].Sigmoid, b.Curves[0].Sigmoid
	if before.OK && after.OK {
		out.Scales = fmt.Sprintf("scale %s, was %s %s", shape.ScaleText(after), shape.ScaleText(before), a.Unit)
	}
	return before, after, nil
}

// both is the total of two reports in one picture.
func both(a, b *curve.Report) *parts.Plot {
	picture := a.Chart()
	changed := b.Chart()
	picture.Series = append(picture.Series[:1:1], changed.Series[0])
	picture.Series[0].Label, picture.Series[1].Label = "as labelled", "changed"
	picture.Series[1].Colour = 1
	picture.XMin, picture.XMax = math.Min(picture.XMin, changed.XMin), math.Max(picture.XMax, changed.XMax)
	return parts.PlotOf(picture)
}

// losses compares the log-losses of decided games, each value at the scale of its own curve.
func (c *call) losses(live *curve.Live, sample, value, other string, before, after shape.Sigmoid, out *changed) error {
	sql := fmt.Sprintf(`SELECT game_id, count(*) AS positions, sum(ln(1 + exp(-y * %s * a))) AS before, sum(ln(1 + exp(-y * %s * b))) AS after
FROM (SELECT game_id, CASE result WHEN 'first' THEN 1 ELSE -1 END AS y, %s::DOUBLE AS a, %s::DOUBLE AS b %s
	AND result IN ('first', 'second') AND abs(%s) <= %d) GROUP BY game_id ORDER BY game_id`,
		strconv.FormatFloat(before.W0, 'g', -1, 64), strconv.FormatFloat(after.W0, 'g', -1, 64), value, other, sample, value, schemas.Decided)
	r, err := c.query(sql, math.MaxInt)
	if err != nil {
		return err
	}
	var games []int64
	var sizes, was, differences []float64
	err = r.Each(func(row []any) error {
		f := sheet.Fields{Columns: r.Columns, Row: row}
		games, sizes = append(games, f.Whole("game_id")), append(sizes, f.Number("positions"))
		was, differences = append(was, f.Number("before")), append(differences, f.Number("after")-f.Number("before"))
		return nil
	})
	if err != nil {
		return err
	}
	if len(games) == 0 {
		out.Losses = "no decided game in the sample"
		return nil
	}
	sum := func(all []float64) float64 { return lists.Sum(all, func(x float64) float64 { return x }) }
	a := sum(was) / sum(sizes)
	d, reach, by := live.Mean(games, differences, sizes)
	out.Losses = fmt.Sprintf("log-loss %s, was %s: difference %s ± %s (95 %%, by %s; %s of %s, drawn games excluded)", human.Fixed(a+d, 5), human.Fixed(a, 5), human.Signed(d, 5), human.Fixed(reach, 5), by,
		human.Plural(int64(sum(sizes)), "position", "positions"), human.Plural(int64(len(games)), "game", "games"))
	return nil
}
