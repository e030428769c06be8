// Package pattern implements evaluators whose terms are tables indexed by the contents of sets
// of squares, for every game whose board has cells (games.Drawer): the pattern tables of
// Logistello (Buro, "Statistical Feature Combination for the Evaluation of Game Positions",
// JAIR 3, 1995; "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for
// Othello", 1997; "Improving heuristic mini-max search by supervised learning", Artificial
// Intelligence 134, 2002), Scan's for draughts, and n-tuples (Bledsoe and Browning 1959; Lucas,
// "Learning to Play Othello with N-Tuple Systems", 2008).
//
//	V(p) = s Σ_patterns Σ_instances ±T_pattern[phase(p)][contents of the instance's squares]
//
// seen by the side to move, and s turns the value to the first player's side: a board whose
// sides are exchanged has the opposite value whatever the weights. An instance is a pattern's
// place on the board. Instances that a symmetry of the board turns into each other share a
// table, and entries of a table that a symmetry of the pattern itself turns into each other
// share a weight. A phase is a stretch of numbers of pieces on the board.
//
// A File is the text of a pattern file, a Plan what it means on a game's board, Tables the
// weights of a plan, which are in a binary file next to the pattern file. As an eval.Model each
// pattern is a term, its count the tables' contribution in grains of the unit; so labels show
// what a pattern contributed, and one can be taken out (--zero). An Indexer gives the entries
// of a position to the fit (fit/tables).
//
// The package uses no more of a game than its Drawer, and fits nothing.
package pattern
