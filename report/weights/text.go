package weights

import (
	"cmp"
	"fmt"
	"html/template"
	"math"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/report/sheet"
	"kifu/schemas"
)

// sheet is the report with these boards.
func (w *Report) sheet(boards template.HTML) *sheet.Sheet {
	return &sheet.Sheet{Name: "weights", Unit: w.Unit, Text: w.document(), Picture: w.Forest(), Boards: boards, SQL: w.SQL, Rows: w.Rows, Inputs: w.Inputs(), Read: int64(len(w.Lines))}
}

func (w *Report) title() string {
	names := lists.Of(w.Fits, func(f Fit) string { return f.Name })
	return sheet.Title("Fitted weights", w.Fits[0].Game, names)
}

func (w *Report) document() table.Document {
	d := table.Document{Title: w.title(), Notes: w.notes()}
	d.Lead = fmt.Sprintf("%s in %s, with 95 %% intervals robust to clustering %s.",
		human.Plural(int64(len(w.Lines)), "weight", "weights"), human.Plural(int64(len(w.Fits)), "fit", "fits"), w.clustering())
	d.Tables = append(d.Tables, w.FitTable(), w.quality())
	d.Tables = append(d.Tables, w.table())
	if t := w.differences(); len(t.Rows) > 0 {
		d.Tables = append(d.Tables, t)
	}
	return d
}

func optional(p *float64, format func(float64) string) string {
	if p == nil {
		return "–"
	}
	return format(*p)
}

// FitTable returns a table of the fits: what each was fitted to, its scale and its numbers.
func (w *Report) FitTable() table.Table {
	t := table.Table{Name: "fits", Caption: "The fits", Head: []table.Cell{
		table.Text("fit"), table.Text("method"), table.Number("positions"), table.Number("games"), table.Number("w0"), table.Number("± s.e."), table.Number("w0 before"), table.Number("scale 1/w0"), table.Text("draws"), table.Text("solver"),
	}}
	for _, f := range w.Fits {
		row := []string{f.Name, f.Method, "–", "–", human.Short(f.Scale.Value), optional(f.Scale.SERobust, human.Short), optional(f.Scale.Original, human.Short),
			human.Number(math.Round(10/f.Scale.Value) / 10), f.Draws, f.Solver.Status}
		if f.Train != nil {
			row[2], row[3] = human.Grouped(int64(f.Train.Positions)), human.Grouped(int64(f.Train.Games))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// quality has the metrics of the games fitted to and of those held out.
func (w *Report) quality() table.Table {
	t := table.Table{Name: "quality", Caption: "Quality of the predictions", Head: []table.Cell{
		table.Text("fit"), table.Text("sample"), table.Number("positions"), table.Number("games"),
		table.Number("log-loss, none"), table.Number("log-loss before"), table.Number("log-loss fitted"), table.Number("Brier before"), table.Number("Brier fitted"), table.Number("accuracy before"), table.Number("accuracy fitted"),
	}}
	add := func(f Fit, games string, s *schemas.FitSample) {
		if s == nil || f.Method == "value" { // which predicts no winner
			return
		}
		row := []string{f.Name, games, human.Grouped(int64(s.Positions)), human.Grouped(int64(s.Games)), human.Fixed(s.Base.LogLoss, 4), "–", human.Fixed(s.Fitted.LogLoss, 4), "–", human.Fixed(s.Fitted.Brier, 4), "–", human.Percent(s.Fitted.Accuracy, 1)}
		if o := s.Original; o != nil {
			row[5], row[7], row[9] = human.Fixed(o.LogLoss, 4), human.Fixed(o.Brier, 4), human.Percent(o.Accuracy, 1)
		}
		t.Rows = append(t.Rows, row)
	}
	for _, f := range w.Fits {
		add(f, "held\u00a0out", f.Held)
		add(f, "training", f.Train)
	}
	return t
}

func (w *Report) table() table.Table {
	t := table.Table{Name: "weights", Caption: "The weights", Long: true, Keys: 4 + len(w.References), Group: 6, Head: []table.Cell{table.Text("term"), table.Text("group"), table.Text("stage"), table.Number("before")}}
	for _, r := range w.References {
		t.Head = append(t.Head, table.Number(r.Name))
	}
	for _, f := range w.Fits {
		t.Head = append(t.Head, table.Number(f.Name), table.Number("± s.e."), table.Number("95\u00a0% interval"), table.Number("z"), table.Number("positions"), table.Number("games"))
	}
	for _, l := range w.Lines {
		row := []string{l.Term, l.Group, l.Stage, ""}
		for _, r := range w.References {
			value := ""
			if v, ok := r.value(l); ok {
				value = human.Weight(v)
			}
			row = append(row, value)
		}
		for _, e := range l.Of {
			if e == nil {
				row = append(row, "", "", "", "", "", "")
				continue
			}
			row[3] = human.Weight(e.Initial)
			cells := []string{human.Weight(e.Weight), human.Weight(e.SE), "–", "–", human.Grouped(e.Positions), human.Grouped(e.Games)}
			if e.Status != "fitted" {
				cells[2] = e.Status
			} else if !math.IsNaN(e.Low) {
				cells[2], cells[3] = human.Weight(e.Low)+" to "+human.Weight(e.High), human.Signed(e.Z, 1)
			}
			row = append(row, cells...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// differences has the weights of each later fit less the first fit's, where both were fitted to the
// same labels.
func (w *Report) differences() table.Table {
	first := w.Fits[0].Name
	t := table.Table{Name: "differences", Caption: "Differences from " + first + ", paired by game", Long: true, Keys: 4,
		Head: []table.Cell{table.Text("term"), table.Text("group"), table.Text("stage"), table.Text("fit"), table.Number("− " + first), table.Number("± s.e."), table.Number("95\u00a0% interval")}}
	for _, l := range w.Lines {
		for i := range w.Fits {
			if d, ok := w.less(l, i); ok {
				t.Rows = append(t.Rows, []string{l.Term, l.Group, l.Stage, w.Fits[i].Name, human.Weight(d.Value), human.Weight(d.SE), human.Weight(d.Low) + " to " + human.Weight(d.High)})
			}
		}
	}
	return t
}

func (w *Report) notes() []string {
	notes := []string{
		fmt.Sprintf("A weight is the value of one more of the term to its owner, in %s. “Before” is the weight with which the values were computed: 0 for terms that label --zero removed and for features added by SQL.", w.Unit),
		"The fitted win probability is 1/(1+exp(−w0·e′)), where e′ is the evaluation with the fitted weights. “w0 before” is the best w0 for the unchanged evaluation (Takeuchi, Kaneko, Yamaguchi and Kawai 2007; mlm is maximum likelihood, ls least squares).",
		"Log-loss is the mean of −ln of the probability given to the winner. Brier is the mean squared error, and accuracy the share of positions whose winner got a probability above one half. “None” is one probability for all positions. Compare fits on the held-out games.",
		"Support is the number of positions, and of games, in which the term counts. A weight that was not fitted has the reason instead of its interval.",
	}
	if len(w.differences().Rows) > 0 {
		notes = append(notes, "Differences are paired, because fits to the same games err together. So two intervals may overlap although the difference is significant, or the reverse.")
	}
	if w.added() > 0 {
		notes = append(notes, fmt.Sprintf("The weight of an added feature is in %s per unit of the feature. If the feature is itself a value in %s (--add safety=king_safety), the weight is a factor without unit: 0.1 adds a tenth of that value to the evaluation.", w.Unit, w.Unit))
	}
	for _, r := range w.References {
		source := r.Source
		source = cmp.Or(source, "weights of an evaluator")
		notes = append(notes, r.Name+": "+source+". It is copied from its source, not fitted, so it has no error.")
	}
	notes = append(notes, w.pointwise())
	seen := map[string]bool{}
	for _, f := range w.Fits {
		if f.Errors != "" && !seen[f.Errors] {
			seen[f.Errors] = true
			notes = append(notes, "Errors of "+f.Name+": "+f.Errors+".")
		}
		notes = append(notes, lists.Of(f.Notes, func(n schemas.FitNote) string { return f.Name + ": " + n.String() })...)
	}
	return notes
}

// Inputs returns a line for each fit, with its key.
func (w *Report) Inputs() []string {
	return lists.Of(w.Fits, func(f Fit) string { return fmt.Sprintf("%s: key %s", f.Name, sheet.ShortKey(f.Key)) })
}
