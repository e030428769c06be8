package schemas

// Dropped begins the notes of a games dataset that count what its records have and no column has:
// comments, variations, glyphs, shapes.
const Dropped = "dropped "

// Games has one row per game, as recorded.
var Games = Table{Name: "games", Version: 1, Doc: gamesDoc, Columns: []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "number of the game in the dataset, from 0, in the order of the inputs"},
	{Name: "game", Type: String, Repeats: true, Doc: "game by the name of --game: chess"},
	{Name: "source_file", Type: String, Repeats: true, Doc: "input file, relative to the directory that was named"},
	{Name: "source_offset", Type: Int64, Domain: Range(0, 1<<62), Doc: "byte of the game's start in the decompressed file"},
	{Name: "first_player", Type: String, Nullable: true, Repeats: true, Doc: "who moves first: White in chess"},
	{Name: "second_player", Type: String, Nullable: true, Repeats: true, Doc: "the opponent"},
	{Name: "first_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating; null when 0, ? or absent"},
	{Name: "second_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the opponent, likewise"},
	{Name: "event", Type: String, Nullable: true, Repeats: true, Doc: "Event"},
	{Name: "site", Type: String, Nullable: true, Doc: "Site"},
	{Name: "round", Type: String, Nullable: true, Repeats: true, Doc: "Round"},
	{Name: "date", Type: String, Nullable: true, Repeats: true, Doc: "ISO 8601 at the precision known: 1950, 1950-07 or 1950-07-15"},
	{Name: "time_control", Type: String, Nullable: true, Repeats: true, Doc: "as written: 300+5"},
	{Name: "base_ms", Type: Int32, Nullable: true, Repeats: true, Domain: counts, Doc: "time for the game, or for the first control (40/7200), by time_control; a day a move in correspondence; null when not understood"},
	{Name: "increment_ms", Type: Int32, Nullable: true, Repeats: true, Domain: counts, Doc: "time added for each move; 0 when base_ms stands alone"},
	{Name: "opening", Type: String, Nullable: true, Repeats: true, Doc: "ECO code, else the opening's name; of a record with neither, by its last position in the list of openings"},
	{Name: "variant", Type: String, Repeats: true, Doc: "the game's own name of it: standard, chess960"},
	{Name: "start_position", Type: String, Nullable: true, Repeats: true, Doc: "null for the usual start, else as the game writes positions (FEN)"},
	{Name: "result", Type: String, Nullable: true, Repeats: true, Domain: results, Doc: "first, second or draw; null when unfinished or unknown"},
	{Name: "termination", Type: String, Nullable: true, Repeats: true, Doc: "Termination, as written"},
	{Name: "ply_count", Type: Int32, Domain: plies, Doc: "moves of either side in moves"},
	{Name: "moves", Type: Bytes, Domain: Domain{Count: "ply_count"}, Doc: "two bytes per move, little-endian, in the game's code"},
	{Name: "evals", Type: Int32List, Nullable: true, Domain: Domain{Count: "ply_count"}, Doc: "value after each move from its comment, first player's side, hundredths; a mate in n is ±(32000-n); null when no move has one"},
	{Name: "clocks_ms", Type: Int32List, Nullable: true, Domain: Domain{Count: "ply_count"}, Doc: "time the mover had left after each move; null when no move has one"},
	{Name: "annotations", Type: String, Nullable: true, Doc: "comments, glyphs, variations and marks, a JSON array of objects; null when it has none"},
	{Name: "cut", Type: String, Nullable: true, Repeats: true, Doc: "why the moves end before the record's (--keep-prefix): illegal move, …; null when they are whole"},
	{Name: "tags", Type: StringMap, Doc: "all other tags, as written"},
}}

const gamesDoc = `One row per game, as recorded, in the order of the inputs; made by kifu ingest and
kifu match. What a record does not state is null. Games that cannot be read or replayed are
skipped; the manifest counts them by reason. moves are in the game's own code (chess: from
square, six bits; to square, six bits; promotion, four bits; a1 is 0, h8 is 63).`
