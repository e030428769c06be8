package eval

import (
	"math"
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
