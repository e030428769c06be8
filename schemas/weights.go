package schemas

// Weights has one row per fitted weight: a freed term in one stage, or a feature added by
// SQL.
var Weights = Table{Name: "weights", Version: 1, Doc: weightsDoc, Columns: []Column{
	{Name: "term", Type: String, Doc: "term of the evaluator, or the NAME of an --add"},
	{Name: "term_group", Type: String, Doc: "group of the term; added for a feature of --add"},
	{Name: "stage", Type: String, Nullable: true, Doc: "stage of the game; null when the weight does not depend on it; \"phase 8-11\" of --phases"},
	{Name: "initial_weight", Type: Float64, Doc: "weight in the labels' values: 0 for terms of label --zero and for added features"},
	{Name: "weight", Type: Float64, Doc: "fitted weight"},
	{Name: "se", Type: Float64, Nullable: true, Doc: "standard error as if positions were independent"},
	{Name: "se_robust", Type: Float64, Nullable: true, Doc: "standard error, clustered by game or player"},
	{Name: "ci_low", Type: Float64, Nullable: true, Doc: "lower end of the 95 % interval; null when it has no end"},
	{Name: "ci_high", Type: Float64, Nullable: true, Doc: "upper end"},
	{Name: "z", Type: Float64, Nullable: true, Doc: "test of a weight of 0: w_0 · weight divided by its robust error; not weight / se_robust where w_0 is uncertain"},
	{Name: "positions", Type: Int64, Domain: ids, Doc: "positions in which the term counts; of choice and pairs, decisions in which it differs between moves"},
	{Name: "games", Type: Int64, Domain: ids, Doc: "games that have such a position"},
	{Name: "status", Type: String, Domain: Domain{Words: statuses}, Doc: "fitted; at its bound; or why the weight is the initial one: never fires, thin, separated, kept by the lasso, refused with its set"},
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
per stage, and the features of --add. Weights are in the evaluator's unit (meta unit) from
the first player's side.

Next to the parts is weights.toml, the whole evaluator for label --eval, with weights rounded
to hundredths and without features of --add. Also fit.json: method, w_0, the solver's status,
the quality before and after, excluded positions, and notes. Also groups.csv, how much each of
128 groups of games moves a weight, for the errors of differences between fits.`
