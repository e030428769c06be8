package schemas

import "strings"

// Speeds are the classes of time controls, shortest first.
var Speeds = []string{"ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"}

// SpeedsFrom are the least times for 40 moves of the Speeds, in milliseconds.
var SpeedsFrom = []int64{0, 30_000, 180_000, 480_000, 1_500_000, 21_600_000}

// TreeGroups are the columns by which a tree may divide its games, in the order of the table.
var TreeGroups = []Column{
	{Name: "rating", Type: Int16, Nullable: true, Repeats: true, Domain: ratings, Doc: "with --by rating: mean rating of the players, rounded down to 200s: 2400 is 2400 to 2599; null when unknown"},
	{Name: "speed", Type: String, Nullable: true, Repeats: true, Domain: Domain{Words: strings.Join(Speeds, "|")}, Doc: "with --by speed: class by minutes for 40 moves: ultrabullet below 0.5, bullet below 3, blitz below 8, rapid below 25, classical below 360, else correspondence; null when base_ms is"},
	{Name: "month", Type: String, Nullable: true, Repeats: true, Doc: "with --by month: 2024-03, or 2024 when the month is unknown; null without a date"},
}

// Tree returns the table with one row per move played in a position and group of games.
func Tree(by ...string) Table {
	t := Table{Name: "tree", Version: 1, Doc: treeDoc, Sorted: []string{"hash"}, Dense: true, Columns: []Column{
		{Name: "hash", Type: Uint64, Doc: "hash of the position, as in positions; ascending"},
		{Name: "move", Type: String, Nullable: true, Repeats: true, Doc: "move in coordinates (e2e4); null for games that end in the position"},
	}}
	for _, c := range TreeGroups {
		for _, name := range by {
			if c.Name == name {
				t.Columns = append(t.Columns, c)
			}
		}
	}
	for _, c := range []Column{
		{Name: "first_wins", Type: Int32, Domain: counts, Doc: "games with this move that the first player won; each game counts once per position, at its first visit"},
		{Name: "draws", Type: Int32, Domain: counts, Doc: "drawn games with this move"},
		{Name: "second_wins", Type: Int32, Domain: counts, Doc: "games with this move that the second player won"},
		{Name: "without_result", Type: Int32, Domain: counts, Doc: "games with this move and no result; the four counts add up to all games"},
		{Name: "first_elo_sum", Type: Int64, Domain: ids, Doc: "sum of the first players' ratings"},
		{Name: "first_elo_games", Type: Int32, Domain: counts, Doc: "games in which the first player has a rating"},
		{Name: "second_elo_sum", Type: Int64, Domain: ids, Doc: "sum of the second players' ratings"},
		{Name: "second_elo_games", Type: Int32, Domain: counts, Doc: "games in which the second player has a rating"},
		{Name: "first_date", Type: String, Nullable: true, Doc: "earliest date of these games; null when none has a date"},
		{Name: "last_date", Type: String, Nullable: true, Doc: "latest date; null when equal to first_date"},
		{Name: "latest_game", Type: Int64, Domain: ids, Doc: "game_id of the most recent game; the largest if several share the date"},
		{Name: "best_game", Type: Int64, Nullable: true, Domain: ids, Doc: "game_id of the game with the highest ratings, the smallest on ties; null when equal to latest_game, or when no game has both ratings"},
	} {
		c.Repeats = c.Name != "latest_game" && c.Name != "best_game"
		t.Columns = append(t.Columns, c)
	}
	return t
}

const treeDoc = `One row per move played in a position, sorted by the position's hash; made by kifu tree.
Transpositions are merged. Positions with fewer games than --min-games are skipped and
counted. With --by, a row counts the games of one group. After --append a move can have
several rows: sum them. In a tree of several games datasets, game_id is raised by
10,000,000,000 for the second, by twice that for the third, and so on.`
