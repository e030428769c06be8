package schemas

// Weights has one row per fitted weight: a freed term in one stage, or a feature added by
// SQL.
var Weights = Table{Name: "weights", Version: 1, Doc: weightsDoc, Columns: []Column{
	{Name: "term", Type: String, Doc: "term of the evaluator, or NAME of a feature of --add"},
	{Name: "term_group", Type: String, Doc: "group of the term; added for features of --add"},
	{Name: "stage", Type: String, Nullable: true, Doc: "stage of the game, or a set of --phases (\"phase 8-11\"); null when the weight is the same in all stages"},
	{Name: "initial_weight", Type: Float64, Doc: "weight used in the labels' values: 0 for terms of label --zero and features of --add"},
	{Name: "weight", Type: Float64, Doc: "fitted weight"},
	{Name: "se", Type: Float64, Nullable: true, Doc: "standard error assuming independent positions; null when not computed"},
	{Name: "se_robust", Type: Float64, Nullable: true, Doc: "standard error clustered by game or player; null when not computed"},
	{Name: "ci_low", Type: Float64, Nullable: true, Doc: "lower end of the 95 % interval; null when it is unbounded or not computed"},
	{Name: "ci_high", Type: Float64, Nullable: true, Doc: "upper end of the 95 % interval; null when it is unbounded or not computed"},
	{Name: "z", Type: Float64, Nullable: true, Doc: "z statistic for weight 0: w_0 · weight divided by its clustered standard error; differs from weight / se_robust when w_0 is uncertain"},
	{Name: "positions", Type: Int64, Domain: ids, Doc: "number of positions in which the term is not 0; with choice and pairs, of decisions in which it differs between moves"},
	{Name: "games", Type: Int64, Domain: ids, Doc: "number of games with such a position or decision"},
	{Name: "status", Type: String, Domain: Domain{Words: statuses}, Doc: "fitted, at its bound, or why the weight is unchanged: never fires (always 0), thin (too few games), separated (no finite best weight), kept by the lasso, fixed, or refused (with its set of phases)"},
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

const weightsDoc = `One row per fitted weight: the freed terms of the evaluator, one row per stage, and the
features of --add; made by kifu fit. Weights are in the evaluator's unit (meta unit), for the
first player.

weights.toml, next to the parts, is the whole evaluator for label --eval, with weights rounded
to hundredths and without features of --add. fit.json has method, w_0, solver status, quality
before and after, excluded positions and notes. groups.csv has the influence of each of 128
groups of games on each weight, for standard errors of differences between fits.`
