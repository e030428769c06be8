package split

import (
	"math"
	"slices"
	"strings"
)

// mirror reports how conditions look with the colours exchanged: white_x for black_x, and the
// other sign of what is counted for the first player against the second. Thresholds are
// quantiles of what happened to be played, so that mirrored ones are only nearly so.
type mirror struct {
	column []int  // the column with the other colour, the column itself if it names none
	signed []bool // has negative values
	toMove []bool
}

var colours = strings.NewReplacer("white", "black", "black", "white", "first", "second", "second", "first")

func (v *survey) mirror(columns []string) *mirror {
	m := &mirror{}
	for i, name := range columns {
		other := slices.Index(columns, colours.Replace(name))
		if other < 0 {
			other = i
		}
		m.column = append(m.column, other)
		m.signed = append(m.signed, slices.ContainsFunc(v.sample[i], func(x float64) bool { return x < 0 }))
		m.toMove = append(m.toMove, name == "first_to_move")
	}
	return m
}

// of is a with the colours exchanged; false for conditions that were given.
func (m *mirror) of(a atom) (atom, bool) {
	if a.given >= 0 {
		return a, false
	}
	switch {
	case m.toMove[a.column]:
		a.at = 1 - a.at
	case m.column[a.column] != a.column:
		a.column = m.column[a.column]
	case m.signed[a.column]:
		a.at = -a.at
		switch a.op {
		case atLeast:
			a.op = atMost
		case atMost:
			a.op = atLeast
		}
	}
	return a, true
}

// nearly is how far apart mirrored thresholds may be, as a share of the larger one.
const nearly = 0.25

func (a atom) nearly(b atom) bool {
	return a.given == b.given && a.column == b.column && a.op == b.op && math.Abs(a.at-b.at) <= nearly*math.Max(math.Abs(a.at), math.Abs(b.at))
}

// mirrored reports whether b is a with the colours exchanged, and another condition than a.
func (m *mirror) mirrored(set *conditionSet, a, b condition) bool {
	left, right := set.of(a), set.of(b)
	if len(left) != len(right) {
		return false
	}
	same := true
	for i, x := range left {
		y, ok := m.of(x)
		if !ok {
			return false
		}
		same = same && y.nearly(x)
		left[i] = y
	}
	fits := func(a, b []atom) bool {
		for i := range a {
			if !a[i].nearly(b[i]) {
				return false
			}
		}
		return true
	}
	if fits(left, right) {
		return !same
	}
	slices.Reverse(right)
	return !same && fits(left, right)
}
