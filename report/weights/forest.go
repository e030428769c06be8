package weights

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/report/chart"
	"kifu/report/sheet"
)

// forestLines is how many weights the picture shows.
const forestLines = 60

// clustering reports what the errors of the fits let depend on each other.
func (w *Report) clustering() string {
	var all []string
	for _, f := range w.Fits {
		by := "by game"
		if c := f.Clusters; c != nil {
			switch {
			case c.NoGames:
				by = "by position"
			case c.By == "players":
				by = "by player"
			case c.By == "both":
				by = "by game or by player, whichever is larger"
			}
		}
		if !slices.Contains(all, by) {
			all = append(all, by)
		}
	}
	return strings.Join(all, "; ")
}

// pointwise reports what intervals allow for.
func (w *Report) pointwise() string {
	allowed, not := sheet.OneGame, "terms that the evaluator lacks"
	if by := w.clustering(); strings.Contains(by, "player") {
		allowed += " and " + sheet.OnePlayer + " (" + by + ")"
	} else if strings.Contains(by, "position") {
		allowed = "chance in independent positions"
	} else {
		not = sheet.OnePlayer + ", or for " + not
	}
	return sheet.Pointwise(allowed, not)
}

// Forest chooses the lines of the picture: all, or those with the largest |z| of any
// fit, in the evaluator's order. Few wild intervals do not set the scale of the others:
// what goes beyond 1.5 times the ninth decile of the ends is cut and marked.
func (w *Report) Forest() *chart.Forest {
	f := &chart.Forest{Title: w.title(), XLabel: "weight [" + w.axisUnit() + "], 95 % interval robust to clustering " + w.clustering()}
	for i, fit := range w.Fits {
		label := fit.Name
		if fit.Method != fit.Name {
			label += " (" + fit.Method + ")"
		}
		f.Series = append(f.Series, chart.Series{Label: label, Colour: i + 1, Dash: (i + 1) / len(chart.Palette)})
	}
	for i, r := range w.References {
		n := len(w.Fits) + i + 1
		f.Series = append(f.Series, chart.Series{Label: r.Name, Colour: n, Dash: n / len(chart.Palette), MarksOnly: true})
	}
	lines := w.loudest()
	var ends []float64
	for _, l := range lines {
		for _, r := range w.References {
			if v, ok := r.value(l); ok {
				ends = append(ends, v)
			}
		}
		for _, e := range l.Of {
			if e != nil {
				ends = append(ends, e.ends()...)
			}
		}
	}
	limit := limitOf(ends)
	f.XMin, f.XMax = 0, 0
	for _, v := range ends {
		v = math.Max(-limit, math.Min(limit, v))
		f.XMin, f.XMax = math.Min(f.XMin, v), math.Max(f.XMax, v)
	}
	margin := (f.XMax - f.XMin) * 0.03
	margin = cmp.Or(margin, 1)
	f.XMin, f.XMax = f.XMin-margin, f.XMax+margin
	group := ""
	for _, l := range lines {
		line := chart.Line{Label: l.label()}
		if l.Group != group {
			line.Group, group = l.Group, l.Group
		}
		for i, e := range l.Of {
			if e != nil {
				line.Marks = append(line.Marks, w.mark(f, i, l, e))
				line.Before = e.Initial
			}
		}
		for i, r := range w.References {
			if v, ok := r.value(l); ok {
				line.Marks = append(line.Marks, chart.Mark{Series: len(w.Fits) + i, At: v, Low: math.NaN(), High: math.NaN(), Plain: true,
					Outside: v < f.XMin || v > f.XMax, Note: fmt.Sprintf("%s, %s: %s", l.label(), r.Name, human.Weight(v))})
			}
		}
		f.Lines = append(f.Lines, line)
	}
	f.Subtitle = "fitted weights with 95 % intervals; grey bar: weight before"
	if len(lines) < len(w.Lines) {
		f.Subtitle += fmt.Sprintf("; the %d of %s weights with the largest |z|", len(lines), human.Grouped(int64(len(w.Lines))))
	}
	return f
}

// axisUnit is the unit of the weights on the axis. An added feature's weight is per its own unit, which
// SQL does not give; for a feature that is a value it is a mere factor.
func (w *Report) axisUnit() string {
	switch added := w.added(); {
	case added == 0:
		return w.Unit
	case added == len(w.Lines):
		return w.Unit + " per unit of the feature"
	default:
		return w.Unit + "; for added features, per unit of the feature"
	}
}

// added is how many of the weights are of features added by SQL.
func (w *Report) added() int {
	names := map[string]bool{}
	for _, f := range w.Fits {
		for _, a := range f.Added {
			names[a.Name] = true
		}
	}
	n := 0
	for _, l := range w.Lines {
		if names[l.Term] {
			n++
		}
	}
	return n
}

// ends are the numbers that e needs room for.
func (e *Estimate) ends() []float64 {
	if math.IsNaN(e.Low) {
		return []float64{e.Weight}
	}
	return []float64{e.Low, e.High}
}

func limitOf(ends []float64) float64 {
	sizes := lists.Of(ends, math.Abs)
	sort.Float64s(sizes)
	largest := sizes[len(sizes)-1]
	if limit := 1.5 * sizes[(len(sizes)-1)*9/10]; limit > 0 && limit < largest/2 {
		return limit
	}
	return largest
}

func (w *Report) loudest() []Line {
	if len(w.Lines) <= forestLines {
		return w.Lines
	}
	loudness := func(l Line) float64 {
		z := -1.0
		for _, e := range l.Of {
			if e != nil && !math.IsNaN(e.Z) {
				z = math.Max(z, math.Abs(e.Z))
			}
		}
		return z
	}
	order := lists.N(len(w.Lines), func(i int) int { return i })
	sort.SliceStable(order, func(a, b int) bool { return loudness(w.Lines[order[a]]) > loudness(w.Lines[order[b]]) })
	order = order[:forestLines]
	sort.Ints(order)
	return lists.Of(order, func(i int) Line { return w.Lines[i] })
}

// mark is the mark of fit i in line l of f.
func (w *Report) mark(f *chart.Forest, i int, l Line, e *Estimate) chart.Mark {
	m := chart.Mark{Series: i, At: e.Weight, Low: e.Low, High: e.High, Plain: e.Status != "fitted"}
	m.Note = fmt.Sprintf("%s, %s: %s", l.label(), w.Fits[i].Name, human.Weight(e.Weight))
	if !math.IsNaN(e.Low) {
		m.Note += fmt.Sprintf(" (%s to %s)", human.Weight(e.Low), human.Weight(e.High))
		m.CutLow, m.CutHigh = e.Low < f.XMin, e.High > f.XMax
		m.Low, m.High = f.Clamp(e.Low), f.Clamp(e.High)
	}
	if e.Status != "fitted" {
		m.Note += ", " + e.Status
	}
	if m.At < f.XMin || m.At > f.XMax {
		m.Outside = true
	}
	return m
}
