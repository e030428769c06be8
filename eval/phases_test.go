package eval

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func phased(knots ...int) *Model {
	m := &Model{Game: "g", Unit: "u", Knots: knots, Stages: make([]string, len(knots))}
	for _, name := range []string{"a", "b"} {
		t := Term{Name: name, Group: "g"}
		for i := range knots {
			t.Weights = append(t.Weights, float64((i*i*37+len(m.Terms)*11)%19)-7.25)
		}
		m.Terms = append(m.Terms, t)
	}
	m.Terms = append(m.Terms, Term{Name: "flat", Group: "g", Weights: []float64{-1.5}})
	return m
}

// The value is the score of the features at every phase, rounded to hundredths, with the
// colours exchanged as well.
func TestPhasesAreScores(t *testing.T) {
	m := phased(3, 10, 17, 24)
	p, err := NewPhases(m, 30, 100)
	if err != nil {
		t.Fatal(err)
	}
	for phase := range 31 {
		for _, counts := range [][]int32{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {7, -3, 2}, {-7, 3, -2}} {
			value := p.Value(counts, phase)
			score := m.Score(AppendCounts(nil, counts), phase) * Grain
			if math.Abs(float64(value)-score) > 0.5+1e-6 {
				t.Errorf("%v at phase %d: %d, the score is %v", counts, phase, value, score)
			}
			opposite := []int32{-counts[0], -counts[1], -counts[2]}
			if p.Value(opposite, phase) != -value {
				t.Errorf("%v at phase %d: %d, the opposite %d", counts, phase, value, p.Value(opposite, phase))
			}
		}
	}
}

func TestPhasesRefuse(t *testing.T) {
	heavy := phased(0, 10, 20)
	heavy.Terms[1].Weights[2] = -200
	for want, m := range map[string]*Model{
		"do not rise evenly": phased(0, 10, 21),
		"[20 10 0]":          phased(20, 10, 0),
		"want at least two":  phased(10),
		`term "b"`:           heavy,
	} {
		if _, err := NewPhases(m, 30, 100); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("knots %v: %v, want %q", m.Knots, err, want)
		}
	}
}

// Extend: stages without a phase of their own among the known ones get the weights of the
// nearest that has one; a phase between two knots belongs to neither alone.
func TestExtend(t *testing.T) {
	for _, c := range []struct {
		step        bool
		knots       []int
		first, last int
		want        []float64 // of the stages' first, second, … weights
	}{
		{false, []int{3, 10, 17, 24}, 10, 100, []float64{1, 1, 2, 3}},
		{false, []int{3, 10, 17, 24}, 11, 20, []float64{2, 2, 2, 2}},
		{false, []int{3, 10, 17, 24}, 12, 13, []float64{1, 1, 1, 1}},
		{false, []int{3, 10, 17, 24}, 90, 100, []float64{3, 3, 3, 3}},
		{false, []int{24, 0}, -5, 0, []float64{1, 1}},
		{true, []int{0, 10, 14, 20}, -100, 12, []float64{0, 1, 1, 1}},
		{true, []int{0, 10, 14, 20}, 15, 16, []float64{2, 2, 2, 2}},
		{false, []int{3, 10, 17, 24}, -100, 100, []float64{0, 1, 2, 3}},
	} {
		m := phased(c.knots...)
		m.Step = c.step
		for i := range m.Terms[0].Weights {
			m.Terms[0].Weights[i] = float64(i)
		}
		m.Extend(c.first, c.last)
		if !slices.Equal(m.Terms[0].Weights, c.want) || m.Terms[2].Weights[0] != -1.5 {
			t.Errorf("%v, step %t, phases %d to %d: %v, want %v", c.knots, c.step, c.first, c.last, m.Terms[0].Weights, c.want)
		}
	}
}
