// Package fit finds the weights of a linear evaluator from the results of games, by the
// methods MLM and LS of Takeuchi, Kaneko, Yamaguchi and Kawai, "Visualization and
// adjustment of evaluation functions based on evaluation values and win probability"
// (AAAI 2007):
//
//	e'(p) = e(p) + Σ w_j f_j(p),  g(p) = 1/(1+exp(-w_0 e'(p)))
//	MLM: maximise Π g^y (1-g)^(1-y);  LS: minimise Σ (y-g)²
//
// In go labels: the value e(p) of a principal variation's leaf, its features f_j, its
// phase, and the winner y of the game. Out comes a table of weights with standard
// errors, the whole evaluator as weights.toml, and fit.json.
//
// Two methods look beyond wins and losses:
//
//	ordered: maximise Π P(result), P(win) = g(z-t), P(loss) = g(-z-t), P(draw) the rest,
//	         z = w_0 e'(p), with the draw width t fitted too (McCullagh 1980)
//	value:   minimise Σ (v - w_0 e'(p))² for another value v of the position, as of a
//	         deeper search (Samuel 1967; GLEM, Buro 1998): no result is needed
//
// and the y of MLM and LS can be a blend: λ/(1+exp(-s·v)) + (1-λ)·result, with s the
// scale at which v predicts the results best.
//
// Two do without results and look at the moves played, of all that could be played:
//
//	choice: maximise Π exp(s·w_0 e'(p_0)) / Σ_i exp(s·w_0 e'(p_i)) over decisions, p_0 the
//	        position after the move played, p_i those after all moves, s the mover's side
//	pairs:  maximise Π g(s·w_0 (e'(p_0) - e'(p_i))) over decisions and i
//
// (rows/decisions.go has the sources). Their rows are choices/v1, not labels.
//
// And two learn from the order of a game's positions (fit/temporal): td moves each position's win
// probability by small steps towards the next one's, and the last one's towards the result; lstd solves
// for the linear value with which that would end.
//
// The unknowns are θ = (w_0·w_j, w_0), in which MLM is convex; weights and their errors (delta method)
// are ratios of them. A freed term's weight is its weight in e(p) plus w_j. LS is not convex and starts
// from the MLM solution. A ridge (L2) adds L2/2·Σ(w_0 w_j)² to the mean loss: a pull towards the
// present weights. It is on the raw scale of counts, so rare terms are pulled more. A lasso (L1) adds
// L1·Σ|w_0 w_j|, which leaves weights at the present ones that gain little. A normal prior of standard
// deviation SD is the ridge 1/(n·(w_0 SD)²), n being the sum of the rows' weights and w_0 the present
// weights'.
//
// Positions of one game are not independent: intervals are from a covariance that is robust to it.
// Weights that the rows do not determine are refused with an explanation (Unidentified) or left
// unchanged and noted (schemas.FitNote); no result is ever NaN.
//
// The package is independent of the game and computes no values or features: label does.
package fit

import (
	"kifu/datasets"
	"kifu/internal/ordered"
)

// The treatments of draws.
const (
	DrawsExclude = "exclude" // positions of drawn games are left out, as in the paper
	DrawsHalf    = "half"    // a draw is half a win: y = 1/2
)

// Sources are the datasets of a fit.
type Sources struct {
	Labels *datasets.Dir // choices for Choice and Pairs
	Test   *datasets.Dir // the same to test on, instead of held-out games; may be nil
	Games  *datasets.Dir // the games of Labels, for Params.GamesWhere and ScaleBy; may be nil
	// Names are the games of Labels, too, for who played whom (Params.Cluster); may be nil.
	Names *datasets.Dir
}

// Sums is the version of the order in which a fit adds up its rows, on which the last digits
// depend:
//
//	1  64 chunks of any data; atoms are added as they come
//	2  chunks end with the row groups of the labels, and atoms are added by slot and value, so a
//	   reader of some row groups has the same sums as a reader of all
//	3  second derivatives are added span by span of chunks, and the spans as a tree, so workers can
//	   make them
//	4  rows of one value and result are counted together if only the scale is fitted
//	5  the scores of games are multiplied together, without their zeros
//	6  the products of rows and of games are made in panels
//	7  the scores of all tests of groups are made together
//	8  every eighth of many rows guides the steps; products with a direction are added stage by stage
const Sums = 8

// Means bounds the resources of a fit. They do not change its result.
type Means struct {
	Workers int // goroutines; 0: one a processor
	// Memory is the size of rows, in bytes, above which they are kept in a memory-mapped temporary file.
	// Cross-validation and learning curves still copy the games that they fit to.
	Memory int64
}

func (m Means) workers() int { return ordered.Workers(m.Workers) }
