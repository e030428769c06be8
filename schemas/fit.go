package schemas

import (
	"fmt"
	"math"
	"strings"
)

// Fit is fit.json of a weights dataset: what kifu fit did and found, but for the rows of
// the table. Numbers that there are not are null.
type Fit struct {
	Method     string `json:"method"` // "mlm", "ls", "ordered", "value", "choice" or "pairs"
	Game       string `json:"game"`
	Unit       string `json:"unit"`
	Evaluator  string `json:"evaluator"` // name of the weights that were fitted from
	Value      string `json:"value"`     // label column that is e(p)
	Draws      string `json:"draws"`     // "exclude" or "half"; "fitted" (ordered), "all alike" (value, choice, pairs)
	Where      string `json:"where,omitempty"`
	GamesWhere string `json:"games_where,omitempty"`
	// WithoutBlunders is the most that a move of the loser of a game may cost.
	WithoutBlunders float64 `json:"without_blunders,omitempty"`
	MaxPerGame      int     `json:"max_per_game,omitempty"`
	Weight          string  `json:"weight,omitempty"` // "game": every game fitted to counts the same
	// Target is the SQL of another value: that which was fitted to, or which is blended
	// into the results with the share Blend, by 1/(1+exp(-TargetScale·target)).
	Target      string  `json:"target,omitempty"`
	Blend       float64 `json:"blend,omitempty"`
	TargetScale float64 `json:"target_scale,omitempty"`
	L2          float64 `json:"l2"`
	L1          float64 `json:"l1,omitempty"`
	Holdout     float64 `json:"holdout"`
	Seed        uint64  `json:"seed"`
	MinGames    int     `json:"min_games"`

	Scale FitScale `json:"w_0"`
	// DrawWidth is t of the ordered model: a draw is likeliest for |w_0·e'| < t. Nil for
	// the others.
	DrawWidth *FitScale `json:"draw_width,omitempty"`

	// ScaleBy is the SQL whose values have a scale each, in Scales; Scale is then that
	// of one fit with one scale for all.
	ScaleBy string     `json:"scale_by,omitempty"`
	Scales  []FitLevel `json:"scales,omitempty"`
	// Sets are the fits by phase beside the one of all positions that the rest is about.
	Sets *FitSets `json:"sets,omitempty"`

	Solver FitSolver  `json:"solver"`
	Train  *FitSample `json:"train"`
	Held   *FitSample `json:"held_out"` // null without a hold-out
	Folds  *FitFolds  `json:"folds,omitempty"`
	// Curve is the quality by the number of games fitted to.
	Curve []FitPoint `json:"learning_curve,omitempty"`
	// Tests are of every group of terms; Pairs the weights whose errors are most
	// correlated, by the information matrix.
	Tests []FitTest `json:"tests,omitempty"`
	Pairs []FitPair `json:"correlations,omitempty"`

	Excluded map[string]int64 `json:"excluded"` // positions by reason
	Notes    []FitNote        `json:"notes"`
	Errors   string           `json:"errors"` // how they were computed
	Added    []FitFeature     `json:"added"`
}

// FitFeature is a feature that was added as an SQL expression over the label columns.
type FitFeature struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`
}

// FitScale is w_0, in 1/unit: a value of 1/w_0 wins with probability 0.73 (in units of
// the target per unit for method value); or the draw width. Without an error the
// pointers are nil.
type FitScale struct {
	Value    float64  `json:"value"`
	Status   string   `json:"status"` // "fitted", or "fixed" by --scale
	SE       *float64 `json:"se"`
	SERobust *float64 `json:"se_robust"`
	CILow    *float64 `json:"ci_low"`
	CIHigh   *float64 `json:"ci_high"`
	// Original is the one that suits e(p) as it was; nil when there is none.
	Original *float64 `json:"original"`
}

// FitLevel is the scale of a level of ScaleBy. Status is "fitted", or why the scale is
// that of all: "thin", "one winner", "separated".
type FitLevel struct {
	Name      string `json:"name"`
	Positions int    `json:"positions"`
	Games     int    `json:"games"`
	FitScale
}

// FitSets are weights by phase. OneSet is what the fit of all positions foretells of the
// positions held out, Held what the sets do, each of those of its own phases; a refused
// set leaves its positions to the fit of all.
type FitSets struct {
	Neighbours int         `json:"neighbours"` // sets on either side whose positions count too
	Train      FitMetrics  `json:"train"`
	Held       *FitMetrics `json:"held_out,omitempty"`
	OneSet     *FitMetrics `json:"held_out_one_set,omitempty"`
	Sets       []FitSet    `json:"sets"`
}

// FitSet is the fit of one set; its weights are rows of the table, with the stage
// "phase NAME".
type FitSet struct {
	Name      string      `json:"name"`
	First     int         `json:"first"`     // phase
	Last      int         `json:"last"`      // phase, -1 for no end
	Positions int         `json:"positions"` // fitted to, those of neighbours included
	Games     int         `json:"games"`
	Own       int         `json:"own_positions"` // of its own phases
	Scale     *FitScale   `json:"w_0"`           // null when it was refused
	DrawWidth *FitScale   `json:"draw_width,omitempty"`
	Objective float64     `json:"objective"`
	Status    string      `json:"status"` // of the solver
	Train     FitMetrics  `json:"train"`  // of the positions fitted to
	Held      *FitMetrics `json:"held_out,omitempty"`
	OneSet    *FitMetrics `json:"held_out_one_set,omitempty"`
	Refused   string      `json:"refused,omitempty"` // why there is no fit
	Notes     []FitNote   `json:"notes,omitempty"`
}

// FitSolver says how the minimum was found.
type FitSolver struct {
	Objective     float64 `json:"objective"` // mean loss at the solution, without penalties
	ObjectiveName string  `json:"objective_name"`
	Penalty       float64 `json:"penalty"` // the part of ridge, prior and lasso
	// GradientNorm is sqrt(gᵀH⁻¹g), g the gradient of the mean objective and H a Hessian
	// of it near the solution; the distance to the minimum is about GradientNorm·√n
	// standard errors. The solver stops below Tolerance.
	GradientNorm float64 `json:"gradient_norm"`
	Tolerance    float64 `json:"tolerance"`
	GradientMax  float64 `json:"gradient_max"` // largest |∂ mean objective/∂θ_j|
	Iterations   int     `json:"iterations"`
	Passes       int     `json:"passes"` // over the rows, for value and gradient
	Status       string  `json:"status"`
	Start        string  `json:"start"`
	Parameters   int     `json:"parameters"` // that were fitted, w_0 included
	BytesPerRow  float64 `json:"bytes_per_row"`
}

// FitMetrics say how well win probabilities foretell results. Method value has RMSE
// and R2, the others have the rest.
type FitMetrics struct {
	// LogLoss is the mean of -y·ln(g)-(1-y)·ln(1-g), of method ordered that of
	// -ln P(result), of choice and pairs that of -ln P(move played); nats a position.
	LogLoss float64 `json:"log_loss,omitempty"`
	Brier   float64 `json:"brier,omitempty"` // mean of (y-g)²; with draws g = P(win)+P(draw)/2
	// Accuracy is the share of the decided positions (y is not 1/2) in which the side
	// that won has the better probability; g = 1/2 counts half. Of choice and pairs it is
	// the chance that a draw among the best moves gives the one played.
	Accuracy float64 `json:"accuracy,omitempty"`
	RMSE     float64 `json:"rmse,omitempty"` // root of the mean of (v-w_0·e')², in the target's unit
	// Order is the share of the pairs of positions with different results whose scores
	// are in the same order; equal scores count half. Only of positions held out. Of
	// choice and pairs it is the share of the moves not played that are worse than the one
	// played.
	Order *float64 `json:"order,omitempty"`
	R2    *float64 `json:"r2,omitempty"` // 1 - Σ(v-w_0·e')²/Σ(v-mean)²
}

// FitSample is a set of games with what the evaluators foretell of it.
type FitSample struct {
	Positions int `json:"positions"` // of choice and pairs decisions
	// Alternatives are the moves not played, of choice and pairs.
	Alternatives int `json:"alternatives,omitempty"`
	Games        int `json:"games"`
	// Positions by the result of their game; of distinct positions, occurrences.
	FirstWins  float64 `json:"first_wins"`
	Draws      float64 `json:"draws"`
	SecondWins float64 `json:"second_wins"`

	Base     FitMetrics  `json:"base"`     // the mean result of the games fitted to, for every position; any move as likely as another
	Original *FitMetrics `json:"original"` // e(p) with its own best w_0; null when there is none
	Fitted   FitMetrics  `json:"fitted"`   // e'(p)
	// Bands are Fitted by ply and by phase, of positions held out.
	Bands []FitBand `json:"bands,omitempty"`
}

// FitBand is a part of the positions.
type FitBand struct {
	By        string `json:"by"`   // "ply" or "phase"
	Band      string `json:"band"` // "20-39"
	Positions int    `json:"positions"`
	FitMetrics
}

// FitFolds is a cross-validation: every game is foretold by the fit to the games of the
// other folds. The metrics are of all positions together.
type FitFolds struct {
	Folds    int          `json:"folds"`
	Base     FitMetrics   `json:"base"`
	Original *FitMetrics  `json:"original"`
	Fitted   FitMetrics   `json:"fitted"`
	Bands    []FitBand    `json:"bands,omitempty"`
	Each     []FitMetrics `json:"each"` // fitted, fold by fold
}

// FitNote is something a reader of the weights has to know.
type FitNote struct {
	Kind  string   `json:"kind"`
	Terms []string `json:"terms,omitempty"` // what the text is said of
	Text  string   `json:"text"`
}

// String returns the note as a sentence: the first few terms, then the text.
func (n FitNote) String() string {
	const most = 6
	switch more := len(n.Terms) - most; {
	case len(n.Terms) == 0:
		return n.Text
	case more > 1:
		return fmt.Sprintf("%s and %d more: %s", strings.Join(n.Terms[:most], ", "), more, n.Text)
	}
	return strings.Join(n.Terms, ", ") + ": " + n.Text
}

// FitTest tests a group of weights for being what they were. Ratio is the likelihood
// ratio, whose chance RatioP takes positions for independent; Wald, with WaldP, allows
// for their dependence within a game. Nil is not computed.
type FitTest struct {
	Group   string   `json:"group"`
	Weights int      `json:"weights"` // degrees of freedom
	Wald    *float64 `json:"wald"`
	WaldP   *float64 `json:"wald_p"`
	Ratio   *float64 `json:"ratio,omitempty"`
	RatioP  *float64 `json:"ratio_p,omitempty"`
}

// FitPair is a pair of weights with the correlation of their errors.
type FitPair struct {
	A           string  `json:"a"`
	B           string  `json:"b"`
	Correlation float64 `json:"correlation"`
}

// FitPoint is a fit to a part of the games.
type FitPoint struct {
	Games     int         `json:"games"`
	Positions int         `json:"positions"`
	Train     FitMetrics  `json:"train"`
	Held      *FitMetrics `json:"held_out"`
	Refused   string      `json:"refused,omitempty"` // why there is no fit
}

// Number returns a pointer to x, or nil when x is not finite: such a number is null in
// JSON and in the table.
func Number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
