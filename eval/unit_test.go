package eval_test

import (
	"testing"

	"kifu/eval"
)

func TestUnitOf(t *testing.T) {
	for name, want := range map[string]eval.Unit{
		"centipawns":  {Name: "centipawns", Per: 100, Bin: 25},
		"discs":       {Name: "discs", Per: 1, Bin: 2},
		"centistones": {Name: "centistones", Per: 100},
		"Elo":         {Name: "Elo", Per: 1},
	} {
		if got := eval.UnitOf(name); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
