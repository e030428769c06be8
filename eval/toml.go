package eval

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"kifu/internal/bounded"
	"kifu/internal/tomldoc"
)

// A model as a file, weights.toml:
//
//	game = "chess"
//	name = "default"
//	unit = "centipawns"
//	stages = ["opening", "endgame"]
//	knots = [24, 0]
//
//	[mobility]
//	knight_mobility_4 = [3.50, -1.00]
//	tempo = 12.00
//
// A table is a group, a key in it a term, with one weight per stage or a single one for
// all. reals = ["danger"] with real_weights = [12.53] are features that are numbers and no counts,
// with their weights. step = true marks models without interpolation, network = [0.0123, …] models with a
// network, corrections = true weights to be added to those of another program, tables = "sha256:…" models whose patterns' weights are in a file of their own. The terms
// have the order of the file, so a file written by WriteTOML gives the features of the labels next
// to it their indices; an evaluator reorders any file into its own order by Fill.

// ReadModel reads a weights.toml. Errors name the line.
func ReadModel(r io.Reader) (*Model, error) {
	data, err := bounded.ReadAll(r, bounded.Weights)
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	m := &Model{}
	d := decoder{m: m, groupOf: map[string]string{}}
	entries, syntax := tomldoc.Read(data)
	for _, e := range entries {
		if err := d.entry(e); err != nil {
			return nil, fmt.Errorf("line %d: %w", e.Line, err)
		}
	}
	if syntax != nil {
		return nil, syntax
	}
	if len(d.reals) != len(m.Reals) {
		return nil, fmt.Errorf("%d reals and %d real_weights: want a weight for each", len(m.Reals), len(d.reals))
	}
	for i, w := range d.reals {
		m.Reals[i].Weight = w
	}
	return m, m.Validate()
}

// decoder fills a model in the order of the document.
type decoder struct {
	m       *Model
	group   string            // "" in the header
	groupOf map[string]string // of the terms so far
	reals   []float64         // weights of the model's
}

func (d *decoder) entry(e tomldoc.Entry) error {
	name := strings.Join(e.Key, ".")
	if len(e.Key) > 1 || name == "" {
		return fmt.Errorf("%q: names must have no dots and not be empty", name)
	}
	switch e.Kind {
	case tomldoc.Table:
		if len(d.m.Stages) == 0 {
			return fmt.Errorf("group %q precedes the header's stages", name)
		}
		for _, t := range d.m.Terms {
			if t.Group == name {
				return fmt.Errorf("group %q appears twice", name)
			}
		}
		d.group = name
	case tomldoc.KeyValue:
		if d.group == "" {
			return d.header(name, e.Value)
		}
		return d.term(name, e.Value)
	default:
		return fmt.Errorf("%q: want a plain table for a group", name)
	}
	return nil
}

func (d *decoder) header(name string, v any) (err error) {
	switch name {
	case "game":
		d.m.Game, err = tomldoc.Text(v)
	case "name":
		d.m.Name, err = tomldoc.Text(v)
	case "unit":
		d.m.Unit, err = tomldoc.Text(v)
	case "step":
		d.m.Step, err = truth(v)
	case "corrections":
		d.m.Corrections, err = truth(v)
	case "stages":
		d.m.Stages, err = list(v, tomldoc.Text)
	case "network":
		d.m.Network, err = list(v, parameter)
	case "reals":
		var names []string
		names, err = list(v, tomldoc.Text)
		for _, name := range names {
			d.m.Reals = append(d.m.Reals, Real{Name: name})
		}
	case "real_weights":
		d.reals, err = list(v, tomldoc.Float)
	case "tables":
		var sum string
		sum, err = tomldoc.Text(v)
		d.m.Tables = Elsewhere(sum)
	case "quiescence":
		d.m.Quiescence, err = whole(v)
	case "knots":
		d.m.Knots, err = list(v, whole)
	default:
		return fmt.Errorf("unknown key %q: the header has game, name, unit, stages, knots, step, corrections, quiescence, reals, real_weights, network and tables; all other keys are in groups", name)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (d *decoder) term(name string, v any) (err error) {
	t := Term{Name: name, Group: d.group}
	if _, many := v.([]any); many {
		t.Weights, err = list(v, tomldoc.Float)
	} else {
		var w float64
		w, err = tomldoc.Float(v)
		t.Weights = []float64{w}
	}
	if err != nil {
		return fmt.Errorf("term %q: %w", name, err)
	}
	if n := len(t.Weights); n != 1 && n != len(d.m.Stages) {
		return fmt.Errorf("term %q has %d weights: want one, or one for each of %v", name, n, d.m.Stages)
	}
	if other, ok := d.groupOf[name]; ok {
		return fmt.Errorf("term %q appears twice, in %q and in %q", name, other, d.group)
	}
	d.groupOf[name] = d.group
	d.m.Terms = append(d.m.Terms, t)
	return nil
}

func truth(v any) (bool, error) {
	is, ok := v.(bool)
	if !ok {
		return false, errors.New("want true or false")
	}
	return is, nil
}

func whole(v any) (int, error) {
	n, ok := v.(tomldoc.Number)
	if !ok {
		return 0, fmt.Errorf("want a whole number, not %q", fmt.Sprint(v))
	}
	return strconv.Atoi(string(n))
}

func parameter(v any) (float32, error) {
	x, err := tomldoc.Float(v)
	return float32(x), err
}

func list[T any](v any, one func(any) (T, error)) ([]T, error) {
	all, ok := v.([]any)
	if !ok {
		return nil, errors.New("want a list")
	}
	var out []T
	for _, item := range all {
		x, err := one(item)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// WriteTOML writes m as a weights.toml that ReadModel reads back. Weights are rounded
// to hundredths, the grain in which evaluators compute (weights of Reals are not), so that a model whose weights
// are hundredths already (see Round) comes back unchanged.
func (m *Model) WriteTOML(w io.Writer) error {
	if err := m.Validate(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "game = %s\nname = %s\nunit = %s\n", tomldoc.Quote(m.Game), tomldoc.Quote(m.Name), tomldoc.Quote(m.Unit))
	fmt.Fprintf(b, "stages = [")
	for i, s := range m.Stages {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(tomldoc.Quote(s))
	}
	fmt.Fprintf(b, "]\nknots = %s\n", strings.ReplaceAll(fmt.Sprint(m.Knots), " ", ", "))
	if m.Step {
		b.WriteString("step = true\n")
	}
	if m.Corrections {
		b.WriteString("corrections = true\n")
	}
	if m.Quiescence != 0 {
		fmt.Fprintf(b, "quiescence = %d\n", m.Quiescence)
	}
	if len(m.Reals) > 0 {
		names, numbers := make([]string, len(m.Reals)), make([]string, len(m.Reals))
		for i, r := range m.Reals {
			names[i], numbers[i] = tomldoc.Quote(r.Name), strconv.FormatFloat(r.Weight+0, 'g', -1, 64)
		}
		fmt.Fprintf(b, "reals = [%s]\nreal_weights = [%s]\n", strings.Join(names, ", "), strings.Join(numbers, ", "))
	}
	if m.Network != nil {
		fmt.Fprintf(b, "network = [%s\n]\n", parameters(m.Network))
	}
	if m.Tables != nil {
		fmt.Fprintf(b, "tables = %s\n", tomldoc.Quote(m.Tables.Checksum()))
	}
	for i, t := range m.Terms {
		if i == 0 || t.Group != m.Terms[i-1].Group {
			fmt.Fprintf(b, "\n[%s]\n", key(t.Group))
		}
		fmt.Fprintf(b, "%s = %s\n", key(t.Name), weights(t.Weights))
	}
	return b.Flush()
}

// TOML returns the text that WriteTOML writes.
func (m *Model) TOML() ([]byte, error) {
	var b bytes.Buffer
	err := m.WriteTOML(&b)
	return b.Bytes(), err
}

func weights(ws []float64) string {
	texts := make([]string, len(ws))
	for i, w := range ws {
		texts[i] = strconv.FormatFloat(hundredth(w), 'f', 2, 64)
	}
	if len(ws) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// parameters formats xs so that they are read back bit by bit.
func parameters(xs []float32) string {
	const perLine = 8
	var b []byte
	for i, x := range xs {
		if i%perLine == 0 {
			b = append(b, '\n', ' ')
		}
		b = append(strconv.AppendFloat(append(b, ' '), float64(x), 'g', -1, 32), ',')
	}
	return string(b)
}

// hundredth rounds w to the grain; it never returns a negative zero.
func hundredth(w float64) float64 { return math.Round(w*Grain)/Grain + 0 }

func key(name string) string {
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return tomldoc.Quote(name)
		}
	}
	return name
}
