// Package kifu is the root of the module. It holds no code but for what is built into the program (bundled.go): the
// program is cmd/kifu, and the tests here hold the tree against its plan (docs/design.md).
//
// The pipeline, one stage a package; the example does the same in code:
//
//  1. ingest reads records (PGN, PDN, SGF, …) and writes a dataset of games: a row a
//     game, its moves resolved by the rules and packed. What cannot be read is counted by
//     reason.
//  2. transform replays games and writes a dataset of positions: a row a position, with
//     the move played, the result and the columns that conditions ask for.
//  3. label searches positions and writes a dataset of labels: the same rows with values,
//     the scores of groups of terms, and the features of the leaf.
//  4. fit finds weights by which the values of labels predict the results of the games,
//     and writes them with errors and tests; label takes them as its evaluator.
//  5. report/… and query read any of these by SQL and write curves, tables and pages.
//
// In addition, transform/order, transform/duplicates and transform/names make games from games.
// players/play says how a player chooses moves, players/match and players/evolve play games, players/learn models a player from its games, and
// export writes games as records again. query/find finds the games with a position, and explore
// shows all of it in a browser. study runs files of steps, study/cluster distributes steps over
// machines, and datasets/store keeps datasets in object storage.
//
// A stage never imports another: it is a function from the datasets that it reads to a
// datasets.Builder, and datasets.Build runs it, once, atomically, and again only when an
// input or a parameter has changed. Games and evaluators are handed to stages as type
// parameters and values (eval.Game); cmd/kifu/gametable is the one table of them.
package kifu
