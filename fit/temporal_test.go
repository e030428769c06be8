package fit

import (
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit/fittest"
	"kifu/fit/method"
	"kifu/schemas"
)

// TestTemporalRefusals: what does not go with temporal differences is refused before a position
// is read, and so are labels that are not games in their order.
func TestTemporalRefusals(t *testing.T) {
	for want, m := range map[string]method.Method{
		"want one λ":                                method.LSTD{Traces: method.Traces{Lambda: []float64{0.9, 0.5}}},
		"lambda 1.5: want numbers from 0 to 1":      method.TD{Traces: method.Traces{Lambda: []float64{1.5}}},
		"alpha 0: want numbers above 0":             method.TD{Steps: method.Steps{Alpha: []float64{0}}},
		"epochs -1: want a number that is not nega": method.TD{Steps: method.Steps{Epochs: -1}},
	} {
		if err := (Params{Method: m, Draws: DrawsHalf}).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", m, err, want)
		}
	}
	s := fittest.Small()
	p := Params{Method: method.TD{}, Draws: DrawsHalf, Free: []string{"t3"}}
	if _, err := fitTo(t, p, 1, s.Labels(t, "", func(*columns.Batch) {}), nil); err == nil || !strings.Contains(err.Error(), `no column "ply"`) {
		t.Errorf("without plies: %v", err)
	}
	d := &decoder{}
	d.col.ply = &columns.Vec{Int32: []int32{4, 5, 9, 9}}
	for i, wrong := range []bool{false, false, true} {
		if err := d.follows(i + 1); (err != nil) != wrong {
			t.Errorf("ply %d after %d: %v", d.col.ply.Int32[i+1], d.col.ply.Int32[i], err)
		}
	}
	distinct := &datasets.Dir{Path: "l"}
	distinct.Table = schemas.Table{Columns: []schemas.Column{{Name: "ply"}, {Name: "first_wins"}}}
	if err := sequential(distinct); err == nil || !strings.Contains(err.Error(), "distinct positions") {
		t.Errorf("distinct positions: %v", err)
	}
}
