package fit

import (
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/fit/constraints"
	"kifu/fit/fittest"
	"kifu/fit/method"
)

func TestStructureRefusals(t *testing.T) {
	s := fittest.Small()
	labels := s.Labels(t, "", func(*columns.Batch) {})
	number := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		p    Params
		m    method.Minimised
		want string
	}{
		{Params{}, method.Minimised{Bounds: []constraints.Bound{{Of: "t9", Low: number(0)}}}, `--bound: "t9" is not fitted`},
		{Params{}, method.Minimised{Bounds: []constraints.Bound{{Of: "t3", Low: number(1)}, {Of: "t3", High: number(0)}}}, "no value lies between the bounds of t3 (opening), 1 and 0"},
		{Params{Tie: [][]string{{"t3"}}}, method.Minimised{}, "--tie t3: want two terms or more"},
		{Params{Tie: [][]string{{"t3", "x"}}}, method.Minimised{}, `--tie t3,x: "x" is not fitted`},
		{Params{Tie: [][]string{{"t3", "t4"}}}, method.Minimised{Bounds: []constraints.Bound{{Of: "t4", Low: number(0)}}}, "is tied to t3 (opening): bound that"},
		{Params{}, method.Minimised{L1: 0.1, Bounds: []constraints.Bound{{Of: "t3", Low: number(1000)}}}, "--l1 pulls t3 (opening) to"},
		{Params{Untapered: []string{"queens"}}, method.Minimised{}, `--untapered: "queens"`},
		{Params{}, method.Minimised{Prior: []constraints.Prior{{Of: "queens", SD: 1}}}, `--prior: "queens"`},
	} {
		c.p.Method, c.p.Draws, c.p.Free = method.MLM{Minimised: c.m}, DrawsHalf, []string{"t3", "t4"}
		if _, err := fitTo(t, c.p, 1, labels, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
