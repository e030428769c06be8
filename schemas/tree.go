package schemas

import "strings"

// Speeds are the classes of time controls, shortest first.
var Speeds = []string{"ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"}

// SpeedsFrom are the least times for 40 moves of the Speeds, in milliseconds.
var SpeedsFrom = []int64{0, 30_000, 180_000, 480_000, 1_500_000, 21_600_000}

// TreeGroups are the columns that may separate the rows of a tree, in its order.
var TreeGroups = []Column{
	{Name: "rating", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "of --by rating: mean of both ratings, in bands of 200: 2400 is 2400 to 2599; null without one"},
	{Name: "speed", Type: String, Nullable: true, Repeats: true, Domain: Domain{Words: strings.Join(Speeds, "|")}, Doc: "of --by speed: time for 40 moves, in minutes: ultrabullet below 0.5, bullet below 3, blitz below 8, rapid below 25, classical below 360; null where base_ms is"},
	{Name: "month", Type: String, Nullable: true, Repeats: true, Doc: "of --by month: 2024-03, or 2024 where the month is not known; null without a date"},
}

// Tree has a row for each move played in a position of games, and for each group of these.
func Tree(by ...string) Table {
	t := Table{Name: "tree", Version: 1, Doc: treeDoc, Sorted: []string{"hash"}, Dense: true, Columns: []Column{
		{Name: "hash", Type: Uint64, Doc: "of the position, as in positions; ascending"},
		{Name: "move", Type: String, Nullable: true, Repeats: true, Doc: "the move in coordinates (e2e4); null for the games that end here"},
	}}
	for _, c := range TreeGroups {
		for _, name := range by {
			if c.Name == name {
				t.Columns = append(t.Columns, c)
			}
		}
	}
	for _, c := range []Column{
		{Name: "first_wins", Type: Int32, Domain: counts, Doc: "games with this move that the first player won; a game counts once a position, at its first visit"},
		{Name: "draws", Type: Int32, Domain: counts, Doc: "drawn games"},
		{Name: "second_wins", Type: Int32, Domain: counts, Doc: "games that the second player won"},
		{Name: "without_result", Type: Int32, Domain: counts, Doc: "games without a result; the sum of the four is all games"},
		{Name: "first_elo_sum", Type: Int64, Domain: ids, Doc: "sum of the first player's ratings"},
		{Name: "first_elo_games", Type: Int32, Domain: counts, Doc: "games with that rating"},
		{Name: "second_elo_sum", Type: Int64, Domain: ids, Doc: "sum of the second player's ratings"},
		{Name: "second_elo_games", Type: Int32, Domain: counts, Doc: "games with that rating"},
		{Name: "first_date", Type: String, Nullable: true, Doc: "least date of the games, as games have it; null where none has one"},
		{Name: "last_date", Type: String, Nullable: true, Doc: "greatest date; null where it is first_date"},
		{Name: "latest_game", Type: Int64, Domain: ids, Doc: "game_id of the last game; of several, the greatest"},
		{Name: "best_game", Type: Int64, Nullable: true, Domain: ids, Doc: "game_id of the game with the highest ratings; of several, the least; null where it is latest_game, or no game has both"},
	} {
		c.Repeats = c.Name != "latest_game" && c.Name != "best_game"
		t.Columns = append(t.Columns, c)
	}
	return t
}

const treeDoc = `One row per move played in a position of the games, sorted by the position's hash; made
by kifu tree. Transpositions are merged. Positions of fewer games than --min-games are
skipped and counted. With --by, a row counts the games of one group. Where --append added
games, sum the rows of a position. game_id of games dataset number n, from 0, is n times
10,000,000,000 more, as where several datasets are read as one.`
