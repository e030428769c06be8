package schemas

// positions are the fixed columns of a position. The columns of the game follow.
var positions = []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "of the games dataset"},
	{Name: "ply", Type: Int32, Domain: plies, Doc: "moves played before the position: 0 is the start"},
	{Name: "first_to_move", Type: Bool, Doc: "the first player is to move"},
	{Name: "move", Type: String, Nullable: true, Repeats: true, Doc: "the move that was played here, in coordinates (e2e4); null after the last move"},
	{Name: "hash", Type: Uint64, Doc: "equal for equal positions"},
	{Name: "board", Type: FixedBytes, Doc: "packed by the game; kifu reads it back"},
	{Name: "result", Type: String, Nullable: true, Repeats: true, Domain: results, Doc: "of the game: first, second or draw"},
	{Name: "comment_value", Type: Int32, Nullable: true, Doc: "value of the position in the record's comments, first player's side, hundredths; a mate in n is ±(32000-n)"},
	{Name: "clock_ms", Type: Int32, Nullable: true, Doc: "time left to the side to move"},
	{Name: "first_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the first player"},
	{Name: "second_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the second player"},
}

// distinct are the columns that --dedup adds; a row then represents a distinct position,
// with the ids and clocks of its first occurrence.
var distinct = []Column{
	{Name: "occurrences", Type: Int32, Domain: counts, Doc: "how often the position came up"},
	{Name: "first_wins", Type: Int32, Domain: counts, Doc: "of them in games that the first player won"},
	{Name: "draws", Type: Int32, Domain: counts, Doc: "of them in drawn games"},
	{Name: "second_wins", Type: Int32, Domain: counts, Doc: "of them in games that the second player won"},
}

// LegalMoves is the column that transform --legal-moves appends.
var LegalMoves = Column{Name: "legal_moves", Type: Int16, Repeats: true, Domain: counts, Doc: "legal moves, also passes (--legal-moves); 0 at an end by the rules"}

// HalfmoveClock is the column of positions that were read as such, in games whose texts of
// positions count plies without progress.
var HalfmoveClock = Column{Name: "halfmove_clock", Type: Int16, Domain: counts, Doc: "plies since the last capture or pawn move, as the record counts them (positions that kifu ingest read)"}

// ExpectedResult is the column of positions that were read as such with results between win,
// draw and loss (kifu ingest --soft).
var ExpectedResult = Column{Name: "expected_result", Type: Float32, Nullable: true, Domain: shares, Doc: "the result as a number, in the first player's eyes: 1 won, 0.5 drawn, 0 lost, or what the record expects between them (kifu ingest --soft); null when it has none"}

// Suites are the columns of positions that were read as such in formats that name them and their
// best moves (EPD).
var Suites = [...]Column{
	{Name: "best_moves", Type: String, Nullable: true, Doc: "bm of EPD: the best moves in coordinates, a space between (positions that kifu ingest read)"},
	{Name: "avoid_moves", Type: String, Nullable: true, Doc: "am of EPD: moves to avoid, likewise"},
	{Name: "epd_id", Type: String, Nullable: true, Doc: "id of EPD: the name of the position in its suite"},
}

// NoGames is the manifest's meta of positions without games: "positions" if they were ingested as
// such, and game_id numbers stretches of them, each of which a move joins to the next; "rows" if
// they are rows of a file without a column of games.
const NoGames = "records"

// ByPositions reports how the errors of such positions are taken.
const ByPositions = "the positions have no known games, so each, or each stretch that its moves join, counts as a game: " +
	"where several come from one game, errors are too small and held-out positions are not independent"

// OpeningName follows the columns of a game whose openings are recognized by a position
// (games.OpeningNames).
var OpeningName = Column{Name: "opening_name", Type: String, Nullable: true, Repeats: true, Doc: "name of the opening so far; null for none"}

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

const positionsDoc = `One row per position of the games, with start and end, in the order of game and ply;
made by kifu transform. With --dedup, one row per distinct position with its occurrences by
result. The last columns are the game's condition columns, plain numbers for SQL.`
