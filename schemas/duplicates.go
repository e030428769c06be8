package schemas

// Duplicates has one row per game that another game of the dataset contains.
var Duplicates = Table{Name: "duplicates", Version: 1, Doc: duplicatesDoc, Columns: []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "the duplicate, of the games dataset; ascending"},
	{Name: "original_id", Type: Int64, Domain: ids, Doc: "the game it is a duplicate of; itself never one"},
	{Name: "kind", Type: String, Repeats: true, Domain: Domain{Words: "moves|prefix"}, Doc: "moves: the same moves from the same start; prefix: its moves begin a longer game"},
	{Name: "ply_count", Type: Int32, Domain: plies, Doc: "moves of the duplicate"},
	{Name: "original_ply_count", Type: Int32, Domain: plies, Doc: "moves of the original"},
	{Name: "same_players", Type: Bool, Doc: "either player shares a word of the name (three letters or more) with the original's, or a name is unknown"},
	{Name: "same_date", Type: Bool, Doc: "the dates do not contradict each other at the precision that both have"},
	{Name: "same_result", Type: Bool, Doc: "the results are equal, or unknown in one of the two"},
}, Sorted: []string{"game_id"}}

const duplicatesDoc = `One row per game that another game of the dataset contains, whatever the headers are;
made by kifu duplicates. Of games with equal moves the one with the fullest players, date and
result is the original, then the first. If longer games continue a game, the longest is the
original. Short games agree by chance: same_players, same_date and same_result help to
identify real copies.`

// Changes has one row per change that kifu clean made to a dataset of games.
var Changes = Table{Name: "changes", Version: 1, Doc: changesDoc, Columns: []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "the game in the dataset that was cleaned; ascending"},
	{Name: "new_id", Type: Int64, Nullable: true, Domain: ids, Doc: "the same game in the clean dataset; null when it was removed"},
	{Name: "change", Type: String, Repeats: true, Domain: Domain{Words: "duplicate|merge|name|date|result"}, Doc: "duplicate (removed), merge (filled from a duplicate), name, date or result"},
	{Name: "column", Type: String, Nullable: true, Repeats: true, Doc: "the column that was changed, tags.NAME for a tag; null for a removed game"},
	{Name: "before", Type: String, Nullable: true, Doc: "its value before; null when there was none"},
	{Name: "after", Type: String, Nullable: true, Doc: "its value now; of evals and clocks_ms null: the games have it"},
	{Name: "reason", Type: String, Repeats: true, Doc: "why, in words"},
	{Name: "from_id", Type: Int64, Nullable: true, Domain: ids, Doc: "of a removed game the kept one; of a merged value its source; ids of the dataset that was cleaned"},
}, Sorted: []string{"game_id"}}

const changesDoc = `One row per change, in the order of the games: changes.parquet, which kifu clean stores next
to the games, with removed.parquet, the removed games. kifu clean --undo makes the games of
before from both. kifu query has them as the views NAME_changes and NAME_removed.`
