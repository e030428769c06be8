// Package solve finds the weights that minimise the loss of a fit/rows.Store, and their errors. Fit
// returns an Estimate, or an Unidentified error that names the terms which the rows do not
// determine. Measure and Evaluation report how well an estimate predicts rows.
//
// A model is in terms of theta: the score of a row is z = θ_0·e(p) + Σ θ_j x_j, so that a
// fitted weight is the present one plus θ_j/θ_0, with θ_0 = w_0.
//
// Minimisation is L-BFGS preconditioned by a Hessian (minimise.go), with bounds or a lasso proximal
// Newton steps (boxed.go). Both are here because gonum's optimize has neither a metric for its
// L-BFGS nor bounds, and its gradient norm depends on the units of the columns.
//
// The package reads no dataset and depends on no game.
package solve
