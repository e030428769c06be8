package schemas

// Players has one row per game and named player: the index of games sorted by player.
var Players = Table{Name: "players", Version: 1, Doc: playersDoc, Sorted: []string{"player", "game_id"}, Columns: []Column{
	{Name: "player", Type: String, Repeats: true, Doc: "name of the player, as the game spells it"},
	{Name: "first", Type: Bool, Doc: "true when the player moved first (White in chess)"},
	{Name: "game_id", Type: Int64, Domain: ids, Doc: "number of the game in the games dataset"},
	{Name: "date", Type: String, Nullable: true, Repeats: true, Doc: "date of the game; null when unknown"},
	{Name: "elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the player; null when unknown"},
	{Name: "opponent", Type: String, Nullable: true, Repeats: true, Doc: "name of the other player; null when unknown"},
	{Name: "opponent_elo", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "rating of the other player; null when unknown"},
	{Name: "opening", Type: String, Nullable: true, Repeats: true, Doc: "opening of the game, as in games"},
	{Name: "result", Type: String, Nullable: true, Repeats: true, Domain: results, Doc: "result of the game: first, second or draw; null when unknown"},
	{Name: "ply_count", Type: Int32, Domain: plies, Doc: "number of moves in the game"},
}}

const playersDoc = `One row per game and named player, sorted by player and game_id, so that all games of a
player are adjacent, whichever side they played. kifu sort --by player stores it next to the
games as players.parquet. kifu query reads it in the view NAME_players and the macro NAME_of.`

// Generations has one row per strategy in a generation of an evolution.
var Generations = Table{Name: "generations", Version: 1, Doc: generationsDoc, Columns: []Column{
	{Name: "generation", Type: Int32, Domain: counts, Doc: "number of the generation, from 0"},
	{Name: "rank", Type: Int32, Domain: counts, Doc: "rank by score in the generation, from 1"},
	{Name: "strategy", Type: Int64, Domain: ids, Doc: "number of the strategy, the same in all generations"},
	{Name: "parent", Type: Int64, Nullable: true, Domain: ids, Doc: "strategy that this one was mutated from; null in generation 0"},
	{Name: "born", Type: Int32, Domain: counts, Doc: "generation in which the strategy was created"},
	{Name: "wins", Type: Int32, Domain: counts, Doc: "games won in this generation, both sides counted"},
	{Name: "draws", Type: Int32, Domain: counts, Doc: "games drawn in this generation"},
	{Name: "losses", Type: Int32, Domain: counts, Doc: "games lost in this generation"},
	{Name: "score", Type: Int32, Doc: "fitness: 1 for a win, 0 for a draw, -2 for a loss"},
	{Name: "kept", Type: Bool, Doc: "true when the strategy survives and becomes a parent"},
	{Name: "sigma", Type: Float64, Doc: "geometric mean of the strategy's mutation step sizes, in pieces"},
	{Name: "king", Type: Float64, Nullable: true, Doc: "value of a king in men (evaluator network); null for a linear evaluator"},
	{Name: "weights", Type: Bytes, Nullable: true, Doc: "weights as little-endian float32, in the evaluator's order: all of a network, the evolving ones of a linear evaluator; only in the generation that created the strategy, else null"},
}}

const generationsDoc = `One row per strategy in a generation, best first; made by kifu evolve. Each part has one
generation. weights.toml, next to the parts, is the best strategy of the last generation (for
eval=FILE and --eval), and model.toml the same strategy as a player. generations.csv has one
line per generation, and evolve.txt the printed table.`

// Trajectory has one row per parameter and iteration of a tuning run.
var Trajectory = Table{Name: "trajectory", Version: 1, Doc: trajectoryDoc, Columns: []Column{
	{Name: "iteration", Type: Int32, Domain: counts, Doc: "number of the iteration, from 1"},
	{Name: "parameter", Type: String, Repeats: true, Doc: "name of the option"},
	{Name: "value", Type: Float64, Doc: "value of the parameter before the iteration"},
	{Name: "c", Type: Float64, Doc: "size of the change in both directions, c_k"},
	{Name: "r", Type: Float64, Doc: "step of one game as a share of c: a_k/c_k²"},
	{Name: "flip", Type: Int16, Repeats: true, Domain: Range(-1, 1), Doc: "1 when the first settings have the higher value, -1 when the second have it"},
	{Name: "plus", Type: Float64, Doc: "value that the first settings played with"},
	{Name: "minus", Type: Float64, Doc: "value that the second settings played with"},
	{Name: "wins", Type: Int32, Repeats: true, Domain: counts, Doc: "games that the first settings won; all rows of an iteration share it"},
	{Name: "draws", Type: Int32, Repeats: true, Domain: counts, Doc: "games drawn; all rows of an iteration share it"},
	{Name: "losses", Type: Int32, Repeats: true, Domain: counts, Doc: "games that the first settings lost; all rows of an iteration share it"},
	{Name: "next", Type: Float64, Doc: "value of the parameter after the iteration"},
}}

const trajectoryDoc = `One row per parameter in an iteration of SPSA; made by kifu tune. options.txt,
next to the parts, has the final values as options of a player in kifu match. tune.txt and
tune.json have them with intervals. trajectory.csv has one column per parameter, and a picture
shows the trajectory.`

// Played returns the table of games played by programs: Games with the depth reported for
// each move and, if times is set, the time that the move took.
func Played(times bool) Table {
	t := Games
	t.Columns = append(append([]Column(nil), Games.Columns...),
		Column{Name: "depths", Type: Int32List, Nullable: true, Domain: Domain{Count: "ply_count"}, Doc: "depth in plies that the program reported for each move; null when it reported none"})
	if times {
		t.Columns = append(t.Columns,
			Column{Name: "times_ms", Type: Int32List, Nullable: true, Domain: Domain{Count: "ply_count"}, Doc: "milliseconds that each move took; null for moves without a clock"})
	}
	return t
}
