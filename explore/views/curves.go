package views

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/internal/step"
	"kifu/internal/table"
	"kifu/internal/tomldoc"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/curve"
	"kifu/report/shape"
	"kifu/schemas"
)

// mostConditions is how many conditions are drawn together: as many as there are colours.
const mostConditions = 7

// curvesPage is the data of curves.html.
type curvesPage struct {
	Set              *site.Set
	Sets             []*site.Set
	Values, Columns  []string
	Value, Draws     string
	Unit             string
	Bin, Least       string
	Boxes            []box
	Failure          string // of the whole picture
	Plot             *parts.Plot
	Lead             string
	Tables           []table.Table
	Notes            []string
	Saved            []saved
	From, To         string
	Of               int // condition that is listed, from 1; 0: the total
	Listing          *listing
	Curves           []string // to choose one that is listed
	BinWidth         float64
	Positions, Games int64
	Example          string // of a condition
}

// box is a typed condition.
type box struct {
	Name, SQL, Error string
	Colour           int
}

// saved is a condition, or all of them, in a form for another command.
type saved struct{ What, Text string }

// curvesView draws the curves of conditions over the total and lists the positions of a
// range: on, when and name (a list each), value, draws, bin, least, from, to, of.
func curvesView(c *call) (*page, error) {
	d := c.set
	data := &curvesPage{Set: d, Sets: c.sets, Values: numberColumns(d), Columns: columnNames(d), Draws: c.here.Get("draws"),
		Bin: c.here.Get("bin"), Least: c.here.Get("least"), From: c.here.Get("from"), To: c.here.Get("to"), Of: c.here.Number("of", 0)}
	data.Example = d.Value() + " > 0"
	if groups := d.List("groups"); len(groups) > 0 {
		data.Example = groups[len(groups)/2] + " > 0"
	}
	when := c.boxes(d, data)
	p := &page{Title: titled("Curves", d), Data: data}
	live, err := c.live(d)
	if err != nil {
		return p, c.show(&data.Failure, err)
	}
	data.Value, data.Unit, data.BinWidth = live.Value(), live.Unit(), live.Bin()
	report, err := live.Draw(c.ctx, c.db, when)
	if err != nil {
		return p, c.show(&data.Failure, err)
	}
	data.fillFrom(report, p)
	data.Saved = savedForms(d, when, data)
	return p, c.brushed(d, when, data)
}

// fillFrom fills in the report's texts and pictures.
func (data *curvesPage) fillFrom(report *curve.Report, p *page) {
	picture := report.Chart()
	document := report.Document()
	data.Plot = parts.PlotOf(picture)
	data.Plot.Brush, data.Plot.Step = []string{"from", "to"}, report.Bin
	data.Lead, data.Tables, data.Notes = document.Lead, document.Tables, document.Notes
	for _, k := range report.Curves {
		data.Curves = append(data.Curves, k.Name)
	}
	data.Positions, data.Games = report.Curves[0].Positions(), report.Curves[0].Games
	p.SQL, p.Rows, p.Chart = report.SQL, report.Rows(), chart.Picture(picture)
}

// boxes checks the conditions one by one and returns the valid ones; each other one shows its error.
// The last box is empty, for one more.
func (c *call) boxes(d *site.Set, data *curvesPage) (when []query.Named) {
	names := c.here.Values["name"]
	for i, sql := range c.here.Values["when"] {
		if sql = strings.TrimSpace(sql); sql == "" || len(data.Boxes) == mostConditions {
			continue
		}
		b := box{SQL: sql}
		if i < len(names) {
			b.Name = strings.TrimSpace(names[i])
		}
		if b.Name == "" || slices.ContainsFunc(when, func(n query.Named) bool { return n.Name == b.Name }) {
			b.Name = freeName(when)
		}
		n := query.Named{Name: b.Name, SQL: sql}
		if _, err := query.ParseNamed([]string{n.Name + "=x"}); err != nil || n.Name == "total" {
			b.Error = "a name may have letters, digits, _, - and spaces, and must not be total"
		} else if err := c.db.Condition(c.ctx, d.Dir, n); err != nil {
			b.Error = strings.TrimPrefix(err.Error(), n.Name+"="+n.SQL+": ")
		} else {
			when = append(when, n)
			b.Colour = len(when)
		}
		data.Boxes = append(data.Boxes, b)
	}
	if len(data.Boxes) < mostConditions {
		data.Boxes = append(data.Boxes, box{})
	}
	return when
}

// freeName is the first letter that names no condition.
func freeName(when []query.Named) string {
	for letter := 'a'; ; letter++ {
		if !slices.ContainsFunc(when, func(n query.Named) bool { return n.Name == string(letter) }) {
			return string(letter)
		}
	}
}

// live draws the curves of d by the address; it is kept from page to page.
func (c *call) live(d *site.Set) (*curve.Live, error) {
	p := curve.Params{Draws: c.here.Get("draws"), Workers: c.site.limits.Threads}
	if v := c.here.Get("value"); v != "" {
		p.Values = []string{v}
	}
	p.Bin, _ = c.here.Real("bin")
	p.MinCount = int64(c.here.Number("least", 0))
	key := fmt.Sprintf("%s\x00%v", d.Name, p)
	c.site.mu.Lock()
	live := c.site.lives[key]
	c.site.mu.Unlock()
	if live != nil {
		return live, nil
	}
	names, in := []string{d.Name}, []*datasets.Dir{d.Dir}
	if games := d.GamesOf(); games != nil {
		names, in = append(names, games.Name), append(in, games.Dir)
	}
	live, err := curve.NewLive(c.ctx, c.db, names, in, p)
	if err != nil {
		return nil, complaint{http.StatusBadRequest, err}
	}
	c.site.mu.Lock()
	defer c.site.mu.Unlock()
	if len(c.site.lives) >= mostLives {
		clear(c.site.lives)
	}
	c.site.lives[key] = live
	return live, nil
}

// mostLives is the number of datasets and ways to draw them whose curves are kept.
const mostLives = 50

// brushed lists the positions of a range of values of one curve.
func (c *call) brushed(d *site.Set, when []query.Named, data *curvesPage) error {
	from, hasFrom := c.here.Real("from")
	to, hasTo := c.here.Real("to")
	if !hasFrom && !hasTo {
		return nil
	}
	var all []string
	value := query.QuoteName(data.Value)
	if hasFrom {
		all = append(all, fmt.Sprintf("%s >= %v", value, from))
	}
	if hasTo {
		all = append(all, fmt.Sprintf("%s < %v", value, to))
	}
	all = append(all, fmt.Sprintf("abs(%s) <= %d", value, schemas.Decided))
	if data.Of > 0 && data.Of <= len(when) {
		all = append(all, "("+when[data.Of-1].SQL+"\n)")
	} else {
		data.Of = 0
	}
	var err error
	data.Listing, err = c.list(d, listOf{Where: strings.Join(all, " AND "), Order: orderMixed, Most: 24})
	return err
}

// savedForms are the conditions as flags, as a step of a study and as a split to be tested.
func savedForms(d *site.Set, when []query.Named, data *curvesPage) (all []saved) {
	if len(when) == 0 {
		return nil
	}
	var flags, tested, quoted []string
	for _, n := range when {
		one := strings.Join(strings.Fields(n.SQL), " ")
		flags = append(flags, "--when "+step.Quote(n.Name+"="+one))
		tested = append(tested, "--condition "+step.Quote(n.Name+"="+one))
		quoted = append(quoted, tomldoc.Quote(step.Literal(n.Name+"="+one)))
	}
	draws, line := "", ""
	if data.Draws != "" && data.Draws != shape.DrawsExclude {
		draws, line = " --draws "+data.Draws, "draws = "+tomldoc.Quote(data.Draws)+"\n"
	}
	dataset := step.Quote(d.Path)
	return []saved{
		{"Curve report", "kifu report curve --out curve " + strings.Join(flags, " ") + draws + " " + dataset},
		{"Study step", "[[step]]\nname = \"curve\"\nrun = \"report curve\"\nargs = " + tomldoc.Quote(step.Literal(d.Path)) + "\n" + line + "when = [" + strings.Join(quoted, ", ") + "]"},
		{"Split test", "kifu report split --out split " + strings.Join(tested, " ") + " " + dataset},
	}
}
