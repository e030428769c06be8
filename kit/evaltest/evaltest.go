// Package evaltest is the test kit for evaluators: it checks on any positions that an
// evaluator is linear and that it treats both sides alike.
//
// A game's own test makes positions (RandomPlay, records) and calls Linear and
// Antisymmetric on them; these are the properties that labels and fits rely on.
package evaltest

import (
	"math"
	"math/rand"
	"testing"

	"kifu/eval"
	"kifu/games"
)

// RandomPlay returns the positions of n games of uniformly random legal moves from
// start, each until it ends by the position alone or has maxPlies moves.
func RandomPlay[P games.Position[P]](start P, n, maxPlies int, seed int64) []P {
	r := rand.New(rand.NewSource(seed))
	var all []P
	var moves []games.Move
	for range n {
		p := start
		all = append(all, p)
		for range maxPlies {
			moves = p.AppendMoves(moves[:0])
			if len(moves) == 0 {
				break
			}
			p = p.Play(moves[r.Intn(len(moves))])
			all = append(all, p)
		}
	}
	return all
}

// Linear checks that Value equals the weights times the features of Trace, rounded to the
// grain, that features are in order and not zero, and that they do not depend on the
// weights.
func Linear[P any](t testing.TB, e eval.Evaluator[P], positions []P) {
	t.Helper()
	m := e.Model()
	var features []eval.Feature
	for _, p := range positions {
		var phase int
		features, phase = e.Trace(p, features[:0])
		last := -1
		for _, f := range features {
			if int(f.Term) <= last || f.Count == 0 || int(f.Term) >= len(m.Terms) {
				t.Fatalf("features %v of %v: not in order, or zero, or beyond %d terms", features, p, len(m.Terms))
			}
			last = int(f.Term)
		}
		value, score := float64(e.Value(p)), m.Score(features, phase)*eval.Grain
		if math.Abs(value-score) > 0.5+1e-6 {
			t.Fatalf("%v: value %v, weights times features %v hundredths; features %v at phase %d", p, value, score, features, phase)
		}
	}
}

// Antisymmetric checks that exchanging the players negates the value and every count. flip
// returns the position with the players exchanged.
func Antisymmetric[P any](t testing.TB, e eval.Evaluator[P], positions []P, flip func(P) P) {
	t.Helper()
	var a, b []eval.Feature
	for _, p := range positions {
		q := flip(p)
		if v, w := e.Value(p), e.Value(q); v != -w {
			t.Fatalf("value %d of %v, %d of its mirror image %v", v, p, w, q)
		}
		var phaseA, phaseB int
		a, phaseA = e.Trace(p, a[:0])
		b, phaseB = e.Trace(q, b[:0])
		if phaseA != phaseB || len(a) != len(b) {
			t.Fatalf("%v has features %v at phase %d, its mirror image %v at phase %d", p, a, phaseA, b, phaseB)
		}
		for i := range a {
			if a[i].Term != b[i].Term || a[i].Count != -b[i].Count {
				t.Fatalf("%v has %s %d times, its mirror image %s %d times", p,
					e.Model().Terms[a[i].Term].Name, a[i].Count, e.Model().Terms[b[i].Term].Name, b[i].Count)
			}
		}
	}
}

// Randomized returns a copy of m with random weights up to ±limit in hundredths, from seed:
// an evaluator made of it must satisfy the same properties as one of m.
func Randomized(m *eval.Model, limit float64, seed int64) *eval.Model {
	r := rand.New(rand.NewSource(seed))
	c := m.Clone()
	for _, t := range c.Terms {
		for i := range t.Weights {
			t.Weights[i] = math.Round((2*r.Float64()-1)*limit*eval.Grain) / eval.Grain
		}
	}
	return c
}
