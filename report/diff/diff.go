// Package diff compares the numbers of two reports of a kind and finds those that moved beyond their error. In: the
// numbers of both with their intervals, and how many games they share. Out: a table.
package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/report/numbers"
)

// Shared has the shares of the games of each report that are games of the other, too, and are counted alike. The
// zero value treats the games as different ones, which is too cautious for equal ones.
type Shared struct{ A, B float64 }

// Moved is a number that differs by more than its error.
type Moved struct {
	ID, A, B      string // the number's name, and how both reports print it
	By, Low, High float64
	Beyond        float64 // the difference in half widths of its interval
	decimals      int
}

// Result has the findings of Compare.
type Result struct {
	Compared     int // numbers with an interval in both reports
	Moved        []Moved
	Bare         int // numbers without an interval that differ
	OnlyA, OnlyB int // names that the other report lacks
}

// Compare compares the numbers of two reports. The interval of a difference is made of both intervals (MOVER: Zou and
// Donner 2008), with the correlation that the shared games give.
func Compare(a, b numbers.File, shared Shared) Result {
	others := lists.By(b.Numbers, func(n numbers.Number) string { return within(b, n) })
	var r Result
	for _, n := range a.Numbers {
		name := within(a, n)
		other, both := others[name]
		delete(others, name)
		lead := strings.HasPrefix(name, "lead/")
		switch {
		case lead:
		case !both:
			r.OnlyA++
		case n.Low == nil || other.Low == nil || n.Value == nil || other.Value == nil:
			if n.Text != other.Text {
				r.Bare++
			}
		default:
			r.Compared++
			if m := difference(n, other, shared); m.Beyond > 1 {
				r.Moved = append(r.Moved, m)
			}
		}
	}
	for name := range others {
		if !strings.HasPrefix(name, "lead/") {
			r.OnlyB++
		}
	}
	slices.SortStableFunc(r.Moved, func(x, y Moved) int { return cmp.Compare(y.Beyond, x.Beyond) })
	return r
}

// within is a number's name without the prefix of its report.
func within(f numbers.File, n numbers.Number) string { return strings.TrimPrefix(n.ID, f.Prefix+"/") }

// rounding is the half width of the 95 % interval of the error that printing two numbers adds to their difference, in
// units of the last digit: each is off evenly by half a unit at most.
const rounding = 0.8

// difference is b less a with its interval.
func difference(a, b numbers.Number, shared Shared) Moved {
	by := *b.Value - *a.Value
	m := Moved{ID: a.ID, A: a.Text, B: b.Text, By: by, decimals: max(decimals(a.Text), decimals(b.Text))}
	printed := rounding * math.Pow(10, -float64(m.decimals))
	below := reach(*b.Value-*b.Low, *a.High-*a.Value, shared, printed)
	above := reach(*b.High-*b.Value, *a.Value-*a.Low, shared, printed)
	m.Low, m.High = by-below, by+above
	if by > 0 {
		m.Beyond = by / below
	} else {
		m.Beyond = -by / above
	}
	return m
}

// reach returns the half width of a difference on one side, from the half widths b and a of the two numbers there. Numbers
// of the same games counted alike have the covariance of the shared games.
func reach(b, a float64, shared Shared, printed float64) float64 {
	variance := a*a + b*b
	switch {
	case shared.A > 0 && shared.A >= shared.B:
		variance = paired(a, b, shared.A, shared.B)
	case shared.B > 0:
		variance = paired(b, a, shared.B, shared.A)
	}
	return math.Sqrt(variance + printed*printed)
}

// paired returns the variance of the difference of numbers with errors a and b. The share in of the first's games is in
// the second, and a smaller share of the second's games in the first. It is the larger of two estimates: by the errors,
// whose difference is itself uncertain, and by the numbers of games alone.
func paired(a, b, in, of float64) float64 {
	byErrors := a*a + b*b - 2*min(in*b*b, a*b)
	byGames := a * a * (1 + of/in - 2*of)
	return max(byErrors, byGames, 0)
}

// decimals is the number of digits after the point of the first number of a text.
func decimals(text string) int {
	text, _, _ = strings.Cut(text, " ")
	_, after, _ := strings.Cut(strings.TrimRight(text, "\u00a0%"), ".")
	return len(after)
}

// Table returns the numbers that moved.
func (r Result) Table() table.Table {
	t := table.Table{Name: "moved", Caption: "Numbers that moved beyond their error", Head: []table.Cell{
		table.Text("number"), table.Number("A"), table.Number("B"), table.Number("difference"), table.Number("95\u00a0% interval"),
	}}
	for _, m := range r.Moved {
		t.Rows = append(t.Rows, []string{m.ID, m.A, m.B, human.Signed(m.By, m.decimals),
			human.Span(m.Low, m.High, m.decimals)})
	}
	return t
}

// Lead is a sentence or two on how many numbers moved.
func (r Result) Lead() string {
	text := fmt.Sprintf("%d of %s with an interval moved beyond their error; chance alone moves %s.",
		len(r.Moved), human.Plural(int64(r.Compared), "number", "numbers"), human.Short(math.Round(0.5*float64(r.Compared))/10))
	if r.Bare > 0 {
		text += fmt.Sprintf(" %s without an interval also differ.", human.Grouped(int64(r.Bare)))
	}
	if r.OnlyA+r.OnlyB > 0 {
		text += fmt.Sprintf(" Only A has %s, only B %s.", human.Plural(int64(r.OnlyA), "number", "numbers"), human.Grouped(int64(r.OnlyB)))
	}
	return text
}
