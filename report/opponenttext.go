package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

func (o *opponents) names() []string {
	var names []string
	for _, m := range o.Models {
		names = append(names, m.Name)
	}
	return names
}

// firstMoves says which moves of a model are meant.
func firstMoves(top int64) string {
	if top == 1 {
		return "first by the model"
	}
	return fmt.Sprintf("among its first %d", top)
}

// weightsOf says whose weights are meant.
func weightsOf(solver string) string {
	if solver == "given" {
		return "the weights given"
	}
	return "weights by " + solver
}

// comparedOn names the games that depths are compared on.
func (o *opponents) comparedOn() string {
	return o.on((*opponentModel).compared)
}

// judgedOn names the games that models are judged by.
func (o *opponents) judgedOn() string {
	return o.on((*opponentModel).judged)
}

// on names the games of a choice that may differ from model to model.
func (o *opponents) on(sample func(*opponentModel) string) string {
	var texts []string
	same := true
	for _, m := range o.Models {
		text := map[string]string{"train": "games fitted to", "held_out": "games held out", "test": "games kept to test"}[sample(m)]
		same = same && (len(texts) == 0 || strings.HasSuffix(texts[0], text))
		texts = append(texts, m.Name+": "+text)
	}
	if same {
		_, text, _ := strings.Cut(texts[0][len(o.Models[0].Name):], ": ")
		return text
	}
	return strings.Join(texts, ", ")
}

func (o *opponents) weightsSubtitle(shown, all int) string {
	text := "the weights of each solver at the model's depth; grey bar: weight given; no interval: the linear programme has none"
	if shown < all {
		text += fmt.Sprintf("\n%d of %s weights, those with the largest |z|", shown, grouped(int64(all)))
	}
	return text
}

func (o *opponents) document() document {
	d := document{Title: titleOf("Opponent models", o.Models[0].Game, o.names()), Lead: o.lead(), Notes: o.notes()}
	d.Tables = append(d.Tables, o.modelsTable(), o.accuracyTable(), o.countersTable(), o.agreementTable())
	if w := o.weights(); len(w.Lines) > 0 {
		d.Tables = append(d.Tables, w.learnedTable())
	}
	return d
}

// lead says of each model how well it foretells.
func (o *opponents) lead() string {
	var parts []string
	for _, m := range o.Models {
		for _, r := range m.rows("agreement", m.judged(), "") {
			if r.Top == 1 && r.PhaseLow < 0 {
				on := map[string]string{"train": "fitted to", "held_out": "held out", "test": "kept to test"}[m.judged()]
				parts = append(parts, fmt.Sprintf("%s: depth %d, weights %s, foretells %s of the moves in games %s, a random move %s.",
					m.Name, m.Model.Depth, m.Model.Solver, plusMinus(&r), on, percent(r.Reference, 1)))
			}
		}
	}
	return strings.Join(parts, " ")
}

// plusMinus is a share with its standard error: 51.5 ± 6.1 %.
func plusMinus(r *opponentRow) string {
	switch {
	case r == nil:
		return "–"
	case !(r.SE > 0): // none, or all games agree
		return percent(r.Estimate, 1)
	}
	return strconv.FormatFloat(100*r.Estimate, 'f', 1, 64) + " ± " + percent(r.SE, 1)
}

func (o *opponents) modelsTable() table {
	t := table{Name: "models", Caption: "The models", Head: []cell{
		{"model", false}, {"player", false}, {"decisions", true}, {"depth", true}, {"weights", false}, {"temperature", true}, {"lapse", true},
		{"fitted to", true}, {"held out", true}, {"test", true}, {"random", true},
	}}
	for _, m := range o.Models {
		row := []string{m.Name, strings.Join(m.Player, ", "), grouped(m.Decisions), grouped(m.Model.Depth), m.Model.Solver,
			shortNumber(m.Model.Temperature), percent(m.Model.Lapse, 1)}
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
		t.Rows = append(t.Rows, append(row, percent(random, 1)))
	}
	return t
}

// accuracyTable has a row a model and depth, and the solvers beside each other.
func (o *opponents) accuracyTable() table {
	solvers := o.solvers()
	t := table{Name: "accuracy-table", Caption: "Moves foretold, by depth: " + o.comparedOn(), Head: []cell{{"model", false}, {"depth", true}, {"random", true}}}
	for _, s := range solvers {
		t.Head = append(t.Head, cell{s, true})
	}
	t.Head = append(t.Head, cell{"log-loss, random", true})
	for _, s := range solvers {
		t.Head = append(t.Head, cell{s, true})
	}
	three := func(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
	for _, m := range o.Models {
		for _, depth := range m.Depths {
			d := int64(depth.Depth)
			given := m.at("accuracy", m.compared(), "given", d)
			row := []string{m.Name, strconv.Itoa(depth.Depth), percent(given.Reference, 1)}
			for _, s := range solvers {
				r := m.at("accuracy", m.compared(), s, d)
				text := plusMinus(r)
				if r != nil && r.Model {
					text = "*" + text
				}
				row = append(row, text)
			}
			row = append(row, three(m.at("log_loss", m.compared(), "given", d).Reference))
			for _, s := range solvers {
				text := "–"
				if r := m.at("log_loss", m.compared(), s, d); r != nil {
					text = three(r.Estimate)
				}
				row = append(row, text)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// solvers are those of any model.
func (o *opponents) solvers() (all []string) {
	for _, s := range []string{"given", "lp", "likelihood", "shrunk"} {
		for _, m := range o.Models {
			if m.at("accuracy", "train", s, 1) != nil {
				all = append(all, s)
				break
			}
		}
	}
	return all
}

func (o *opponents) countersTable() table {
	t := table{Name: "counters-table", Caption: "LearnDepth: the weights given, games fitted to", Head: []cell{
		{"model", false}, {"depth", true}, {"decisions", true}, {"counter", true}, {"a decision", true}, {"± s.e.", true}, {"posterior", true}, {"temperature", true}, {"lapse", true},
	}}
	for _, m := range o.Models {
		for _, r := range m.rows("counter", "train", "") {
			p := m.at("posterior", "train", "given", r.Depth)
			t.Rows = append(t.Rows, []string{m.Name, grouped(r.Depth), grouped(r.Decisions), strings.Replace(grouped(int64(r.Total)), "-", "−", 1), signed(r.Estimate, 2), weightText(r.SE),
				strconv.FormatFloat(p.Estimate, 'f', 4, 64), shortNumber(p.Temperature), percent(p.Lapse, 1)})
		}
	}
	return t
}

func (o *opponents) agreementTable() table {
	t := table{Name: "agreement-table", Caption: "Moves among the model's first, by phase: " + o.judgedOn(), Head: []cell{{"model", false}, {"phase", true}, {"decisions", true}, {"games", true}}}
	for _, top := range []string{"1", "3", "5"} {
		t.Head = append(t.Head, cell{"first " + top, true}, cell{top + " random", true})
	}
	for _, m := range o.Models {
		place := map[int64]int{} // of the row of a phase
		for _, r := range m.rows("agreement", m.judged(), "") {
			at, seen := place[r.PhaseLow]
			if !seen {
				at = len(t.Rows)
				place[r.PhaseLow] = at
				t.Rows = append(t.Rows, []string{m.Name, r.phase(), grouped(r.Decisions), grouped(r.Games)})
			}
			t.Rows[at] = append(t.Rows[at], plusMinus(&r), percent(r.Reference, 1))
		}
	}
	return t
}

// learnedTable has the weights given and learned.
func (w *weights) learnedTable() table {
	t := table{Name: "weights-table", Caption: "The weights at the model's depth, in " + w.Unit, Long: true, Keys: 4, Group: 2, Head: []cell{{"term", false}, {"group", false}, {"stage", false}, {"given", true}}}
	for _, f := range w.Fits {
		t.Head = append(t.Head, cell{f.Name, true}, cell{"± s.e.", true})
	}
	for _, l := range w.Lines {
		row := []string{l.Term, l.Group, l.Stage, ""}
		for _, e := range l.Of {
			if e == nil {
				row = append(row, "", "")
				continue
			}
			row[3] = weightText(e.Initial)
			se := weightText(e.SE)
			if e.Status != "fitted" {
				se = e.Status
			}
			row = append(row, weightText(e.Weight), se)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (o *opponents) notes() []string {
	notes := []string{
		"A model is a strategy as Carmel and Markovitch have it (Learning Models of Opponent's Strategy in Game Playing, 1993): weights, and a depth of look-ahead in plies by minimax without quiescence. The weights given are those that learning began to value with; lp and likelihood learned others for each depth. * is the model.",
		"A move is foretold to the share by which one drawn from the moves that the strategy holds for best is the one played; a random move is drawn from all legal ones. Forced moves are no decisions. Errors allow for the dependence of decisions of one game, and are left out where all games agree; intervals are Wilson's 95 % at the number of independent decisions that would vary as much.",
		"The model was chosen by the games held out, which flatters it there; the games kept to test had no part in it.",
		"The counter is the number of moves valued no better than the one played, less that of those valued better, over the decisions fitted to; the true depth of a player with the weights given has the greatest. The posterior takes decisions for independent and one of the depths for true.",
		"Log-loss is the mean of −ln of the chance given to the move played by a noisy choice: with the chance lapse any move, else a move with a chance in proportion to exp(value/temperature), the temperature in " + o.Models[0].Unit + ".",
		"Among the model's first 3 is a move with fewer than 3 better ones; of equal ones that go beyond the third, the share that finds room counts. Phase is the column of that name in positions, in bands of equal width.",
	}
	if len(o.weights().Lines) > 0 {
		notes = append(notes, "Learned weights are so long that the moves played differ from the others by as much as with the weights given. Errors of the likelihood take the dominant positions and this length as given; the linear programme has none. Begun with: no system gave weights that foretold more of the games held out than those that learning began with (crosses in the picture).")
	}
	return notes
}

func (o *opponents) inputs() []string {
	var all []string
	for _, m := range o.Models {
		all = append(all, fmt.Sprintf("%s: %s, key %s", m.Name, plural(m.Decisions, "decision", "decisions"), m.Key[:min(16, len(m.Key))]))
	}
	return all
}

// summary is what is printed when the report is made.
func (o *opponents) summary() (string, error) {
	text := ""
	for _, t := range []table{o.modelsTable(), o.accuracyTable()} {
		rows, err := render("table", t.result())
		if err != nil {
			return "", err
		}
		text += t.Caption + "\n" + rows + "\n"
	}
	return strings.TrimSuffix(text, "\n"), nil
}
