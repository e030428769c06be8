// Package solve finds the weights that minimise the loss of a fit/rows.Store, and their errors. Fit
// returns an Estimate, or an Unidentified error that names the terms which the rows do not
// determine. Package minimise finds the minimum, and forecast measures predictions.
//
// A model is in terms of theta: the score of a row is z = θ_0·e(p) + Σ θ_j x_j, so that a
// fitted weight is the present one plus θ_j/θ_0, with θ_0 = w_0.
//
// The package reads no dataset and depends on no game.
package solve
