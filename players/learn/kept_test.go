package learn

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games/draughts"
	"kifu/kit/slow"
)

// TestResume: a run that broke off among the depths learns none of them again, and ends with the bytes of one that did not.
func TestResume(t *testing.T) {
	slow.Test(t, "learns from a player three times")
	in := played(t, newOpponent(t, checkers().Default(), 2, 0), 24)
	p := params()
	p.MaxDepth, p.Fit, p.Epsilon, p.Quiescence = 2, All, 0.005, true
	p.Free = []string{"material", "mobility", "threats"}
	dir := t.TempDir()
	// run learns into a folder until limit evaluators have been made, and returns how many were.
	run := func(name string, limit int) (made int, err error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		g := checkers()
		evaluator := g.NewEvaluator
		g.NewEvaluator = func(m *eval.Model) (eval.Evaluator[draughts.Position], error) {
			if made++; made == limit {
				cancel()
			}
			return evaluator(m)
		}
		_, _, err = datasets.Build(ctx, filepath.Join(dir, name), datasets.Step{Stage: "learn", Output: "report/v1", Params: p, Inputs: []string{in}, Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return Run(ctx, g, p, 1, in[0], out)
		}}, datasets.Options{})
		return made, err
	}
	all, err := run("whole", -1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = run("cut", all*3/4)
	var kept *datasets.Interrupted
	if !errors.As(err, &kept) || kept.Records < 3 {
		t.Fatalf("%v: %+v", err, kept)
	}
	if again, err := run("cut", -1); err != nil || again > all*2/3 {
		t.Errorf("%v; %d evaluators made again of %d", err, again, all)
	}
	for _, name := range []string{"learn.json", "model.toml", "weights.toml"} {
		whole, err := os.ReadFile(filepath.Join(dir, "whole", name))
		cut, fault := os.ReadFile(filepath.Join(dir, "cut", name))
		if err != nil || fault != nil || string(whole) != string(cut) {
			t.Errorf("%s differs (%v, %v)", name, err, fault)
		}
	}
}
