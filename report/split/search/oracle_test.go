package search

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/split/conditions"
)

// foreignSplit is the result of testdata/split.py for its condition on one side.
type foreignSplit struct {
	Positions, Games                   int64
	Wald, P, Shift, Slope, Gain, Ratio float64
}

// foreignSplits are all numbers of testdata/split.json.
type foreignSplits struct {
	Condition string
	Exact     struct {
		Train, Held foreignSplit
		At          float64
		Gap         [3]float64
		GapHeldOut  [3]float64 `json:"gap_held_out"`
		MeanGap     [3]float64 `json:"mean_gap"`
		Weight      [3]float64
		LogLossFall [3]float64 `json:"log_loss_fall"`
	}
	Free struct {
		Train, Held foreignSplit
		Weight      float64
		WeightSE    float64 `json:"weight_se"`
	}
}

// judgedAlone is the search and judgement of one condition on the labels of testdata.
func judgedAlone(t *testing.T, condition string) *Split {
	t.Helper()
	var rows []reporttest.Label
	for _, r := range reporttest.ReadCSV(t, "split.csv") {
		rows = append(rows, reporttest.Label{Game: int64(reporttest.Number(t, r["game_id"])), Value: float32(reporttest.Number(t, r["value"])), Safety: float32(reporttest.Number(t, r["king_safety"])), Result: r["result"]})
	}
	d := reporttest.WriteLabels(t, t.TempDir(), rows, nil)
	ctx := context.Background()
	db, err := query.Open(ctx, query.Options{Threads: 2, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := &Result{Params: Params{
		Source: "labels", Bin: 100, Draws: shape.DrawsExclude, Holdout: 0.45, FDR: 0.05, Level: 0.05, Top: 1, MinCount: 100, By: byFall, Seed: 1,
		Columns: []string{"king_safety"}, Conditions: []query.Named{{Name: "unsafe", SQL: condition}}, Workers: 2,
	}}
	r, err := s.open(ctx, db, d)
	if err != nil {
		t.Fatal(err)
	}
	r.clusters = &clusters{}
	survey, err := r.survey(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s.Sides = survey.sides
	x, err := newAxis(survey, s.Bin)
	if err != nil {
		t.Fatal(err)
	}
	set := conditions.New(nil, nil, nil, s.Params.Conditions) // of no column: the given one alone
	stored, err := r.store(ctx, x, set)
	if err != nil {
		t.Fatal(err)
	}
	defer stored.close()
	found, err := stored.screen(ctx, set, Train)
	if err != nil {
		t.Fatal(err)
	}
	g := s.newGrouping(survey, x, set, found)
	g.shifts([]shift{{p: 0.01, odds: None}})
	if err := s.judge(ctx, stored, g.all); err != nil {
		t.Fatal(err)
	}
	return g.all[0]
}

// TestSplitEqualsStatsmodels holds statistics, weight, fall of the log-loss and gaps with
// their intervals to what statsmodels, scipy and scikit-learn make of the same positions
// (testdata/split.py): to 1e-6 by kifu's definitions, and near what the maximum of the
// likelihood gives for values that are in no bins, with GLM.fit's own covariance by game.
func TestSplitEqualsStatsmodels(t *testing.T) {
	text, err := os.ReadFile("testdata/split.json")
	if err != nil {
		t.Fatal(err)
	}
	var want foreignSplits
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	k := judgedAlone(t, want.Condition)
	near := func(what string, got, want, part float64) {
		t.Helper()
		if !(math.Abs(got-want) <= part*math.Abs(want)) {
			t.Errorf("%s: %.9g, want %.9g to %g of it", what, got, want, part)
		}
	}
	for _, side := range []struct {
		name        string
		got         verdict
		exact, free foreignSplit
	}{{"search", k.Train, want.Exact.Train, want.Free.Train}, {"held out", k.Held, want.Exact.Held, want.Free.Held}} {
		v, w := side.got, side.exact
		if v.Positions != w.Positions || v.Games != w.Games {
			t.Errorf("%s: %d positions of %d games, want %d of %d", side.name, v.Positions, v.Games, w.Positions, w.Games)
		}
		near(side.name+", Wald", v.Wald, w.Wald, 1e-6)
		near(side.name+", p", v.P, w.P, 1e-6)
		near(side.name+", shift", v.Shift, w.Shift, 1e-6)
		near(side.name+", slope", v.Slope, w.Slope, 1e-6)
		near(side.name+", gain", v.Gain, w.Gain, 1e-6)
		// A step is not the maximum, and parts of a bin are not the values.
		near(side.name+", Wald at the maximum", v.Wald, side.free.Wald, 0.15)
		near(side.name+", likelihood ratio", 2*v.Gain, side.free.Ratio, 0.05)
	}
	if k.At != want.Exact.At {
		t.Errorf("gap at %v, want %v", k.At, want.Exact.At)
	}
	for _, x := range []struct {
		name string
		got  Interval
		want [3]float64
	}{
		{"gap", k.Gap, want.Exact.Gap}, {"gap, held out", k.GapHeld, want.Exact.GapHeldOut}, {"mean gap", k.Mean, want.Exact.MeanGap},
		{"weight", k.Weight, want.Exact.Weight}, {"fall", k.Fall, want.Exact.LogLossFall},
	} {
		near(x.name, x.got.Value, x.want[0], 1e-6)
		near(x.name+" from", x.got.High-x.got.Low, x.want[2]-x.want[1], 1e-6)
	}
	near("weight at the values themselves", k.Weight.Value, want.Free.Weight, 0.01)
	near("its error", (k.Weight.High-k.Weight.Low)/2/1.998, want.Free.WeightSE, 0.1)
}
