// Package rows holds the positions of a fit in memory and computes sums over them.
//
// A Design lists the free parameters and defines how counts, stages and added features make the columns x of
// the regression. A Builder turns positions (Row) into a Store in that design. On a store and a parameter
// vector theta there are
//
//	scores      z = theta·x of each row                             (Scorer)
//	passes      Σ w·loss(z, y) with its gradient by theta           (Pass)
//	Hessians    Σ w·c·x·xᵀ for a curvature c of the loss            (Hessian, Products)
//	games       their scores under several theta at once            (Several)
//	supports    how often, in how many games and on which side a column fires
//
// Sums are taken chunk by chunk in the order of the rows, so results are bit-identical for any number of
// workers. Unknowns map what a solver moves onto theta.
//
// The package reads no dataset, finds no optimum and has no errors: that is fit, fit/solve and fit/meat. Rows that
// do not fit into memory are in a file: fit/mapped.
package rows
