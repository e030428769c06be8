package schemas

import (
	"fmt"
	"math"
	"strings"
)

// Fit mirrors fit.json of a weights dataset: what kifu fit did and found, except for the
// rows of the table. Missing numbers are null.
type Fit struct {
	Method     string `json:"method"` // "mlm", "ls", "ordered", "value", "choice", "pairs", "td" or "lstd"
	Game       string `json:"game"`
	Unit       string `json:"unit"`
	Evaluator  string `json:"evaluator"` // name of the weights that were fitted from
	Value      string `json:"value"`     // label column that is e(p)
	Draws      string `json:"draws"`     // "exclude" or "half"; "fitted" (ordered), "all alike" (value, choice, pairs)
	Where      string `json:"where,omitempty"`
	GamesWhere string `json:"games_where,omitempty"`
	// WithoutBlunders is the largest loss by a move of the player who lost the game. The fit leaves out the
	// positions of larger losses.
	WithoutBlunders float64 `json:"without_blunders,omitempty"`
	MaxPerGame      int     `json:"max_per_game,omitempty"`
	Weight          string  `json:"weight,omitempty"` // "game": every game fitted to counts the same
	// Target is the SQL of another value, which was fitted to or blended into the results
	// with weight Blend, as 1/(1+exp(-TargetScale·target)).
	Target      string  `json:"target,omitempty"`
	Blend       float64 `json:"blend,omitempty"`
	Expected    string  `json:"expected,omitempty"` // SQL that results were replaced by, from 0 to 1
	TargetScale float64 `json:"target_scale,omitempty"`
	L2          float64 `json:"l2"`
	L1          float64 `json:"l1,omitempty"`
	Holdout     float64 `json:"holdout"`
	Seed        uint64  `json:"seed"`
	MinGames    int     `json:"min_games"`

	Scale FitScale `json:"w_0"`
	// DrawWidth is t of the ordered model, in which a draw is the likeliest result for
	// |w_0·e'| < t. Nil for the other methods.
	DrawWidth *FitScale `json:"draw_width,omitempty"`

	// ScaleBy is the SQL whose values each have their own scale, in Scales; Scale is then
	// the single scale of a fit without ScaleBy.
	ScaleBy string     `json:"scale_by,omitempty"`
	Scales  []FitLevel `json:"scales,omitempty"`
	// Sets are the fits by phase, in addition to the fit to all positions in the other fields.
	Sets *FitSets `json:"sets,omitempty"`

	// Temporal has the facts of TD; nil for the other methods.
	Temporal *FitTemporal `json:"td,omitempty"`

	Solver FitSolver  `json:"solver"`
	Train  *FitSample `json:"train"`
	Held   *FitSample `json:"held_out"` // null without a hold-out
	Folds  *FitFolds  `json:"folds,omitempty"`
	// Copies are the games whose copies are kept on the same side of a hold-out or fold.
	Copies *FitCopies `json:"copies,omitempty"`
	// Curve is the quality by number of games fitted to.
	Curve []FitPoint `json:"learning_curve,omitempty"`
	// Tests has one test per group of terms; Pairs the weights whose errors are most
	// correlated, by the information matrix.
	Tests []FitTest `json:"tests,omitempty"`
	Pairs []FitPair `json:"correlations,omitempty"`

	Excluded map[string]int64 `json:"excluded"` // positions by reason
	Notes    []FitNote        `json:"notes"`
	Errors   string           `json:"errors"` // how they were computed
	Clusters *FitClusters     `json:"clusters,omitempty"`
	Added    []FitFeature     `json:"added"`
}

// FitFeature is a feature that was added as an SQL expression over the label columns.
type FitFeature struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`
}

// FitScale is w_0, in 1/unit: a value of 1/w_0 wins with probability 0.73 (in units of the
// target per unit for method value); or the draw width. The pointers are nil where there is
// no error.
type FitScale struct {
	Value    float64  `json:"value"`
	Status   string   `json:"status"` // "fitted", or "fixed" by --scale
	SE       *float64 `json:"se"`
	SERobust *float64 `json:"se_robust"`
	CILow    *float64 `json:"ci_low"`
	CIHigh   *float64 `json:"ci_high"`
	// Original is the best scale of the original e(p), or nil.
	Original *float64 `json:"original"`
}

// FitLevel is the scale of one level of ScaleBy. Status is "fitted", or the reason for
// using the common scale: "thin", "one winner", "separated".
type FitLevel struct {
	Name      string `json:"name"`
	Positions int    `json:"positions"`
	Games     int    `json:"games"`
	FitScale
}

// FitSets are weights by phase. OneSet measures the predictions of the fit to all positions
// on the held-out positions, Held the metrics of the sets, each on its own phases; a refused set
// leaves its positions to the fit to all.
type FitSets struct {
	Neighbours int         `json:"neighbours"` // sets on either side whose positions also count
	Train      FitMetrics  `json:"train"`
	Held       *FitMetrics `json:"held_out,omitempty"`
	OneSet     *FitMetrics `json:"held_out_one_set,omitempty"`
	Sets       []FitSet    `json:"sets"`
}

// FitSet is the fit of one set; its weights are rows of the table with the stage "phase
// NAME".
type FitSet struct {
	Name      string      `json:"name"`
	First     int         `json:"first"`     // phase
	Last      int         `json:"last"`      // phase, -1 for no end
	Positions int         `json:"positions"` // fitted to, including the neighbours'
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

// FitSolver describes how the minimum was found.
type FitSolver struct {
	Objective     float64 `json:"objective"` // mean loss at the solution, without penalties
	ObjectiveName string  `json:"objective_name"`
	Penalty       float64 `json:"penalty"` // contribution of ridge, prior and lasso
	// GradientNorm is sqrt(gᵀH⁻¹g), where g is the gradient of the mean objective and H an
	// approximation of its Hessian near the solution; the distance to the minimum is about
	// GradientNorm·√n standard errors. The solver stops below Tolerance.
	GradientNorm float64 `json:"gradient_norm"`
	Tolerance    float64 `json:"tolerance"`
	GradientMax  float64 `json:"gradient_max"` // largest |∂ mean objective/∂θ_j|
	Iterations   int     `json:"iterations"`
	Passes       int     `json:"passes"` // over the rows, for value and gradient
	Status       string  `json:"status"`
	Start        string  `json:"start"`
	Parameters   int     `json:"parameters"` // fitted, including w_0
	BytesPerRow  float64 `json:"bytes_per_row"`
}

// FitMetrics measure how well win probabilities predict results. Method value has RMSE and
// R2, the others have the rest.
type FitMetrics struct {
	// LogLoss is the mean of -y·ln(g)-(1-y)·ln(1-g); for method ordered, of -ln P(result);
	// for choice and pairs, of -ln P(move played); in nats per position.
	LogLoss float64 `json:"log_loss,omitempty"`
	Brier   float64 `json:"brier,omitempty"` // mean of (y-g)²; with draws g = P(win)+P(draw)/2
	// Accuracy is the share of decided positions (y is not 1/2) in which the winning side
	// has the higher probability; g = 1/2 counts half. For choice and pairs it is the
	// probability that a random choice among the best moves gives the move played.
	Accuracy float64 `json:"accuracy,omitempty"`
	RMSE     float64 `json:"rmse,omitempty"` // root of the mean of (v-w_0·e')², in the target's unit
	// Order is the share of pairs of positions with different results whose scores are in
	// the same order; equal scores count half. Only for held-out positions. For choice and
	// pairs it is the share of the moves not played that score below the move played.
	Order *float64 `json:"order,omitempty"`
	R2    *float64 `json:"r2,omitempty"` // 1 - Σ(v-w_0·e')²/Σ(v-mean)²
}

// FitClusters describes the games that the robust errors let depend on each other.
type FitClusters struct {
	// By is "games": every game by itself; "players": games that share a player; "both": for
	// each number the wider error of the two.
	By      string `json:"by"`
	NoGames bool   `json:"no_games,omitempty"` // the positions are of no known games: each, or each stretch, is one here
	Why     string `json:"why,omitempty"`      // games are taken by themselves, though more was requested
	Players int    `json:"players,omitempty"`
	// Effective is the number of players with equal numbers of games that would weigh as much.
	Effective float64  `json:"effective_players,omitempty"`
	Hubs      []string `json:"hubs,omitempty"`          // in more than half of the games: errors hold for games of theirs
	All       []string `json:"all_players,omitempty"`   // too few to be clusters: errors hold for their games alone
	Unnamed   int      `json:"unnamed_games,omitempty"` // of which a player is not known
	// Ratio is the error of w_0 by players, divided by that by games.
	Ratio *float64 `json:"ratio,omitempty"`
}

// FitCopies counts games that share a position at the same ply, FromPly or later, with another
// game: copies under other tags, and games that go the same way so far. Those that hang
// together are held out together or not at all.
type FitCopies struct {
	FromPly int `json:"from_ply"`
	Games   int `json:"games"`
	Groups  int `json:"groups"`
	Moved   int `json:"moved"` // games that would be on the other side by themselves
}

// FitSample is a set of games with the quality of each evaluator's predictions on it.
type FitSample struct {
	Positions int `json:"positions"` // of choice and pairs decisions
	// Alternatives is the number of moves not played, for choice and pairs.
	Alternatives int `json:"alternatives,omitempty"`
	Games        int `json:"games"`
	// The positions by the result of their game; of distinct positions, occurrences.
	FirstWins  float64 `json:"first_wins"`
	Draws      float64 `json:"draws"`
	SecondWins float64 `json:"second_wins"`

	Base     FitMetrics  `json:"base"`     // the mean result of the games fitted to, for every position; any move as likely as another
	Original *FitMetrics `json:"original"` // e(p) with its own best w_0; null without one
	Fitted   FitMetrics  `json:"fitted"`   // e'(p)
	// Bands splits Fitted by ply and by phase, for held-out positions.
	Bands []FitBand `json:"bands,omitempty"`
	// Difference is the log-loss of Fitted less Original's, on held-out positions.
	Difference *FitDifference `json:"difference,omitempty"`
}

// FitDifference is a difference of two mean log-losses on the same positions, with the
// standard error of the games' own differences.
type FitDifference struct {
	LogLoss float64 `json:"log_loss"`
	SE      float64 `json:"se"`
	CILow   float64 `json:"ci_low"` // by Student's t, whose degrees of freedom allow for games and players of unequal weight
	CIHigh  float64 `json:"ci_high"`
	// EffectiveGames is how many games of one length would weigh as much.
	EffectiveGames float64 `json:"effective_games"`
}

// FitBand is a subset of the positions.
type FitBand struct {
	By        string `json:"by"`   // "ply" or "phase"
	Band      string `json:"band"` // "20-39"
	Positions int    `json:"positions"`
	FitMetrics
}

// FitFolds is a cross-validation: the results of each fold are predicted by the fit to the
// games of the other folds. The metrics are over all positions together.
type FitFolds struct {
	Folds    int          `json:"folds"`
	Base     FitMetrics   `json:"base"`
	Original *FitMetrics  `json:"original"`
	Fitted   FitMetrics   `json:"fitted"`
	Bands    []FitBand    `json:"bands,omitempty"`
	Each     []FitMetrics `json:"each"` // fitted, fold by fold
}

// FitTemporal is how TD(λ) went: the mean log-loss of StopGames games that were not learned
// from (0: of those that were), before and after each epoch. Best is the epoch whose
// weights were taken, from 1, 0 if none was better than the start.
type FitTemporal struct {
	Replacing bool       `json:"replacing_traces,omitempty"`
	StopGames int        `json:"stop_games"`
	Start     float64    `json:"log_loss_at_start"`
	Epochs    []FitEpoch `json:"epochs"`
	Best      int        `json:"best_epoch"`
	Why       string     `json:"why_stopped"`
}

// FitEpoch is one walk of TD over the games. LogLoss is null where it is no number.
type FitEpoch struct {
	Alpha   float64  `json:"alpha"`
	Lambda  float64  `json:"lambda"`
	LogLoss *float64 `json:"log_loss"`
}

// FitNote is a remark that a reader of the weights has to know.
type FitNote struct {
	Kind  string   `json:"kind"`
	Terms []string `json:"terms,omitempty"` // that the text is about
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

// FitTest tests whether a group of weights differs from the present ones. Score is Hotelling's T²
// of the games' efficient scores. Its p-value ScoreP allows for dependence within a game and for
// any number of games. Wald, with WaldP, also allows for dependence, but takes the covariance as
// known, so it is too sure with fewer than some hundred games per weight. Ratio is the likelihood
// ratio, whose p-value RatioP assumes independent positions. Nil means not computed.
type FitTest struct {
	Group   string   `json:"group"`
	Weights int      `json:"weights"` // degrees of freedom
	Score   *float64 `json:"score,omitempty"`
	ScoreP  *float64 `json:"score_p,omitempty"`
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

// FitPoint is a fit to a fraction of the games.
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
