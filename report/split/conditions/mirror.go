package conditions

import (
	"math"
	"slices"
	"strings"
)

// Mirror reports how conditions look with the colours exchanged: white_x for black_x, and the
// other sign of what is counted for the first player against the second. Thresholds are
// quantiles of what happened to be played, so that mirrored ones are only nearly so.
type Mirror struct {
	column []int  // the column with the other colour, the column itself if it names none
	signed []bool // has negative values
	toMove []bool
}

var colours = strings.NewReplacer("white", "black", "black", "white", "first", "second", "second", "first")

// NewMirror returns the mirror of these columns, by a sample of their values.
func NewMirror(columns []string, sample [][]float64) *Mirror {
	m := &Mirror{}
	for i, name := range columns {
		other := slices.Index(columns, colours.Replace(name))
		if other < 0 {
			other = i
		}
		m.column = append(m.column, other)
		m.signed = append(m.signed, slices.ContainsFunc(sample[i], func(x float64) bool { return x < 0 }))
		m.toMove = append(m.toMove, name == "first_to_move")
	}
	return m
}

// image is a with the colours exchanged; false for conditions that were given.
func (m *Mirror) image(a Atom) (Atom, bool) {
	if a.Given >= 0 {
		return a, false
	}
	switch {
	case m.toMove[a.Column]:
		a.At = 1 - a.At
	case m.column[a.Column] != a.Column:
		a.Column = m.column[a.Column]
	case m.signed[a.Column]:
		a.At = -a.At
		switch a.Op {
		case AtLeast:
			a.Op = AtMost
		case AtMost:
			a.Op = AtLeast
		}
	}
	return a, true
}

// nearly is how far apart mirrored thresholds may be, as a share of the larger one.
const nearly = 0.25

func (a Atom) nearly(b Atom) bool {
	return a.Given == b.Given && a.Column == b.Column && a.Op == b.Op && math.Abs(a.At-b.At) <= nearly*math.Max(math.Abs(a.At), math.Abs(b.At))
}

// Mirrored reports whether b is a with the colours exchanged, and another condition than a.
func (m *Mirror) Mirrored(set *Set, a, b Condition) bool {
	left, right := set.Of(a), set.Of(b)
	if len(left) != len(right) {
		return false
	}
	same := true
	for i, x := range left {
		y, ok := m.image(x)
		if !ok {
			return false
		}
		same = same && y.nearly(x)
		left[i] = y
	}
	fits := func(a, b []Atom) bool {
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
