package schemas

// Weights has one row per fitted weight: a freed term in one stage, or a feature added by
// SQL.
var Weights = Table{Name: "weights", Version: 1, Doc: weightsDoc, Columns: []Column{
	{Name: "term", Type: String, Doc: "term of the evaluator, or the NAME of an --add"},
	{Name: "term_group", Type: String, Doc: "group of the term; added for a feature of --add"},
	{Name: "stage", Type: String, Nullable: true, Doc: "stage of the game that the weight holds in; null when it does not depend on the phase; \"phase 8-11\" of a set of --phases"},
	{Name: "initial_weight", Type: Float64, Doc: "weight in the values that were fitted to: 0 for what label --zero took out and for an added feature"},
	{Name: "weight", Type: Float64, Doc: "fitted weight"},
	{Name: "se", Type: Float64, Nullable: true, Doc: "standard error if positions were independent: from the information matrix (mlm), from the residual variance (ls)"},
	{Name: "se_robust", Type: Float64, Nullable: true, Doc: "standard error robust to the dependence of positions of one game"},
	{Name: "ci_low", Type: Float64, Nullable: true, Doc: "lower end of the 95 % interval by se_robust, of a ratio to w_0 by Fieller's theorem; null when it has no end"},
	{Name: "ci_high", Type: Float64, Nullable: true, Doc: "upper end"},
	{Name: "z", Type: Float64, Nullable: true, Doc: "test that the term counts for nothing: w_0 · weight over its robust error, in log-odds, which is not weight / se_robust where w_0 is uncertain"},
	{Name: "positions", Type: Int64, Domain: ids, Doc: "positions of the fit in which the term's count, times the stage's share, is not 0; of choice and pairs, decisions in which it differs between moves"},
	{Name: "games", Type: Int64, Domain: ids, Doc: "games that have such a position"},
	{Name: "status", Type: String, Domain: Domain{Words: statuses}, Doc: "fitted; or why the weight is still the initial one: never fires, thin, separated, kept by the lasso, or refused with its set; or at its bound"},
}}

// Statuses of a weight, of a scale and of a draw width.
const (
	StatusFitted    = "fitted"
	StatusBound     = "at its bound"
	StatusKept      = "kept by the lasso" // at its weight
	StatusFixed     = "fixed"             // by the user: w_0 with --scale
	StatusNever     = "never fires"       // zero in every position; left at its weight
	StatusThin      = "thin"              // in too few games; left at its weight
	StatusSeparated = "separated"         // its best weight is infinite; left at its weight
	StatusRefused   = "refused"           // with its set of phases
	StatusOneSided  = "one winner"        // a scale whose games all have one winner
)

// statuses are those that a weight can have.
const statuses = StatusFitted + "|" + StatusBound + "|" + StatusKept + "|" + StatusFixed + "|" + StatusNever + "|" + StatusThin + "|" + StatusSeparated + "|" + StatusRefused

// Weight is one row of Weights. Errors that were not computed are nil.
type Weight struct {
	Term, Group     string
	Stage           string // "" when the weight does not depend on the phase
	Initial, Fitted float64
	SE, SERobust    *float64
	CILow, CIHigh   *float64
	Z               *float64
	Positions       int64
	Games           int64
	Status          string
}

const weightsDoc = `One row per fitted weight, made by kifu fit: the freed terms of the evaluator, one row
per stage, and the features added by SQL. Weights are in the evaluator's unit (meta: unit)
from the first player's side. Stored beside the parts: weights.toml, the whole evaluator
with the fitted weights, which label --eval loads (rounded to hundredths; features added by
SQL are not terms and are left out), and fit.json: method, scale w_0, objective, status of
the solver, the split into training and held-out games with log-loss, Brier score and
accuracy of the evaluator before and after, excluded positions by reason, and notes on
weights that the games do not determine; groups.csv, by how much each of 128 groups of games
moves a weight, from which differences between fits to the same labels have their errors.`
