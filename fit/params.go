package fit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kifu/fit/rows"
	"kifu/internal/dyads"
)

// Params are the choices of a fit. What some methods alone have is in structs of their own.
type Params struct {
	Method string `json:"method"` // MLM, LS, Ordered, Value, Choice, Pairs, TD or LSTD
	// Free names terms and groups, or "all". When it and Add are empty, the terms that
	// label --zero took out are free.
	Free []string  `json:"free,omitempty"`
	Add  []Feature `json:"add,omitempty"`
	// Intercept adds a feature that is 1 in every position, what the first player is
	// ahead anyhow; SideToMove one that is 1 with the first player to move, else -1.
	Intercept  bool   `json:"intercept,omitempty"`
	SideToMove bool   `json:"side_to_move,omitempty"`
	Draws      string `json:"draws"` // DrawsExclude or DrawsHalf; of no use to Ordered and Value
	Aim
	L2 float64 `json:"l2,omitempty"` // ridge, see the package
	L1 float64 `json:"l1,omitempty"` // lasso, see the package
	// Prior pulls weights to the present ones; a later one takes the place of an
	// earlier one for what it names.
	Prior []rows.Prior `json:"prior,omitempty"`
	// Bounds keep weights within limits.
	Bounds []rows.Bound `json:"bounds,omitempty"`
	// Tie has lists of terms that share their weights, stage by stage; a minus before a
	// name turns its sign. Untapered names terms and groups whose terms have one weight
	// in all stages.
	Tie       [][]string `json:"tie,omitempty"`
	Untapered []string   `json:"untapered,omitempty"`
	// Scale is w_0 in 1/unit when it is to be held, 0 to fit it. All of an evaluator
	// can be freed only with a held scale or a ridge.
	Scale float64 `json:"scale,omitempty"`
	Sets
	// MinGames is the number of games in which a weight must have a part to be fitted;
	// 0 means 10. With fewer, robust errors mean little.
	MinGames int `json:"min_games,omitempty"`
	// Holdout is the share of the games that is kept out of the fit to test it on,
	// chosen by a hash of Seed and the game's id.
	Holdout float64 `json:"holdout,omitempty"`
	// Where is an SQL condition over the label columns: rows in which it does not hold,
	// or is null, are left out.
	Where string `json:"where,omitempty"`
	// GamesWhere is the same over the columns of the games (Sources.Games): only
	// positions of games in which it holds are taken.
	GamesWhere string `json:"games_where,omitempty"`
	// WithoutBlunders leaves out what is fitted to of the positions in which the player
	// who lost the game made a move that cost more than this, in the evaluator's
	// unit, by the labels' value of the next position; 0: none.
	WithoutBlunders float64 `json:"without_blunders,omitempty"`
	// MaxPerGame is the number of positions that a game may have, a choice by Seed of
	// those left by all other conditions; 0: all.
	MaxPerGame int `json:"max_per_game,omitempty"`
	// Weight is WeightGame if every game fitted to counts the same, however long it is.
	Weight string `json:"weight,omitempty"`
	// Folds is the number of parts of a cross-validation by game, 0 for none.
	Folds int `json:"folds,omitempty"`
	// Ratios asks for the likelihood ratio of every group, which takes a fit for each.
	Ratios bool `json:"ratios,omitempty"`
	// LearningCurve asks for fits to 1/16, 1/8, … of the games, tested on those held out.
	LearningCurve bool `json:"learning_curve,omitempty"`
	// Cluster chooses the games that robust errors let depend on each other, one of dyads.Ways:
	// those that share a player, none, or for each number whichever has the wider error
	// (the default).
	Cluster string `json:"cluster,omitempty"`
	// Aliases are names to replace in Sources.Names.
	Aliases []dyads.Alias `json:"aliases,omitempty"`
	Differences
	// Test is true if Sources.Test is there.
	Test bool   `json:"test,omitempty"`
	Seed uint64 `json:"seed,omitempty"`
}

// Aim is the target of Value, and of MLM and LS besides or instead of results.
type Aim struct {
	// Target is an SQL expression over the label columns: the value v of Value, or with
	// MLM and LS what Blend blends in. Rows in which it is null are left out.
	Target string `json:"target,omitempty"`
	// Expected is an SQL expression over the label columns, the first player's expected result
	// from 0 to 1, which MLM and LS fit to instead of the result; rows in which it is null
	// are left out.
	Expected string `json:"expected,omitempty"`
	// Blend is λ, the share of the target in y, from 0 to 1. TargetScale is s in
	// 1/unit, 0 to fit it.
	Blend       float64 `json:"blend,omitempty"`
	TargetScale float64 `json:"target_scale,omitempty"`
}

// Sets are scales or weights that differ by source or phase, of the methods that fit to positions.
type Sets struct {
	// ScaleBy is an SQL expression over the columns of the games, or without
	// Sources.Games of the labels: each of its values has a w_0 of its own, and all share
	// the weights.
	ScaleBy string `json:"scale_by,omitempty"`
	// Phases makes a set of weights, with a w_0, for each stretch of phases: one number is the width
	// of all stretches, several are their first phases, ascending. A set is fitted to its own
	// positions and to the positions of Neighbours sets on either side. Terms have one weight in a
	// set.
	Phases     []int `json:"phases,omitempty"`
	Neighbours int   `json:"neighbours,omitempty"`
}

// Differences are the choices of TD and LSTD.
type Differences struct {
	// Lambda and Alpha are λ and the steps of TD by epoch, the last number for all later
	// ones; LSTD has one λ. Without Alpha the step begins at ½ and is halved where an epoch
	// does not help. Epochs is the most of them, 0 for 40; Replacing makes traces that are
	// replaced where their feature occurs again.
	Lambda    []float64 `json:"lambda,omitempty"`
	Alpha     []float64 `json:"alpha,omitempty"`
	Epochs    int       `json:"epochs,omitempty"`
	Replacing bool      `json:"replacing_traces,omitempty"`
}

// Feature is a new feature: an SQL expression over the label columns. It has one weight
// for all phases. It must be a number or a boolean (true is 1) in every row.
type Feature struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`

	wrap string // what the query has around SQL, with %s for it; "" for nothing
}

// flags returns what Params has besides its method, by the names of the flags of kifu fit.
func (p Params) flags() map[string]bool {
	return map[string]bool{
		"intercept": p.Intercept, "side-to-move": p.SideToMove, "target": p.Target != "", "expected": p.Expected != "", "blend": p.Blend > 0, "target-scale": p.TargetScale > 0,
		"l1": p.L1 > 0, "l2": p.L2 > 0, "prior": len(p.Prior) > 0, "bound": len(p.Bounds) > 0, "scale": p.Scale != 0,
		"scale-by": p.ScaleBy != "", "phases": len(p.Phases) > 0, "neighbours": p.Neighbours != 0,
		"holdout": p.Holdout > 0, "test": p.Test, "folds": p.Folds > 0, "learning-curve": p.LearningCurve, "ratios": p.Ratios,
		"without-blunders": p.WithoutBlunders > 0, "max-per-game": p.MaxPerGame > 0, "weight": p.Weight != WeightPosition,
		"lambda": len(p.Lambda) > 0, "alpha": len(p.Alpha) > 0, "epochs": p.Epochs != 0, "traces": p.Replacing,
	}
}

// refused has the flags that have no effect with methods, and why.
var refused = []struct{ methods, flags, why string }{
	{"choice pairs", "intercept side-to-move", "all moves of a position have the same"},
	{"choice pairs", "target blend expected", "it fits to the moves played"},
	{"choice pairs", "scale-by phases without-blunders", "it fits to whole decisions"},
	{"td lstd", "target blend expected", "it draws values to the next ones and to results"},
	{"td lstd", "l1 l2 prior bound", "it has no penalties and bounds"},
	{"td lstd", "scale-by phases", "it goes through whole games with one w_0"},
	{"td lstd", "weight max-per-game", "it goes through whole games"},
	{"lstd", "alpha epochs traces", "it solves equations"},
	{"lstd", "scale", "it fits a linear value, to which w_0 is fitted afterwards"},
	{"mlm ls ordered value choice pairs", "lambda", "only td and lstd go from position to position"},
	{"mlm ls ordered value choice pairs", "alpha epochs traces", "only td takes steps"},
	{"ordered", "scale-by", "it has one scale"},
	{"ordered", "target blend expected", "it fits to results: take mlm, ls or value"},
	{"value", "blend expected", "it fits to --target alone: take mlm or ls"},
	{"pairs", "ratios", "the pairs of a decision are not independent: take choice, or the Wald tests that every fit has"},
	{"td lstd", "ratios", "temporal differences have no likelihood"},
	{"ls", "ratios", "least squares on results has no likelihood: take mlm or ordered, or the Wald tests that every fit has"},
}

// exclusive has flags of which one of the first does not go with one of the others, and why.
var exclusive = []struct{ some, others, why string }{
	{"expected", "blend without-blunders", "an expected result replaces the result"},
	{"ratios", "l1 l2 prior bound", "likelihoods are compared at their maximum"},
	{"test", "holdout", "the games to test on are either a dataset of their own or a share of this one"},
	{"scale-by", "scale", "one fits scales, the other holds one"},
	{"scale-by", "l1 bound", "take --l2 or --prior"},
	{"scale-by", "phases", "a set of a phase has a scale of its own already"},
	{"phases", "folds learning-curve ratios", "these are of one set: take --holdout or --test"},
}

// needs has flags that have no effect without one of others, and why.
var needs = []struct{ flag, others, why string }{
	{"blend", "target", "it mixes the target into the results of mlm or ls"},
	{"target-scale", "blend", "at this scale --blend turns values into probabilities"},
	{"learning-curve", "holdout test", "it is measured on games that are not fitted to"},
	{"neighbours", "phases", "sets of phases share examples"},
}

// given returns the flags that p has, as typed.
func given(has map[string]bool, flags string) (typed []string) {
	for _, flag := range strings.Fields(flags) {
		if has[flag] {
			typed = append(typed, "--"+flag)
		}
	}
	return typed
}

// together reports the first flags that do not go with the method or with one another.
func (p Params) together() error {
	has := p.flags()
	for _, r := range refused {
		if some := given(has, r.flags); len(some) > 0 && slices.Contains(strings.Fields(r.methods), p.Method) {
			return fmt.Errorf("method %s: %s: leave %s out", p.Method, r.why, strings.Join(some, ", "))
		}
	}
	for _, e := range exclusive {
		if some, others := given(has, e.some), given(has, e.others); len(some) > 0 && len(others) > 0 {
			return fmt.Errorf("%s does not go with %s: %s", some[0], strings.Join(others, ", "), e.why)
		}
	}
	for _, n := range needs {
		if has[n.flag] && len(given(has, n.others)) == 0 {
			return fmt.Errorf("--%s needs --%s: %s", n.flag, strings.ReplaceAll(n.others, " ", " or --"), n.why)
		}
	}
	switch {
	case p.Method == Value && p.Target == "":
		return errors.New("method value: name the value to fit to with --target, as in --target depth_3_value")
	case p.Target != "" && p.Method != Value && p.Blend == 0:
		return fmt.Errorf("--target has no effect: give its share with --blend, or use --method %s", Value)
	}
	return nil
}

// Validate reports the first parameter that makes no sense.
func (p Params) Validate() error {
	switch {
	case !slices.Contains([]string{MLM, LS, Ordered, Value, Choice, Pairs, TD, LSTD}, p.Method):
		return fmt.Errorf("method %q: want %s, %s, %s, %s, %s, %s, %s or %s", p.Method, MLM, LS, Ordered, Value, Choice, Pairs, TD, LSTD)
	case !(p.Blend >= 0 && p.Blend <= 1):
		return fmt.Errorf("blend %v: want a share between 0 and 1", p.Blend)
	case !(p.TargetScale >= 0 && p.TargetScale <= 1e9):
		return fmt.Errorf("target scale %v: want a positive number, or 0 to fit it", p.TargetScale)
	case p.Draws != DrawsExclude && p.Draws != DrawsHalf:
		return fmt.Errorf("draws %q: want %s or %s", p.Draws, DrawsExclude, DrawsHalf)
	case !(p.L2 >= 0 && p.L2 <= 1e9):
		return fmt.Errorf("l2 %v: want a number that is not negative", p.L2)
	case !(p.L1 >= 0 && p.L1 <= 1e9):
		return fmt.Errorf("l1 %v: want a number that is not negative", p.L1)
	case !(p.Scale >= 0 && p.Scale <= 1e9):
		return fmt.Errorf("scale %v: want a positive number, or 0 to fit it", p.Scale)
	case !(p.Holdout >= 0 && p.Holdout < 1):
		return fmt.Errorf("holdout %v: want a share of the games, at least 0 and less than 1", p.Holdout)
	case p.MaxPerGame < 0:
		return fmt.Errorf("max per game %d: want a number that is not negative", p.MaxPerGame)
	case p.Weight != WeightPosition && p.Weight != WeightGame:
		return fmt.Errorf("weight %q: want %s, or nothing", p.Weight, WeightGame)
	case p.Folds < 0 || p.Folds == 1 || p.Folds > 1000:
		return fmt.Errorf("folds %d: want from 2 to 1000, or 0 for none", p.Folds)
	case !(p.WithoutBlunders >= 0 && p.WithoutBlunders <= 1e9):
		return fmt.Errorf("without blunders %v: want what a move may cost, above 0", p.WithoutBlunders)
	case p.MinGames < 0:
		return fmt.Errorf("min games %d: want a number that is not negative", p.MinGames)
	}
	for _, check := range []func() error{p.together, p.Sets.validate, p.validateTemporal, p.validateClusters, p.validateAdded} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// validateAdded reports the first new feature without a name of its own.
func (p Params) validateAdded() error {
	seen := map[string]bool{rows.InterceptName: p.Intercept, rows.TurnName: p.SideToMove}
	for _, f := range p.Add {
		if f.Name == "" || f.SQL == "" {
			return errors.New("an added feature needs a name and an expression")
		}
		if seen[f.Name] {
			return fmt.Errorf("two added features are named %q", f.Name)
		}
		seen[f.Name] = true
	}
	return nil
}

// validate reports phases that make no sets.
func (s Sets) validate() error {
	switch {
	case s.Neighbours < 0:
		return fmt.Errorf("neighbours %d: want a number that is not negative", s.Neighbours)
	case len(s.Phases) == 1 && s.Phases[0] < 1:
		return fmt.Errorf("phases %d: want the width of a set, 1 or more, or several first phases", s.Phases[0])
	case len(s.Phases) > mostLevels:
		return fmt.Errorf("%d sets of phases: at most %d", len(s.Phases), mostLevels)
	}
	for i := 1; i < len(s.Phases); i++ {
		if s.Phases[i] <= s.Phases[i-1] {
			return fmt.Errorf("phases %v: the first phases of the sets have to ascend", s.Phases)
		}
	}
	return nil
}
