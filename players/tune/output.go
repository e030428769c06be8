package tune

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/elo"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
)

// Names of the files next to the parts.
const (
	Text    = "tune.txt"
	Options = "options.txt"
)

// Parameters returns the parameters of the run.
func (t *Trajectory) Parameters() []Parameter { return t.params.Parameters }

// Final returns the values after the last iteration, as the program takes them.
func (t *Trajectory) Final() []float64 {
	values := make([]float64, len(t.value))
	for i, q := range t.params.Parameters {
		values[i], _ = strconv.ParseFloat(q.text(t.value[i]), 64)
	}
	return values
}

// Words returns the final values as words of a player.
func (t *Trajectory) Words() string { return words(t.options(t.value)) }

// now returns the present values for the progress, of the first few parameters.
func (t *Trajectory) now() string {
	const most = 4
	var list []string
	for i, q := range t.params.Parameters {
		if i == most {
			list = append(list, "…")
			break
		}
		list = append(list, fmt.Sprintf("%s %s", q.Name, short(t.value[i])))
	}
	return strings.Join(list, ", ")
}

// short writes a value with four digits.
func short(v float64) string {
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// sum returns the games of all iterations.
func (t *Trajectory) sum() (r elo.Tally) {
	for _, it := range t.Iterations {
		r.Add(it.Result)
	}
	return r
}

// String returns the readable result.
func (t *Trajectory) String() string {
	p, games := t.params, t.sum()
	var b strings.Builder
	fmt.Fprintf(&b, "%s games in %s iterations of %d pairs; SPSA with A %g, alpha %g, gamma %g; %s drawn, %s unfinished\n",
		human.Grouped(int64(games.Finished()+games.Unfinished)), human.Grouped(int64(len(t.Iterations))), p.Pairs,
		p.Share*float64(p.Iterations), p.Alpha, p.Gamma, human.Grouped(int64(games.Draws)), human.Grouped(int64(games.Unfinished)))
	d := table.Table{Head: []table.Cell{table.Text("option"), table.Number("start"), table.Number("now"), table.Number("95 % low"), table.Number("high"),
		table.Number("from"), table.Number("to"), table.Number("c_end"), table.Number("r_end")}}
	lost := false
	for i, q := range p.Parameters {
		o := t.Optimum(i)
		low, high := "?", "?"
		if o.Found {
			low, high = short(o.Low), short(o.High)
		}
		lost = lost || !o.Found
		d.Rows = append(d.Rows, []string{q.Name, short(q.Start), short(t.value[i]), low, high, short(q.Min), short(q.Max), short(q.C), short(q.R)})
	}
	b.WriteString(d.Plain())
	fmt.Fprintln(&b, "the 95 % intervals contain the best value of an option whether strength is quadratic, asymmetric, or drifts with the other options")
	if lost {
		fmt.Fprintln(&b, "?: these games do not determine the best value; play more games, raise c_end or, for a value at the end of its range, widen the range")
	}
	fmt.Fprintf(&b, "options: %s\n", t.Words())
	return b.String()
}

// record is tune.json.
type record struct {
	Params     Params        `json:"params"`
	Iterations int           `json:"iterations"`
	Result     elo.Tally     `json:"result"`
	Values     []recordValue `json:"values"`
}

type recordValue struct {
	Name    string  `json:"name"`
	Start   float64 `json:"start"`
	Value   float64 `json:"value"`
	Final   float64 `json:"final"` // as the program takes it
	Optimum Optimum `json:"optimum"`
}

// write writes the files next to the parts.
func (t *Trajectory) write(out *datasets.Builder) error {
	r := record{Params: t.params, Iterations: len(t.Iterations), Result: t.sum()}
	final := t.Final()
	for i, q := range t.params.Parameters {
		r.Values = append(r.Values, recordValue{q.Name, q.Start, t.value[i], final[i], t.Optimum(i)})
	}
	return errors.Join(out.AddJSON("tune.json", r), out.AddFile(Text, []byte(t.String())), out.AddFile(Options, []byte(t.Words()+"\n")), out.AddCSV("trajectory.csv", t.sheet()))
}

// sheet returns trajectory.csv: a row an iteration, with the values after it.
func (t *Trajectory) sheet() [][]string {
	head := []string{"iteration", "wins", "draws", "losses"}
	head = append(head, lists.Of(t.params.Parameters, func(q Parameter) string { return q.Name })...)
	rows := [][]string{head}
	for _, it := range t.Iterations {
		row := []string{strconv.Itoa(it.Number), strconv.Itoa(it.Result.Wins), strconv.Itoa(it.Result.Draws), strconv.Itoa(it.Result.Losses)}
		row = append(row, lists.Of(it.Next, func(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) })...)
		rows = append(rows, row)
	}
	return rows
}

// appendRows appends the rows of an iteration.
func (t *Trajectory) appendRows(b *columns.Batch, it Iteration) {
	for i, q := range t.params.Parameters {
		b.Col("iteration").AppendInt32(int32(it.Number))
		b.Col("parameter").AppendString(q.Name)
		b.Col("flip").AppendInt32(int32(it.Flip[i]))
		b.Col("wins").AppendInt32(int32(it.Result.Wins))
		b.Col("draws").AppendInt32(int32(it.Result.Draws))
		b.Col("losses").AppendInt32(int32(it.Result.Losses))
		for _, c := range []struct {
			name  string
			value float64
		}{{"value", it.Value[i]}, {"c", it.C[i]}, {"r", it.R[i]}, {"plus", it.Plus[i]}, {"minus", it.Minus[i]}, {"next", it.Next[i]}} {
			b.Col(c.name).AppendFloat64(c.value)
		}
		b.Rows++
	}
}
