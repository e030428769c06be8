package opponent

import (
	"fmt"
	"html/template"
	"math"

	"kifu/internal/human"
	"kifu/report/chart"
	"kifu/report/sheet"
	"kifu/report/weights"
	"kifu/schemas"
)

// figureOf is a picture under a title that is not its own.
func figureOf(name, title string, p chart.Picture) sheet.Figure {
	f := sheet.FigureOf(name, p)
	f.Title = title
	return f
}

// figures are the report's pictures, in the order of the page.
func (o *report) figures() []sheet.Figure {
	counters := figureOf("counters", "The counters of LearnDepth, by depth", o.counters())
	var all []sheet.Figure
	if len(o.Models) == 1 {
		all = append(all, figureOf("accuracy", "Moves predicted, by depth", o.accuracy(o.solvers()...)), counters,
			figureOf("agreement", "Moves among the model's first, by phase", o.agreement(1, 3, 5)))
	} else { // a line a model in every picture
		for _, solver := range o.solvers() {
			all = append(all, figureOf("accuracy-"+solver, "Moves predicted by "+weightsOf(solver)+", by depth", o.accuracy(solver)))
		}
		all = append(all, counters)
		for _, top := range []int64{1, 3, 5} {
			all = append(all, figureOf(fmt.Sprintf("agreement-%d", top), "Moves "+firstMoves(top)+", by phase", o.agreement(top)))
		}
	}
	if w := o.weights(); len(w.Lines) > 0 {
		f := w.Forest()
		f.Title, f.Subtitle = sheet.Title("Learned weights", w.Fits[0].Game, o.names()), o.weightsSubtitle(len(f.Lines), len(w.Lines))
		f.XLabel = "weight [" + w.Unit + "], 95 % interval robust to clustering by game"
		all = append(all, figureOf("weights", "The weights", f))
	}
	return all
}

// sheet is the report with these boards; the first picture has the report's own name.
func (o *report) sheet(boards template.HTML) *sheet.Sheet {
	s := &sheet.Sheet{Name: "opponent", Text: o.document(), Boards: boards, SQL: o.SQL, Rows: o.Rows, Inputs: o.inputs(), Summary: o.summary()}
	for _, m := range o.Models {
		s.Read += int64(m.Decisions)
	}
	figures := o.figures()
	s.Picture, s.Caption, s.More = figures[0].Picture, figures[0].Title, figures[1:]
	return s
}

// byDepth is a chart whose horizontal axis is the depth.
func (o *report) byDepth() *chart.Chart {
	c := &chart.Chart{XMin: 0.75, XMax: 1.25, XLabel: "depth of look-ahead [plies]", Whole: true}
	for _, m := range o.Models {
		c.XMax = math.Max(c.XMax, float64(len(m.Depths))+0.25)
	}
	return c
}

// accuracy is figure 10 of Carmel and Markovitch: the share of moves predicted, by depth, with the
// solvers' weights. Several models have one solver.
func (o *report) accuracy(solvers ...string) *chart.Chart {
	c := o.byDepth()
	c.Title, c.YLabel = sheet.Title("Moves predicted, by depth", "", o.names()), "share of moves predicted"
	c.Subtitle = o.comparedOn() + "; 95 % intervals, clustered by game"
	if len(o.Models) > 1 {
		c.Subtitle = weightsOf(solvers[0]) + "; " + c.Subtitle
	}
	for i, m := range o.Models {
		var random float64
		for j, solver := range solvers {
			for _, quiet := range []bool{false, true} {
				s := chart.Series{Label: weightsOf(solver), Colour: j}
				if len(o.Models) > 1 {
					s.Label, s.Colour = m.Name, i
				}
				if quiet {
					s.Label, s.Dash = s.Label+", quiescence", 2
				}
				for _, r := range m.rows("accuracy", m.compared(), solver) {
					if r.Quiescence != quiet {
						continue
					}
					note := fmt.Sprintf("%s, depth %d: %s of %s", s.Label, r.Depth, r.shares(), human.Plural(r.Decisions, "decision", "decisions"))
					s.Points = append(s.Points, chart.Point{X: float64(r.Depth), Y: r.Estimate, Low: r.Low, High: r.High, Note: note})
					random = r.Reference
				}
				if len(s.Points) > 0 {
					c.Series = append(c.Series, s)
				}
			}
		}
		if random > 0 {
			s := chart.Series{Label: "random move", Colour: chart.Guide, Dash: 1, Smooth: true, Points: []chart.Point{{X: c.XMin, Y: random}, {X: c.XMax, Y: random}}}
			if len(o.Models) > 1 {
				s.Label, s.Colour = m.Name+", random move", i
			}
			c.Series = append(c.Series, s)
		}
	}
	c.ShareAxis()
	return c
}

// counters is figure 7: the counter by depth, a decision, so that players with more
// decisions are on one axis with the others.
func (o *report) counters() *chart.Chart {
	c := o.byDepth()
	c.Title, c.YLabel = sheet.Title("Counters of LearnDepth, by depth", "", o.names()), "counter per decision"
	c.Subtitle = "training decisions, given weights; 95 % intervals, clustered by game"
	for i, m := range o.Models {
		s, quiet := chart.Series{Label: m.Name, Colour: i}, chart.Series{Label: m.Name + ", quiescence", Colour: i, Dash: 2}
		for _, r := range m.rows("counter", "train", "") {
			p := chart.Point{X: float64(r.Depth), Y: r.Estimate, Low: r.Estimate, High: r.Estimate, Note: ""}
			if !math.IsNaN(r.SE) {
				p.Low, p.High = r.Low, r.High
			}
			p.Note = fmt.Sprintf("%s, depth %s: %s in %s, %s per decision", m.Name, depthName(r.Depth, r.Quiescence), human.Signed(r.Total, 0), human.Plural(r.Decisions, "decision", "decisions"), human.Signed(r.Estimate, 2))
			if r.Quiescence {
				quiet.Points = append(quiet.Points, p)
			} else {
				s.Points = append(s.Points, p)
			}
			c.YMin, c.YMax = math.Min(c.YMin, p.Low), math.Max(c.YMax, p.High)
		}
		c.Series = append(c.Series, s)
		if len(quiet.Points) > 0 {
			c.Series = append(c.Series, quiet)
		}
	}
	if c.YMin == c.YMax {
		c.YMax++
	}
	c.YMax += (c.YMax - c.YMin) * 0.04
	c.XTicks, c.YTicks = c.RoundXTicks(12, human.Number), chart.AxisTicks(c.YMin, c.YMax, 8, human.Number)
	return c
}

// agreement has the share of moves among the model's first, by phase; of several models
// for one number of first moves.
func (o *report) agreement(tops ...int64) *chart.Chart {
	what := "Moves among the model's first, by phase"
	if len(tops) == 1 {
		what = "Moves " + firstMoves(tops[0]) + ", by phase"
	}
	c := &chart.Chart{Title: sheet.Title(what, "", o.names()), XLabel: "phase, by bands", YLabel: "share of moves played", Whole: true,
		Subtitle: o.judgedOn() + "; 95 % intervals, clustered by game", XMin: math.Inf(1), XMax: math.Inf(-1)}
	for i, m := range o.Models {
		for j, top := range tops {
			s := chart.Series{Label: firstMoves(top), Colour: j}
			random := chart.Series{Label: human.Plural(top, "random move", "random moves"), Colour: j, Dash: 1, Smooth: true}
			if len(o.Models) > 1 {
				s.Label, s.Colour, random.Label, random.Colour = m.Name, i, m.Name+", random", i
			}
			for _, r := range m.rows("agreement", m.judged(), "") {
				if r.Top != top || r.PhaseLow < 0 {
					continue
				}
				x := float64(r.PhaseLow+r.PhaseHigh) / 2
				note := fmt.Sprintf("%s, phase %s: %s of %s; random %s", s.Label, r.phase(), r.shares(), human.Plural(r.Decisions, "decision", "decisions"), human.Percent(r.Reference, 1))
				s.Points = append(s.Points, chart.Point{X: x, Y: r.Estimate, Low: r.Low, High: r.High, Note: note})
				random.Points = append(random.Points, chart.Point{X: x, Y: r.Reference})
				c.XMin, c.XMax = math.Min(c.XMin, float64(r.PhaseLow)-0.5), math.Max(c.XMax, float64(r.PhaseHigh)+0.5)
			}
			c.Series = append(c.Series, s, random)
		}
	}
	c.ShareAxis()
	return c
}

// weights shows the solvers' weights at the depth of the model side by side.
func (o *report) weights() *weights.Report {
	w := &weights.Report{Unit: o.Models[0].Unit}
	for _, m := range o.Models {
		for _, solver := range m.solvers() {
			rows := m.rows("weight", "", solver)
			if len(rows) > 0 {
				w.Fits = append(w.Fits, weights.Fit{Name: o.fitName(m, solver), Fit: schemas.Fit{Method: o.fitName(m, solver), Unit: w.Unit, Game: m.Game}})
			}
		}
	}
	i := 0
	for _, m := range o.Models {
		for _, solver := range m.solvers() {
			found := false
			for _, r := range m.rows("weight", "", solver) {
				found = true
				if r.Depth == int64(m.Model.Depth) && r.Quiescence == m.Model.Quiescence {
					addWeight(w, i, r)
				}
			}
			if found {
				i++
			}
		}
	}
	return w
}

// addWeight puts a weight of fit i into its line.
func addWeight(w *weights.Report, i int, r entry) {
	at := -1
	for j, l := range w.Lines {
		if l.Group == r.Group && l.Term == r.Term && l.Stage == r.Stage {
			at = j
		}
	}
	if at < 0 {
		at = len(w.Lines)
		w.Lines = append(w.Lines, weights.Line{Group: r.Group, Term: r.Term, Stage: r.Stage, Of: make([]*weights.Estimate, len(w.Fits))})
	}
	e := &weights.Estimate{Initial: r.Reference, Weight: r.Estimate, SE: r.SE, Low: r.Low, High: r.High, Z: r.Estimate / r.SE, Status: "fitted"}
	if r.Begun {
		e.Status = "begun with"
	}
	w.Lines[at].Of[i] = e
}

// fitName returns the name of the weights of a solver.
func (o *report) fitName(m *model, solver string) string {
	name := solver
	if solver == m.Model.Solver {
		name += ", the model"
	}
	if len(o.Models) > 1 {
		name = m.Name + ", " + name
	}
	return name
}

// shares is the estimate in hundredths, with its interval.
func (r *entry) shares() string {
	return fmt.Sprintf("%s (%s to %s)", human.Percent(r.Estimate, 1), human.Percent(r.Low, 1), human.Percent(r.High, 1))
}

// phase is the band of the phase.
func (r *entry) phase() string {
	switch {
	case r.PhaseLow < 0:
		return "all"
	case r.PhaseLow == r.PhaseHigh:
		return fmt.Sprint(r.PhaseLow)
	}
	return fmt.Sprintf("%d–%d", r.PhaseLow, r.PhaseHigh)
}
