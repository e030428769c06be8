package schemas

import (
	"fmt"
	"strings"
)

// LabelsVersion is that of the labels table. Version 1 had four bytes a feature.
const LabelsVersion = 2

// Labels returns one row a labelled position: the columns of the positions table it was
// made from, then a value column for each search, a score column for each group of the
// evaluator's terms, and the features.
//
// All values are from the first player's side, in the evaluator's unit. A forced win
// of the first player in n plies is 32000-n, of the second n-32000.
//
// leaf names the search whose principal variation's leaf the group scores, leaf_phase
// and features belong to. features is a number or two for each feature: its term, an
// index into the dataset's weights.toml, by the gap to the one before, and the first
// player's count minus the second's (kifu/eval, AppendPacked).
func Labels(positions Table, values []string, groups []string, leaf string) Table {
	t := Table{Name: "labels", Version: LabelsVersion, Doc: labelsDoc}
	t.Columns = append(t.Columns, positions.Columns...)
	for _, name := range values {
		t.Columns = append(t.Columns, Column{Name: name, Type: Float32, Doc: "value by that search, first player's side, in the evaluator's unit"})
	}
	for _, name := range groups {
		t.Columns = append(t.Columns, Column{Name: name, Type: Float32, Doc: "score of the term group at the leaf of " + leaf + ", with the evaluator's own weights even where --zero took them out of the values"})
	}
	t.Columns = append(t.Columns,
		Column{Name: "leaf_phase", Type: Int16, Repeats: true, Doc: "phase of the leaf of " + leaf},
		Column{Name: "features", Type: Bytes, Doc: "of the leaf of " + leaf + ": terms and counts, packed: numbers 8 × gap + code in LEB128"},
	)
	return t
}

// VariationColumns returns the principal variations of the searches whose value columns are
// named, behind the columns of Labels; a static value has none.
func VariationColumns(values []string, boardSize int) []Column {
	var columns []Column
	for _, name := range values {
		search := strings.TrimSuffix(name, "_value")
		if search == "static" {
			continue
		}
		columns = append(columns,
			Column{Name: search + "_pv", Type: String, Repeats: true, Doc: "principal variation behind " + name + " (--pv): moves in coordinates, a space between"},
			Column{Name: search + "_leaf", Type: FixedBytes, Size: boardSize, Doc: "the position at its end, packed as board is"})
	}
	return columns
}

// SolveColumn returns the column of exact values, of positions with at most so many moves
// left.
func SolveColumn(moves int) Column {
	doc := fmt.Sprintf("exact score at the end under the best play of both sides (--solve), first player's points minus the second's; null where more than %d moves may be left", moves)
	return Column{Name: "solve_value", Type: Float32, Nullable: true, Doc: doc}
}

// EngineColumns returns the columns of an outside engine behind those of Labels.
func EngineColumns(static bool) []Column {
	columns := []Column{{Name: "engine_value", Type: Float32, Nullable: true, Doc: "value by the outside engine (--engine), first player's side; null where it gave none"}}
	if static {
		columns = append(columns, Column{Name: "engine_static_value", Type: Float32, Nullable: true, Doc: "static value by the outside engine (--engine-eval), first player's side; null where it has none, as in check"})
	}
	return columns
}

const labelsDoc = `One row a labelled position: the columns of its positions dataset, a value for each
search, a score for each group of the evaluator's terms, and the sparse features of the
principal variation's leaf; made by kifu label. All values are from the first player's
side, in the evaluator's unit, which the manifest names (meta: unit); a forced win of
the first player in n plies is 32000-n, of the second n-32000. The evaluator lies beside
the parts as weights.toml: a feature's term is an index into it. features has for each
feature, in ascending order of the terms, the number 8 × gap + code: gap is the number of
terms between it and the feature before (of the first, before it); code 0 to 6 stands for
the counts -1, 1, -2, 2, -3, 3 and -4, and 7 says that a number follows: 0 for 4, 1 for
-5, 2 for 5, 3 for -6 and so on. Numbers are unsigned LEB128. meta "leaf" names the
value column that the group scores, leaf_phase and features belong to; meta "zeroed" the
terms that --zero took out of the values; meta "engine" the outside engine, if there is
one, by the name that it gives itself; meta "adjudicated" the rules of --adjudicate, which
may have changed the column result.`
