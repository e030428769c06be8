// Package choose predicts which move people choose: a conditional logit over the legal moves of a position,
//
//	P(move i) = exp(β(z)·x_i) / Σ_j exp(β(z)·x_j)
//
// and pairs of features add to the log-odds (clogit.Pairs). x_i describes the move (Rower): what it loses at
// several depths, how often its shape is played, where it goes, and what it takes, attacks and leaves. β(z)
// is linear in the player and the situation (Situation): the rating, piecewise linear between knots, the time
// left and the phase. The model is data: players/population fits it, match plays by it, and explore shows it.
package choose

import (
	"cmp"
	"slices"

	"kifu/eval"
	"kifu/internal/clogit"
	"kifu/internal/lists"
	"kifu/players/shapes"
)

// Situation is who decides, and when.
type Situation struct {
	Rating float64 // 0: not known, as the middle knot
	Clock  int32   // time left in milliseconds; negative: not known, as any amount of time
	Phase  int16   // the first of the game's columns
}

// Model is how people choose moves in a game.
type Model struct {
	Game     string
	Depth    int               // plies of the deepest value, the move included; 0: no values
	Ratings  []float64         // knots, ascending; fewer than two: ratings do not matter
	Clocks   bool              // the time left matters
	Phases   [2]float64        // the phase at the start and at the end of a game; equal: phases do not matter
	Features []string          // Rower.Names
	Weights  []float64         // of feature f and number c of the context: f·C+c
	Pairs    clogit.Pairs      // of features; nil: none
	Eval     *eval.Model       // of the values
	Shapes   *shapes.Strengths // nil: none
}

// pressed is the time left at which half of its influence shows, in milliseconds.
const pressed = 20_000

// Contexts names the numbers of a context.
func (m *Model) Contexts() []string {
	names := append([]string{"always"}, lists.Of(m.others(), func(k float64) string { return "rated " + number(k) })...)
	if m.Clocks {
		names = append(names, "little time")
	}
	if m.Phases[0] != m.Phases[1] {
		names = append(names, "end of the game")
	}
	return names
}

// others returns the knots but for the middle one, at which the weights are those that hold always.
func (m *Model) others() []float64 {
	if len(m.Ratings) < 2 {
		return nil
	}
	return slices.Delete(slices.Clone(m.Ratings), len(m.Ratings)/2, len(m.Ratings)/2+1)
}

// Context appends the numbers of a situation: 1; a number for each knot of ratings except the middle one; 20
// s / (20 s + time left); and the share of the game's phases that is over. A knot's number falls linearly
// from 1 at the knot to 0 at its neighbours.
func (m *Model) Context(dst []float64, s Situation) []float64 {
	dst = append(dst, 1)
	if knots := m.Ratings; len(knots) > 1 {
		rating := cmp.Or(s.Rating, knots[len(knots)/2])
		for i := range knots {
			if i != len(knots)/2 {
				dst = append(dst, hat(knots, i, min(max(rating, knots[0]), knots[len(knots)-1])))
			}
		}
	}
	if m.Clocks {
		hurry := 0.0
		if s.Clock >= 0 {
			hurry = pressed / (pressed + float64(s.Clock))
		}
		dst = append(dst, hurry)
	}
	if from, to := m.Phases[0], m.Phases[1]; from != to {
		dst = append(dst, min(max((float64(s.Phase)-from)/(to-from), 0), 1))
	}
	return dst
}

// hat returns 1 at knot i, 0 at all others, and is linear between them.
func hat(knots []float64, i int, x float64) float64 {
	switch {
	case i > 0 && x < knots[i]:
		return max(0, (x-knots[i-1])/(knots[i]-knots[i-1]))
	case i+1 < len(knots) && x > knots[i]:
		return max(0, (knots[i+1]-x)/(knots[i+1]-knots[i]))
	}
	return 1
}
