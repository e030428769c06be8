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

// Generations has one row per strategy in a generation of an evolution.
var Generations = Table{Name: "generations", Version: 1, Doc: generationsDoc, Columns: []Column{
	{Name: "generation", Type: Int32, Domain: counts, Doc: "from 0"},
	{Name: "rank", Type: Int32, Domain: counts, Doc: "by score in its generation, from 1"},
	{Name: "strategy", Type: Int64, Domain: ids, Doc: "number of the strategy, the same in all generations"},
	{Name: "parent", Type: Int64, Nullable: true, Domain: ids, Doc: "strategy that it was mutated from; null in generation 0"},
	{Name: "born", Type: Int32, Domain: counts, Doc: "generation in which it was made"},
	{Name: "wins", Type: Int32, Domain: counts, Doc: "games won in this generation, with either side"},
	{Name: "draws", Type: Int32, Domain: counts, Doc: "games drawn"},
	{Name: "losses", Type: Int32, Domain: counts, Doc: "games lost"},
	{Name: "score", Type: Int32, Doc: "fitness: 1 for a win, 0 for a draw, -2 for a loss"},
	{Name: "kept", Type: Bool, Doc: "it becomes a parent and lives on"},
	{Name: "sigma", Type: Float64, Doc: "geometric mean of its step sizes, in pieces"},
	{Name: "king", Type: Float64, Nullable: true, Doc: "value of a king in men (network); null where it does not evolve apart"},
	{Name: "weights", Type: Bytes, Nullable: true, Doc: "float32, little-endian, in the evaluator's order: of a network all, else those that evolve; null after the generation it was born"},
}}

const generationsDoc = `One row per strategy in a generation, best first, made by kifu evolve; a part has one
generation. Next to the parts: weights.toml, the best strategy of the last generation
(eval=FILE, --eval); model.toml, the same as a player; generations.csv, one line per
generation; and evolve.txt.`

// Trajectory has one row per parameter and iteration of a tuning run.
var Trajectory = Table{Name: "trajectory", Version: 1, Doc: trajectoryDoc, Columns: []Column{
	{Name: "iteration", Type: Int32, Domain: counts, Doc: "from 1"},
	{Name: "parameter", Type: String, Repeats: true, Doc: "name of the option"},
	{Name: "value", Type: Float64, Doc: "value before the iteration"},
	{Name: "c", Type: Float64, Doc: "by how much it is moved up and down: c_k"},
	{Name: "r", Type: Float64, Doc: "share of c by which a game moves it: a_k/c_k²"},
	{Name: "flip", Type: Int16, Repeats: true, Domain: Range(-1, 1), Doc: "1 when the first settings have the higher value, else -1"},
	{Name: "plus", Type: Float64, Doc: "value in the first settings, as played"},
	{Name: "minus", Type: Float64, Doc: "value in the second settings"},
	{Name: "wins", Type: Int32, Repeats: true, Domain: counts, Doc: "games that the first settings won, the same in all rows of an iteration"},
	{Name: "draws", Type: Int32, Repeats: true, Domain: counts, Doc: "games drawn"},
	{Name: "losses", Type: Int32, Repeats: true, Domain: counts, Doc: "games that the first settings lost"},
	{Name: "next", Type: Float64, Doc: "value after the iteration"},
}}

const trajectoryDoc = `One row per parameter in an iteration of SPSA, made by kifu tune. Next to the parts:
options.txt, the final values as a player of kifu match; tune.txt and tune.json, the same with
intervals; trajectory.csv, a column per parameter; and the trajectory as a picture.`

// Played returns the table of games that programs played: Games, with the depth that they
// reported for each move and, if times, how long it took.
func Played(times bool) Table {
	t := Games
	t.Columns = append(append([]Column(nil), Games.Columns...),
		Column{Name: "depths", Type: Int32List, Nullable: true, Domain: Domain{Count: "ply_count"}, Doc: "depth that the program reported for each move; null when it reported none"})
	if times {
		t.Columns = append(t.Columns,
			Column{Name: "times_ms", Type: Int32List, Nullable: true, Domain: Domain{Count: "ply_count"}, Doc: "time that each move took; null for moves without a clock"})
	}
	return t
}
