package wdl

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"

	"kifu/internal/dyads"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/report/chart"
	"kifu/report/shape"
	"kifu/report/sheet"
)

func (r *report) title() string {
	return sheet.Title("Wins, draws and losses", r.Game, []string{r.Of.Source})
}

// resultNames are the names of the results, in the order of their shares.
var resultNames = [results]string{"won", "drawn", "lost"}

// chart has the shares of results by value, with the model's.
func (r *report) chart() *chart.Chart {
	c := &chart.Chart{
		Title: r.title(), Subtitle: fmt.Sprintf("shares of the positions, by value; 95 %% intervals; lines: cubics of %s", r.Params.By),
		XLabel: sheet.ValueAxis(r.Of.Column, r.Unit, r.Sides[0]), YLabel: "share of positions",
		YMax: 1, YTicks: chart.AxisTicks(0, 1, 10, human.Number),
	}
	for k, name := range resultNames {
		s := chart.Series{Label: name, Colour: k + 1}
		line := chart.Series{Label: name + ", model", Colour: k + 1, Dash: 1, Smooth: true}
		for _, b := range r.Bins {
			s.Points = append(s.Points, chart.Point{X: b.x, Y: b.share[k], Low: b.low[k], High: b.high[k], Note: fmt.Sprintf("%s at %s: %s (%s to %s) of %s; by the model %s", name, human.Number(math.Round(b.x)),
				human.Percent(b.share[k], 1), human.Percent(b.low[k], 1), human.Percent(b.high[k], 1), human.Plural(int64(b.positions), "position", "positions"), human.Percent(b.model[k], 1))})
			line.Points = append(line.Points, chart.Point{X: b.x, Y: b.model[k]})
		}
		c.Series = append(c.Series, s, line)
	}
	c.SpanX(r.width())
	c.XTicks = chart.AxisTicks(c.XMin, c.XMax, 12, human.Number)
	return c
}

// parameters has a and b, at each m alone and as the cubics have them.
func (r *report) parameters() *chart.Chart {
	c := &chart.Chart{
		Title: "a and b by " + r.Params.By, Subtitle: "a: the value at which half of the games are won; b: the spread; points: fitted alone, with 95 % intervals",
		XLabel: r.Params.By, YLabel: "value [" + r.Unit + "]", Whole: true,
	}
	for k, name := range []string{"a", "b"} {
		s := chart.Series{Label: name, Colour: k + 1}
		line := chart.Series{Label: name + ", cubic", Colour: k + 1, Dash: 1, Smooth: true}
		for _, at := range r.Fit.Locals {
			v, of := at.a, at.ofA
			if k == 1 {
				v, of = at.b, at.ofB
			}
			low, high := of.Positive(v)
			s.Points = append(s.Points, chart.Point{X: float64(at.m), Y: v, Low: low, High: high, Note: fmt.Sprintf("%s at %d: %s %s", name, at.m, human.Fixed(v, 1), within(v, of, 1))})
		}
		first, last := r.Fit.Locals[0].m, r.Fit.Locals[len(r.Fit.Locals)-1].m
		for m := first; m <= last; m++ {
			a, b := r.Fit.At(float64(m))
			line.Points = append(line.Points, chart.Point{X: float64(m), Y: [2]float64{a, b}[k]})
		}
		c.Series = append(c.Series, s, line)
	}
	c.SpanX(1)
	var all []float64
	for _, at := range r.Fit.Locals {
		all = append(all, at.a, at.b)
	}
	for _, v := range all {
		c.YMax = math.Max(c.YMax, 1.3*v)
	}
	for i := range c.Series { // of few positions an interval may be anything
		for j := range c.Series[i].Points {
			c.Series[i].Points[j].High = math.Min(c.Series[i].Points[j].High, c.YMax)
		}
	}
	c.XTicks, c.YTicks = c.RoundXTicks(12, human.Number), chart.AxisTicks(0, c.YMax, 8, human.Number)
	return c
}

// Sheet is the report, with a and b in a picture of their own.
func (r *report) Sheet() *sheet.Sheet {
	of, parameters, text := sheet.SourcesOf([]sheet.Contender{r.Of}), r.parameters(), r.document()
	return &sheet.Sheet{Name: "wdl", Unit: r.Unit, Text: text, Picture: r.chart(), More: []sheet.Figure{{Name: "parameters", Title: parameters.Title, Lead: parameters.Subtitle, Picture: parameters}},
		Boards: r.boxes(), SQL: r.SQL, Rows: r.Result, Inputs: of.Inputs("position", "positions"), Read: of.Read(), Summary: text.Plain(0, 1) + "\n" + r.codes()[0].text}
}

// boxes are the codes for the page.
func (r *report) boxes() template.HTML {
	text := ""
	for _, c := range r.codes() {
		text += "<details><summary>" + template.HTMLEscapeString(c.name) + "</summary><pre>" + template.HTMLEscapeString(c.text) + "</pre></details>\n"
	}
	return template.HTML(text)
}

func (r *report) document() table.Document {
	return table.Document{Title: r.title(), Lead: r.lead(), Tables: []table.Table{r.coefficients(), r.judged(), r.locals()}, Notes: r.notes()}
}

func (r *report) lead() string {
	p := r.Params
	a, b := r.Fit.At(p.Target)
	ofA, ofB := r.Fit.spreadsAt(p.Target)
	_, draw, _ := r.Fit.Probabilities(p.Target, 0)
	positions := lists.Sum(r.cells, cell.positions)
	return fmt.Sprintf("At %s %v, half of the games are won at a value of %s %s %s. The spread is %s %s, and %s of the games are drawn at value 0. Fitted to %s of %s.", p.By, p.Target,
		human.Fixed(a, 1), r.Unit, within(a, ofA, 1), human.Fixed(b, 1), within(b, ofB, 1), human.Percent(draw, 1), human.Plural(int64(positions), "position", "positions"), human.Plural(int64(len(r.games)), "game", "games"))
}

// within writes the interval of a or b.
func within(v float64, of dyads.Spread, digits int) string {
	low, high := of.Positive(v)
	if !(high < mostOfItself*v) {
		return "(unknown)"
	}
	return "(" + human.Fixed(low, digits) + " to " + human.Fixed(high, digits) + ")"
}

// mostOfItself is the multiple of a or b at which an interval has no information.
const mostOfItself = 100

func (r *report) coefficients() table.Table {
	t := table.Table{Name: "coefficients", Caption: fmt.Sprintf("Polynomials in %s / %v", r.Params.By, r.Params.Target), Head: []table.Cell{table.Text(""), table.Number("cubed"), table.Number("squared"), table.Number("linear"), table.Number("constant"), table.Number("at the target"), table.Number("95 % interval")}}
	a, b := r.Fit.At(r.Params.Target)
	ofA, ofB := r.Fit.spreadsAt(r.Params.Target)
	for i, of := range []struct {
		c      [Degree + 1]float64
		v      float64
		spread dyads.Spread
	}{{r.Fit.A, a, ofA}, {r.Fit.B, b, ofB}} {
		row := []string{[2]string{"a", "b"}[i]}
		for _, c := range of.c {
			row = append(row, human.Fixed(c, 3))
		}
		t.Rows = append(t.Rows, append(row, human.Fixed(of.v, 2), within(of.v, of.spread, 2)))
	}
	return t
}

func (r *report) judged() table.Table {
	t := table.Table{Name: "judged", Caption: "Log-loss of the three results on held-out games", Head: []table.Cell{table.Text("probabilities by"), table.Number("log-loss"), table.Number("± s.e."), table.Number("cubics minus this"), table.Number("± s.e.")}}
	for _, k := range r.Rivals {
		row := []string{k.Name, human.Fixed(k.LogLoss, 5), human.Fixed(k.Spread.Error(), 5), "", ""}
		if !math.IsNaN(k.Difference) {
			row[3], row[4] = human.Signed(k.Difference, 5), human.Fixed(k.OfDifference.Error(), 5)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (r *report) locals() table.Table {
	t := table.Table{Name: "locals", Caption: "a and b fitted separately at each " + r.Params.By, Long: true, Head: []table.Cell{table.Number(r.Params.By), table.Number("positions"), table.Number("games"), table.Number("won"), table.Number("drawn"),
		table.Number("a"), table.Number("95 % interval"), table.Number("cubic"), table.Number("b"), table.Number("95 % interval"), table.Number("cubic")}}
	for _, k := range r.Fit.Locals {
		a, b := r.Fit.At(float64(k.m))
		t.Rows = append(t.Rows, []string{human.Grouped(k.m), human.Grouped(int64(k.positions)), human.Grouped(int64(k.games)), human.Percent(k.wins/k.positions, 1), human.Percent(k.draws/k.positions, 1),
			human.Fixed(k.a, 1), within(k.a, k.ofA, 1), human.Fixed(a, 1), human.Fixed(k.b, 1), within(k.b, k.ofB, 1), human.Fixed(b, 1)})
	}
	return t
}

//go:embed notes.txt
var notesTemplate string

func (r *report) notes() []string {
	return sheet.Notes(notesTemplate, map[string]any{"R": r, "Drawn": shape.LeastDrawn, "LeastHeld": leastHeld, "Material": r.Params.By == byMaterial})
}
