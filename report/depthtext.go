package report

import (
	"fmt"
	"math"
	"strings"
)

func (d *depths) sheet() *sheet {
	var deep []contender
	for _, k := range d.Pairs {
		deep = append(deep, k.Deep)
	}
	inputs, read := inputsOf(deep, "label", "labels")
	if d.Fits != nil {
		inputs = append(inputs, d.Fits.inputs()...)
	}
	return &sheet{Name: "depth", Text: d.document(deep), Chart: d.chart(deep), SQL: d.SQL, Rows: d.Result, Inputs: inputs, Read: read, Printed: []int{0}}
}

// chart has the spread of the error by phase, a line a pair of searches.
func (d *depths) chart(deep []contender) *chart {
	p := &chart{
		Title:    titleOf("Deep and shallow values", d.Game, sourceNames(deep)),
		Subtitle: fmt.Sprintf("standard deviation σ of the error of deep = a·shallow + b, by phase; at least %d positions; bands: 95 %% intervals, clustered by game", leastDrawn),
		XLabel:   "phase", YLabel: "σ [" + d.Unit + "]", XMin: math.Inf(1), XMax: math.Inf(-1),
	}
	at := map[string]int{}
	for _, l := range d.Lines {
		name := d.name(l)
		i, ok := at[name]
		if !ok {
			i = len(p.Series)
			at[name] = i
			p.Series = append(p.Series, series{Label: name, Colour: i, Dash: i / len(palette)})
		}
		if l.Kind != "phase" || l.Positions < leastDrawn || math.IsNaN(l.SigmaSE) {
			continue
		}
		low, high := math.Max(0, l.Sigma-1.96*l.SigmaSE), l.Sigma+1.96*l.SigmaSE
		p.Series[i].Points = append(p.Series[i].Points, point{l.Centre, l.Sigma, low, high,
			fmt.Sprintf("%s, phase %s: σ %s (%s to %s), R² %.3f, %s", name, l.Level, weightText(l.Sigma), weightText(low), weightText(high), l.R2, plural(l.Positions, "position", "positions"))})
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
	p.XTicks, p.YTicks = axisTicks(p.XMin, p.XMax, 12, plainNumber), axisTicks(0, p.YMax, 10, plainNumber)
	return p
}

func (d *depths) document(deep []contender) document {
	doc := document{Title: titleOf("Deep and shallow values", d.Game, sourceNames(deep)), Lead: d.lead(), Notes: d.notes()}
	doc.Tables = append(doc.Tables, d.table("all", "All phases"), d.table("phase", "By phase"))
	if d.Fits != nil {
		fits, table := d.Fits.fits(), d.byDepth()
		fits.Caption = "The fits"
		doc.Tables = append(doc.Tables, fits, table)
	}
	return doc
}

func (d *depths) lead() string {
	var parts []string
	for _, l := range d.Lines {
		if l.Kind == "all" {
			parts = append(parts, fmt.Sprintf("%s: σ %s %s, R² %.3f.", d.name(l), weightText(l.Sigma), d.Unit, l.R2))
		}
	}
	return "How far a shallow search foretells a deep one. " + strings.Join(parts, " ")
}

func (d *depths) table(kind, caption string) table {
	t := table{Name: "depth-" + kind, Caption: caption, Head: []cell{
		{"searches", false}, {"phase", false}, {"positions", true}, {"games", true}, {"a", true}, {"± s.e.", true}, {"b", true}, {"± s.e.", true}, {"σ", true}, {"± s.e.", true}, {"R²", true}, {"mean shift", true},
	}}
	for _, l := range d.Lines {
		if l.Kind == kind {
			t.Rows = append(t.Rows, []string{d.name(l), l.Level, grouped(l.Positions), grouped(l.Games), four(l.A), four(l.ASE), weightText(l.B), weightText(l.BSE),
				weightText(l.Sigma), weightText(l.SigmaSE), four(l.R2), weightText(l.Shift)})
		}
	}
	return t
}

// byDepth has the weights of the fits, a column a fit, under the search that each was
// fitted to.
func (d *depths) byDepth() table {
	t := table{Name: "weights", Caption: "Weights by the search that was fitted to", Long: true, Keys: 3, Group: 2, Head: []cell{{"term", false}, {"stage", false}, {"before", true}}}
	for _, f := range d.Fits.Fits {
		t.Head = append(t.Head, cell{f.Name + ", " + searchName(f.Value), true}, cell{"± s.e.", true})
	}
	for _, l := range d.Fits.Lines {
		row := []string{l.Term, l.Stage, ""}
		for _, e := range l.Of {
			if e == nil {
				row = append(row, "", "")
				continue
			}
			row[2] = weightText(e.Initial)
			row = append(row, weightText(e.Weight), weightText(e.SE))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (d *depths) notes() []string {
	notes := []string{
		"deep = a·shallow + b + error by least squares, σ the error's standard deviation, R² the share of the deep values' variance that the line explains (ProbCut: Buro 1995). A search may cut at a bound where a·shallow + b lies beyond it by more than t·σ, so a small σ at a small cost is what it needs.",
		"The mean shift is that of deep − shallow. All values are from the first player's side; a position is of the phase that it has itself, not of a leaf.",
		"Left out are positions that either search has seen to be a forced win.",
		"Positions of one game are not independent: standard errors are robust to clustering by game. A band of σ is ±1.96 of its standard errors.",
	}
	if d.Params.Within > 0 {
		notes = append(notes, fmt.Sprintf("Shallow values beyond ±%s %s are left out.", plainNumber(d.Params.Within), d.Unit))
	}
	if d.Fits != nil {
		notes = append(notes, "Weights are in "+d.Fits.Unit+"; before is the weight in the values that were fitted to.")
	}
	return notes
}
