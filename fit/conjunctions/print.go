package conjunctions

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit/losses"
	"kifu/fit/solve"
	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/schemas"
)

// mostPrinted is how many conjunctions are printed: the rest is in the table.
const mostPrinted = 20

// Print writes the contents of dataset d: what was found, how well it predicts, and the
// strongest conjunctions.
func Print(w io.Writer, d *datasets.Dir) error {
	text, err := d.ReadFile("conjunctions.json")
	if err != nil {
		return err
	}
	var f schemas.ConjunctionsFit
	if err := json.Unmarshal(text, &f); err != nil {
		return fmt.Errorf("%s/conjunctions.json: %w", d.Path, err)
	}
	var sizes []string
	for i, n := range f.Found {
		sizes = append(sizes, fmt.Sprintf("%s of %d", human.Grouped(int64(n)), i+1))
	}
	fmt.Fprintf(w, "  found in %s of %s: %s atoms\n", human.Plural(int64(f.Train.Positions), "position", "positions"), human.Plural(int64(f.Train.Games), "game", "games"), strings.Join(sizes, ", "))
	fmt.Fprintf(w, "  %s too rare, %s merged with a part; %s selected (%s)", human.Grouped(int64(f.Rare)), human.Grouped(int64(f.Merged)), human.Grouped(int64(f.Selected)), f.Select)
	if f.Prune > 0 {
		fmt.Fprintf(w, ", %s of them below %g taken out", human.Grouped(int64(f.Pruned)), f.Prune)
	}
	fmt.Fprintln(w)
	if err := printDefaults(w, d, f); err != nil {
		return err
	}
	fmt.Fprintf(w, "  %s: %s", f.Method, f.Status)
	if f.Method != bayes && f.Iterations >= iterations(f.Truths+int64(f.Train.Positions)) {
		fmt.Fprint(w, ": select some (--select cmim:N) or raise --ridge for weights that are best")
	}
	fmt.Fprintln(w)
	if err := printQuality(w, f); err != nil {
		return err
	}
	if f.Known > 0 {
		fmt.Fprintf(w, "  note: %s of the held-out positions are also training positions\n", human.Grouped(int64(f.Known)))
	}
	if f.Prune > 0 || f.Select != selectAll {
		fmt.Fprintln(w, "  weights have no errors: these positions also chose the conjunctions, so errors would be too small; the held-out gain is not affected")
	}
	if f.Clusters != nil {
		fmt.Fprintf(w, "  %s\n", solve.Describe(*f.Clusters))
	}
	return printRows(w, d, f.Select)
}

// printDefaults tells where the defaults left something out.
func printDefaults(w io.Writer, d *datasets.Dir, f schemas.ConjunctionsFit) error {
	var p Params
	if err := json.Unmarshal(d.Manifest.Params, &p); err != nil {
		return fmt.Errorf("%s: %w", d.Path, err)
	}
	if size := f.LeftOut; size > 0 {
		fmt.Fprintf(w, "  conjunctions of %d atoms exceed --most (%s) and are left out: --max-size %d with a higher --min-support or --most includes them\n", size, human.Grouped(int64(p.Most)), size)
	}
	if p.Select == "" && f.Select != selectAll {
		fmt.Fprintf(w, "  there are more than %s, so only the most informative are fitted: --select all fits all, slowly and closer to noise\n", human.Grouped(manyFound))
	}
	return nil
}

func printQuality(w io.Writer, f schemas.ConjunctionsFit) error {
	t := table.Table{Head: []table.Cell{table.Text("on"), table.Text("by"), table.Number("positions"), table.Number(lossName(f.Method)), table.Number("±"), table.Number("winners named"), table.Number("±")}}
	add := func(on string, s *schemas.ConjunctionsSample) {
		line := func(by string, q schemas.ConjunctionsQuality) {
			n := ""
			if by == "nothing" {
				n = human.Grouped(int64(s.Positions))
			}
			t.Rows = append(t.Rows, []string{on, by, n, human.Fixed(q.Loss, 5), human.Fixed(q.LossSE, 5), human.Percent(q.Named, 2), human.Percent(q.NamedSE, 2)})
			on = ""
		}
		line("nothing", s.Nothing)
		line("atoms alone", s.Atoms)
		line("conjunctions", s.Conjunctions)
		line("their gain", s.Gain)
	}
	add("train", &f.Train)
	if f.HeldOut != nil {
		add("held out", f.HeldOut)
	}
	return write(w, t)
}

// write writes a table, indented.
func write(w io.Writer, t table.Table) error {
	for line := range strings.Lines(t.Plain()) {
		if _, err := io.WriteString(w, "  "+line); err != nil {
			return err
		}
	}
	return nil
}

// lossName names a method's loss.
func lossName(method string) string {
	switch method {
	case losses.LS:
		return "(y-g)²"
	case losses.Value:
		return "(y-v)²"
	}
	return "log-loss"
}

// printRows writes the first rows of the table, or all as the tree whose leaves or the rules which they are.
func printRows(w io.Writer, d *datasets.Dir, selected string) error {
	part, err := d.OpenPart(0)
	if err != nil {
		return err
	}
	defer part.Close()
	b := columns.NewBatch(d.Table)
	if part.RowGroups() > 0 {
		if err := part.Read(0, b); err != nil {
			return err
		}
	}
	switch selected {
	case selectTree:
		return write(w, treeTable(b))
	case selectRules:
		return write(w, ruleTable(b))
	}
	t := table.Table{Head: append(leafHead("conjunction"), table.Number("±"), table.Number("degrees of freedom"), table.Number("p"), table.Number("q"))}
	for i := range min(mostPrinted, b.Rows) {
		if b.Col("weight").IsNull(i) {
			break
		}
		number := func(name string, text func(float64) string) string {
			c := b.Col(name)
			if c.IsNull(i) {
				return ""
			}
			return text(c.Float64[i])
		}
		t.Rows = append(t.Rows, append(leafRow(b, i, string(b.Col("conjunction").Value(i))),
			number("se", func(x float64) string { return human.Fixed(x, 3) }), number("effective_games", func(x float64) string { return human.Fixed(x, 0) }),
			number("p", human.Chance), number("q", human.Chance)))
	}
	return write(w, t)
}

func leafHead(name string) []table.Cell {
	return []table.Cell{table.Text(name), table.Number("positions"), table.Number("won"), table.Number("weight")}
}

func leafRow(b *columns.Batch, i int, name string) []string {
	return []string{name, strconv.FormatInt(b.Col("positions").Int64[i], 10), human.Percent(b.Col("won").Float64[i], 1), human.Signed(b.Col("weight").Float64[i], 3)}
}

// ruleTable returns rules as sentences.
func ruleTable(b *columns.Batch) table.Table {
	t := table.Table{Head: leafHead("the first that is true decides")}
	for i := range b.Rows {
		sentence := "otherwise lost"
		if b.Col("size").Int32[i] > 0 {
			sentence = "if " + strings.ReplaceAll(string(b.Col("conjunction").Value(i)), separator, " and ") + " then lost"
		}
		if b.Col("won").Float64[i] >= 0.5 {
			sentence = strings.TrimSuffix(sentence, "lost") + "won"
		}
		t.Rows = append(t.Rows, leafRow(b, i, sentence))
	}
	return t
}

// treeTable returns the leaves as a tree: a line for each split that a leaf does not share with the one before it.
func treeTable(b *columns.Batch) table.Table {
	t := table.Table{Head: leafHead("if")}
	var before []string
	for i := range b.Rows {
		path := strings.Split(string(b.Col("conjunction").Value(i)), separator)
		shared := 0
		for shared < min(len(path), len(before)) && path[shared] == before[shared] {
			shared++
		}
		for depth := shared; depth < len(path); depth++ {
			line := strings.Repeat("  ", depth) + path[depth]
			if depth < len(path)-1 {
				t.Rows = append(t.Rows, []string{line, "", "", ""})
			} else {
				t.Rows = append(t.Rows, leafRow(b, i, line))
			}
		}
		before = path
	}
	return t
}
