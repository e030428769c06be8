package schemas

import "slices"

// decisions are the columns that identify a decision and describe one of its moves.
var decisions = []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "number of the game in the games dataset"},
	{Name: "ply", Type: Int32, Domain: plies, Doc: "number of moves played before the decision; game_id and ply identify a decision"},
	{Name: "first_to_move", Type: Bool, Doc: "true when the first player is to move"},
	{Name: "move", Type: String, Repeats: true, Doc: "a legal move, in coordinates (e2e4)"},
	{Name: "played", Type: Bool, Doc: "true for the move played: one row of each decision"},
	{Name: "legal_moves", Type: Int16, Repeats: true, Domain: counts, Doc: "number of legal moves, including those without a row (--alternatives)"},
	{Name: "result", Type: String, Nullable: true, Repeats: true, Domain: results, Doc: "result of the game: first, second or draw; null when unknown"},
	{Name: "first_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the first player; null when unknown"},
	{Name: "second_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the second player; null when unknown"},
}

// ofOne are the columns of positions that choices leave out: they describe one position and
// can be looked up there by game_id and ply.
var ofOne = []string{"hash", "board", "comment_value", "clock_ms"}

// Choices returns the table with one row per legal move in a position. The condition columns
// come from the positions table and describe the position before the move; the values are as in
// Labels and describe the position after it.
func Choices(positions Table, values []string) Table {
	t := Table{Name: "choices", Version: 1, Doc: choicesDoc, Columns: slices.Clone(decisions)}
	for _, c := range positions.Columns {
		if t.Index(c.Name) < 0 && !slices.Contains(ofOne, c.Name) {
			t.Columns = append(t.Columns, c)
		}
	}
	for _, name := range values {
		t.Columns = append(t.Columns, Column{Name: name, Type: Float32, Doc: "value after the move by this search, for the first player"})
	}
	leaf := "the last search"
	if len(values) > 0 {
		leaf = values[len(values)-1]
	}
	t.Columns = append(t.Columns,
		Column{Name: "leaf_phase", Type: Int16, Repeats: true, Domain: phases, Doc: "phase of the position at the leaf of " + leaf},
		Column{Name: "features", Type: Bytes, Doc: "terms and counts at the leaf of " + leaf + ", packed as in labels"},
	)
	return t
}

const choicesDoc = `One row per legal move in a position: the move played and its alternatives. kifu choices
makes it; kifu fit --method choice and --method pairs read it. --alternatives N samples N
alternatives per decision. The rows of a decision are adjacent. Decisions with one legal
move are skipped and counted as forced.

Values, leaf_phase and features describe the position after the move, as in labels; the
condition columns describe the position before it. weights.toml, next to the parts, is the
evaluator. meta leaf names the value column that leaf_phase and features belong to.`
