// Package method has the methods of a fit, a struct each with the choices that it has.
//
// A method has no field for a choice that it lacks. Choices has the fields of all methods, for callers that
// read them before the method is known, such as a command line. Choices.Of makes a method. JSON has the names
// of a fit's key.
package method

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kifu/fit/constraints"
	"kifu/fit/losses"
)

// A Method is one of the structs of this package.
type Method interface {
	// Name returns the method's name: losses.MLM, …
	Name() string
}

// The methods, by their names in package losses.
type (
	MLM struct {
		Positions
		Minimised
		Held
		Scales
		Sets
		Aim
		Tests
	}
	LS struct {
		Positions
		Minimised
		Held
		Scales
		Sets
		Aim
	}
	Ordered struct {
		Positions
		Minimised
		Held
		Sets
		Tests
	}
	Value struct {
		Positions
		Minimised
		Held
		Scales
		Sets
		Tests
		Target string `json:"target,omitempty"` // as in Aim
	}
	Choice struct {
		Minimised
		Held
		Tests
	}
	Pairs struct {
		Minimised
		Held
	}
	TD struct {
		Positions
		Held
		Traces
		Steps
	}
	LSTD struct {
		Positions
		Traces
	}
)

// Choices has the choices of all methods.
type Choices struct {
	Positions
	Minimised
	Held
	Scales
	Sets
	Aim
	Tests
	Traces
	Steps
}

// Positions are the choices of methods that fit to positions, not to the moves in them.
type Positions struct {
	// Intercept adds a feature that is 1 in every position: the first player's constant advantage. SideToMove
	// adds one that is 1 with the first player to move, else -1.
	Intercept  bool `json:"intercept,omitempty"`
	SideToMove bool `json:"side_to_move,omitempty"`
	// WithoutBlunders leaves out positions in which the game's loser made a move that cost more than this, in
	// the evaluator's unit. The cost is by the labels' value of the next position. 0: none.
	WithoutBlunders float64 `json:"without_blunders,omitempty"`
}

// Minimised are the choices of methods that minimise a loss over rows, whatever the games' other rows are.
type Minimised struct {
	// MaxPerGame is the largest number of positions or decisions of a game, chosen by seed among those that
	// meet all other conditions; 0: all.
	MaxPerGame int `json:"max_per_game,omitempty"`
	// Weight is ByGame if every game fitted to counts the same, however long it is.
	Weight string  `json:"weight,omitempty"`
	L2     float64 `json:"l2,omitempty"` // ridge, see package fit
	L1     float64 `json:"l1,omitempty"` // lasso, see package fit
	// Prior pulls weights to the present ones; a later one takes the place of an
	// earlier one for what it names.
	Prior []constraints.Prior `json:"prior,omitempty"`
	// Bounds keep weights within limits.
	Bounds []constraints.Bound `json:"bounds,omitempty"`
}

// The weights of rows: those of ByGame add up to the same for every game.
const (
	ByPosition = ""
	ByGame     = "game"
)

// Held is a scale that is not fitted.
type Held struct {
	// Scale is w_0 in 1/unit when it is to be held, 0 to fit it. All of an evaluator
	// can be freed only with a held scale or a ridge.
	Scale float64 `json:"scale,omitempty"`
}

// Scales are scales that differ by source.
type Scales struct {
	// ScaleBy is an SQL expression over the columns of the games, or without games of the labels. Each value
	// has its own w_0; all share the weights.
	ScaleBy string `json:"scale_by,omitempty"`
}

// Sets are weights that differ by phase.
type Sets struct {
	// Phases makes a set of weights and a w_0 for each stretch of phases. One number is the width
	// of all stretches; several are their first phases, ascending. A set is fitted to its own
	// positions and to the positions of Neighbours sets on either side. Terms have one weight in a
	// set.
	Phases     []int `json:"phases,omitempty"`
	Neighbours int   `json:"neighbours,omitempty"`
}

// Aim is what MLM and LS fit to besides or instead of results.
type Aim struct {
	// Target is an SQL expression over the label columns: the value that Value fits to, or with
	// MLM and LS what Blend blends in. Rows in which it is null are left out.
	Target string `json:"target,omitempty"`
	// Expected is an SQL expression over the label columns: the first player's expected result, from 0 to 1.
	// MLM and LS fit to it instead of the result, and skip rows in which it is null.
	Expected string `json:"expected,omitempty"`
	// Blend is λ, the share of the target in y, from 0 to 1. TargetScale is s in
	// 1/unit, 0 to fit it.
	Blend       float64 `json:"blend,omitempty"`
	TargetScale float64 `json:"target_scale,omitempty"`
}

// Tests are the choices of tests, for methods with a likelihood.
type Tests struct {
	// Ratios asks for the likelihood ratio of every group, which takes a fit for each.
	Ratios bool `json:"ratios,omitempty"`
}

// Traces are the choices of eligibility traces: how far temporal differences look ahead.
type Traces struct {
	// Lambda is λ by epoch, the last number for all later ones; LSTD has one.
	Lambda []float64 `json:"lambda,omitempty"`
}

// Steps are the choices of TD's step sizes.
type Steps struct {
	// Alpha are the steps by epoch, the last number for all later ones. Without it the step begins at ½ and is
	// halved where an epoch does not help. Epochs is the most of them, 0 for 40; Replacing makes traces that are
	// replaced where their feature occurs again.
	Alpha     []float64 `json:"alpha,omitempty"`
	Epochs    int       `json:"epochs,omitempty"`
	Replacing bool      `json:"replacing_traces,omitempty"`
}

// Name returns losses.MLM.
func (MLM) Name() string { return losses.MLM }

// Name returns losses.LS.
func (LS) Name() string { return losses.LS }

// Name returns losses.Ordered.
func (Ordered) Name() string { return losses.Ordered }

// Name returns losses.Value.
func (Value) Name() string { return losses.Value }

// Name returns losses.Choice.
func (Choice) Name() string { return losses.Choice }

// Name returns losses.Pairs.
func (Pairs) Name() string { return losses.Pairs }

// Name returns losses.TD.
func (TD) Name() string { return losses.TD }

// Name returns losses.LSTD.
func (LSTD) Name() string { return losses.LSTD }

// methods are the methods with what makes them of choices, and why they lack some.
var methods = []struct {
	name, why string
	of        func(Choices) (Method, error)
}{
	{losses.MLM, "it follows no game from position to position", chosen[MLM]},
	{losses.LS, "it has no likelihood, and follows no game from position to position", chosen[LS]},
	{losses.Ordered, "it fits to wins, draws and losses, with one scale", chosen[Ordered]},
	{losses.Value, "it fits to --target alone", chosen[Value]},
	{losses.Choice, "it fits to whole decisions, by the moves played", chosen[Choice]},
	{losses.Pairs, "it fits to pairs of moves of whole decisions, which are not independent", chosen[Pairs]},
	{losses.TD, "it follows whole games from position to position, and minimises no loss", chosen[TD]},
	{losses.LSTD, "it solves equations for whole games, and fits w_0 to their results afterwards", chosen[LSTD]},
}

// Of returns the method of that name with its choices of c. A choice that it lacks is an error, unless one of the
// methods beside it has it. A schedule of λ for td is its last number for lstd.
func (c Choices) Of(name string, beside ...string) (Method, error) {
	if name == losses.LSTD && len(c.Lambda) > 1 && slices.Contains(beside, losses.TD) {
		c.Lambda = c.Lambda[len(c.Lambda)-1:]
	}
	lacks, err := Fields(c)
	if err != nil {
		return nil, err
	}
	var found Method
	why := ""
	for _, one := range methods {
		if one.name != name && !slices.Contains(beside, one.name) {
			continue
		}
		m, err := one.of(c)
		if err != nil {
			return nil, err
		}
		if one.name == name {
			found, why = m, one.why
		}
		has, err := Fields(m)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(lacks, func(key string, _ json.RawMessage) bool { return has[key] != nil })
	}
	switch {
	case found == nil:
		return nil, fmt.Errorf("method %q: want mlm, ls, ordered, value, choice, pairs, td or lstd", name)
	case len(lacks) > 0:
		flags := slices.Sorted(maps.Keys(lacks))
		for i, key := range flags {
			flags[i] = "--" + Flag(key)
		}
		return nil, fmt.Errorf("method %s: %s: omit %s", name, why, strings.Join(flags, ", "))
	}
	return found, nil
}

// ChoicesOf returns the choices of m.
func ChoicesOf(m Method) (c Choices, err error) { return c, convert(m, &c) }

// Fields returns the fields of x, a struct, that are not empty, by their names in a key.
func Fields(x any) (fields map[string]json.RawMessage, err error) { return fields, convert(x, &fields) }

// chosen returns the method M with its choices of c.
func chosen[M Method](c Choices) (Method, error) {
	var m M
	err := convert(c, &m)
	return m, err
}

// convert sets the fields of to that have the names of from's.
func convert(from, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// Flag returns the name of the flag of kifu fit for a field of that name.
func Flag(key string) string {
	switch key {
	case "bounds":
		return "bound"
	case "replacing_traces":
		return "traces"
	}
	return strings.ReplaceAll(key, "_", "-")
}
