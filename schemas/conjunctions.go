package schemas

// Conjunctions has one row per conjunction that was selected.
var Conjunctions = Table{Name: "conjunctions", Version: 2, Doc: conjunctionsDoc, Columns: []Column{
	{Name: "conjunction", Type: String, Doc: "atoms joined by &: contents of squares (a1 mine) and ranges of columns (phase < 20)"},
	{Name: "size", Type: Int16, Domain: counts, Doc: "number of atoms"},
	{Name: "squares", Type: String, Doc: "squares of the atoms, separated by spaces"},
	{Name: "sql", Type: String, Doc: "the conjunction as a condition on columns of positions or labels, for --where, --when and --add"},
	{Name: "positions", Type: Int64, Domain: ids, Doc: "number of training positions in which the conjunction is true, or that the rule decides"},
	{Name: "won", Type: Float64, Domain: shares, Doc: "share of these positions that are won, or whose target is above 0"},
	{Name: "information", Type: Float64, Doc: "mutual information between the conjunction and the winner, in nats"},
	{Name: "rank", Type: Int32, Nullable: true, Domain: counts, Doc: "order of selection, from 1: by CMIM, of the leaf in the tree, or of the rule; null without --select"},
	{Name: "score", Type: Float64, Nullable: true, Doc: "CMIM score in nats: the smallest information given any one conjunction selected before; for the first, its own information"},
	{Name: "weight", Type: Float64, Nullable: true, Doc: "weight in logits, or with --method value in the unit of the target; null when removed by --prune"},
	{Name: "se", Type: Float64, Nullable: true, Doc: "standard error of the weight (--errors); null when not computed"},
	{Name: "effective_games", Type: Float64, Nullable: true, Doc: "degrees of freedom of the standard error, from 50 groups of games; null when not computed"},
	{Name: "p", Type: Float64, Nullable: true, Domain: shares, Doc: "two-sided p-value of weight 0 (Student's t), valid for a conjunction chosen beforehand; null when not computed"},
	{Name: "q", Type: Float64, Nullable: true, Domain: shares, Doc: "smallest false discovery rate at which the weight differs from 0, among all conjunctions (Benjamini and Hochberg 1995); null when not computed"},
}}

const conjunctionsDoc = `One row per conjunction of atoms (contents of squares, ranges of columns) selected by kifu
conjunctions, largest weights first. The value of a position is a constant plus the weights
of all conjunctions that are true in it. It is for the side named by meta side: mover (the
side to move) or first (the first player).

Next to the parts, conjunctions.toml has the constant and all weights, and
conjunctions.json counts and quality. patterns.toml and patterns.tables hold the same values
as an evaluator, where one can (docs/conjunctions.md). rules.sql computes the share won by the first rule that is true.`

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
	Found      []int            `json:"found"`              // by size, from 1
	LeftOut    int              `json:"left_out,omitempty"` // conjunctions of so many atoms were too many; 0: none
	Merged     int              `json:"merged"`             // with a part of theirs
	Rare       int              `json:"rare"`               // counted, and true too rarely
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
// over atoms, position by position: by how much the loss falls, and the share of winners named rises.
type ConjunctionsSample struct {
	Positions    int                 `json:"positions"`
	Games        int                 `json:"games"`
	Nothing      ConjunctionsQuality `json:"nothing"`
	Atoms        ConjunctionsQuality `json:"atoms"`
	Conjunctions ConjunctionsQuality `json:"conjunctions"`
	Gain         ConjunctionsQuality `json:"gain"`
}

// ConjunctionsQuality is a mean loss and the share of winners named, with standard errors by
// game. The loss is the log-loss in nats (mlm, bayes), or the squared error of win
// probabilities (ls) or of the target (value).
type ConjunctionsQuality struct {
	Loss    float64 `json:"loss"`
	LossSE  float64 `json:"loss_se"`
	Named   float64 `json:"named"`
	NamedSE float64 `json:"named_se"`
}
