package calibration

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/internal/human"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/shape"
)

func TestCalibrationEqualsScript(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	for _, draws := range []string{shape.DrawsExclude, shape.DrawsHalf} {
		for _, share := range []string{"0", "0.3"} {
			p := Params{Bins: 10, Draws: draws, Seed: 1, Sources: []string{"labels"}}
			p.Holdout, _ = strconv.ParseFloat(share, 64)
			c, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{d})
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for _, want := range reporttest.Judged(t, "calibration") {
				if want[0] != draws || want[1] != share {
					continue
				}
				for _, k := range c.judgements(0, want[2]) {
					if k.Level != want[3] {
						continue
					}
					compared++
					what := strings.Join(want[:4], " ")
					reporttest.Near(t, what+" positions", want[4], float64(k.Positions))
					reporttest.Near(t, what+" games", want[5], float64(k.Games))
					reporttest.Near(t, what+" w0", want[6], c.Forecasts[0].scale())
					reporttest.Near(t, what+" forecast", want[7], k.Mean)
					reporttest.Near(t, what+" won", want[8], k.Won)
					reporttest.Near(t, what+" low", want[15], k.Low)
					reporttest.Near(t, what+" high", want[16], k.High)
					reporttest.Near(t, what+" log-loss", want[10], k.LogLoss)
					reporttest.Near(t, what+" log-loss s.e.", want[11], k.SE)
					reporttest.Near(t, what+" Brier", want[12], k.Brier)
					reporttest.Near(t, what+" accuracy", want[13], k.Accuracy)
					reporttest.Near(t, what+" order", want[14], k.OrderAgreement)
				}
			}
			if n := len(c.judgements(0, "all")) + len(c.judgements(0, "bin")) + len(c.judgements(0, "ply")); compared != n || n < 10 {
				t.Errorf("%s %s: %d of %d groups compared", draws, share, compared, n)
			}
		}
	}
}

// TestRatingsAndTies: games are grouped by bands of 200 of the mean rating of the two
// players; a value of 0 names nobody, which counts half; a forced win is left out and a
// value at the bound is none.
func TestRatingsAndTies(t *testing.T) {
	low, high, edge := &[2]int32{1390, 1610}, &[2]int32{1590, 1608}, &[2]int32{1400, 1800}
	d := reporttest.WriteLabels(t, t.TempDir(), []reporttest.Label{
		{Game: 1, Value: 100, Result: "first", Elo: low}, {Game: 1, Ply: 1, Value: 0, Result: "first", Elo: low},
		{Game: 2, Value: 100, Result: "second", Elo: high}, {Game: 2, Ply: 1, Value: 31000, Result: "second", Elo: high},
		{Game: 3, Value: 100, Result: "first", Elo: edge}, {Game: 3, Ply: 1, Value: 31001, Result: "first", Elo: edge},
		{Game: 4, Value: 0, Result: "second"}, {Game: 4, Ply: 1, Value: -1, Result: "second"},
	}, nil)
	p := Params{Bins: 10, Draws: shape.DrawsExclude, Scale: 0.004, Sources: []string{"labels"}}
	c, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{d})
	if err != nil {
		t.Fatal(err)
	}
	type group struct {
		level     string
		positions int64
		accuracy  float64
	}
	var got []group
	for _, k := range c.judgements(0, "rating") {
		got = append(got, group{k.Level, k.Positions, k.Accuracy})
	}
	want := []group{{"no rating", 2, 0.75}, {"1400-1599", 4, 0.375}, {"1600-1799", 1, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("by rating %v, want %v", got, want)
	}
}

func TestRefuses(t *testing.T) {
	labels := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	distinct := reporttest.WriteLabels(t, t.TempDir(), []reporttest.Label{{Distinct: &[4]int32{1, 1, 0, 0}, Result: "first"}}, nil)
	for want, c := range map[string]struct {
		p  Params
		in *datasets.Dir
	}{
		"0 bins":              {Params{Draws: shape.DrawsHalf}, labels},
		"distinct positions":  {Params{Bins: 10, Draws: shape.DrawsHalf}, distinct},
		"is named twice":      {Params{Bins: 10, Draws: shape.DrawsHalf, Values: []string{"quiescence_value", "quiescence_value"}}, labels},
		"more than 60 groups": {Params{Bins: 10, Draws: shape.DrawsHalf, By: []query.Named{{Name: "game", SQL: "game_id"}}}, labels},
	} {
		c.p.Sources = []string{"a"}
		if _, err := run(context.Background(), reporttest.OpenDB(t), c.p, []*datasets.Dir{c.in}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

var example = &reporttest.Example{
	Name: "calibration",
	Page: reporttest.Numbers{Column: "log_loss", Where: "kind", Is: "all", Write: func(v float64) string { return human.Fixed(v, 4) }},
	Make: func(t *testing.T, workers int, out page.Output) error {
		p := Params{Bins: 10, Draws: shape.DrawsExclude, Holdout: 0.3, Seed: 1, Sources: []string{"labels"}, By: []query.Named{{Name: "mover", SQL: "first_to_move"}}, Workers: workers}
		return Make(context.Background(), p, []*datasets.Dir{reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)}, out)
	},
}

func TestCalibrationExample(t *testing.T) {
	example.Check(t)
}
