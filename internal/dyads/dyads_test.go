package dyads

import (
	"math"
	"math/rand/v2"
	"testing"
)

// share reports whether two games share a player who is a cluster.
func share(a, b Pair, often map[int32]bool) bool {
	for _, p := range [2]int32{a.A, a.B} {
		if (p == b.A || p == b.B) && !often[p] {
			return true
		}
	}
	return false
}

// TestVariance: the variance is the sum of u_g u_h over all pairs of games that share a
// player, and of a game with itself.
func TestVariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		players := 8 + rng.IntN(30)
		games := make([]Pair, 5+rng.IntN(80))
		u := make([]float64, len(games))
		count := map[int32]int{}
		for i := range games {
			games[i] = Pair{int32(rng.IntN(players)), int32(rng.IntN(players))}
			switch rng.IntN(12) {
			case 0:
				games[i].A = -1
			case 1:
				games[i].B = games[i].A
			case 2, 3:
				games[i].A = 7 // one of many games
			}
			u[i] = rng.NormFloat64()
			if games[i].A < 0 {
				continue
			}
			count[games[i].A]++
			if games[i].A != games[i].B {
				count[games[i].B]++
			}
		}
		often := map[int32]bool{}
		for p, n := range count {
			often[p] = float64(n) > Frequent*float64(len(games))
		}
		want := 0.0
		for i, a := range games {
			for j, b := range games {
				if i == j || a.A >= 0 && b.A >= 0 && share(a, b, often) {
					want += u[i] * u[j]
				}
			}
		}
		if got := Of(games).Variance(u); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

func TestOf(t *testing.T) {
	var match, club, alone []Pair
	for i := range int32(100) {
		match = append(match, Pair{0, 1})
		club = append(club, Pair{i % 20, (i*7 + 1) % 20})
		alone = append(alone, Pair{0, 1 + i%50})
	}
	if c := Of(match); c.Often != 2 || c.Usable() || c.Variance([]float64{0: 1, 99: 2}) != 5 {
		t.Errorf("a match of two: %+v", c)
	}
	if c := Of(club); c.Players != 20 || math.Abs(c.Effective-20) > 1 || !c.Usable() {
		t.Errorf("a club: %d players, %v", c.Players, c.Effective)
	}
	if c := Of(alone); c.Often != 1 || c.Players != 50 || c.Variance([]float64{0: 1, 50: 1, 99: 0}) != 4 {
		t.Errorf("one player's games: %+v", c)
	}
}
