package fit

import (
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/kit/fittest"
	"kifu/schemas"
)

// TestTemporalRefusals: what does not go with temporal differences is refused before a position
// is read, and so are labels that are not games in their order.
func TestTemporalRefusals(t *testing.T) {
	for _, c := range []struct {
		p    Params
		want string
	}{
		{Params{Method: MLM, Differences: Differences{Lambda: []float64{0.5}}}, "only td and lstd go from position to position: leave --lambda out"},
		{Params{Method: LSTD, Differences: Differences{Alpha: []float64{0.5}}}, "method lstd: it solves equations: leave --alpha out"},
		{Params{Method: LSTD, Differences: Differences{Lambda: []float64{0.9, 0.5}}}, "the solution is of one λ"},
		{Params{Method: LSTD, Scale: 1}, "leave --scale out"},
		{Params{Method: TD, Differences: Differences{Lambda: []float64{1.5}}}, "lambda 1.5: want numbers from 0 to 1"},
		{Params{Method: TD, Differences: Differences{Alpha: []float64{0}}}, "alpha 0: want numbers above 0"},
		{Params{Method: TD, Differences: Differences{Epochs: -1}}, "epochs -1"},
		{Params{Method: TD, L2: 1}, "no penalties"},
		{Params{Method: TD, Sets: Sets{Phases: []int{4}}}, "leave --phases out"},
		{Params{Method: TD, MaxPerGame: 4}, "goes through whole games"},
		{Params{Method: TD, Ratios: true}, "no likelihood"},
		{Params{Method: TD, Aim: Aim{Target: "x", Blend: 0.5}}, "leave --target, --blend out"},
	} {
		c.p.Draws = DrawsHalf
		if err := c.p.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.p, err, c.want)
		}
	}
	s := fittest.Small()
	p := Params{Method: TD, Draws: DrawsHalf, Free: []string{"t3"}}
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
	if d.counts.Noted[gap] != 1 {
		t.Errorf("gaps: %v", d.counts.Noted)
	}
	distinct := &datasets.Dir{Path: "l"}
	distinct.Table = schemas.Table{Columns: []schemas.Column{{Name: "ply"}, {Name: "first_wins"}}}
	if err := sequential(distinct); err == nil || !strings.Contains(err.Error(), "distinct positions") {
		t.Errorf("distinct positions: %v", err)
	}
}

// TestOf: of several methods each has what concerns it.
func TestOf(t *testing.T) {
	p := Params{Differences: Differences{Lambda: []float64{0.9, 0.5}, Alpha: []float64{0.1}, Epochs: 3, Replacing: true}, Draws: DrawsHalf, Holdout: 0.2}
	all := []string{MLM, TD, LSTD}
	for method, want := range map[string]Params{
		MLM:  {Method: MLM, Draws: DrawsHalf, Holdout: 0.2},
		TD:   {Method: TD, Differences: p.Differences, Draws: DrawsHalf, Holdout: 0.2},
		LSTD: {Method: LSTD, Differences: Differences{Lambda: []float64{0.5}}, Draws: DrawsHalf, Holdout: 0.2},
	} {
		got := p.Of(method, all)
		if err := got.Validate(); err != nil {
			t.Errorf("%s: %v", method, err)
		}
		if !slices.Equal(got.Lambda, want.Lambda) || !slices.Equal(got.Alpha, want.Alpha) || got.Epochs != want.Epochs || got.Replacing != want.Replacing || got.Holdout != want.Holdout {
			t.Errorf("%s: %+v", method, got)
		}
	}
	if err := p.Of(MLM, []string{MLM}).Validate(); err == nil {
		t.Error("mlm by itself takes --lambda")
	}
}
