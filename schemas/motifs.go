package schemas

import (
	"math"
	"slices"
)

// Motifs returns the table with one row per move that has a motif, and one column per motif.
func Motifs(boardSize int, motifs []GameColumn) Table {
	t := Table{Name: "motifs", Version: 1, Doc: motifsDoc}
	for _, c := range positions {
		if c.Name == "board" {
			c.Size = boardSize
		}
		if !slices.Contains([]string{"comment_value", "clock_ms"}, c.Name) {
			t.Columns = append(t.Columns, c)
		}
	}
	for _, m := range motifs {
		t.Columns = append(t.Columns, Column{Name: m.Name, Type: Bool, Doc: m.Doc})
	}
	return t
}

// MotifNames returns the names of a table's motif columns.
func MotifNames(t Table) (names []string) {
	for _, c := range t.Columns {
		if c.Type == Bool && c.Name != "first_to_move" {
			names = append(names, c.Name)
		}
	}
	return names
}

const motifsDoc = `One row per move with at least one motif, sorted by game and ply; made by kifu motifs. Join it to
positions by game_id and ply. The last columns are the game's motifs, true when the move has
them; docs/motifs.md defines them.`

// predictions are the fixed columns of a prediction.
var predictions = []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "number of the game in the games dataset"},
	{Name: "ply", Type: Int32, Domain: plies, Doc: "number of moves played before the decision"},
	{Name: "first_to_move", Type: Bool, Doc: "true when the first player is to move"},
	{Name: "move", Type: String, Repeats: true, Doc: "move played, in coordinates (e2e4)"},
	{Name: "result", Type: String, Nullable: true, Repeats: true, Domain: results, Doc: "result of the game: first, second or draw; null when unknown"},
	{Name: "first_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the first player; null when unknown"},
	{Name: "second_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the second player; null when unknown"},
	{Name: "phase", Type: Int16, Repeats: true, Domain: phases, Doc: "phase of the position, as in positions"},
	{Name: "legal_moves", Type: Int16, Repeats: true, Domain: counts, Doc: "number of legal moves"},
	{Name: "better", Type: Int16, Repeats: true, Domain: counts, Doc: "legal moves predicted as more likely than the move played"},
	{Name: "equal", Type: Int16, Repeats: true, Domain: counts, Doc: "legal moves predicted as equally likely, including the move played"},
	{Name: "size", Type: Int16, Repeats: true, Domain: counts, Doc: "largest counted shape around the move played, as a line number of sizes.csv from 1; 0 for none"},
	{Name: "rate", Type: Float32, Domain: Range(0, math.MaxFloat32), Doc: "rate at which a move with the same patterns is played when available"},
	{Name: "probability", Type: Float32, Domain: shares, Doc: "predicted probability of the move: its rate divided by the sum of all legal moves' rates"},
}

// Predictions returns the table with one row per decision in a held-out game: the rank of
// the move played among all moves as predicted from patterns.
func Predictions() Table {
	return Table{Name: "predictions", Version: 1, Doc: predictionsDoc, Columns: predictions}
}

const predictionsDoc = `One row per decision between at least two legal moves in held-out games: how the patterns
learned from the other games rank the move played. kifu patterns makes it, kifu report moves
reads it. Next to the parts, sizes.csv counts how often shapes of each size were available
and played. meta states how the games were held out (holdout, seed).`
