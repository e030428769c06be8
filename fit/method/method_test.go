package method_test

import (
	"reflect"
	"strings"
	"testing"

	"kifu/fit/constraints"
	"kifu/fit/losses"
	"kifu/fit/method"
)

// TestOf: a method has its choices, and refuses those that it lacks, unless a method beside it has them.
func TestOf(t *testing.T) {
	lambda := method.Choices{Traces: method.Traces{Lambda: []float64{0.9, 0.5}}, Steps: method.Steps{Alpha: []float64{0.1}, Replacing: true}}
	for _, c := range []struct {
		c      method.Choices
		name   string
		beside []string
		want   method.Method
		err    string
	}{
		{lambda, losses.TD, nil, method.TD{Traces: lambda.Traces, Steps: lambda.Steps}, ""},
		{lambda, losses.LSTD, []string{losses.MLM, losses.TD}, method.LSTD{Traces: method.Traces{Lambda: []float64{0.5}}}, ""},
		{lambda, losses.MLM, []string{losses.MLM, losses.TD}, method.MLM{}, ""},
		{lambda, losses.MLM, nil, nil, "method mlm: it follows no game from position to position: omit --alpha, --lambda, --traces"},
		{lambda, losses.LSTD, nil, nil, "method lstd: it solves equations for whole games, and fits w_0 to their results afterwards: omit --alpha, --traces"},
		{method.Choices{Aim: method.Aim{Target: "x"}}, losses.Value, nil, method.Value{Target: "x"}, ""},
		{method.Choices{Aim: method.Aim{Target: "x", Blend: 1}}, losses.Value, nil, nil, "fits to --target alone: omit --blend"},
		{method.Choices{Sets: method.Sets{Phases: []int{4}}, Minimised: method.Minimised{Bounds: []constraints.Bound{{Of: "a"}}}}, losses.TD, nil, nil, "omit --bound, --phases"},
		{method.Choices{Tests: method.Tests{Ratios: true}}, losses.Pairs, nil, nil, "not independent: omit --ratios"},
		{method.Choices{Held: method.Held{Scale: 1}}, losses.LSTD, nil, nil, "omit --scale"},
		{method.Choices{}, "mle", nil, nil, `method "mle": want mlm, ls, ordered, value, choice, pairs, td or lstd`},
	} {
		got, err := c.c.Of(c.name, c.beside...)
		if !reflect.DeepEqual(got, c.want) || (err == nil) != (c.err == "") || err != nil && !strings.HasSuffix(err.Error(), c.err) {
			t.Errorf("%s of %+v: %+v, %v, want %+v, %s", c.name, c.c, got, err, c.want, c.err)
		}
		if got == nil {
			continue
		}
		if back, err := method.ChoicesOf(got); err != nil || got.Name() != c.name {
			t.Errorf("%s: %s, %+v, %v", c.name, got.Name(), back, err)
		} else if again, err := back.Of(c.name); err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s: %+v, %v, was %+v", c.name, again, err, got)
		}
	}
}
