// Package summary says in words and tables what a dataset holds.
//
// In: the files next to its parts, as learn, fit, match and the reports write them. Out: what is shown before its rows: a
// sentence, tables whose cells lead to games, and notes. It does not read rows.
package summary

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/explore/parts"
	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/schemas"
)

// Summary holds the words and tables shown before a dataset's rows.
type Summary struct {
	Lead   string
	Tables []saidTable
	Notes  []string
	Text   string // the printed text, where there are no tables; "": none
}

// saidTable is a table whose cells may lead elsewhere.
type saidTable struct {
	table.Table
	More  int               // rows that are left out
	Links map[string]string // address by text of the first column
}

// mostSaid is the number of rows of a table of a summary.
const mostSaid = 40

// summaries read the file of a kind of result. What has none of them may have the document of
// a report.
var summaries = []struct {
	file string
	read func(d *datasets.Dir, name string, text []byte) (table.Document, map[string]string, error)
}{
	{"learn.json", learnSummary}, {"fit.json", fitSummary}, {"result.json", matchSummary},
}

// Of returns the findings of a dataset of that name, nil if it is rows alone. A file in the form of an older
// version counts as none.
func Of(d *datasets.Dir, name string) (*Summary, error) {
	for _, s := range summaries {
		if !d.HasFile(s.file) {
			continue
		}
		text, err := d.ReadFile(s.file)
		if err != nil {
			return nil, err
		}
		if doc, links, err := s.read(d, name, text); err == nil {
			return newSummary(doc, links), nil
		}
	}
	for _, f := range d.Manifest.Files {
		if path.Ext(f.Name) != ".json" {
			continue
		}
		text, err := d.ReadFile(f.Name)
		if err != nil {
			return nil, err
		}
		if doc, err := table.ParseDocument(text); err == nil && len(doc.Tables) > 0 {
			return newSummary(doc, nil), nil
		}
	}
	return printed(d)
}

// printed returns the kept output of a command, nil for none.
func printed(d *datasets.Dir) (*Summary, error) {
	name := d.Manifest.Stage + ".txt"
	if !d.HasFile(name) {
		return nil, nil
	}
	text, err := d.ReadFile(name)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i, line := range lines {
		lines[i] = parts.Plain(line)
	}
	return &Summary{Text: strings.Join(lines, "\n")}, nil
}

func newSummary(doc table.Document, links map[string]string) *Summary {
	s := &Summary{Lead: parts.Plain(doc.Lead)}
	for _, t := range doc.Tables {
		if len(t.Rows) == 0 {
			continue
		}
		said := saidTable{Table: t, Links: links, More: max(0, len(t.Rows)-mostSaid)}
		said.Rows = t.Rows[:len(t.Rows)-said.More]
		for _, row := range said.Rows {
			for i := range row {
				row[i] = parts.Plain(row[i])
			}
		}
		s.Tables = append(s.Tables, said)
	}
	for _, n := range doc.Notes {
		s.Notes = append(s.Notes, parts.Plain(n))
	}
	return s
}

// sentence joins the parts that are not empty and ends them with a full stop.
func sentence(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return human.Capital(strings.Join(parts, ", ")) + "."
}

// lookAhead names a candidate: a depth, with or without the search of captures to their end.
func lookAhead(depth int, quiescence bool) string {
	text := human.Plural(int64(depth), "ply", "plies")
	if quiescence {
		text += " with quiescence"
	}
	return text
}

// points writes a difference of shares with its error, in percentage points.
func points(x float64, se *float64) string { return withError(100*x, 100, se, 1) }

func withError(x, scale float64, se *float64, digits int) string {
	text := human.Signed(x, digits)
	if se != nil {
		text += fmt.Sprintf(" ± %.*f", digits, scale**se)
	}
	return text
}

// learnSummary names the strategy that predicts a player's moves, the best one of the games held out
// first.
func learnSummary(_ *datasets.Dir, _ string, text []byte) (table.Document, map[string]string, error) {
	var l schemas.Learn
	if err := json.Unmarshal(text, &l); err != nil || l.Model == nil {
		return table.Document{}, nil, orNone(err)
	}
	m := l.Model
	model := fmt.Sprintf("the model of %s looks %s ahead", strings.Join(l.Player, ", "), lookAhead(m.Depth, false))
	if m.Quiescence {
		model += " and adds a quiescence search"
	}
	if m.Solver == "given" {
		model += ", with given weights: " + l.Evaluator
	} else {
		model += ", with weights learned by " + solvers[m.Solver]
	}
	predicts := ""
	switch {
	case m.Test != nil && l.Test != nil:
		predicts = fmt.Sprintf("it predicts %s of %d moves in the test games; a random legal move would be right in %.1f %%", m.Test, l.Test.Decisions, 100*l.Test.Chance)
	case m.Held != nil && l.Held != nil:
		predicts = fmt.Sprintf("it predicts %s of %d moves in the held-out games; a random legal move would be right in %.1f %%", m.Held, l.Held.Decisions, 100*l.Held.Chance)
	default:
		predicts = "nothing was held out or tested, so its predictions are unverified"
	}
	doc := table.Document{Lead: sentence(model) + " " + sentence(predicts),
		Tables: []table.Table{learnCandidates(&l), learnSamples(&l)}}
	if compared := learnCompared(&l); len(compared.Rows) > 0 {
		doc.Tables = append(doc.Tables, compared)
	}
	if l.Likeliest != nil {
		doc.Notes = append(doc.Notes, human.Capital(l.Likeliest.String())+".")
	}
	doc.Notes = append(doc.Notes, fmt.Sprintf("The temperature is in %s. The lapse is the probability of a random legal move. The columns \"behind the model\" compare the candidate with the model on the same decisions, in percentage points and in nats per decision. Standard errors are clustered by game.", l.Unit))
	return doc, nil, nil
}

// solvers are the names of the ways to learn weights.
var solvers = map[string]string{"lp": "a linear programme", "likelihood": "maximum likelihood", "shrunk": "maximum likelihood, shrunk towards the given weights"}

// orNone is an error for a text without findings.
func orNone(err error) error {
	if err == nil {
		err = fmt.Errorf("it has no result")
	}
	return err
}

// learnCandidates has a row for each candidate, by what it predicts of the games held out.
func learnCandidates(l *schemas.Learn) table.Table {
	t := table.Table{Name: "candidates", Caption: "Candidates by accuracy in the held-out games, the chosen model first",
		Head: []table.Cell{table.Text("look-ahead"), table.Number("held-out accuracy"), table.Text("weights"), table.Number("held-out log-loss"), table.Number("points behind the model"),
			table.Number("log-loss behind the model"), table.Number("training accuracy"), table.Number("posterior"), table.Number("temperature"), table.Number("lapse")}}
	type candidate struct {
		held float64
		row  []string
	}
	var all []candidate
	add := func(depth int, quiescence bool, weights, posterior string, temperature, lapse float64, train, held *schemas.LearnScore, against *schemas.LearnAgainst) {
		c := candidate{held: -1, row: []string{lookAhead(depth, quiescence), "", weights, "", "", "", train.String(), posterior, fmt.Sprintf("%.4g", temperature), fmt.Sprintf("%.3f", lapse)}}
		if held != nil {
			c.held, c.row[1], c.row[3] = held.Accuracy, held.String(), fmt.Sprintf("%.3f", held.LogLoss)
		}
		if m := l.Model; m.Depth == depth && m.Quiescence == quiescence && m.Solver == weights {
			c.held, c.row[2] = 2, weights+" (the model)"
		} else if against != nil {
			c.row[4], c.row[5] = points(against.Behind, against.BehindSE), withError(against.LossBehind, 1, against.LossBehindSE, 3)
		}
		all = append(all, c)
	}
	for i, depths := range [][]schemas.LearnDepth{l.Depths, l.Quiescent} {
		for _, d := range depths {
			add(d.Depth, i == 1, "given", fmt.Sprintf("%.4f", d.Posterior), d.Temperature, d.Lapse, &d.Train, d.Held, d.Against)
		}
	}
	for _, s := range l.Strategies {
		if s.Solver == "given" {
			continue // of the depths
		}
		against := &schemas.LearnAgainst{Behind: s.Behind, BehindSE: s.BehindSE}
		if s.LossBehind != nil {
			against.LossBehind, against.LossBehindSE = *s.LossBehind, s.LossBehindSE
		}
		add(s.Depth, s.Quiescence, s.Solver, "", s.Temperature, s.Lapse, &s.Train, &s.Held, against)
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch {
		case a.held > b.held:
			return -1
		case a.held < b.held:
			return 1
		}
		return 0
	})
	for _, c := range all {
		t.Rows = append(t.Rows, c.row)
	}
	return t
}

// learnSamples has the decisions fitted to, held out and tested.
func learnSamples(l *schemas.Learn) table.Table {
	t := table.Table{Name: "samples", Caption: fmt.Sprintf("Decisions used: %s of %s in %s", human.Grouped(int64(l.Decisions)), human.Plural(int64(l.Moves), "move", "moves"), human.Plural(int64(l.Games), "game", "games")),
		Head: []table.Cell{table.Text("sample"), table.Number("model accuracy"), table.Number("accuracy of a random move"), table.Number("decisions"), table.Number("games"), table.Number("log-loss of a random move")}}
	for _, s := range []struct {
		name   string
		sample *schemas.LearnSample
		score  *schemas.LearnScore
	}{{"training", &l.Train, nil}, {"held out (to choose the model)", l.Held, l.Model.Held}, {"test", l.Test, l.Model.Test}} {
		if s.sample == nil {
			continue
		}
		right := ""
		if s.score != nil {
			right = s.score.String()
		}
		t.Rows = append(t.Rows, []string{s.name, right, fmt.Sprintf("%.1f %%", 100*s.sample.Chance), human.Grouped(int64(s.sample.Decisions)), human.Grouped(int64(s.sample.Games)), fmt.Sprintf("%.3f", s.sample.LogLoss)})
	}
	return t
}

// learnCompared has the strategies that were judged on the same test games.
func learnCompared(l *schemas.Learn) table.Table {
	t := table.Table{Name: "compared", Caption: "Strategies on the same test games, compared with the first",
		Head: []table.Cell{table.Text("player"), table.Text("look-ahead"), table.Number("accuracy"), table.Number("log-loss"), table.Number("points behind the first"), table.Number("log-loss behind the first")}}
	for i, c := range l.Compared {
		row := []string{c.Player, lookAhead(c.Depth, c.Quiescence), c.LearnScore.String(), fmt.Sprintf("%.3f", c.LogLoss), "", ""}
		if i > 0 {
			row[4], row[5] = points(c.Behind, c.BehindSE), withError(c.LossBehind, 1, c.LossBehindSE, 3)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
