package schemas

// Dropped begins the notes of a games dataset that count what its records have and no column has:
// comments, variations, glyphs, shapes.
const Dropped = "dropped "

// Games has one row per game, as recorded.
var Games = Table{Name: "games", Version: 1, Doc: gamesDoc, Columns: []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "number of the game in the dataset, from 0, in input order"},
	{Name: "game", Type: String, Repeats: true, Doc: "the game's name, as in --game: chess"},
	{Name: "source_file", Type: String, Repeats: true, Doc: "input file, relative to the directory given to kifu ingest"},
	{Name: "source_offset", Type: Int64, Domain: Range(0, 1<<62), Doc: "byte offset of the game in the decompressed file"},
	{Name: "first_player", Type: String, Nullable: true, Repeats: true, Doc: "name of the player who moves first (White in chess); null when unknown"},
	{Name: "second_player", Type: String, Nullable: true, Repeats: true, Doc: "name of the other player; null when unknown"},
	{Name: "first_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the first player; null when 0, ? or missing"},
	{Name: "second_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the second player; null when 0, ? or missing"},
	{Name: "event", Type: String, Nullable: true, Repeats: true, Doc: "tag Event"},
	{Name: "site", Type: String, Nullable: true, Doc: "tag Site"},
	{Name: "round", Type: String, Nullable: true, Repeats: true, Doc: "tag Round"},
	{Name: "date", Type: String, Nullable: true, Repeats: true, Doc: "ISO date, as precise as known: 1950, 1950-07 or 1950-07-15"},
	{Name: "time_control", Type: String, Nullable: true, Repeats: true, Doc: "time control as the record writes it: 300+5"},
	{Name: "base_ms", Type: Int32, Nullable: true, Repeats: true, Domain: counts, Doc: "milliseconds for the game, or for the first control (40/7200), read from time_control; null when that is missing or cannot be read"},
	{Name: "increment_ms", Type: Int32, Nullable: true, Repeats: true, Domain: counts, Doc: "milliseconds added for each move, 0 without increment; null when base_ms is"},
	{Name: "opening", Type: String, Nullable: true, Repeats: true, Doc: "ECO code, else the opening's name; without both, the name of the last position in kifu's list of openings (Shogi: the most frequent name at plies 16 to 40)"},
	{Name: "variant", Type: String, Repeats: true, Doc: "name of the variant: standard, chess960"},
	{Name: "start_position", Type: String, Nullable: true, Repeats: true, Doc: "start position in the game's notation (FEN); null for the usual start"},
	{Name: "result", Type: String, Nullable: true, Repeats: true, Domain: results, Doc: "first, second or draw; null when unfinished or unknown"},
	{Name: "termination", Type: String, Nullable: true, Repeats: true, Doc: "tag Termination"},
	{Name: "ply_count", Type: Int32, Domain: plies, Doc: "number of moves, both sides counted"},
	{Name: "moves", Type: Bytes, Domain: Domain{Count: "ply_count"}, Doc: "two bytes per move, little-endian, in the game's move code"},
	{Name: "evals", Type: Int32List, Nullable: true, Domain: Domain{Count: "ply_count"}, Doc: "value after each move, from its comment, for the first player, in hundredths (centipawns); mate in n is ±(32000-n); null when no move has one"},
	{Name: "clocks_ms", Type: Int32List, Nullable: true, Domain: Domain{Count: "ply_count"}, Doc: "milliseconds that the mover had left after each move; null when no move has a clock"},
	{Name: "annotations", Type: String, Nullable: true, Doc: "comments, glyphs, variations and marks, as a JSON array of objects; null when there are none"},
	{Name: "cut", Type: String, Nullable: true, Repeats: true, Doc: "why the moves end earlier than in the record (--keep-prefix), for example illegal move; null when they are complete"},
	{Name: "tags", Type: StringMap, Doc: "all other tags, unchanged"},
}}

const gamesDoc = `One row per game, in input order; made by kifu ingest and kifu match. Values missing from a
record are null. Games that cannot be read or replayed are skipped; the manifest counts them
by reason. moves uses the game's own code (chess: from square, six bits; to square, six bits;
promotion, four bits; a1 is 0, h8 is 63).`
