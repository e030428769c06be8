package schemas

import (
	"math"
	"slices"
)

// Motifs has a row for each move of games that has a motif, with a column for each of these.
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

// MotifNames returns the columns of a table of motifs that are motifs.
func MotifNames(t Table) (names []string) {
	for _, c := range t.Columns {
		if c.Type == Bool && c.Name != "first_to_move" {
			names = append(names, c.Name)
		}
	}
	return names
}

const motifsDoc = `One row per move of the games that has at least one motif, in the order of game and ply; made by
kifu motifs. game_id with ply joins it to positions. The last columns are the motifs of the game;
docs/motifs.md defines them.`

// predictions are the fixed columns of a prediction.
var predictions = []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "of the games dataset"},
	{Name: "ply", Type: Int32, Domain: plies, Doc: "moves played before the decision"},
	{Name: "first_to_move", Type: Bool, Doc: "the first player decides"},
	{Name: "move", Type: String, Repeats: true, Doc: "the move that was played, in coordinates (e2e4)"},
	{Name: "result", Type: String, Nullable: true, Repeats: true, Domain: results, Doc: "of the game: first, second or draw"},
	{Name: "first_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the first player"},
	{Name: "second_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the second player"},
	{Name: "phase", Type: Int16, Repeats: true, Domain: phases, Doc: "of the position, as in positions"},
	{Name: "legal_moves", Type: Int16, Repeats: true, Domain: counts, Doc: "moves that could be played"},
	{Name: "better", Type: Int16, Repeats: true, Domain: counts, Doc: "of them, those held more likely than the one played"},
	{Name: "equal", Type: Int16, Repeats: true, Domain: counts, Doc: "of them, those held as likely, with the one played"},
	{Name: "size", Type: Int16, Repeats: true, Domain: counts, Doc: "largest counted shape around the move played: a line of sizes.csv from 1, 0 for none"},
	{Name: "rate", Type: Float32, Domain: Range(0, math.MaxFloat32), Doc: "how often a move with its patterns is played when it can be"},
	{Name: "probability", Type: Float32, Domain: shares, Doc: "rate divided by the rates of all moves"},
}

// Predictions returns the table with one row per decision in a held-out game: the rank of
// the move played among all moves as predicted from patterns.
func Predictions() Table {
	return Table{Name: "predictions", Version: 1, Doc: predictionsDoc, Columns: predictions}
}

const predictionsDoc = `One row per decision between at least two moves, in held-out games: the rank of the move
played among all legal moves, in the order learned from the other games. kifu patterns makes
it, kifu report moves reads it. Next to the parts, sizes.csv counts how often shapes of each
size were played and available. meta has what was held out (holdout, seed).`
