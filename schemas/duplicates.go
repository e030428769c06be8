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
