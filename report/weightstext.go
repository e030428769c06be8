package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kifu/datasets"
)

// write puts everything that w has to say into out.
func (w *weights) write(out Output) error {
	csv, err := render("csv", w.Rows)
	if err != nil {
		return err
	}
	out.AddCounts(datasets.Counts{Read: int64(len(w.Lines))})
	picture := w.forest()
	legend := chart{Series: picture.Series}
	return write(out, "weights", page{
		Document: w.document(), Legend: legend.legend(), Picture: picture.svg(), SQL: w.SQL, Inputs: w.inputs(),
	}, picture, csv)
}

func (w *weights) title() string {
	var names []string
	for _, f := range w.Fits {
		names = append(names, f.Name)
	}
	return titleOf("Fitted weights", w.Fits[0].Game, names)
}

func (w *weights) document() document {
	d := document{Title: w.title(), Notes: w.notes()}
	d.Lead = fmt.Sprintf("%s in %s, each fitted to the winners of games, with errors that allow for the dependence of positions of one game.",
		plural(int64(len(w.Lines)), "weight", "weights"), plural(int64(len(w.Fits)), "fit", "fits"))
	d.Tables = append(d.Tables, w.fits(), w.quality())
	d.Tables = append(d.Tables, w.table())
	return d
}

// weightText writes a weight or an error to a tenth, below ten to a hundredth.
func weightText(v float64) string {
	decimals := 1
	if math.Abs(v) < 10 {
		decimals = 2
	}
	if math.IsNaN(v) {
		return "–"
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return "0"
	}
	return strings.Replace(text, "-", "−", 1)
}

func optional(p *float64, format func(float64) string) string {
	if p == nil {
		return "–"
	}
	return format(*p)
}

func (w *weights) fits() table {
	t := table{Name: "fits", Caption: "The fits", Head: []cell{
		{"fit", false}, {"method", false}, {"positions", true}, {"games", true}, {"w0", true}, {"± s.e.", true}, {"w0 before", true}, {"scale 1/w0", true}, {"draws", false}, {"solver", false},
	}}
	for _, f := range w.Fits {
		row := []string{f.Name, f.Method, "–", "–", shortNumber(f.Scale.Value), optional(f.Scale.SERobust, shortNumber), optional(f.Scale.Original, shortNumber),
			plainNumber(math.Round(10/f.Scale.Value) / 10), f.Draws, f.Solver.Status}
		if f.Train != nil {
			row[2], row[3] = grouped(f.Train.Positions), grouped(f.Train.Games)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// quality has the metrics of the games fitted to and of those held out.
func (w *weights) quality() table {
	t := table{Name: "quality", Caption: "How well they foretell the winner", Head: []cell{
		{"fit", false}, {"sample", false}, {"positions", true}, {"games", true},
		{"log-loss, none", true}, {"before", true}, {"fitted", true}, {"Brier before", true}, {"fitted", true}, {"accuracy before", true}, {"fitted", true},
	}}
	four := func(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }
	add := func(f fitted, games string, s *sample) {
		if s == nil || f.Method == "value" { // which foretells no winner
			return
		}
		row := []string{f.Name, games, grouped(s.Positions), grouped(s.Games), four(s.Base.LogLoss), "–", four(s.Fitted.LogLoss), "–", four(s.Fitted.Brier), "–", percent(s.Fitted.Accuracy, 1)}
		if o := s.Original; o != nil {
			row[5], row[7], row[9] = four(o.LogLoss), four(o.Brier), percent(o.Accuracy, 1)
		}
		t.Rows = append(t.Rows, row)
	}
	for _, f := range w.Fits {
		add(f, "held\u00a0out", f.Held)
		add(f, "fitted\u00a0to", f.Train)
	}
	return t
}

func (w *weights) table() table {
	t := table{Name: "weights", Caption: "The weights", Long: true, Keys: 4 + len(w.Beside), Group: 6, Head: []cell{{"term", false}, {"group", false}, {"stage", false}, {"before", true}}}
	for _, r := range w.Beside {
		t.Head = append(t.Head, cell{r.Name, true})
	}
	for _, f := range w.Fits {
		t.Head = append(t.Head, cell{f.Name, true}, cell{"± s.e.", true}, cell{"95\u00a0% interval", true}, cell{"z", true}, cell{"positions", true}, cell{"games", true})
	}
	for _, l := range w.Lines {
		row := []string{l.Term, l.Group, l.Stage, ""}
		for _, r := range w.Beside {
			value := ""
			if v, ok := r.of(l); ok {
				value = weightText(v)
			}
			row = append(row, value)
		}
		for _, e := range l.Of {
			if e == nil {
				row = append(row, "", "", "", "", "", "")
				continue
			}
			row[3] = weightText(e.Initial)
			cells := []string{weightText(e.Weight), weightText(e.SE), "–", "–", grouped(e.Positions), grouped(e.Games)}
			if e.Status != "fitted" {
				cells[2] = e.Status
			} else if !math.IsNaN(e.Low) {
				cells[2], cells[3] = weightText(e.Low)+" to "+weightText(e.High), signed(e.Z, 1)
			}
			row = append(row, cells...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (w *weights) notes() []string {
	notes := []string{
		fmt.Sprintf("A weight is what one more of the term is worth to its owner, in %s. Before is the weight in the values that were fitted to: 0 for what label --zero took out and for a feature added by SQL.", w.Unit),
		"The fitted win probability is 1/(1+exp(−w0·e′)), e′ the evaluation with the fitted weights; w0 before is the best for the evaluation as it was (Takeuchi, Kaneko, Yamaguchi and Kawai 2007: mlm is maximum likelihood, ls least squares).",
		"Log-loss is the mean of −ln of the probability given to the winner, Brier the mean squared error, accuracy the share of positions whose winner was given more than a half; none is one probability for all positions. Compare fits on the games held out.",
		"Support is the number of positions, and of games, in which the term counts. A weight that was not fitted says why in place of its interval.",
	}
	for _, r := range w.Beside {
		source := r.Source
		if source == "" {
			source = "weights of an evaluator"
		}
		notes = append(notes, r.Name+": "+source+". It is as its source has it: not fitted, and without an error.")
	}
	seen := map[string]bool{}
	for _, f := range w.Fits {
		if f.Errors != "" && !seen[f.Errors] {
			seen[f.Errors] = true
			notes = append(notes, "Errors of "+f.Name+": "+f.Errors+".")
		}
		for _, n := range f.Notes {
			notes = append(notes, f.Name+": "+n.String())
		}
	}
	return notes
}

func (w *weights) inputs() []string {
	var all []string
	for _, f := range w.Fits {
		all = append(all, fmt.Sprintf("%s: key %s", f.Name, f.Key[:min(16, len(f.Key))]))
	}
	return all
}
