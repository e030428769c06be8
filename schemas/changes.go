package schemas

// Changes has one row per change that kifu clean made to a dataset of games.
var Changes = Table{Name: "changes", Version: 1, Doc: changesDoc, Columns: []Column{
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "the game in the dataset that was cleaned; ascending"},
	{Name: "new_id", Type: Int64, Nullable: true, Domain: ids, Doc: "the same game in the clean dataset; null when it was taken out"},
	{Name: "change", Type: String, Repeats: true, Domain: Domain{Words: "duplicate|merge|name|date|result"}, Doc: "duplicate (taken out), merge (filled from a duplicate), name, date or result"},
	{Name: "column", Type: String, Nullable: true, Repeats: true, Doc: "the column that was changed, tags.NAME for a tag; null for a game taken out"},
	{Name: "before", Type: String, Nullable: true, Doc: "its value before; null when there was none"},
	{Name: "after", Type: String, Nullable: true, Doc: "its value now; of evals and clocks_ms null, as it is in the games"},
	{Name: "reason", Type: String, Repeats: true, Doc: "why, in words"},
	{Name: "from_id", Type: Int64, Nullable: true, Domain: ids, Doc: "of a game taken out the game that was kept; of a merged value the game it comes from; by the ids of the dataset that was cleaned"},
}, Sorted: []string{"game_id"}}

const changesDoc = `One row per change, in the order of the games: changes.parquet, which kifu clean stores beside
the games together with removed.parquet, the games taken out with all their columns. From
the two and the clean games kifu clean --undo makes the games as they were. kifu query has
them as the views NAME_changes and NAME_removed.`
