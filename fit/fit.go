// Package fit finds the weights of a linear evaluator from the results of games.
package fit

// The methods.
const (
	MLM = "mlm" // maximum likelihood
	LS  = "ls"  // least squares
)

// The statuses of a weight.
const (
	StatusFitted    = "fitted"
	StatusFixed     = "fixed"       // by the user: w_0 with --scale
	StatusNever     = "never fires" // zero in every position; left at its weight
	StatusThin      = "thin"        // in too few games; left at its weight
	StatusSeparated = "separated"   // its best weight is infinite; left at its weight
)
