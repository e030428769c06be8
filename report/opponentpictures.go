package report

import (
	"fmt"
	"math"

	"kifu/datasets"
)

// opponentFigure is a picture of the report; the first one has the report's own name.
type opponentFigure struct {
	Name  string // of its files
	page  page
	paper interface{ print() (printed, error) }
}

func (c *chart) opponentFigure(name, caption string) opponentFigure {
	lead := upperFirst(c.Subtitle) + "."
	return opponentFigure{name, page{Document: document{Title: caption, Lead: lead}, Legend: c.legend(), Picture: c.svg(plainNumber)}, c}
}

// figures are the report's pictures, in the order of the page.
func (o *opponents) figures() []opponentFigure {
	counters := o.counters().opponentFigure("counters", "The counters of LearnDepth, by depth")
	var all []opponentFigure
	if len(o.Models) == 1 {
		all = append(all, o.accuracy(o.solvers()...).opponentFigure("accuracy", "Moves foretold, by depth"), counters,
			o.agreement(1, 3, 5).opponentFigure("agreement", "Moves among the model's first, by phase"))
	} else { // a line a model in every picture
		for _, solver := range o.solvers() {
			all = append(all, o.accuracy(solver).opponentFigure("accuracy-"+solver, "Moves foretold by "+weightsOf(solver)+", by depth"))
		}
		all = append(all, counters)
		for _, top := range []int64{1, 3, 5} {
			all = append(all, o.agreement(top).opponentFigure(fmt.Sprintf("agreement-%d", top), "Moves "+firstMoves(top)+", by phase"))
		}
	}
	if w := o.weights(); len(w.Lines) > 0 {
		f := w.forest()
		f.Title, f.Subtitle = titleOf("Learned weights", w.Fits[0].Game, o.names()), o.weightsSubtitle(len(f.Lines), len(w.Lines))
		f.XLabel = "weight [" + w.Unit + "], 95 % interval robust to clustering by game"
		legend := chart{Series: f.Series}
		all = append(all, opponentFigure{"weights",
			page{Document: document{Title: "The weights", Lead: upperFirst(f.Subtitle) + "."}, Legend: legend.legend(), Picture: f.svg()}, f})
	}
	return all
}

// write puts everything that o has to say into out.
func (o *opponents) write(out Output) error {
	csv, err := render("csv", o.Rows)
	if err != nil {
		return err
	}
	var read int64
	for _, m := range o.Models {
		read += m.Decisions
	}
	out.AddCounts(datasets.Counts{Read: read})
	figures := o.figures()
	first := figures[0]
	p := first.page
	p.Document, p.Caption, p.SQL, p.Inputs = o.document(), p.Document.Title, o.SQL, o.inputs()
	for _, f := range figures[1:] {
		p.More = append(p.More, f.page)
	}
	if err := write(out, "opponent", p, first.paper, csv); err != nil {
		return err
	}
	for _, f := range figures[1:] {
		if err := writePaper(out, "opponent-"+f.Name, f.paper); err != nil {
			return err
		}
	}
	text, err := o.summary()
	if err != nil {
		return err
	}
	return out.AddFile(OpponentText, []byte(text))
}

// byDepth is a chart whose horizontal axis is the depth.
func (o *opponents) byDepth() *chart {
	c := &chart{XMin: 0.75, XMax: 1.25, XLabel: "depth of look-ahead [plies]", Whole: true}
	for _, m := range o.Models {
		c.XMax = math.Max(c.XMax, float64(len(m.Depths))+0.25)
	}
	return c
}

// accuracy is figure 10 of Carmel and Markovitch: the share of moves foretold, by depth,
// with the weights of the solvers. Of several models there is one solver.
func (o *opponents) accuracy(solvers ...string) *chart {
	c := o.byDepth()
	c.Title, c.YLabel = titleOf("Moves foretold, by depth", "", o.names()), "share of moves foretold"
	c.Subtitle = o.comparedOn() + "; bands: 95 % intervals, clustered by game"
	if len(o.Models) > 1 {
		c.Subtitle = weightsOf(solvers[0]) + "; " + c.Subtitle
	}
	for i, m := range o.Models {
		var random float64
		for j, solver := range solvers {
			s := series{Label: weightsOf(solver), Colour: j}
			if len(o.Models) > 1 {
				s.Label, s.Colour = m.Name, i
			}
			for _, r := range m.rows("accuracy", m.compared(), solver) {
				note := fmt.Sprintf("%s, depth %d: %s of %s", s.Label, r.Depth, r.shares(), plural(r.Decisions, "decision", "decisions"))
				s.Points = append(s.Points, point{float64(r.Depth), r.Estimate, r.Low, r.High, note})
				random = r.Reference
			}
			if len(s.Points) > 0 {
				c.Series = append(c.Series, s)
			}
		}
		if random > 0 {
			s := series{Label: "random move", Colour: guide, Dash: 1, Smooth: true, Points: []point{{X: c.XMin, Y: random}, {X: c.XMax, Y: random}}}
			if len(o.Models) > 1 {
				s.Label, s.Colour = m.Name+", random move", i
			}
			c.Series = append(c.Series, s)
		}
	}
	c.shareAxis()
	return c
}

// counters is figure 7: the counter by depth, a decision, so that players with more
// decisions are on one axis with the others.
func (o *opponents) counters() *chart {
	c := o.byDepth()
	c.Title, c.YLabel = titleOf("Counters of LearnDepth, by depth", "", o.names()), "counter, a decision"
	c.Subtitle = "decisions fitted to, the weights given; bands: 95 % intervals, clustered by game"
	for i, m := range o.Models {
		s := series{Label: m.Name, Colour: i}
		for _, r := range m.rows("counter", "train", "") {
			p := point{float64(r.Depth), r.Estimate, r.Estimate, r.Estimate, ""}
			if !math.IsNaN(r.SE) {
				p.Low, p.High = r.Low, r.High
			}
			p.Note = fmt.Sprintf("%s, depth %d: %s in %s, %s a decision", m.Name, r.Depth, signed(r.Total, 0), plural(r.Decisions, "decision", "decisions"), signed(r.Estimate, 2))
			s.Points = append(s.Points, p)
			c.YMin, c.YMax = math.Min(c.YMin, p.Low), math.Max(c.YMax, p.High)
		}
		c.Series = append(c.Series, s)
	}
	if c.YMin == c.YMax {
		c.YMax++
	}
	c.YMax += (c.YMax - c.YMin) * 0.04
	c.XTicks, c.YTicks = c.xTicks(12, plainNumber), axisTicks(c.YMin, c.YMax, 8, plainNumber)
	return c
}

// agreement has the share of moves among the model's first, by phase; of several models
// for one number of first moves.
func (o *opponents) agreement(tops ...int64) *chart {
	what := "Moves among the model's first, by phase"
	if len(tops) == 1 {
		what = "Moves " + firstMoves(tops[0]) + ", by phase"
	}
	c := &chart{Title: titleOf(what, "", o.names()), XLabel: "phase, by bands", YLabel: "share of moves played", Whole: true,
		Subtitle: o.judgedOn() + "; bands: 95 % intervals, clustered by game", XMin: math.Inf(1), XMax: math.Inf(-1)}
	for i, m := range o.Models {
		for j, top := range tops {
			s := series{Label: firstMoves(top), Colour: j}
			random := series{Label: plural(top, "random move", "random moves"), Colour: j, Dash: 1, Smooth: true}
			if len(o.Models) > 1 {
				s.Label, s.Colour, random.Label, random.Colour = m.Name, i, m.Name+", random", i
			}
			for _, r := range m.rows("agreement", m.judged(), "") {
				if r.Top != top || r.PhaseLow < 0 {
					continue
				}
				x := float64(r.PhaseLow+r.PhaseHigh) / 2
				note := fmt.Sprintf("%s, phase %s: %s of %s; random %s", s.Label, r.phase(), r.shares(), plural(r.Decisions, "decision", "decisions"), percent(r.Reference, 1))
				s.Points = append(s.Points, point{x, r.Estimate, r.Low, r.High, note})
				random.Points = append(random.Points, point{X: x, Y: r.Reference})
				c.XMin, c.XMax = math.Min(c.XMin, float64(r.PhaseLow)-0.5), math.Max(c.XMax, float64(r.PhaseHigh)+0.5)
			}
			c.Series = append(c.Series, s, random)
		}
	}
	c.shareAxis()
	return c
}

// shareAxis fits a vertical axis of shares to the series.
func (c *chart) shareAxis() {
	top := 0.1
	for _, s := range c.Series {
		for _, p := range s.Points {
			top = math.Max(top, math.Max(p.Y, p.High))
		}
	}
	c.YMax = math.Min(1, math.Ceil(top*10)/10) + 0.02 // so that no tick's label meets the legend
	c.XTicks = c.xTicks(12, plainNumber)
	c.YTicks = axisTicks(0, c.YMax, 10, func(v float64) string { return percent(math.Abs(v), 0) })
}

// weights are those of the solvers at the depth of the model, side by side.
func (o *opponents) weights() *weights {
	w := &weights{Unit: o.Models[0].Unit}
	for _, m := range o.Models {
		for _, solver := range m.solvers() {
			rows := m.rows("weight", "", solver)
			if len(rows) > 0 {
				w.Fits = append(w.Fits, fitted{Name: o.fitName(m, solver), Method: o.fitName(m, solver), Unit: w.Unit, Game: m.Game})
			}
		}
	}
	i := 0
	for _, m := range o.Models {
		for _, solver := range m.solvers() {
			found := false
			for _, r := range m.rows("weight", "", solver) {
				found = true
				if r.Depth == m.Model.Depth {
					w.add(i, r)
				}
			}
			if found {
				i++
			}
		}
	}
	return w
}

// add puts a weight of fit i into its line.
func (w *weights) add(i int, r opponentRow) {
	at := -1
	for j, l := range w.Lines {
		if l.Group == r.Group && l.Term == r.Term && l.Stage == r.Stage {
			at = j
		}
	}
	if at < 0 {
		at = len(w.Lines)
		w.Lines = append(w.Lines, weightLine{Group: r.Group, Term: r.Term, Stage: r.Stage, Of: make([]*estimate, len(w.Fits))})
	}
	e := &estimate{Initial: r.Reference, Weight: r.Estimate, SE: r.SE, Low: r.Low, High: r.High, Z: r.Estimate / r.SE, Status: "fitted"}
	if r.Begun {
		e.Status = "begun with"
	}
	w.Lines[at].Of[i] = e
}

// fitName is what the weights of a solver are called.
func (o *opponents) fitName(m *opponentModel, solver string) string {
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
func (r *opponentRow) shares() string {
	return fmt.Sprintf("%s (%s to %s)", percent(r.Estimate, 1), percent(r.Low, 1), percent(r.High, 1))
}

// phase is the band of the phase.
func (r *opponentRow) phase() string {
	switch {
	case r.PhaseLow < 0:
		return "all"
	case r.PhaseLow == r.PhaseHigh:
		return fmt.Sprint(r.PhaseLow)
	}
	return fmt.Sprintf("%d–%d", r.PhaseLow, r.PhaseHigh)
}
