package schemas

// Tables has one row per phase of each pattern of a fit of pattern tables.
var Tables = Table{Name: "tables", Version: 1, Doc: tablesDoc, Columns: []Column{
	{Name: "pattern", Type: String, Doc: "name of the pattern in the pattern file"},
	{Name: "squares", Type: Int16, Domain: counts, Doc: "number of squares of the pattern"},
	{Name: "places", Type: Int16, Domain: counts, Doc: "number of places on the board that share the table; twice as many when both sides look the pattern up"},
	{Name: "first_pieces", Type: Int16, Domain: counts, Doc: "number of pieces on the board from which the phase begins"},
	{Name: "weights", Type: Int64, Domain: ids, Doc: "number of weights: table entries, with symmetric ones counted once"},
	{Name: "seen", Type: Int64, Domain: ids, Doc: "number of weights that occur in the training positions"},
	{Name: "fitted", Type: Int64, Domain: ids, Doc: "number of weights that are fitted (--min-count) or pulled towards neighbouring phases"},
	{Name: "occurrences", Type: Int64, Domain: ids, Doc: "number of occurrences of all weights in the training positions"},
	{Name: "rms", Type: Float64, Doc: "root mean square of the weights, weighted by occurrences, in the unit"},
	{Name: "largest", Type: Float64, Doc: "weight of largest absolute value among those that occur, in the unit"},
}}

const tablesDoc = `One row per pattern and phase; made by kifu tables. Weights are in the evaluator's unit (meta
unit), for the side to move. patterns.toml and patterns.tables, next to the parts, are the
evaluator (label --eval patterns.toml). tables.json has the method, solver status, and the losses
on training and held-out positions, compared with the losses of the labels' values.`

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
	// EffectiveGames are the degrees of freedom of SE, from 50 groups of games.
	EffectiveGames *float64 `json:"effective_games"`
	Why            string   `json:"why,omitempty"`
}
