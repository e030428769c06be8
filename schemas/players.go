package schemas

// Players has one row per game and named player: the index of games sorted by player.
var Players = Table{Name: "players", Version: 1, Doc: playersDoc, Sorted: []string{"player", "game_id"}, Columns: []Column{
	{Name: "player", Type: String, Repeats: true, Doc: "as the game spells it"},
	{Name: "first", Type: Bool, Doc: "moved first: White in chess"},
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "of the games dataset that the index belongs to"},
	{Name: "date", Type: String, Nullable: true, Repeats: true, Doc: "of the game"},
	{Name: "elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "the player's rating"},
	{Name: "opponent", Type: String, Nullable: true, Repeats: true, Doc: "the other player"},
	{Name: "opponent_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "the other player's rating"},
	{Name: "opening", Type: String, Nullable: true, Repeats: true, Doc: "of the game"},
	{Name: "result", Type: String, Nullable: true, Repeats: true, Domain: results, Doc: "of the game: first, second or draw"},
	{Name: "ply_count", Type: Int32, Domain: plies, Doc: "of the game"},
}}

const playersDoc = `One row per game and named player, sorted by player and game_id: players.parquet, which
kifu sort --by player stores next to the games. The games of one player, with either side, are
adjacent. The view NAME_players and the macro NAME_of of kifu query use it.`
