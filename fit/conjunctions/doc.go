// Package conjunctions finds combinations of simple facts about positions that predict the
// winner, or a value, and fits a weight to each: Buro's generalized linear evaluation model
// ("From Simple Features to Sophisticated Evaluation Functions", Computers and Games 1998),
// with the selection of Miwa, Yokoyama and Chikayama ("Automatic Generation of Evaluation
// Features for Computer Game Players", CIG 2007) as a choice.
//
// An atom is true or false in a position: a square has a certain content (mine, theirs, empty),
// or a column is between two cut points. A conjunction is true where all its atoms are, and
//
//	V(p) = w_0 + Σ_i w_i [conjunction i is true in p]
//
// What is done:
//
//  1. read: a bitmap of positions per atom, held-out games apart;
//  2. mine: every conjunction that is true in at least n positions, level by level (Agrawal and
//     Srikant, "Fast Algorithms for Mining Association Rules", VLDB 1994): one of k+1 atoms is
//     counted if all its parts of k atoms were found. One that is true in the positions of a part
//     adds nothing and is merged with it (the free sets of Boulicaut, Bykowski and Rigotti 2003);
//  3. select: all, or the n best by conditional mutual information (Fleuret, "Fast Binary Feature
//     Selection with Conditional Mutual Information", JMLR 5, 2004);
//  4. fit: by fit/sparse, or as a naive Bayesian classifier; weights near 0 may be taken out and the
//     others fitted again, as ELF does (Utgoff and Precup, "Constructive Function Approximation", 1998).
//
// Memory is a bit per atom and position, 20 bytes per conjunction found, and in the fit 4 bytes
// for each time that a selected one is true. Results do not depend on the number of workers. The
// package uses no more of a game than its Drawer.
package conjunctions
