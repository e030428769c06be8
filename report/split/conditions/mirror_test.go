package conditions

import (
	"testing"
)

// TestMirrored: what is another condition with the colours exchanged.
func TestMirrored(t *testing.T) {
	sample := [][]float64{{0, 3}, {0, 4}, {-8, 9}, {0, 24}, {0, 1}}
	m := NewMirror([]string{"white_queens", "black_queens", "material", "phase", "first_to_move"}, sample)
	set := &Set{}
	of := func(column int, op Comparison, at float64) Atom {
		return Atom{Column: column, Given: -1, Op: op, At: at, sql: string(rune('a'+column)) + string(rune('0'+op)) + string(rune(1000+int(at)))}
	}
	one := func(atoms ...Atom) Condition {
		if len(atoms) == 1 {
			return set.single(atoms[0])
		}
		return set.pair(set.index(atoms[0]), set.index(atoms[1]))
	}
	for name, c := range map[string]struct {
		a, b Condition
		want bool
	}{
		"colours":           {one(of(0, AtMost, 0)), one(of(1, AtMost, 0)), true},
		"other number":      {one(of(0, AtMost, 0)), one(of(1, AtMost, 1)), false},
		"other side":        {one(of(0, AtMost, 2)), one(of(1, AtLeast, 2)), false},
		"sign":              {one(of(2, AtLeast, 100)), one(of(2, AtMost, -110)), true},
		"far":               {one(of(2, AtLeast, 100)), one(of(2, AtMost, -200)), false},
		"the same":          {one(of(2, AtLeast, 100)), one(of(2, AtLeast, 110)), false},
		"without a colour":  {one(of(3, AtMost, 8)), one(of(3, AtMost, 8)), false},
		"to move":           {one(of(4, Equal, 1)), one(of(4, Equal, 0)), true},
		"pair":              {one(of(0, AtMost, 0), of(2, AtLeast, 50)), one(of(1, AtMost, 0), of(2, AtMost, -50)), true},
		"half a pair":       {one(of(0, AtMost, 0), of(2, AtLeast, 50)), one(of(1, AtMost, 0), of(2, AtLeast, 50)), false},
		"pair, turned":      {one(of(0, AtMost, 0), of(1, AtLeast, 1)), one(of(0, AtLeast, 1), of(1, AtMost, 0)), true},
		"pair with a phase": {one(of(2, AtLeast, 50), of(3, AtMost, 8)), one(of(2, AtMost, -50), of(3, AtMost, 8)), true},
		"one and two":       {one(of(0, AtMost, 0)), one(of(1, AtMost, 0), of(3, AtMost, 8)), false},
	} {
		if got := m.Mirrored(set, c.a, c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	given := Condition{Atoms: [2]int{set.index(Atom{Given: 0, sql: "given"}), -1}}
	if m.Mirrored(set, given, given) {
		t.Error("a given condition is mirrored")
	}
}
