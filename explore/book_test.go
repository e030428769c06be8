package explore

import "testing"

// TestPlies: the positions of a book stay within its limit, but for the first moves of any
// number of games.
func TestPlies(t *testing.T) {
	for games, want := range map[int64]int{0: 60, 1: 60, 1_000_000: 60, 2_000_000: 30, 5_000_000: 12, 100_000_000: 12} {
		if got := pliesOf(games); got != want {
			t.Errorf("%d games: %d plies, want %d", games, got, want)
		}
	}
}
