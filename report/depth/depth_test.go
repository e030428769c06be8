package depth

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/internal/human"
	"kifu/kit/reporttest"
	"kifu/report/page"
)

var example = &reporttest.Example{
	Name: "depth",
	Page: reporttest.Numbers{Column: "r2", Where: "kind", Is: "all", Write: func(v float64) string { return human.Fixed(v, 4) }},
	Make: func(t *testing.T, workers int, out page.Output) error {
		p := Params{Shallow: []string{"king_safety"}, Sources: []string{"labels"}, Workers: workers}
		return Make(context.Background(), p, []*datasets.Dir{reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)}, out)
	},
}

func TestDepthExample(t *testing.T) {
	example.Check(t)
}

func TestDepthEqualsScript(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	p := Params{Shallow: []string{"king_safety"}, Sources: []string{"labels"}}
	got, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{d})
	if err != nil {
		t.Fatal(err)
	}
	want, l := reporttest.Judged(t, "depth")[0], got.Lines[0]
	for i, v := range []float64{float64(l.Positions), float64(l.Games), l.A, l.ASE, l.B, l.BSE, l.Sigma, l.SigmaSE, l.R2, l.Shift} {
		reporttest.Near(t, fmt.Sprint("number ", i), want[i], v)
	}
}

func TestRefuses(t *testing.T) {
	labels := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	_, err := run(context.Background(), reporttest.OpenDB(t), Params{Sources: []string{"a"}}, []*datasets.Dir{labels})
	if err == nil || !strings.Contains(err.Error(), "only one search") {
		t.Errorf("error %v", err)
	}
}
