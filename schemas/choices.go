package schemas

import "slices"

// decisions are the columns that identify a decision, and the move of the row.
var decisions = []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "of the games dataset"},
	{Name: "ply", Type: Int32, Domain: plies, Doc: "moves played before the decision; game_id and ply together are one decision"},
	{Name: "first_to_move", Type: Bool, Doc: "the first player decides"},
	{Name: "move", Type: String, Repeats: true, Doc: "a move that could be played, in coordinates (e2e4)"},
	{Name: "played", Type: Bool, Doc: "it is the one that was played: true in one row of every decision"},
	{Name: "legal_moves", Type: Int16, Repeats: true, Domain: counts, Doc: "legal moves in all, also those without a row (--alternatives)"},
	{Name: "result", Type: String, Nullable: true, Repeats: true, Domain: results, Doc: "of the game: first, second or draw"},
	{Name: "first_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the first player"},
	{Name: "second_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the second player"},
}

// ofOne are the columns of positions that choices leave out: they describe one position and
// can be looked up there by game_id and ply.
var ofOne = []string{"hash", "board", "comment_value", "clock_ms"}

// Choices returns the table with one row per move that could be played in a position, the move played
// included. The condition columns are taken from the positions table that the choices are made from;
// values are as in Labels, of the position after the move.
func Choices(positions Table, values []string) Table {
	t := Table{Name: "choices", Version: 1, Doc: choicesDoc, Columns: slices.Clone(decisions)}
	for _, c := range positions.Columns {
		if t.Index(c.Name) < 0 && !slices.Contains(ofOne, c.Name) {
			t.Columns = append(t.Columns, c)
		}
	}
	for _, name := range values {
		t.Columns = append(t.Columns, Column{Name: name, Type: Float32, Doc: "value after the move by that search"})
	}
	leaf := "the last search"
	if len(values) > 0 {
		leaf = values[len(values)-1]
	}
	t.Columns = append(t.Columns,
		Column{Name: "leaf_phase", Type: Int16, Repeats: true, Domain: phases, Doc: "phase of the leaf of " + leaf},
		Column{Name: "features", Type: Bytes, Doc: "of the leaf of " + leaf + ": terms and counts, packed as in labels"},
	)
	return t
}

const choicesDoc = `One row per legal move of a position, the played one and its alternatives, made by
kifu choices; kifu fit --method choice and pairs read it. With --alternatives, alternatives
are sampled by seed. The rows of a decision are adjacent. Decisions with one legal move are
skipped and counted (forced).

Values, leaf_phase and features describe the position after the move, as in labels; the
condition columns describe the position before it. weights.toml, next to the parts, is the
evaluator. meta leaf names the value column that leaf_phase and features belong to.`
