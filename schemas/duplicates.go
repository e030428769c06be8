package schemas

// Duplicates has one row per game that another game of the dataset contains.
var Duplicates = Table{Name: "duplicates", Version: 1, Doc: duplicatesDoc, Columns: []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "game_id of the duplicate; ascending"},
	{Name: "original_id", Type: Int64, Domain: ids, Doc: "game_id of the original, which is not a duplicate itself"},
	{Name: "kind", Type: String, Repeats: true, Domain: Domain{Words: "moves|prefix"}, Doc: "moves: same moves from the same start; prefix: the original continues these moves"},
	{Name: "ply_count", Type: Int32, Domain: plies, Doc: "number of moves of the duplicate"},
	{Name: "original_ply_count", Type: Int32, Domain: plies, Doc: "number of moves of the original"},
	{Name: "same_players", Type: Bool, Doc: "true when both players' names share a word of three letters or more with the original's, or are unknown"},
	{Name: "same_date", Type: Bool, Doc: "true when the dates agree in the parts that both games have"},
	{Name: "same_result", Type: Bool, Doc: "true when the results are equal, or one is unknown"},
}, Sorted: []string{"game_id"}}

const duplicatesDoc = `One row per game that another game of the dataset contains, whatever their headers; made by
kifu duplicates. Among games with equal moves, the original is the one with the most of
players, date and result, then the first. If longer games continue a game, the longest is
the original. Short games can agree by chance: same_players, same_date and same_result help
to find real copies.`

// Changes has one row per change that kifu clean made to a dataset of games.
var Changes = Table{Name: "changes", Version: 1, Doc: changesDoc, Columns: []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "game_id in the dataset before cleaning; ascending"},
	{Name: "new_id", Type: Int64, Nullable: true, Domain: ids, Doc: "game_id in the clean dataset; null when the game was removed"},
	{Name: "change", Type: String, Repeats: true, Domain: Domain{Words: "duplicate|merge|name|date|result"}, Doc: "duplicate (game removed), merge (value filled in from a duplicate), name, date or result"},
	{Name: "column", Type: String, Nullable: true, Repeats: true, Doc: "column that was changed, tags.NAME for a tag; null for a removed game"},
	{Name: "before", Type: String, Nullable: true, Doc: "value before the change; null when there was none"},
	{Name: "after", Type: String, Nullable: true, Doc: "value after the change; null for evals and clocks_ms, which the clean games hold"},
	{Name: "reason", Type: String, Repeats: true, Doc: "reason for the change, in words"},
	{Name: "from_id", Type: Int64, Nullable: true, Domain: ids, Doc: "game_id, before cleaning, of the kept game (duplicate) or of the value's source (merge); null otherwise"},
}, Sorted: []string{"game_id"}}

const changesDoc = `One row per change, in the order of the games. kifu clean stores it next to the clean games
as changes.parquet, along with the removed games in removed.parquet; kifu clean --undo
restores the original games from both. In kifu query they are the views NAME_changes and
NAME_removed.`
