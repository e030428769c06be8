package numbers

import (
	"strconv"
	"strings"

	"kifu/internal/dyads"
	"kifu/internal/pattern"
	"kifu/internal/table"
)

// A number as package human writes it, and the ways in which reports print intervals.
const oneNumber = `[+−-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?`

var (
	single   = pattern.Of(`^\(?(?:[<≤≥>] ?)?(` + oneNumber + `)\)?(?:[ \x{a0}]?%)?$`)
	within   = pattern.Of(`^(.*\S) (\(.* to .*\))$`)
	interval = pattern.Of(`^\(?(` + oneNumber + `)(?: to |–)(` + oneNumber + `)\)?(?:[ \x{a0}]?%)?$`)
	plusses  = pattern.Of(`^(.*\S) ± (.*)$`)
	running  = pattern.Of(oneNumber + `(?:[ \x{a0}]%)?`)
)

// parse reads a number that oneNumber matches.
func parse(text string) *float64 {
	v, err := strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-", "+", "").Replace(text), 64)
	if err != nil {
		return nil
	}
	return &v
}

// value reads a text that is one number, nil if it is not.
func value(text string) *float64 {
	if m := single().FindStringSubmatch(text); m != nil {
		return parse(m[1])
	}
	return nil
}

// ends reads a text that is an interval.
func ends(text string) (low, high *float64) {
	if m := interval().FindStringSubmatch(text); m != nil {
		return parse(m[1]), parse(m[2])
	}
	return nil, nil
}

// isError reports whether a column holds the errors or intervals of the one before it.
func isError(head string) bool { return head == "± s.e." || strings.HasSuffix(head, "interval") }

// readCell reads the number in row i and column j of a table, and its interval: from the cell itself, or from
// the columns of errors that follow it.
func readCell(t table.Table, i, j int) (v, low, high *float64) {
	text := t.Rows[i][j]
	if m := within().FindStringSubmatch(text); m != nil {
		low, high = ends(m[2])
		return value(m[1]), low, high
	}
	if m := plusses().FindStringSubmatch(text); m != nil {
		text = m[1]
		low, high = around(value(text), value(m[2]), 1)
	}
	v = value(text)
	if v == nil || isError(t.Head[j].Text) {
		return v, nil, nil
	}
	for k := j + 1; k < len(t.Head) && isError(t.Head[k].Text); k++ {
		if t.Head[k].Text == "± s.e." {
			low, high = around(v, value(t.Rows[i][k]), dyads.Normal95)
		} else if l, h := ends(t.Rows[i][k]); l != nil {
			low, high = l, h
		}
	}
	return v, low, high
}

// around returns v less and plus so many errors.
func around(v, se *float64, times float64) (low, high *float64) {
	if v == nil || se == nil {
		return nil, nil
	}
	l, h := *v-times**se, *v+times**se
	return &l, &h
}
