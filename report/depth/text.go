package depth

import (
	_ "embed"
	"fmt"
	"math"
	"strings"

	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/report/chart"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// Sheet is the report with the table of all phases printed.
func (d *report) Sheet() *sheet.Sheet {
	of := sheet.SourcesOf(sheet.ContendersOf(d.Pairs))
	inputs := of.Inputs("label", "labels")
	if d.Fits != nil {
		inputs = append(inputs, d.Fits.Inputs()...)
	}
	title := sheet.Title("Deep and shallow values", d.Game, of.Names())
	return &sheet.Sheet{Name: "depth", Unit: d.Unit, Text: d.document(title), Picture: d.chart(title), SQL: d.SQL, Rows: d.Result, Inputs: inputs, Read: of.Read(), Printed: []int{0}}
}

// chart has the spread of the error by phase, a line a pair of searches.
func (d *report) chart(title string) *chart.Chart {
	p := &chart.Chart{
		Title:    title,
		Subtitle: fmt.Sprintf("standard deviation σ of the error of deep = a·shallow + b, by phase; at least %d positions; 95 %% intervals", shape.LeastDrawn),
		XLabel:   "phase", YLabel: "σ [" + d.Unit + "]", XMin: math.Inf(1), XMax: math.Inf(-1),
	}
	at := map[string]int{}
	for _, l := range d.Lines {
		name := d.name(l)
		i, ok := at[name]
		if !ok {
			i = len(p.Series)
			at[name] = i
			p.Series = append(p.Series, chart.Series{Label: name, Colour: i, Dash: i / len(chart.Palette)})
		}
		if l.Kind != "phase" || l.Positions < shape.LeastDrawn || math.IsNaN(l.SigmaSE) {
			continue
		}
		low, high := l.SigmaLow, l.SigmaHigh
		p.Series[i].Points = append(p.Series[i].Points, chart.Point{X: l.Centre, Y: l.Sigma, Low: low, High: high,
			Note: fmt.Sprintf("%s, phase %s: σ %s (%s to %s), R² %.3f, %s", name, l.Level, human.Weight(l.Sigma), human.Weight(low), human.Weight(high), l.R2, human.Plural(l.Positions, "position", "positions"))})
		p.XMin, p.XMax, p.YMax = math.Min(p.XMin, l.Centre), math.Max(p.XMax, l.Centre), math.Max(p.YMax, high)
	}
	if p.XMin >= p.XMax {
		p.XMin, p.XMax = math.Min(p.XMin, 0)-1, math.Max(p.XMax, 0)+1
		if math.IsInf(p.XMin, 0) || math.IsInf(p.XMax, 0) {
			p.XMin, p.XMax = 0, 1
		}
	}
	margin := (p.XMax - p.XMin) * 0.03
	p.XMin, p.XMax, p.YMax = p.XMin-margin, p.XMax+margin, math.Max(p.YMax*1.05, 1e-3)
	p.XTicks, p.YTicks = chart.AxisTicks(p.XMin, p.XMax, 12, human.Number), chart.AxisTicks(0, p.YMax, 10, human.Number)
	return p
}

func (d *report) document(title string) table.Document {
	doc := table.Document{Title: title, Lead: d.lead(), Notes: sheet.Notes(notesTemplate, d)}
	doc.Tables = append(doc.Tables, d.table("all", "All phases"), d.table("phase", "By phase"))
	if d.Fits != nil {
		fits, table := d.Fits.FitTable(), d.byDepth()
		fits.Caption = "The fits"
		doc.Tables = append(doc.Tables, fits, table)
	}
	return doc
}

func (d *report) lead() string {
	var parts []string
	for _, l := range d.Lines {
		if l.Kind == "all" {
			parts = append(parts, fmt.Sprintf("%s: σ %s %s, R² %.3f.", d.name(l), human.Weight(l.Sigma), d.Unit, l.R2))
		}
	}
	return "How well a shallow search predicts a deep one. " + strings.Join(parts, " ")
}

func (d *report) table(kind, caption string) table.Table {
	t := table.Table{Name: "depth-" + kind, Caption: caption, Head: []table.Cell{
		table.Text("searches"), table.Text("phase"), table.Number("positions"), table.Number("games"), table.Number("effective"), table.Number("a"), table.Number("± s.e."), table.Number("b"), table.Number("± s.e."), table.Number("σ"), table.Number("± s.e."), table.Number("R²"), table.Number("mean shift"),
	}}
	differs := kind == "all" && d.Paired
	if differs {
		t.Head = append(t.Head, table.Number("σ − first"), table.Number("95\u00a0% interval"))
	}
	for _, l := range d.Lines {
		if l.Kind == kind {
			t.Rows = append(t.Rows, []string{d.name(l), l.Level, human.Grouped(l.Positions), human.Grouped(l.Games), human.Fixed(l.EffectiveGames, 0), human.Fixed(l.A, 4), human.Fixed(l.ASE, 4), human.Weight(l.B), human.Weight(l.BSE),
				human.Weight(l.Sigma), human.Weight(l.SigmaSE), human.Fixed(l.R2, 4), human.Weight(l.Shift)})
			if last := len(t.Rows) - 1; differs && math.IsNaN(l.Difference) {
				t.Rows[last] = append(t.Rows[last], "", "")
			} else if differs {
				t.Rows[last] = append(t.Rows[last], human.Weight(l.Difference), human.Weight(l.DifferenceLow)+" to "+human.Weight(l.DifferenceHigh))
			}
		}
	}
	return t
}

// byDepth has the weights of the fits, a column a fit, under the search that each was
// fitted to.
func (d *report) byDepth() table.Table {
	t := table.Table{Name: "weights", Caption: "Weights, by the search whose values were fitted", Long: true, Keys: 3, Group: 2, Head: []table.Cell{table.Text("term"), table.Text("stage"), table.Number("before")}}
	for _, f := range d.Fits.Fits {
		t.Head = append(t.Head, table.Number(f.Name+", "+searchName(f.Value)), table.Number("± s.e."))
	}
	for _, l := range d.Fits.Lines {
		row := []string{l.Term, l.Stage, ""}
		for _, e := range l.Of {
			if e == nil {
				row = append(row, "", "")
				continue
			}
			row[2] = human.Weight(e.Initial)
			row = append(row, human.Weight(e.Weight), human.Weight(e.SE))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

//go:embed notes.txt
var notesTemplate string
