package bygame

// The reasons for which positions are left out, as the counts of a dataset name them.
const (
	NoResult  = "no result"
	DrawnGame = "drawn game"
	NoTarget  = "no target"
	Unwanted  = "filtered out"
)
