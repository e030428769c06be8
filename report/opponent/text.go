package opponent

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/report/sheet"
	"kifu/report/weights"
)

func (o *report) names() []string { return lists.Of(o.Models, func(m *model) string { return m.Name }) }

// firstMoves reports which moves of a model are meant.
func firstMoves(top int64) string {
	if top == 1 {
		return "the model's first choice"
	}
	return fmt.Sprintf("among its first %d", top)
}

// weightsOf names the weights.
func weightsOf(solver string) string {
	switch solver {
	case "given":
		return "given weights"
	case "lp":
		return "weights by linear programming"
	case "likelihood":
		return "weights by maximum likelihood"
	case "shrunk":
		return "maximum likelihood, shrunk towards the given weights"
	}
	return "weights by " + solver
}

// comparedOn names the games that depths are compared on.
func (o *report) comparedOn() string {
	return o.on((*model).compared)
}

// judgedOn names the games that models are judged by.
func (o *report) judgedOn() string {
	return o.on((*model).judged)
}

// on names the games of a choice that may differ from model to model.
func (o *report) on(sample func(*model) string) string {
	var texts []string
	same := true
	for _, m := range o.Models {
		text := map[string]string{"train": "training games", "held_out": "held-out games", "test": "test games"}[sample(m)]
		same = same && (len(texts) == 0 || strings.HasSuffix(texts[0], text))
		texts = append(texts, m.Name+": "+text)
	}
	if same {
		_, text, _ := strings.Cut(texts[0][len(o.Models[0].Name):], ": ")
		return text
	}
	return strings.Join(texts, ", ")
}

func (o *report) weightsSubtitle(shown, all int) string {
	text := "weights of each solver at the model's depth; grey bar: given weight; the linear programme has no intervals"
	if shown < all {
		text += fmt.Sprintf("\n%d of %s weights, those with the largest |z|", shown, human.Grouped(int64(all)))
	}
	return text
}

func (o *report) document() table.Document {
	d := table.Document{Title: sheet.Title("Opponent models", o.Models[0].Game, o.names()), Lead: o.lead(), Notes: o.notes()}
	d.Tables = append(d.Tables, o.modelsTable())
	if t := o.againstTable(); len(t.Rows) > 0 {
		d.Tables = append(d.Tables, t)
	}
	d.Tables = append(d.Tables, o.accuracyTable())
	if t := o.differencesTable(); len(t.Rows) > 0 {
		d.Tables = append(d.Tables, t)
	}
	d.Tables = append(d.Tables, o.countersTable(), o.agreementTable())
	if w := o.weights(); len(w.Lines) > 0 {
		d.Tables = append(d.Tables, learnedTable(w))
	}
	return d
}

// lead describes how well each model predicts.
func (o *report) lead() string {
	var parts []string
	for _, m := range o.Models {
		for _, r := range m.rows("agreement", m.judged(), "") {
			if r.Top == 1 && r.PhaseLow < 0 {
				on := map[string]string{"train": "training", "held_out": "held-out", "test": "test"}[m.judged()]
				parts = append(parts, fmt.Sprintf("%s: depth %d%s, %s, predicts %s of the moves in the %s games; a random move would be right in %s.",
					m.Name, m.Model.Depth, withQuiescence(m.Model.Quiescence), weightsOf(m.Model.Solver), plusMinus(&r), on, human.Percent(r.Reference, 1)))
			}
		}
	}
	return strings.Join(parts, " ")
}

// plusMinus is a share with its standard error: 51.5 ± 6.1 %. One of all or none, which has none, has its
// interval: 100.0 % (88.6 to 100.0).
func plusMinus(r *entry) string {
	switch {
	case r == nil:
		return "–"
	case !(r.SE > 0) && (r.Estimate == 0 || r.Estimate == 1) && !math.IsNaN(r.Low):
		return fmt.Sprintf("%s (%.1f to %.1f)", human.Percent(r.Estimate, 1), 100*r.Low, 100*r.High)
	case !(r.SE > 0): // none, or all games agree
		return human.Percent(r.Estimate, 1)
	}
	return strconv.FormatFloat(100*r.Estimate, 'f', 1, 64) + " ± " + human.Percent(r.SE, 1)
}

func (o *report) modelsTable() table.Table {
	t := table.Table{Name: "models", Caption: "The models", Head: []table.Cell{
		table.Text("model"), table.Text("player"), table.Number("decisions"), table.Text("depth"), table.Text("weights"), table.Number("temperature"), table.Number("lapse"),
		table.Number("training"), table.Number("held out"), table.Number("test"), table.Number("random move"),
	}}
	for _, m := range o.Models {
		row := []string{m.Name, strings.Join(m.Player, ", "), human.Grouped(int64(m.Decisions)), depthName(int64(m.Model.Depth), m.Model.Quiescence), m.Model.Solver,
			human.Short(m.Model.Temperature), human.Percent(m.Model.Lapse, 1)}
		random := math.NaN()
		for _, sample := range []string{"train", "held_out", "test"} {
			text := "–"
			for _, r := range m.rows("agreement", sample, "") {
				if r.Top == 1 && r.PhaseLow < 0 {
					text, random = plusMinus(&r), r.Reference
				}
			}
			row = append(row, text)
		}
		t.Rows = append(t.Rows, append(row, human.Percent(random, 1)))
	}
	return t
}

// accuracyTable has a row a model and depth, and the solvers next to each other.
func (o *report) accuracyTable() table.Table {
	solvers := o.solvers()
	t := table.Table{Name: "accuracy-table", Caption: "Moves predicted, by depth: " + o.comparedOn(), Head: []table.Cell{table.Text("model"), table.Text("depth"), table.Number("random")}}
	for _, s := range solvers {
		t.Head = append(t.Head, table.Number(s))
	}
	t.Head = append(t.Head, table.Number("log-loss, random"))
	for _, s := range solvers {
		t.Head = append(t.Head, table.Number(s))
	}
	for _, m := range o.Models {
		for _, given := range m.rows("accuracy", m.compared(), "given") {
			row := []string{m.Name, depthName(given.Depth, given.Quiescence), human.Percent(given.Reference, 1)}
			for _, s := range solvers {
				r := m.at("accuracy", m.compared(), s, given.Depth, given.Quiescence)
				text := plusMinus(r)
				if r != nil && r.Model {
					text = "*" + text
				}
				row = append(row, text)
			}
			row = append(row, three(m.at("log_loss", m.compared(), "given", given.Depth, given.Quiescence).Reference))
			for _, s := range solvers {
				text := "–"
				if r := m.at("log_loss", m.compared(), s, given.Depth, given.Quiescence); r != nil {
					text = three(r.Estimate)
				}
				row = append(row, text)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func three(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// differencesTable has what the strategies predict less and more than the model, decision by decision.
func (o *report) differencesTable() table.Table {
	t := table.Table{Name: "differences-table", Caption: "Difference from the model, on the same decisions: " + o.comparedOn(), Head: []table.Cell{table.Text("model"), table.Text("depth")}}
	solvers := o.solvers()
	for _, s := range solvers {
		t.Head = append(t.Head, table.Number(s+": points"), table.Number("log-loss"))
	}
	for _, m := range o.Models {
		for _, given := range m.rows("accuracy", m.compared(), "given") {
			row, any := []string{m.Name, depthName(given.Depth, given.Quiescence)}, false
			for _, s := range solvers {
				hits, loss := m.at("accuracy", m.compared(), s, given.Depth, given.Quiescence), m.at("log_loss", m.compared(), s, given.Depth, given.Quiescence)
				any = any || hits != nil && !math.IsNaN(hits.Difference)
				if hits != nil && hits.Model {
					row = append(row, "the model", "")
					continue
				}
				row = append(row, hits.difference(100), loss.difference(1))
			}
			if any { // models of older versions have none
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// difference returns the difference of paired decisions with its interval: −6.0 (−10.1 to −1.9).
func (r *entry) difference(factor float64) string {
	if r == nil || math.IsNaN(r.Difference) {
		return "–"
	}
	digits := 3
	if factor == 100 {
		digits = 1
	}
	return human.Estimate(factor*r.Difference, factor*r.DifferenceLow, factor*r.DifferenceHigh, digits)
}

// depthName is a depth in words, 2 with quiescence: what kifu learn prints as 2q.
func depthName(depth int64, quiet bool) string {
	return human.Grouped(depth) + withQuiescence(quiet)
}

func withQuiescence(quiet bool) string {
	if quiet {
		return " with quiescence"
	}
	return ""
}

// againstTable compares models with the first one where they have decisions in common.
func (o *report) againstTable() table.Table {
	t := table.Table{Name: "against-table", Caption: "The same decisions: models compared with " + o.Models[0].Name, Head: []table.Cell{
		table.Text("model"), table.Text("games"), table.Number("decisions"), table.Number(o.Models[0].Name), table.Number("model"), table.Number("difference"),
	}}
	for _, m := range o.Models[1:] {
		for _, r := range m.rows("against", "", "") {
			t.Rows = append(t.Rows, []string{m.Name, map[string]string{"train": "training", "held_out": "held out", "test": "test"}[r.Sample], human.Grouped(r.Decisions),
				human.Percent(r.Reference, 1), human.Percent(r.Reference+r.Estimate, 1), human.Estimate(100*r.Estimate, 100*r.Low, 100*r.High, 1)})
		}
	}
	return t
}

// solvers returns the solvers of all models.
func (o *report) solvers() (all []string) {
	for _, s := range []string{"given", "lp", "likelihood", "shrunk"} {
		for _, m := range o.Models {
			if m.at("accuracy", "train", s, 1, false) != nil {
				all = append(all, s)
				break
			}
		}
	}
	return all
}

func (o *report) countersTable() table.Table {
	t := table.Table{Name: "counters-table", Caption: "LearnDepth: given weights, training games", Head: []table.Cell{
		table.Text("model"), table.Text("depth"), table.Number("decisions"), table.Number("counter"), table.Number("per decision"), table.Number("± s.e."), table.Number("posterior"), table.Number("temperature"), table.Number("lapse"),
	}}
	for _, m := range o.Models {
		for _, r := range m.rows("counter", "train", "") {
			p := m.at("posterior", "train", "given", r.Depth, r.Quiescence)
			t.Rows = append(t.Rows, []string{m.Name, depthName(r.Depth, r.Quiescence), human.Grouped(r.Decisions), strings.Replace(human.Grouped(int64(r.Total)), "-", "−", 1), human.Signed(r.Estimate, 2), human.Weight(r.SE),
				strconv.FormatFloat(p.Estimate, 'f', 4, 64), human.Short(p.Temperature), human.Percent(p.Lapse, 1)})
		}
	}
	return t
}

func (o *report) agreementTable() table.Table {
	t := table.Table{Name: "agreement-table", Caption: "Moves among the model's first, by phase: " + o.judgedOn(), Head: []table.Cell{table.Text("model"), table.Number("phase"), table.Number("decisions"), table.Number("games")}}
	for _, top := range []string{"1", "3", "5"} {
		t.Head = append(t.Head, table.Number("first "+top), table.Number(top+" random"), table.Number("difference"))
	}
	for _, m := range o.Models {
		place := map[int64]int{} // of the row of a phase
		for _, r := range m.rows("agreement", m.judged(), "") {
			at, seen := place[r.PhaseLow]
			if !seen {
				at = len(t.Rows)
				place[r.PhaseLow] = at
				t.Rows = append(t.Rows, []string{m.Name, r.phase(), human.Grouped(r.Decisions), human.Grouped(r.Games)})
			}
			t.Rows[at] = append(t.Rows[at], plusMinus(&r), human.Percent(r.Reference, 1), r.difference(100))
		}
	}
	return t
}

// learnedTable has the weights given and learned.
func learnedTable(w *weights.Report) table.Table {
	t := table.Table{Name: "weights-table", Caption: "The weights at the model's depth, in " + w.Unit, Long: true, Keys: 4, Group: 2, Head: []table.Cell{table.Text("term"), table.Text("group"), table.Text("stage"), table.Number("given")}}
	for _, f := range w.Fits {
		t.Head = append(t.Head, table.Number(f.Name), table.Number("± s.e."))
	}
	for _, l := range w.Lines {
		row := []string{l.Term, l.Group, l.Stage, ""}
		for _, e := range l.Of {
			if e == nil {
				row = append(row, "", "")
				continue
			}
			row[3] = human.Weight(e.Initial)
			se := human.Weight(e.SE)
			if e.Status != "fitted" {
				se = e.Status
			}
			row = append(row, human.Weight(e.Weight), se)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

//go:embed notes.txt
var notesTemplate string

func (o *report) notes() []string {
	return sheet.Notes(notesTemplate, map[string]any{"Unit": o.Models[0].Unit, "Learned": len(o.weights().Lines) > 0})
}

func (o *report) inputs() []string {
	var all []string
	for _, m := range o.Models {
		all = append(all, fmt.Sprintf("%s: %s, key %s", m.Name, human.Plural(int64(m.Decisions), "decision", "decisions"), sheet.ShortKey(m.Key)))
	}
	return all
}

// summary is the text printed when the report is made.
func (o *report) summary() string {
	text := ""
	for _, t := range []table.Table{o.modelsTable(), o.againstTable(), o.accuracyTable(), o.differencesTable()} {
		if len(t.Rows) == 0 {
			continue
		}
		text += t.Caption + "\n" + t.Plain() + "\n"
	}
	return strings.TrimSuffix(text, "\n")
}
