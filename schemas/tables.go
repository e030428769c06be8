package schemas

// Tables has one row per phase of each pattern of a fit of pattern tables.
var Tables = Table{Name: "tables", Version: 1, Doc: tablesDoc, Columns: []Column{
	{Name: "pattern", Type: String, Doc: "name in the pattern file"},
	{Name: "squares", Type: Int16, Domain: counts, Doc: "squares of a place"},
	{Name: "places", Type: Int16, Domain: counts, Doc: "places on the board that share the table; a pattern seen from both sides counts twice"},
	{Name: "first_pieces", Type: Int16, Domain: counts, Doc: "pieces on the board at which the phase begins"},
	{Name: "weights", Type: Int64, Domain: ids, Doc: "weights of the phase: entries of the table that no symmetry makes equal"},
	{Name: "seen", Type: Int64, Domain: ids, Doc: "weights that occur in the positions fitted to"},
	{Name: "fitted", Type: Int64, Domain: ids, Doc: "weights that are fitted (--min-count), or drawn to neighbours"},
	{Name: "occurrences", Type: Int64, Domain: ids, Doc: "of all its weights"},
	{Name: "rms", Type: Float64, Doc: "root of the mean square of a weight, each as often as it occurs, in the unit"},
	{Name: "largest", Type: Float64, Doc: "largest weight that occurs, by size, in the unit"},
}}

const tablesDoc = `One row per phase of each pattern, made by kifu tables. Weights are in the unit (meta
unit) for the side to move. Next to the parts: patterns.toml and patterns.tables, the
evaluator, which label --eval patterns.toml loads; and tables.json: the method, the solver's
status, and the losses, fitted and held out, compared with the present evaluator's.`

// TablesFit is tables.json.
type TablesFit struct {
	Method     string           `json:"method"`
	Game       string           `json:"game"`
	Unit       string           `json:"unit"`
	Patterns   string           `json:"patterns"` // name in the pattern file
	Board      string           `json:"board"`    // column
	Target     string           `json:"target,omitempty"`
	Where      string           `json:"where,omitempty"`
	Scale      float64          `json:"scale"` // w_0 in 1/unit; 1 for the method value
	Ridge      float64          `json:"ridge"`
	Neighbours float64          `json:"neighbours"`
	MinCount   int              `json:"min_count"`
	Holdout    float64          `json:"holdout"`
	Seed       uint64           `json:"seed"`
	Positions  int              `json:"positions"`
	Games      int              `json:"games"`
	Entries    int64            `json:"entries"` // of all positions
	Weights    int              `json:"weights"`
	Seen       int              `json:"seen"`
	Cut        int              `json:"cut_off"` // weights beyond what the file holds
	Norm       float64          `json:"gradient_norm"`
	Steps      int              `json:"steps"`      // of Newton's method
	Iterations int              `json:"iterations"` // of conjugate gradients
	Passes     int              `json:"passes"`     // over all positions
	Status     string           `json:"status"`
	Excluded   map[string]int64 `json:"excluded"`
	Fitted     TablesLoss       `json:"fitted"`             // on the positions fitted to
	HeldOut    *TablesLoss      `json:"held_out,omitempty"` // on the others
	Strongest  []TablesWeight   `json:"strongest,omitempty"`
	Clusters   *FitClusters     `json:"clusters,omitempty"` // how the errors of the strongest were taken
}

// TablesLoss reports how well values predict: the mean log-loss in nats (mlm), the mean squared
// error of win probabilities (ls) or of the target (value).
type TablesLoss struct {
	Positions int      `json:"positions"`
	Games     int      `json:"games"`
	Loss      float64  `json:"loss"`
	Present   *float64 `json:"present,omitempty"` // of the labels' values at their best scale; nil without values
	Nothing   float64  `json:"nothing"`           // of the best constant
}

// TablesWeight is a weight with its error.
type TablesWeight struct {
	Pattern     string  `json:"pattern"`
	FirstPieces int     `json:"first_pieces"`
	Contents    string  `json:"contents"` // square by square: a letter of a piece, small for the side to move's opponent, - for empty
	Occurrences int64   `json:"occurrences"`
	Weight      float64 `json:"weight"`
	// SE is clustered by game, the other weights accounted for; nil: not available, and Why.
	SE *float64 `json:"se"`
	// EffectiveGames is the number of games of equal weight that would weigh as much: the degrees of freedom of SE.
	EffectiveGames *float64 `json:"effective_games"`
	Why            string   `json:"why,omitempty"`
}
