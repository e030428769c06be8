package schemas

import (
	"fmt"
	"strings"
)

// LabelsVersion is the version of the labels table. Version 1 used four bytes per feature.
const LabelsVersion = 2

// OtherGame is the game of labels that another program's file has: their game is unknown.
const OtherGame = "other"

// Labels returns the table with one row per labelled position. It has the columns of the positions, a value
// column per search, a score column per group of terms, and the features.
//
// All values are for the first player, in the evaluator's unit. A win of the first player
// forced in n plies is 32000-n, a win of the second n-32000.
//
// leaf names the search whose principal variation ends in the leaf that the group scores,
// leaf_phase and features describe. features has one or two numbers per feature: its term,
// an index into the dataset's weights.toml, coded as the gap to the previous term, and the
// first player's count minus the second's (kifu/eval, AppendPacked).
func Labels(positions Table, values []string, groups []string, leaf string) Table {
	t := Values(positions, values)
	for _, name := range groups {
		t.Columns = append(t.Columns, Column{Name: name, Type: Float32, Doc: "score of the term group at the leaf of " + leaf + ", by the evaluator's own weights; --zero changes only the values"})
	}
	t.Columns = append(t.Columns,
		Column{Name: "leaf_phase", Type: Int16, Repeats: true, Domain: phases, Doc: "phase of the position at the leaf of " + leaf},
		Column{Name: "features", Type: Bytes, Doc: "terms and counts at the leaf of " + leaf + ", packed as LEB128 numbers 8 × gap + code"},
	)
	return t
}

// Values returns the table of Labels without the columns that describe a leaf: scores, phase and features.
func Values(positions Table, values []string) Table {
	t := Table{Name: "labels", Version: LabelsVersion, Doc: labelsDoc}
	t.Columns = append(t.Columns, positions.Columns...)
	for _, name := range values {
		t.Columns = append(t.Columns, Column{Name: name, Type: Float32, Doc: "value by this search, for the first player"})
	}
	return t
}

// VariationColumns returns the principal variations of the searches whose value columns are
// given; they follow the columns of Labels. A static value has none.
func VariationColumns(values []string, boardSize int) []Column {
	var columns []Column
	for _, name := range values {
		search := strings.TrimSuffix(name, "_value")
		if search == "static" {
			continue
		}
		columns = append(columns,
			Column{Name: search + "_pv", Type: String, Repeats: true, Doc: "principal variation of " + name + " (--pv): moves in coordinates, separated by spaces"},
			Column{Name: search + "_leaf", Type: FixedBytes, Size: boardSize, Doc: "position at the end of the variation, packed like board"})
	}
	return columns
}

// SolveColumn returns the column of exact values, for positions with at most the given
// number of moves left.
func SolveColumn(moves int) Column {
	doc := fmt.Sprintf("exact final score with best play (--solve): the first player's points minus the second's (draughts: 1 win, 0 draw, -1 loss); null with more than %d moves (in draughts: pieces) left", moves)
	return Column{Name: "solve_value", Type: Float32, Nullable: true, Doc: doc}
}

// EndingColumn returns the column of exact results from endgame tables.
func EndingColumn() Column {
	const doc = "exact result from endgame tables (--syzygy): 1 first player wins, 0 draw, -1 second player wins; null for positions not in the tables"
	return Column{Name: "solve_value", Type: Float32, Nullable: true, Doc: doc}
}

// RolloutValue is the column whose values are in percent of random games, whatever the unit
// of the evaluator.
const RolloutValue = "rollout_value"

// RolloutColumns returns the columns that summarize this number of random games from each position.
func RolloutColumns(games int) []Column {
	return []Column{
		{Name: "rollout_wins", Type: Float32, Domain: shares, Doc: fmt.Sprintf("share of %d random games that the first player wins (--rollouts), from 0 to 1", games)},
		{Name: RolloutValue, Type: Float32, Domain: Range(-100, 100), Doc: "percentage of these games won by the first player minus the percentage lost, from -100 to 100"},
	}
}

// BackwardValue is the column of values that are worked back from the end of the game.
const BackwardValue = "backward_value"

// BackwardColumn returns the column BackwardValue.
func BackwardColumn() Column {
	return Column{Name: BackwardValue, Type: Float32, Nullable: true, Doc: "value worked back from the end of the game (kifu backward); null where no search reached a later phase"}
}

// MateColumns returns the columns of a mate search of at most this number of nodes.
func MateColumns(nodes int) []Column {
	return []Column{
		{Name: "mate", Type: Bool, Nullable: true, Doc: fmt.Sprintf("true when the side to move can force mate (--mate); null when undecided after %d nodes", nodes)},
		{Name: "mate_plies", Type: Int32, Nullable: true, Domain: counts, Doc: "plies to mate, not counting useless drops; minimal if another search of as many nodes proves it; null without a mate"},
		{Name: "mate_line", Type: String, Nullable: true, Doc: "moves of the mate in coordinates, separated by spaces; null without a mate"},
	}
}

// EngineColumns returns the columns of an external engine, which follow the columns of Labels.
func EngineColumns(static, mates bool) []Column {
	columns := []Column{{Name: "engine_value", Type: Float32, Nullable: true, Doc: "value by the external engine (--engine), for the first player; null when it reported none"}}
	if static {
		columns = append(columns, Column{Name: "engine_static_value", Type: Float32, Nullable: true, Doc: "static value by the external engine (eval), for the first player; null when it has none, as in check"})
	}
	if mates {
		columns = append(columns,
			Column{Name: "engine_mate", Type: Bool, Nullable: true, Doc: "true when the external engine finds a forced mate for the side to move (mate=); null when it found no answer in time"},
			Column{Name: "engine_mate_plies", Type: Int32, Nullable: true, Domain: counts, Doc: "plies to the engine's mate; null without one"},
			Column{Name: "engine_mate_line", Type: String, Nullable: true, Doc: "moves of the engine's mate in the engine's notation, separated by spaces; null without one"})
	}
	return columns
}

const labelsDoc = `One row per labelled position: the columns of its positions dataset, one value per search,
one score per group of terms, and the features at the leaf of the principal variation; made
by kifu label. Values are for the first player, in the evaluator's unit (meta unit). A win
of the first player forced in n plies is 32000-n, a win of the second n-32000.

weights.toml, next to the parts, is the evaluator; a feature's term is an index into it.
features holds unsigned LEB128 numbers 8 × gap + code, in ascending order of the terms. gap
is the number of terms since the previous feature. Codes 0 to 6 are the counts -1, 1, -2, 2,
-3, 3 and -4. After code 7 the count follows as another number: 0 for 4, 1 for -5, 2 for 5,
3 for -6 and so on.

Four keys of meta describe the labels. leaf: the value column that group scores, leaf_phase
and features belong to; zeroed: the terms of --zero; engine: the external engine;
adjudicated: the rules of --adjudicate, which may have changed result.`
