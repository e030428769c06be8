// Package sparse fits millions of weights to rows that have a few entries each, such as the
// tables of patterns (eval/pattern) and conjunctions of features.
//
// A row has the indices of its entries, each with the value 1 or a count, a target y and a weight. Its score
// is z = offset + Σ x_j θ_j. Fit finds the θ at which
//
//	Σ_i ω_i loss(z_i, y_i) + c/2·(Ridge·Σ_j θ_j² + Σ_ties Strength·(θ_a - θ_b)²)
//
// is least, for a loss of fit/rows: Logistic, Linear (least squares) or Squares. c is the curvature of the
// loss at an even score, so Ridge and Strength are numbers of rows. A weight that occurs n times shrinks as
// n/(n+Ridge); a rare one shrinks nearly to 0, or to the weight it is tied to. This is ridge by count (Buro
// 1995 and 2002 damps by occurrences, too).
//
// The method is Newton's, each step by conjugate gradients with the diagonal of the curvature as
// preconditioner (Nocedal and Wright, Numerical Optimization, algorithm 7.1; Lin, Weng and Keerthi
// 2008). It needs no matrix of weights by weights. It stops by the norm of the gradient in that
// diagonal's metric.
//
// Rows are summed in lanes, whose number depends only on the number of weights, and lanes in their
// order. So results are bit-identical for any number of workers. Memory is 4 bytes per entry, about
// 40 per row, and 8·(lanes+6) per weight.
//
// Estimate.Error gives standard errors of single weights and of sums of weights, clustered by
// game, without a matrix. The package reads no dataset and depends on no game.
package sparse
