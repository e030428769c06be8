package schemas

// positions are the fixed columns of a position. The columns of the game follow.
var positions = []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "number of the game in the games dataset"},
	{Name: "ply", Type: Int32, Domain: plies, Doc: "number of moves played before the position; 0 is the start"},
	{Name: "first_to_move", Type: Bool, Doc: "true when the first player is to move"},
	{Name: "move", Type: String, Nullable: true, Repeats: true, Doc: "move played from the position, in coordinates (e2e4); null after the last move"},
	{Name: "hash", Type: Uint64, Doc: "hash of the position; equal positions have equal hashes"},
	{Name: "board", Type: FixedBytes, Doc: "position in the game's packed form, which kifu can read"},
	{Name: "result", Type: String, Nullable: true, Repeats: true, Domain: results, Doc: "result of the game: first, second or draw; null when unknown"},
	{Name: "comment_value", Type: Int32, Nullable: true, Doc: "value of the position from the record's comment, for the first player, in hundredths; mate in n is ±(32000-n); null without one"},
	{Name: "clock_ms", Type: Int32, Nullable: true, Doc: "milliseconds left for the side to move; null without a clock"},
	{Name: "first_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the first player; null when unknown"},
	{Name: "second_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the second player; null when unknown"},
}

// distinct are the columns that --dedup adds; a row then represents a distinct position,
// with the ids and clocks of its first occurrence.
var distinct = []Column{
	{Name: "occurrences", Type: Int32, Domain: counts, Doc: "number of times the position occurred"},
	{Name: "first_wins", Type: Int32, Domain: counts, Doc: "occurrences in games that the first player won"},
	{Name: "draws", Type: Int32, Domain: counts, Doc: "occurrences in drawn games"},
	{Name: "second_wins", Type: Int32, Domain: counts, Doc: "occurrences in games that the second player won"},
}

// LegalMoves is the column that transform --legal-moves appends.
var LegalMoves = Column{Name: "legal_moves", Type: Int16, Repeats: true, Domain: counts, Doc: "number of legal moves, passes included (--legal-moves); 0 when the game is over by the rules"}

// HalfmoveClock is the column of positions that were read as such, in games whose texts of
// positions count plies without progress.
var HalfmoveClock = Column{Name: "halfmove_clock", Type: Int16, Domain: counts, Doc: "plies since the last capture or pawn move, as the record counts them (only positions read by kifu ingest)"}

// ExpectedResult is the column of positions that were read as such with results between win,
// draw and loss (kifu ingest --soft).
var ExpectedResult = Column{Name: "expected_result", Type: Float32, Nullable: true, Domain: shares, Doc: "expected result for the first player, from 0 (loss) to 1 (win), as the record states it (kifu ingest --soft); null without one"}

// Suites are the columns of positions that were read as such in formats that name them and their
// best moves (EPD).
var Suites = [...]Column{
	{Name: "best_moves", Type: String, Nullable: true, Doc: "best moves (bm in EPD), in coordinates, separated by spaces (only positions read by kifu ingest)"},
	{Name: "avoid_moves", Type: String, Nullable: true, Doc: "moves to avoid (am in EPD), in coordinates, separated by spaces"},
	{Name: "epd_id", Type: String, Nullable: true, Doc: "name of the position in its test suite (id in EPD)"},
}

// NoGames is the manifest's meta of positions without games. It is "positions" if they were ingested as such:
// game_id numbers stretches in which a move leads from each position to the next. It is "rows" if they are
// rows of a file without a column of games.
const NoGames = "records"

// ByPositions reports how the errors of such positions are taken.
const ByPositions = "the games of the positions are unknown, so each position, or run of positions joined by moves, counts as a game. " +
	"If several come from one game, errors are too small and held-out positions are not independent"

// OpeningName follows the columns of a game whose openings are recognized by a position
// (games.OpeningNames).
var OpeningName = Column{Name: "opening_name", Type: String, Nullable: true, Repeats: true, Doc: "name of the opening reached so far; null when none is known"}

// phase is the column of all games that evaluators choose weights by.
var phase = Column{Name: "phase", Type: Int16, Domain: phases}

// GameColumn is a condition column of the game, from games.Column.
type GameColumn struct{ Name, Doc string }

// Positions returns the table with one row per position, or with dedup one row per distinct
// position. boardSize is the game's, in bytes.
func Positions(boardSize int, game []GameColumn, dedup bool) Table {
	t := Table{Name: "positions", Version: 1, Doc: positionsDoc}
	for _, c := range positions {
		if c.Name == "board" {
			c.Size = boardSize
		}
		t.Columns = append(t.Columns, c)
	}
	if dedup {
		t.Columns = append(t.Columns, distinct...)
	}
	for _, c := range game {
		column := Column{Name: c.Name, Type: Int16, Repeats: true, Doc: c.Doc}
		if c.Name == phase.Name {
			column.Domain = phase.Domain
		}
		t.Columns = append(t.Columns, column)
	}
	return t
}

const positionsDoc = `One row per position of each game, including the first and the last, sorted by game and ply;
made by kifu transform. With --dedup, one row per distinct position, with its occurrences
counted by result. The last columns are the condition columns of the game: numbers for SQL.`
