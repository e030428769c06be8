package fit

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kifu/fit/computed"
	"kifu/fit/losses"
	"kifu/fit/method"
	"kifu/fit/rows"
	"kifu/internal/dyads"
)

// Params are the choices of a fit: its method with the method's own, and the choices common to all methods.
type Params struct {
	Method method.Method `json:"-"`
	// Free names terms and groups, or "all". When it and Add are empty, the terms that
	// label --zero took out are free.
	Free  []string           `json:"free,omitempty"`
	Add   []computed.Feature `json:"add,omitempty"`
	Draws string             `json:"draws"` // DrawsExclude or DrawsHalf; of no use to Ordered, Value, Choice and Pairs of package losses
	// Tie has lists of terms that share their weights, stage by stage; a minus before a
	// name turns its sign. Untapered names terms and groups whose terms have one weight
	// in all stages.
	Tie       [][]string `json:"tie,omitempty"`
	Untapered []string   `json:"untapered,omitempty"`
	// MinGames is the number of games in which a weight must have a part to be fitted;
	// 0 means 10. With fewer, robust errors mean little.
	MinGames int `json:"min_games,omitempty"`
	// Holdout is the share of games kept out of the fit for testing, chosen by a hash of Seed and the game's
	// id.
	Holdout float64 `json:"holdout,omitempty"`
	// Where is an SQL condition over the label columns: rows in which it does not hold,
	// or is null, are left out.
	Where string `json:"where,omitempty"`
	// GamesWhere is the same over the columns of the games (Sources.Games): only
	// positions of games in which it holds are taken.
	GamesWhere string `json:"games_where,omitempty"`
	// Folds is the number of parts of a cross-validation by game, 0 for none.
	Folds int `json:"folds,omitempty"`
	// LearningCurve asks for fits to 1/16, 1/8, … of the games, tested on those held out.
	LearningCurve bool `json:"learning_curve,omitempty"`
	// Cluster chooses the games that robust errors let depend on each other, one of dyads.Ways:
	// those that share a player, none, or for each number whichever has the wider error
	// (the default).
	Cluster string `json:"cluster,omitempty"`
	// Aliases are names to replace in Sources.Names.
	Aliases []dyads.Alias `json:"aliases,omitempty"`
	// Test is true if Sources.Test is there.
	Test bool   `json:"test,omitempty"`
	Seed uint64 `json:"seed,omitempty"`
}

// keyOrder has the names of all choices, in the order of the key of a fit.
const keyOrder = "method free add intercept side_to_move draws target expected blend target_scale l2 l1 prior bounds tie untapered scale scale_by phases " +
	"neighbours min_games holdout where games_where without_blunders max_per_game weight folds ratios learning_curve cluster aliases " +
	"lambda alpha epochs replacing_traces test seed sums"

var errNoMethod = errors.New("no method: choose one of package fit/method")

// fields returns the choices of p that are not empty, by their names in the key.
func (p Params) fields() (map[string]json.RawMessage, error) {
	if p.Method == nil {
		return nil, errNoMethod
	}
	type common Params
	all, err := method.Fields(struct {
		Name string `json:"method"`
		common
		Sums int `json:"sums"`
	}{p.Method.Name(), common(p), Sums})
	if err != nil {
		return nil, err
	}
	own, err := method.Fields(p.Method)
	maps.Copy(all, own)
	return all, err
}

// MarshalJSON returns all that the key of a fit is made of.
func (p Params) MarshalJSON() ([]byte, error) {
	fields, err := p.fields()
	if err != nil {
		return nil, err
	}
	var text []byte
	for name := range strings.FieldsSeq(keyOrder) {
		if value := fields[name]; value != nil {
			text = fmt.Appendf(text, ",%q:%s", name, value)
		}
	}
	return fmt.Appendf(nil, "{%s}", text[1:]), nil
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

// given returns those of the flags that are in has, as typed.
func given(has map[string]bool, flags string) (typed []string) {
	for _, flag := range strings.Fields(flags) {
		if has[flag] {
			typed = append(typed, "--"+flag)
		}
	}
	return typed
}

// together reports the first choices that do not go with one another.
func (p Params) together() error {
	fields, err := p.fields()
	if err != nil {
		return err
	}
	has := map[string]bool{}
	for name := range fields {
		has[method.Flag(name)] = true
	}
	for _, e := range exclusive {
		if some, others := given(has, e.some), given(has, e.others); len(some) > 0 && len(others) > 0 {
			return fmt.Errorf("%s excludes %s: %s", some[0], strings.Join(others, ", "), e.why)
		}
	}
	for _, n := range needs {
		if has[n.flag] && len(given(has, n.others)) == 0 {
			return fmt.Errorf("--%s needs --%s: %s", n.flag, strings.ReplaceAll(n.others, " ", " or --"), n.why)
		}
	}
	switch value := p.Method.Name() == losses.Value; {
	case value && !has["target"]:
		return errors.New("method value: name the value to fit to with --target, as in --target depth_3_value")
	case has["target"] && !value && !has["blend"]:
		return fmt.Errorf("--target has no effect: give its share with --blend, or use --method %s", losses.Value)
	}
	return nil
}

// Validate reports the first parameter that makes no sense.
func (p Params) Validate() error {
	_, err := p.choices()
	return err
}

// choices are those of a fit, its method's and those of all methods, with the defaults instead of zeros.
type choices struct {
	Params
	method.Choices
	name string // of the method
}

// choices returns the choices of p, or the first that makes no sense.
func (p Params) choices() (c choices, err error) {
	if p.Method == nil {
		return c, errNoMethod
	}
	if c.Choices, err = method.ChoicesOf(p.Method); err != nil {
		return c, err
	}
	c.Params, c.name = p, p.Method.Name()
	for _, check := range []func() error{c.validate, p.together, c.validateSets, c.validateTemporal, c.validateAdded} {
		if err := check(); err != nil {
			return c, err
		}
	}
	c.MinGames = cmp.Or(c.MinGames, defaultMinGames)
	if c.temporal() && len(c.Lambda) == 0 {
		c.Lambda = []float64{defaultLambda}
	}
	return c, nil
}

// validate reports the first number or word out of its range.
func (c choices) validate() error {
	switch {
	case !(c.Blend >= 0 && c.Blend <= 1):
		return fmt.Errorf("blend %v: want a share between 0 and 1", c.Blend)
	case !(c.TargetScale >= 0 && c.TargetScale <= 1e9):
		return fmt.Errorf("target scale %v: want a positive number, or 0 to fit it", c.TargetScale)
	case c.Draws != DrawsExclude && c.Draws != DrawsHalf:
		return fmt.Errorf("draws %q: want %s or %s", c.Draws, DrawsExclude, DrawsHalf)
	case !(c.L2 >= 0 && c.L2 <= 1e9):
		return fmt.Errorf("l2 %v: want a number that is not negative", c.L2)
	case !(c.L1 >= 0 && c.L1 <= 1e9):
		return fmt.Errorf("l1 %v: want a number that is not negative", c.L1)
	case !(c.Scale >= 0 && c.Scale <= 1e9):
		return fmt.Errorf("scale %v: want a positive number, or 0 to fit it", c.Scale)
	case !(c.Holdout >= 0 && c.Holdout < 1):
		return fmt.Errorf("holdout %v: want a share of the games, at least 0 and less than 1", c.Holdout)
	case c.MaxPerGame < 0:
		return fmt.Errorf("max per game %d: want a number that is not negative", c.MaxPerGame)
	case c.Weight != method.ByPosition && c.Weight != method.ByGame:
		return fmt.Errorf("weight %q: want %s, or nothing", c.Weight, method.ByGame)
	case c.Folds < 0 || c.Folds == 1 || c.Folds > 1000:
		return fmt.Errorf("folds %d: want from 2 to 1000, or 0 for none", c.Folds)
	case !(c.WithoutBlunders >= 0 && c.WithoutBlunders <= 1e9):
		return fmt.Errorf("without blunders %v: want a limit above 0", c.WithoutBlunders)
	case c.MinGames < 0:
		return fmt.Errorf("min games %d: want a number that is not negative", c.MinGames)
	case c.Cluster != "" && !slices.Contains(dyads.Ways(), c.Cluster):
		return fmt.Errorf("cluster %q: want players, games or both", c.Cluster)
	}
	return nil
}

// validateAdded reports the first new feature without a name of its own.
func (c choices) validateAdded() error {
	seen := map[string]bool{rows.InterceptName: c.Intercept, rows.TurnName: c.SideToMove}
	for _, f := range c.Add {
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

// validateSets reports phases that make no sets.
func (c choices) validateSets() error {
	switch {
	case c.Neighbours < 0:
		return fmt.Errorf("neighbours %d: want a number that is not negative", c.Neighbours)
	case len(c.Phases) == 1 && c.Phases[0] < 1:
		return fmt.Errorf("phases %d: want the width of a set, 1 or more, or several first phases", c.Phases[0])
	case len(c.Phases) > mostLevels:
		return fmt.Errorf("%d sets of phases: at most %d", len(c.Phases), mostLevels)
	}
	for i := 1; i < len(c.Phases); i++ {
		if c.Phases[i] <= c.Phases[i-1] {
			return fmt.Errorf("phases %v: the first phases of the sets have to ascend", c.Phases)
		}
	}
	return nil
}

const defaultMinGames = 10

// defaultLambda is the default λ, KnightCap's.
const defaultLambda = 0.7

// draws describes the treatment of drawn games.
func (p choices) draws() string {
	if p.Expected != "" {
		return "expected results"
	}
	switch p.name {
	case losses.Ordered:
		return "fitted"
	case losses.Value, losses.Choice, losses.Pairs:
		return "all alike"
	}
	return p.Draws
}

// builtin are the names of the features that need no SQL.
func (p choices) builtin() (names []string) {
	if p.Intercept {
		names = append(names, rows.InterceptName)
	}
	if p.SideToMove {
		names = append(names, rows.TurnName)
	}
	return names
}

const mostLevels = 200
