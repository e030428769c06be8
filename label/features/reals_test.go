package features

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/eval"
	"kifu/fit"
	"kifu/fit/computed"
	"kifu/fit/method"
	"kifu/kit/datasettest"
)

// TestRealsInWeights: the weights.toml of a fit has its real-valued features. With it the file
// has the values that the weights give by hand, and a fit from there stays where it is.
func TestRealsInWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	text.WriteString("game,result,a,danger,whole\n")
	var rowsOf [][3]float64
	for i := range 4000 {
		// whole has whole numbers in all rows but the first.
		a, danger, whole := float64(r.IntN(9)-4), math.Round(1000*r.NormFloat64())/1000, float64(r.IntN(5)-2)
		if i == 0 {
			whole = 0.5
		}
		won := 0
		if r.Float64() < 1/(1+math.Exp(-0.3*a-0.8*danger+0.2*whole)) {
			won = 1
		}
		fmt.Fprintf(&text, "%d,%d,%v,%v,%v\n", i/8, won, a, danger, whole)
		rowsOf = append(rowsOf, [3]float64{a, danger, whole})
	}
	path := file(t, "a.csv", text.String())
	labels, err := build(t, Params{}, path)
	if err != nil {
		t.Fatal(err)
	}
	add := []computed.Feature{{Name: "danger", SQL: `"danger"`}, {Name: "whole", SQL: `"whole"`}}
	p := fit.Params{Method: method.MLM{Held: method.Held{Scale: eloScale}}, Draws: fit.DrawsExclude, Free: []string{"a"}, Add: add}
	first, model := fitted(t, p, labels)
	if len(model.Reals) != 2 || model.Reals[0].Name != "danger" || math.Abs(model.Reals[0].Weight-0.8/eloScale) > 15 {
		t.Fatalf("%+v", model.Reals)
	}

	// A later file, in which one of them happens to be whole.
	later := file(t, "b.csv", strings.Replace(text.String(), ",0.5\n", ",0\n", 1))
	rowsOf[0][2] = 0
	valued, err := build(t, Params{Model: model}, later)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows(t, valued) {
		want := model.Terms[0].Weights[0]*rowsOf[i][0] + model.Reals[0].Weight*rowsOf[i][1] + model.Reals[1].Weight*rowsOf[i][2]
		if got, err := strconv.ParseFloat(row["value"], 64); err != nil || math.Abs(got-want) > 0.0051 {
			t.Fatalf("row %d has value %s, want %v", i, row["value"], want)
		}
	}
	valued, err = build(t, Params{Model: model}, path)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := fitted(t, p, valued)
	for i := range first {
		x, _ := strconv.ParseFloat(first[i]["weight"], 64)
		y, _ := strconv.ParseFloat(again[i]["weight"], 64)
		// Values and counts' weights are rounded to hundredths.
		if math.Abs(x-y) > 0.02 || again[i]["initial_weight"] == "0" {
			t.Errorf("%s: %v, again %v from %s", first[i]["term"], x, y, again[i]["initial_weight"])
		}
	}

	if _, err := build(t, Params{Model: model, Ignore: []string{"danger"}}, path); err == nil || !strings.Contains(err.Error(), "no column for feature danger") {
		t.Error(err)
	}
	if _, err := model.Clone().Fill(model); err == nil || !strings.Contains(err.Error(), "does not count") {
		t.Error(err)
	}
}

// fitOf returns the dataset of a fit to labels.
func fitOf(t *testing.T, p fit.Params, labels *datasets.Dir) *datasets.Dir {
	t.Helper()
	out := filepath.Join(t.TempDir(), "fit")
	return datasettest.Build(t, out, datasets.Step{
		Stage: "fit", Output: "weights/v1", Params: p, Inputs: []string{labels.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return fit.Run(ctx, p, fit.Means{}, fit.Sources{Labels: in[0]}, b)
		},
	})
}

// fitted fits p to labels and returns the rows of the weights table and the model written.
func fitted(t *testing.T, p fit.Params, labels *datasets.Dir) ([]map[string]string, *eval.Model) {
	t.Helper()
	d := fitOf(t, p, labels)
	text, err := d.ReadFile("weights.toml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return rows(t, d), m
}
