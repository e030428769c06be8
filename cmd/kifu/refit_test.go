package main

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"testing"

	"kifu/cmd/kifu/command"
	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/kit/datasettest"
	"kifu/kit/slow"
)

// TestFittedWeightsComeBack takes weights through the commands: what a fit writes, label
// reads, and the values are those weights times the features that the fit was made of,
// to the hundredth of a centipawn, also with a group taken out.
func TestFittedWeightsComeBack(t *testing.T) {
	slow.Test(t, "labels and fits")
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	kifu := func(args ...string) {
		t.Helper()
		var stderr bytes.Buffer
		if code := runMain(context.Background(), nil, new(bytes.Buffer), &stderr, args); code != command.OK {
			t.Fatalf("kifu %v: exit code %d\n%s", args, code, stderr.String())
		}
	}
	kifu("datasets", "sample", "chess-masters", "--out", at("masters.pgn.zst"))
	kifu("ingest", "--out", at("games"), at("masters.pgn.zst"))
	kifu("transform", "--out", at("positions"), "--min-ply", "10", "--every", "8", at("games"))
	kifu("label", "--out", at("labels"), "--search", "static", at("positions"))
	kifu("fit", "--out", at("fit"), "--method", "mlm", "--free", "mobility,king_safety", "--l2", "0.001", at("labels"))
	weights := filepath.Join(at("fit"), "weights.toml")
	kifu("label", "--out", at("again"), "--search", "static", "--eval", weights, at("positions"))
	kifu("label", "--out", at("without"), "--search", "static", "--eval", weights, "--zero", "threats", at("positions"))

	features, _ := column(t, at("labels"), "features")
	phases, _ := column(t, at("labels"), "leaf_phase")
	old, _ := column(t, at("labels"), "static_value")
	again, model := column(t, at("again"), "static_value")
	without, zeroed := column(t, at("without"), "static_value")
	changed := 0
	for i, v := range again.Float32 {
		if math.Abs(float64(old.Float32[i])) > 31000 || old.Float32[i] == 0 {
			continue // the game has ended here, perhaps
		}
		fs, err := eval.AppendUnpacked(nil, features.Value(i))
		if err != nil {
			t.Fatal(err)
		}
		phase := int(phases.Int32[i])
		if want := model.Score(fs, phase); math.Abs(float64(v)-want) > 0.006 {
			t.Fatalf("row %d: value %v, weights times features %v", i, v, want)
		}
		if want := zeroed.Score(fs, phase); math.Abs(float64(without.Float32[i])-want) > 0.006 {
			t.Fatalf("row %d: value %v without threats, weights times features %v", i, without.Float32[i], want)
		}
		if math.Abs(float64(v-old.Float32[i])) > 1 && v != without.Float32[i] {
			changed++
		}
	}
	if changed < 1000 {
		t.Errorf("only %d of %d values changed", changed, len(again.Float32))
	}
}

// column reads a column of labels of one part, and the weights beside it.
func column(t *testing.T, dir, name string) (columns.Vec, *eval.Model) {
	t.Helper()
	d := datasettest.Open(t, dir)
	text, err := d.ReadFile("weights.toml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return datasettest.Rows(t, d, name).Cols[0], m
}
