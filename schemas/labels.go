package schemas

import (
	"fmt"
	"strings"
)

// LabelsVersion is the version of the labels table. Version 1 used four bytes per feature.
const LabelsVersion = 2

// Labels returns the table with one row per labelled position: the columns of the positions
// table that it was made from, then a value column per search, a score column per group of
// the evaluator's terms, and the features.
//
// All values are from the first player's side, in the evaluator's unit. A forced win
// of the first player in n plies is 32000-n, of the second n-32000.
//
// leaf names the search whose principal variation ends in the leaf that the group scores,
// leaf_phase and features describe. features has one or two numbers per feature: its term,
// an index into the dataset's weights.toml, coded as the gap to the previous term, and the
// first player's count minus the second's (kifu/eval, AppendPacked).
func Labels(positions Table, values []string, groups []string, leaf string) Table {
	t := Values(positions, values)
	for _, name := range groups {
		t.Columns = append(t.Columns, Column{Name: name, Type: Float32, Doc: "score of the term group at the leaf of " + leaf + ", with the evaluator's own weights even where --zero took them out of the values"})
	}
	t.Columns = append(t.Columns,
		Column{Name: "leaf_phase", Type: Int16, Repeats: true, Domain: phases, Doc: "phase of the leaf of " + leaf},
		Column{Name: "features", Type: Bytes, Doc: "of the leaf of " + leaf + ": terms and counts, packed: numbers 8 × gap + code in LEB128"},
	)
	return t
}

// Values returns the table of Labels without what belongs to a leaf: scores, phase and features.
func Values(positions Table, values []string) Table {
	t := Table{Name: "labels", Version: LabelsVersion, Doc: labelsDoc}
	t.Columns = append(t.Columns, positions.Columns...)
	for _, name := range values {
		t.Columns = append(t.Columns, Column{Name: name, Type: Float32, Doc: "value by that search"})
	}
	return t
}

// VariationColumns returns the principal variations of the searches whose value columns are
// named, which follow the columns of Labels; a static value has none.
func VariationColumns(values []string, boardSize int) []Column {
	var columns []Column
	for _, name := range values {
		search := strings.TrimSuffix(name, "_value")
		if search == "static" {
			continue
		}
		columns = append(columns,
			Column{Name: search + "_pv", Type: String, Repeats: true, Doc: "principal variation after " + name + " (--pv): moves in coordinates, a space between"},
			Column{Name: search + "_leaf", Type: FixedBytes, Size: boardSize, Doc: "the position at its end, packed as board is"})
	}
	return columns
}

// SolveColumn returns the column of exact values, for positions with at most the given
// number of moves left.
func SolveColumn(moves int) Column {
	doc := fmt.Sprintf("exact final score with best play (--solve), first player's points minus the second's (checkers: 1 won, 0 drawn, -1 lost); null with more than %d moves, or in draughts men and kings, left", moves)
	return Column{Name: "solve_value", Type: Float32, Nullable: true, Doc: doc}
}

// EndingColumn returns the column of exact values of positions that tables of endings have.
func EndingColumn() Column {
	const doc = "exact result by tables of endings (--syzygy): 1 the first player wins, 0 drawn, -1 the second wins; null where they lack the position"
	return Column{Name: "solve_value", Type: Float32, Nullable: true, Doc: doc}
}

// RolloutValue is the column whose values are in percent of random games, whatever the unit
// of the evaluator.
const RolloutValue = "rollout_value"

// RolloutColumns returns the columns of so many random games from each position.
func RolloutColumns(games int) []Column {
	return []Column{
		{Name: "rollout_wins", Type: Float32, Domain: shares, Doc: fmt.Sprintf("share of %d random games that the first player wins (--rollouts)", games)},
		{Name: RolloutValue, Type: Float32, Domain: Range(-100, 100), Doc: "percent of them that the first player wins less percent lost, from -100 to 100"},
	}
}

// BackwardValue is the column of values that come from the end of the game.
const BackwardValue = "backward_value"

// BackwardColumn returns the column of values that come from the end of the game.
func BackwardColumn() Column {
	return Column{Name: BackwardValue, Type: Float32, Nullable: true, Doc: "value from the end of the game back (kifu backward); null where no search reached a later phase"}
}

// MateColumns returns the columns of a search for mates of at most so many nodes.
func MateColumns(nodes int) []Column {
	return []Column{
		{Name: "mate", Type: Bool, Nullable: true, Doc: fmt.Sprintf("whether the side to move can force a mate (--mate); null where %d nodes did not suffice", nodes)},
		{Name: "mate_plies", Type: Int32, Nullable: true, Domain: counts, Doc: "plies of the mate, without useless drops; the fewest if as many nodes again sufficed; null without a mate"},
		{Name: "mate_line", Type: String, Nullable: true, Doc: "its moves in coordinates, a space between"},
	}
}

// EngineColumns returns an outside engine's columns, which follow the columns of Labels.
func EngineColumns(static, mates bool) []Column {
	columns := []Column{{Name: "engine_value", Type: Float32, Nullable: true, Doc: "value by the outside engine (--engine); null where it gave none"}}
	if static {
		columns = append(columns, Column{Name: "engine_static_value", Type: Float32, Nullable: true, Doc: "static value by the outside engine (--engine-eval); null where it has none, as in check"})
	}
	if mates {
		columns = append(columns,
			Column{Name: "engine_mate", Type: Bool, Nullable: true, Doc: "likewise by the outside engine (--engine-mate); null without an answer in time"},
			Column{Name: "engine_mate_plies", Type: Int32, Nullable: true, Domain: counts, Doc: "plies of its mate; null without one"},
			Column{Name: "engine_mate_line", Type: String, Nullable: true, Doc: "its moves as the engine writes them, a space between"})
	}
	return columns
}

const labelsDoc = `One row per labelled position: the columns of its positions dataset, one value per
search, one score per group of terms, and the features of the principal variation's leaf;
made by kifu label. Values are from the first player's side, in the evaluator's unit (meta
unit). A forced win of the first player in n plies is 32000-n, of the second n-32000.

weights.toml, next to the parts, is the evaluator; a feature's term is an index into it.
features has, in ascending order of the terms, unsigned LEB128 numbers 8 × gap + code. gap
is the number of terms since the previous feature. Codes 0 to 6 are the counts -1, 1, -2, 2,
-3, 3 and -4; code 7 means that a number follows: 0 for 4, 1 for -5, 2 for 5, 3 for -6 and
so on.

meta leaf names the value column that group scores, leaf_phase and features belong to. meta
zeroed has the terms of --zero, engine the outside engine, and adjudicated the rules of
--adjudicate, which may have changed result.`
