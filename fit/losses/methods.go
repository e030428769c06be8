package losses

// The methods of a fit.
const (
	MLM     = "mlm"     // maximum likelihood
	LS      = "ls"      // least squares
	Ordered = "ordered" // maximum likelihood of wins, draws and losses
	Value   = "value"   // least squares on another value
	Choice  = "choice"  // maximum likelihood of the moves played
	Pairs   = "pairs"   // maximum likelihood of each move not played losing to the one played
	TD      = "td"      // temporal differences, of win probabilities
	LSTD    = "lstd"    // least squares temporal differences, of a linear value
)

// Of returns the loss that a method minimises.
func Of(method string) Loss {
	switch method {
	case LS:
		return Squares{}
	case Ordered:
		return OrderedLogit{}
	case Value:
		return Linear{}
	case Choice:
		return ChoiceLogit{}
	case Pairs:
		return pairedLogit{}
	}
	return Logistic{}
}

// DecisionsOf returns the loss of a method if it is one of whole decisions, else nil.
func DecisionsOf(method string) Decisions {
	l, _ := Of(method).(Decisions)
	return l
}
