// Package eval defines linear evaluators: a model is data (named terms with weights), and a
// game's evaluator is the code that counts the terms of a position.
//
// One extraction serves both uses. Value adds up weight times count while it walks the position. Trace walks
// the same code and records the counts, so label's features and the search's values can never disagree.
// Model.Score of a trace equals Value, to the hundredth, for every position (a property test of every game).
//
// A weight may differ by phase. A model has one or more stages, each at a knot of the game's phase scale.
// Between two knots the weights are interpolated (chess: opening at 24, endgame at 0). With Step, the stage
// of the nearest knot not above the phase applies (draughts: one weight set per range of piece counts).
package eval

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"kifu/games"
	"kifu/internal/edits"
)

// Term is one named, countable property of a position with a weight per stage.
type Term struct {
	Name  string // unique in the model: "knight_mobility_4"
	Group string // "mobility"; groups are freed, zeroed and reported together
	// Weights are in the model's unit, one per stage. A term that does not depend on the
	// phase has a single weight.
	Weights []float64
}

// Real is a feature that is a number, with its weight in the model's unit.
type Real struct {
	Name   string
	Weight float64
}

// Model is a linear evaluator as data.
type Model struct {
	Game   string   // as Rules.Name
	Name   string   // name of this set of weights
	Unit   string   // of values: "centipawns", "centimen", "discs", "points"
	Stages []string // "opening", "endgame"
	Knots  []int    // the phase at which each stage applies alone; strictly monotone
	Step   bool     // one stage at a time, no interpolation
	Terms  []Term   // grouped: terms of one group are adjacent
	// Reals are features that are numbers and no counts, from another program
	// (label/features); no evaluator here has any. They have one weight for all stages.
	Reals []Real
	// Corrections marks weights to be added to those of another program, whose values have the latter (label/features).
	Corrections bool
	// Quiescence is the number of the evaluator's own definition of its quiescence search, counted
	// up when that changes, so that keys of datasets do; 0 for the first, or none of its own.
	Quiescence int
	// Network holds the parameters of a network whose output is the count of one of the
	// terms; nil for a model without one. Its evaluator defines the order of the parameters
	// (eval/network).
	Network []float32
	// Tables are weights of patterns, which a file of their own holds; nil for a model without.
	// The counts of its terms are the patterns' contributions (eval/pattern).
	Tables Tables
}

// Tables are weights in addition to a model's own. They are not changed once they are made.
type Tables interface {
	// Checksum returns "sha256:" and a sum that differs for different tables.
	Checksum() string
	// Files returns the files that hold them, by their names; none if they are not here.
	Files() (map[string][]byte, error)
}

// Elsewhere are tables of which only the checksum is here: the tables of a model that was read from
// a weights.toml.
type Elsewhere string

// Checksum returns the checksum.
func (e Elsewhere) Checksum() string { return string(e) }

// Files returns none.
func (e Elsewhere) Files() (map[string][]byte, error) { return nil, nil }

// maxTerms is the greatest number of terms of a model.
const maxTerms = 1 << 24

// Feature is one term of a position with its count: first player's minus second player's.
type Feature struct {
	Term  uint32 // index into Model.Terms
	Count int16
}

// Grain is the number of integer steps per unit of value in Evaluator.Value.
const Grain = games.Grain

// Evaluator scores positions of one game with one model. It must not be shared by
// goroutines.
type Evaluator[P any] interface {
	// Value returns the static value of p from the first player's side, in 1/Grain units.
	Value(p P) int32
	// Trace appends the non-zero features of p, in ascending order of Term and each
	// term once, and returns p's phase.
	Trace(p P, dst []Feature) (features []Feature, phase int)
	// Model returns the model the evaluator was made of; read only.
	Model() *Model
}

// Expecter is an Evaluator that can count while it values an announced position: a
// following Trace of the same position then costs little. It changes no result.
type Expecter interface {
	// Expect announces that the position with that hash will be valued, and probably traced
	// before the next Expect.
	Expect(hash uint64)
}

// Mix returns the share of each stage at a phase; the shares add up to one. dst is
// reused when large enough.
func (m *Model) Mix(phase int, dst []float64) []float64 {
	dst = append(dst[:0], make([]float64, len(m.Knots))...)
	up := len(m.Knots) < 2 || m.Knots[1] > m.Knots[0]
	at := func(i int) int {
		if up {
			return m.Knots[i]
		}
		return -m.Knots[i]
	}
	x := phase
	if !up {
		x = -phase
	}
	i := sort.Search(len(m.Knots), func(i int) bool { return at(i) > x })
	switch {
	case i == 0:
		dst[0] = 1
	case i == len(m.Knots) || m.Step:
		dst[i-1] = 1
	default:
		t := float64(x-at(i-1)) / float64(at(i)-at(i-1))
		dst[i-1], dst[i] = 1-t, t
	}
	return dst
}

// Score returns the value of a trace under m, in the model's unit, unrounded.
func (m *Model) Score(features []Feature, phase int) float64 {
	mix := m.Mix(phase, nil)
	v := 0.0
	for _, f := range features {
		v += float64(f.Count) * m.Terms[f.Term].At(mix)
	}
	return v
}

// At returns the weight of t under the stage shares mix.
func (t *Term) At(mix []float64) float64 {
	if len(t.Weights) == 1 {
		return t.Weights[0]
	}
	w := 0.0
	for i, share := range mix {
		w += share * t.Weights[i]
	}
	return w
}

// Groups returns the names of the groups, in the order of the terms.
func (m *Model) Groups() []string {
	var names []string
	for i, t := range m.Terms {
		if i == 0 || t.Group != m.Terms[i-1].Group {
			names = append(names, t.Group)
		}
	}
	return names
}

func (m *Model) names() []string {
	names := make([]string, len(m.Terms))
	for i, t := range m.Terms {
		names[i] = t.Name
	}
	return names
}

// Match returns the indices of the terms with a name: a term, or all terms of a group. The
// error has the nearest name or lists the groups.
func (m *Model) Match(name string) ([]int, error) {
	var found []int
	for i, t := range m.Terms {
		if t.Name == name || t.Group == name {
			found = append(found, i)
		}
	}
	if found == nil {
		if near, ok := edits.Nearest(name, append(m.Groups(), m.names()...)); ok {
			return nil, fmt.Errorf("no term or group %q: did you mean %s?", name, near)
		}
		return nil, fmt.Errorf("no term or group %q; the groups are %s", name, strings.Join(m.Groups(), ", "))
	}
	return found, nil
}

// Zero returns a copy of m in which the weights of the named terms and groups are 0.
func (m *Model) Zero(names ...string) (*Model, error) {
	z := m.Clone()
	for _, name := range names {
		terms, err := m.Match(name)
		if err != nil {
			return nil, err
		}
		for _, i := range terms {
			clear(z.Terms[i].Weights)
		}
	}
	return z, nil
}

// Extend gives weights to stages that never apply alone at phases from first to last. They get
// the weights of the nearest stage that does or, if none does, of the one that applies most.
func (m *Model) Extend(first, last int) {
	from, to := m.Knots[0], m.Knots[0]
	for _, k := range m.Knots {
		from, to = min(from, k), max(to, k)
	}
	first = min(max(first, from), to)
	last = min(max(last, first), to)
	alone, shares := make([]bool, len(m.Stages)), make([]float64, len(m.Stages))
	known, most := false, 0
	var mix []float64
	for phase := first; phase <= last; phase++ {
		mix = m.Mix(phase, mix)
		for i, share := range mix {
			alone[i] = alone[i] || share == 1
			known = known || share == 1
			if shares[i] += share; shares[i] > shares[most] {
				most = i
			}
		}
	}
	alone[most] = alone[most] || !known
	for i := range m.Stages {
		if alone[i] {
			continue
		}
		like := -1
		for j := range m.Stages {
			if alone[j] && (like < 0 || max(i-j, j-i) < max(i-like, like-i)) {
				like = j
			}
		}
		for _, t := range m.Terms {
			if len(t.Weights) > 1 {
				t.Weights[i] = t.Weights[like]
			}
		}
	}
}

// Clone returns a deep copy of m.
func (m *Model) Clone() *Model {
	c := *m
	c.Network = append([]float32(nil), m.Network...)
	c.Terms, c.Reals = append([]Term(nil), m.Terms...), append([]Real(nil), m.Reals...)
	for i := range c.Terms {
		c.Terms[i].Weights = append([]float64(nil), c.Terms[i].Weights...)
	}
	return &c
}

// Validate reports the first defect that makes m unusable.
func (m *Model) Validate() error {
	if len(m.Stages) == 0 || len(m.Stages) != len(m.Knots) {
		return fmt.Errorf("%d stages and %d knots: want one knot per stage, at least one", len(m.Stages), len(m.Knots))
	}
	for i := 2; i < len(m.Knots); i++ {
		if (m.Knots[i] > m.Knots[i-1]) != (m.Knots[1] > m.Knots[0]) {
			return fmt.Errorf("knots %v are not monotone", m.Knots)
		}
	}
	seen := map[string]bool{}
	closed := map[string]bool{}
	for i, t := range m.Terms {
		if seen[t.Name] {
			return fmt.Errorf("term %q appears twice", t.Name)
		}
		seen[t.Name] = true
		if i > 0 && t.Group != m.Terms[i-1].Group {
			closed[m.Terms[i-1].Group] = true
		}
		if closed[t.Group] {
			return fmt.Errorf("the terms of group %q are not adjacent", t.Group)
		}
		if len(t.Weights) != 1 && len(t.Weights) != len(m.Stages) {
			return fmt.Errorf("term %q has %d weights: want 1 or %d", t.Name, len(t.Weights), len(m.Stages))
		}
		for _, w := range t.Weights {
			if math.IsNaN(w) || math.Abs(w) > 1e6 {
				return fmt.Errorf("term %q has weight %v", t.Name, w)
			}
		}
	}
	for _, r := range m.Reals {
		if r.Name == "" || seen[r.Name] {
			return fmt.Errorf("real-valued feature %q appears twice, or has no name", r.Name)
		}
		seen[r.Name] = true
		if !(math.Abs(r.Weight) <= 1e15) {
			return fmt.Errorf("real-valued feature %q has weight %v", r.Name, r.Weight)
		}
	}
	for i, x := range m.Network {
		if !(math.Abs(float64(x)) <= 1e6) {
			return fmt.Errorf("parameter %d of the network is %v", i, x)
		}
	}
	if len(m.Terms) > maxTerms {
		return fmt.Errorf("%d terms: at most %d", len(m.Terms), maxTerms)
	}
	return nil
}
