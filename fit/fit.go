// Package fit finds the weights of a linear evaluator from the results of games, by the
// methods MLM and LS of Takeuchi, Kaneko, Yamaguchi and Kawai, "Visualization and
// adjustment of evaluation functions based on evaluation values and win probability"
// (AAAI 2007):
//
//	e'(p) = e(p) + Σ w_j f_j(p),  g(p) = 1/(1+exp(-w_0 e'(p)))
//	MLM: maximise Π g^y (1-g)^(1-y);  LS: minimise Σ (y-g)²
//
// In go labels: the value e(p) of a principal variation's leaf, its features f_j, its
// phase, and the winner y of the game. Out comes a table of weights with standard
// errors, the whole evaluator as weights.toml, and fit.json.
//
// Two methods look beyond wins and losses:
//
//	ordered: maximise Π P(result), P(win) = g(z-t), P(loss) = g(-z-t), P(draw) the rest,
//	         z = w_0 e'(p), with the draw width t fitted too (McCullagh 1980)
//	value:   minimise Σ (v - w_0 e'(p))² for another value v of the position, as of a
//	         deeper search (Samuel 1967; GLEM, Buro 1998): no result is needed
//
// and the y of MLM and LS can be a blend: λ/(1+exp(-s·v)) + (1-λ)·result, with s the
// scale at which v predicts the results best.
//
// Two do without results and look at the moves played, of all that could be played:
//
//	choice: maximise Π exp(s·w_0 e'(p_0)) / Σ_i exp(s·w_0 e'(p_i)) over decisions, p_0 the
//	        position after the move played, p_i those after all moves, s the mover's side
//	pairs:  maximise Π g(s·w_0 (e'(p_0) - e'(p_i))) over decisions and i
//
// (rows/decisions.go has the sources). Their rows are choices/v1, not labels.
//
// And two learn from the order of a game's positions (fit/temporal): td draws the win
// probability of each to that of the next one and the last to the result, by small steps;
// lstd solves for the linear value with which that would end.
//
// The unknowns are θ = (w_0·w_j, w_0), in which MLM is convex; weights and their errors
// (delta method) are ratios of them. A freed term's weight is the one it has in e(p)
// plus w_j. LS is not convex and starts from the MLM solution. With a ridge (Params.L2)
// the mean loss has L2/2·Σ(w_0 w_j)² beside it: a pull towards the present weights, on
// the raw scale of counts, so that rare terms are pulled more than frequent ones. With a
// lasso (Params.L1) it has L1·Σ|w_0 w_j|, which leaves weights at the present ones that
// gain little. A normal prior of standard deviation SD is the ridge 1/(n·(w_0 SD)²), n
// being the sum of the rows' weights and w_0 that of the present weights.
//
// Positions of one game are not independent: intervals are from a covariance that is
// robust to it. What the rows do not determine is refused with an explanation
// (Unidentified) or left as it is and noted (schemas.FitNote); no result is ever NaN.
//
// The package knows no game and computes no values or features: label does.
package fit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"kifu/datasets"
	"kifu/fit/rows"
	"kifu/internal/dyads"
)

// The methods; their losses are in fit/rows.
const (
	MLM     = rows.MLM
	LS      = rows.LS
	Ordered = rows.Ordered
	Value   = rows.Value
	Choice  = rows.Choice
	Pairs   = rows.Pairs
	TD      = rows.TD
	LSTD    = rows.LSTD
)

// The treatments of draws.
const (
	DrawsExclude = "exclude" // positions of drawn games are left out, as in the paper
	DrawsHalf    = "half"    // a draw is half a win: y = 1/2
)

// The weights of positions: those of WeightGame add up to the same for every game.
const (
	WeightPosition = ""
	WeightGame     = "game"
)

// Sources are the datasets of a fit.
type Sources struct {
	Labels *datasets.Dir // choices for Choice and Pairs
	Test   *datasets.Dir // the same to test on, instead of held-out games; may be nil
	Games  *datasets.Dir // the games of Labels, for Params.GamesWhere and ScaleBy; may be nil
	// Names are the games of Labels, too, for who played whom (Params.Cluster); may be nil.
	Names *datasets.Dir
}

// Sums is the version of the order in which a fit adds up its rows, on which the last digits
// depend. 1 had 64 chunks of any data and added atoms as they came; 2 adds chunks that end with
// the row groups of the labels, and atoms by slot and value, so that whoever reads some of the
// row groups has the sums that one who reads all has; 3 adds second derivatives span by span of
// chunks, and the spans as a tree, so that others can make them; 4 counts rows of one value and result together
// where the scale alone is fitted; 5 multiplies the scores of games together, without their zeros.
const Sums = 5

// Means bounds the resources of a fit. They do not change its result.
type Means struct {
	Workers int // goroutines; 0: one a processor
	// Memory is the number of bytes of rows above which they are kept in a temporary file
	// that is mapped into memory, for more positions than memory holds; cross-validation and
	// learning curves still copy the games that they fit to.
	Memory int64
}

func (m Means) workers() int {
	if m.Workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return m.Workers
}

// Params are the choices of a fit.
type Params struct {
	Method string `json:"method"` // MLM, LS, Ordered, Value, Choice, Pairs, TD or LSTD
	// Free names terms and groups, or "all". When it and Add are empty, the terms that
	// label --zero took out are free.
	Free []string  `json:"free,omitempty"`
	Add  []Feature `json:"add,omitempty"`
	// Intercept adds a feature that is 1 in every position, what the first player is
	// ahead anyhow; SideToMove one that is 1 when he is to move and -1 when he is not.
	Intercept  bool   `json:"intercept,omitempty"`
	SideToMove bool   `json:"side_to_move,omitempty"`
	Draws      string `json:"draws"` // DrawsExclude or DrawsHalf; of no use to Ordered and Value
	// Target is an SQL expression over the label columns: the value v of Value, or with
	// MLM and LS what Blend blends in. Rows in which it is null are left out.
	Target string `json:"target,omitempty"`
	// Expected is an SQL expression over the label columns, the first player's expected result
	// from 0 to 1, which MLM and LS fit to in the place of the result; rows in which it is null
	// are left out.
	Expected string `json:"expected,omitempty"`
	// Blend is λ, the share of the target in y, from 0 to 1. TargetScale is s in
	// 1/unit, 0 to fit it.
	Blend       float64 `json:"blend,omitempty"`
	TargetScale float64 `json:"target_scale,omitempty"`

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
	// ScaleBy is an SQL expression over the columns of the games, or without
	// Sources.Games of the labels: each of its values has a w_0 of its own, and all share
	// the weights.
	ScaleBy string `json:"scale_by,omitempty"`
	// Phases makes a set of weights, with a w_0, for each stretch of phases: one number
	// is the width of all stretches, several are their first phases, ascending. A set is
	// fitted to its own positions and those of Neighbours sets on either side. Terms
	// have one weight in a set.
	Phases     []int `json:"phases,omitempty"`
	Neighbours int   `json:"neighbours,omitempty"`
	// MinGames is the number of games in which a weight must have a part to be fitted;
	// 0 stands for 10. With fewer, robust errors mean little.
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
	// who lost the game made a move that cost him more than this, in the evaluator's
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
	// Cluster says which games robust errors let depend on each other, one of dyads.Ways:
	// those that share a player, none, or for each number whichever has the wider error
	// (the default).
	Cluster string `json:"cluster,omitempty"`
	// Aliases are names to replace in Sources.Names.
	Aliases []dyads.Alias `json:"aliases,omitempty"`
	// Lambda and Alpha are λ and the steps of TD by epoch, the last number that of all later
	// ones; LSTD has one λ. Without Alpha the step begins at ½ and is halved where an epoch
	// does not help. Epochs is the most of them, 0 for 40; Replacing makes traces that are
	// replaced where their feature occurs again.
	Lambda    []float64 `json:"lambda,omitempty"`
	Alpha     []float64 `json:"alpha,omitempty"`
	Epochs    int       `json:"epochs,omitempty"`
	Replacing bool      `json:"replacing_traces,omitempty"`
	// Test says that Sources.Test is there.
	Test bool   `json:"test,omitempty"`
	Seed uint64 `json:"seed,omitempty"`
}

// Feature is a new feature: an SQL expression over the label columns. It has one weight
// for all phases. It must be a number or a boolean (true is 1) in every row.
type Feature struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`

	wrap string // what the query has around SQL, with %s for it; "" for nothing
}

// Validate reports the first parameter that makes no sense.
func (p Params) Validate() error {
	switch {
	case !slices.Contains([]string{MLM, LS, Ordered, Value, Choice, Pairs, TD, LSTD}, p.Method):
		return fmt.Errorf("method %q: want %s, %s, %s, %s, %s, %s, %s or %s", p.Method, MLM, LS, Ordered, Value, Choice, Pairs, TD, LSTD)
	case rows.DecisionLossOf(p.Method) != nil && (p.Intercept || p.SideToMove):
		return fmt.Errorf("method %s: --intercept and --side-to-move are the same for all moves of a position, and have no effect on the choice", p.Method)
	case rows.DecisionLossOf(p.Method) != nil && (p.Target != "" || p.Blend > 0):
		return fmt.Errorf("method %s fits to the moves played: leave --target and --blend out", p.Method)
	case rows.DecisionLossOf(p.Method) != nil && (p.ScaleBy != "" || len(p.Phases) > 0 || p.WithoutBlunders > 0):
		return fmt.Errorf("method %s fits to whole decisions: leave --scale-by, --phases and --without-blunders out", p.Method)
	case p.Method == Pairs && p.Ratios:
		return errors.New("--ratios: the pairs of a decision are not independent, so that their likelihood tests nothing: take choice, or the Wald tests that every fit has")
	case p.Method == Value && p.Target == "":
		return errors.New("method value: name the value to fit to with --target, as in --target depth_3_value")
	case !(p.Blend >= 0 && p.Blend <= 1):
		return fmt.Errorf("blend %v: want a share between 0 and 1", p.Blend)
	case p.Blend > 0 && (p.Target == "" || p.Method == Ordered || p.Method == Value):
		return errors.New("--blend mixes the value of --target into the results of mlm or ls: give both")
	case p.Target != "" && p.Method != Value && p.Blend == 0:
		return fmt.Errorf("--target has no effect: give its share with --blend, or use --method %s", Value)
	case p.Expected != "" && p.Method != MLM && p.Method != LS:
		return fmt.Errorf("method %s: --expected is fitted to by mlm and ls; the others need results, moves or values", p.Method)
	case p.Expected != "" && (p.Blend > 0 || p.WithoutBlunders > 0):
		return errors.New("--expected takes the place of the result: leave --blend and --without-blunders out")
	case !(p.TargetScale >= 0 && p.TargetScale <= 1e9):
		return fmt.Errorf("target scale %v: want a positive number, or 0 to fit it", p.TargetScale)
	case p.TargetScale > 0 && p.Blend == 0:
		return errors.New("--target-scale is the scale at which --blend turns values into probabilities: give both")
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
	case p.LearningCurve && p.Holdout == 0 && !p.Test:
		return errors.New("--learning-curve is measured on games that are not fitted to: give --holdout or --test")
	case p.Ratios && p.Method == LS:
		return errors.New("--ratios: least squares on results has no likelihood: take mlm or ordered, or the Wald tests that every fit has")
	case p.Ratios && (p.L1 > 0 || p.L2 > 0 || len(p.Prior)+len(p.Bounds) > 0):
		return errors.New("--ratios compares likelihoods at their maximum: leave --l1, --l2, --prior and --bound out")
	case !(p.WithoutBlunders >= 0 && p.WithoutBlunders <= 1e9):
		return fmt.Errorf("without blunders %v: want what a move may cost, above 0", p.WithoutBlunders)
	case p.Test && p.Holdout > 0:
		return errors.New("--test and --holdout: the games to test on are either a dataset of their own or a share of this one")
	case p.MinGames < 0:
		return fmt.Errorf("min games %d: want a number that is not negative", p.MinGames)
	}
	if err := p.validateStructure(); err != nil {
		return err
	}
	if err := p.validateTemporal(); err != nil {
		return err
	}
	if err := p.validateClusters(); err != nil {
		return err
	}
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

// validateStructure reports what does not go together in the structure.
func (p Params) validateStructure() error {
	switch {
	case p.ScaleBy != "" && p.Method == Ordered:
		return errors.New("--scale-by: the ordered model has one scale: use mlm, ls or value")
	case p.ScaleBy != "" && p.Scale != 0:
		return errors.New("--scale-by fits scales and --scale holds one: give either")
	case p.ScaleBy != "" && (p.L1 > 0 || len(p.Bounds) > 0):
		return errors.New("--scale-by does not go with --l1 and --bound: take --l2 or --prior")
	case p.ScaleBy != "" && len(p.Phases) > 0:
		return errors.New("--scale-by and --phases: a set of a phase has a scale of its own already")
	case len(p.Phases) > 0 && (p.Folds > 0 || p.LearningCurve || p.Ratios):
		return errors.New("--phases does not go with --folds, --learning-curve and --ratios, which are of one set: take --holdout or --test")
	case p.Neighbours != 0 && len(p.Phases) == 0:
		return errors.New("--neighbours needs --phases, whose sets share examples")
	case p.Neighbours < 0:
		return fmt.Errorf("neighbours %d: want a number that is not negative", p.Neighbours)
	case len(p.Phases) == 1 && p.Phases[0] < 1:
		return fmt.Errorf("phases %d: want the width of a set, 1 or more, or several first phases", p.Phases[0])
	case len(p.Phases) > mostLevels:
		return fmt.Errorf("%d sets of phases: at most %d", len(p.Phases), mostLevels)
	}
	for i := 1; i < len(p.Phases); i++ {
		if p.Phases[i] <= p.Phases[i-1] {
			return fmt.Errorf("phases %v: the first phases of the sets have to ascend", p.Phases)
		}
	}
	return nil
}

// draws says what becomes of drawn games.
func (p Params) draws() string {
	if p.Expected != "" {
		return "expected results"
	}
	switch p.Method {
	case Ordered:
		return "fitted"
	case Value, Choice, Pairs:
		return "all alike"
	}
	return p.Draws
}

// builtin are the names of the features that need no SQL.
func (p Params) builtin() (names []string) {
	if p.Intercept {
		names = append(names, rows.InterceptName)
	}
	if p.SideToMove {
		names = append(names, rows.TurnName)
	}
	return names
}

// Run fits weights to labels and writes the dataset.
func Run(ctx context.Context, p Params, m Means, from Sources, out *datasets.Builder) error {
	return run(ctx, p, m, from, out, sqlColumns)
}
