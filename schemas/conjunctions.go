package schemas

// Conjunctions has one row per conjunction that was selected.
var Conjunctions = Table{Name: "conjunctions", Version: 2, Doc: conjunctionsDoc, Columns: []Column{
	{Name: "conjunction", Type: String, Doc: "its atoms: contents of squares (a1 mine) and stretches of columns (phase < 20), joined by &"},
	{Name: "size", Type: Int16, Domain: counts, Doc: "number of its atoms"},
	{Name: "squares", Type: String, Doc: "its squares, a space between"},
	{Name: "sql", Type: String, Doc: "a condition over columns of positions or labels, for --where, --when and --add"},
	{Name: "positions", Type: Int64, Domain: ids, Doc: "in which it is true, of those learned from; of rules, which it decides"},
	{Name: "won", Type: Float64, Domain: shares, Doc: "share of them that are won, or whose target is above 0"},
	{Name: "information", Type: Float64, Doc: "mutual information of it and of whether the position is won, in nats"},
	{Name: "rank", Type: Int32, Nullable: true, Domain: counts, Doc: "order of its selection by CMIM, of the leaf in the tree, or of the rule, from 1; null without --select"},
	{Name: "score", Type: Float64, Nullable: true, Doc: "least information given one selected before it, in nats; of the first its own"},
	{Name: "weight", Type: Float64, Nullable: true, Doc: "in logits, or for the method value in the unit of the target; null where --prune took it out"},
	{Name: "se", Type: Float64, Nullable: true, Doc: "standard error of the weight (--errors); null without one"},
	{Name: "effective_games", Type: Float64, Nullable: true, Doc: "degrees of freedom of the error, in games"},
	{Name: "p", Type: Float64, Nullable: true, Domain: shares, Doc: "two-sided, by Student's t, that the weight is 0; for a conjunction named beforehand"},
	{Name: "q", Type: Float64, Nullable: true, Domain: shares, Doc: "least false discovery rate at which the weight differs from 0, among all conjunctions (Benjamini and Hochberg 1995)"},
}}

const conjunctionsDoc = `One row per conjunction of atoms (contents of squares, stretches of columns) that kifu
conjunctions selected, the largest weights first. A value is the sum of a constant and the
weights of the conjunctions that are true, for the side of meta side: mover, the side to
move, or first, the first player.

Next to the parts: conjunctions.toml, the constant and all weights; conjunctions.json, counts
and quality; patterns.toml and patterns.tables, the same values as an evaluator (with side
mover, without columns, rules and method value); rules.sql, the share won by the first rule
that is true.`

// ConjunctionsFit is conjunctions.json.
type ConjunctionsFit struct {
	Game       string           `json:"game"`
	Method     string           `json:"method"`
	Side       string           `json:"side"`
	Select     string           `json:"select"`
	Target     string           `json:"target,omitempty"`
	Where      string           `json:"where,omitempty"`
	MinSupport int              `json:"min_support"`
	MaxSize    int              `json:"max_size"`
	Merge      float64          `json:"merge"`
	Ridge      float64          `json:"ridge"`
	Prune      float64          `json:"prune"`
	Holdout    float64          `json:"holdout"`
	Seed       uint64           `json:"seed"`
	Atoms      int              `json:"atoms"`
	Found      []int            `json:"found"`  // by size, from 1
	Merged     int              `json:"merged"` // with a part of theirs
	Rare       int              `json:"rare"`   // counted, and true too rarely
	Selected   int              `json:"selected"`
	Pruned     int              `json:"pruned"`
	Truths     int64            `json:"truths"` // how often those selected are true, in all
	Constant   float64          `json:"constant"`
	Norm       float64          `json:"gradient_norm"` // 0 for the method bayes, which has none
	Iterations int              `json:"iterations"`    // of conjugate gradients
	Status     string           `json:"status"`
	Excluded   map[string]int64 `json:"excluded"`
	// Train are the positions learned from, HeldOut others; Known of these are among the first.
	Train   ConjunctionsSample  `json:"train"`
	HeldOut *ConjunctionsSample `json:"held_out,omitempty"`
	Known   int                 `json:"known"`
	// Clusters reports how the errors of weights were taken; nil: there are none.
	Clusters *FitClusters `json:"clusters,omitempty"`
}

// ConjunctionsSample reports how well values predict in a set of positions: the best constant of
// those learned from, atoms alone by the same method, and conjunctions; Gain is of conjunctions
// over atoms, position by position.
type ConjunctionsSample struct {
	Positions    int                 `json:"positions"`
	Games        int                 `json:"games"`
	Nothing      ConjunctionsQuality `json:"nothing"`
	Atoms        ConjunctionsQuality `json:"atoms"`
	Conjunctions ConjunctionsQuality `json:"conjunctions"`
	Gain         ConjunctionsQuality `json:"gain"`
}

// ConjunctionsQuality is a mean loss (log-loss in nats for mlm and bayes, squared error of win
// probabilities for ls, of the target for value) and the share of winners named, with standard
// errors by game.
type ConjunctionsQuality struct {
	Loss    float64 `json:"loss"`
	LossSE  float64 `json:"loss_se"`
	Named   float64 `json:"named"`
	NamedSE float64 `json:"named_se"`
}
