package wdl

import (
	"context"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/kit/reporttest"
	"kifu/report/page"
)

func params() Params {
	return Params{By: "ply // 4", Within: 2000, Holdout: 0.3, Seed: 1, Source: "labels"}
}

var example = &reporttest.Example{
	Name: "wdl",
	Says: reporttest.Numbers{},
	Make: func(t *testing.T, workers int, out page.Output) error {
		p := params()
		p.Workers = workers
		return Make(context.Background(), p, []*datasets.Dir{reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)}, out)
	},
}

func TestExample(t *testing.T) {
	example.Check(t)
	files := example.Files(t)
	for name, want := range map[string]string{"wdl.h": "kifu_wdl_as", "wdl.rs": "pub fn win_rate", "wdl.go.txt": "func WinRate", "wdl.toml": "pawn_value", "wdl-parameters.svg": "b, cubic", "wdl.txt": "held out"} {
		if !strings.Contains(string(files[name]), want) {
			t.Errorf("%s has no %q", name, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	labels := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	for want, change := range map[string]func(*Params){
		"no columns of pieces": func(p *Params) { p.By = ByMaterial },
		"want a number":        func(p *Params) { p.By = "result" },
		"holdout 1":            func(p *Params) { p.Holdout = 1 },
		"the lower one first":  func(p *Params) { p.Least, p.Most = 5, 4 },
		"a cubic takes more":   func(p *Params) { p.By = "1" },
	} {
		p := params()
		change(&p)
		if _, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{labels}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
