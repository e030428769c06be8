package schemas

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
