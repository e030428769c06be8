package dyads

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// share reports whether two games share a player who is a cluster.
func share(a, b Pair, c *Clusters) bool {
	for _, p := range [2]int32{a.A, a.B} {
		if (p == b.A || p == b.B) && !c.Hub(p) {
			return true
		}
	}
	return false
}

// TestSpread: the variance is the sum of u_g u_h over all pairs of games that share a
// player, and of a game with itself; with few players it is the jackknife's.
func TestSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		players := 5 + rng.IntN(40)
		games := make([]Pair, 5+rng.IntN(80))
		u := make([]float64, len(games))
		for i := range games {
			games[i] = Pair{int32(rng.IntN(players)), int32(rng.IntN(players))}
			switch rng.IntN(12) {
			case 0:
				games[i].A = -1
			case 1:
				games[i].B = games[i].A
			case 2, 3, 4:
				games[i].A = 2 // one of many games
			}
			u[i] = rng.NormFloat64()
		}
		c := Of(games)
		want := 0.0
		if c.Pairs {
			for i, a := range games {
				for j, b := range games {
					if i == j || a.A >= 0 && b.A >= 0 && share(a, b, c) {
						want += u[i] * u[j]
					}
				}
			}
		} else {
			want = jackknife(games, u, c)
		}
		sizes := make([]float64, len(games)+1) // all of one more game, so that no player has a share
		sizes[len(games)] = 1
		if got := Of(append(games, Pair{-1, -1})).Spread(append(u, 0), sizes, 1).Variance; math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v, want %v, %+v", got, want, c.Plan)
		}
	}
}

// jackknife is the sum of the squares of players' sums, of those who are clusters.
func jackknife(games []Pair, u []float64, c *Clusters) (sum float64) {
	of := map[int32]float64{}
	for i, g := range games {
		lonely := true
		for _, p := range slices.Compact([]int32{g.A, g.B}) {
			if g.A >= 0 && !c.Hub(p) {
				of[p] += u[i]
				lonely = false
			}
		}
		if lonely {
			sum += u[i] * u[i]
		}
	}
	for _, x := range of {
		sum += c.Plan.Factor * x * x
	}
	return sum
}

// TestPlan: eight players who all meet have the jackknife's factor 7/8, nine against one who is always there 8/9.
func TestPlan(t *testing.T) {
	var all, alone []Pair
	for i := range int32(8) {
		for j := range i {
			all = append(all, Pair{i, j}, Pair{j, i})
		}
	}
	for i := range int32(90) {
		alone = append(alone, Pair{9, i % 9})
	}
	if c := Count(all); c.Pairs || math.Abs(c.Factor(1)-7.0/8) > 1e-12 || !c.Usable() {
		t.Errorf("eight players: %+v", c)
	}
	if c := Count(alone); c.Pairs || math.Abs(c.Factor(1)-8.0/9) > 1e-12 || !c.Hub(9) {
		t.Errorf("nine against one: %+v", c)
	}
	if c := Count([]Pair{{0, 1}, {1, 2}, {2, 0}}); c.Usable() || len(c.All) != 3 {
		t.Errorf("three: %+v", c)
	}
}

// TestDegrees: n clusters that are alike have n-1 degrees of freedom, whatever the effect, one that is larger than all
// others few; Student's quantile is that of the tables.
func TestDegrees(t *testing.T) {
	var alike, one Sizes
	for range 8 {
		alike.Add(0.25)
	}
	one.Add(0.5)
	for range 1000 {
		one.Add(0.0015)
	}
	if a, b := alike.OfPlayers(1), alike.OfPlayers(20); math.Abs(a-7) > 1e-9 || math.Abs(b-7) > 1e-9 || math.Abs(alike.Degrees()-7) > 1e-9 {
		t.Errorf("alike: %v, %v, %v", a, b, alike.Degrees())
	}
	if a, b := one.OfPlayers(1), one.OfPlayers(1e4); a < 10 || b > 1.1 {
		t.Errorf("one of many: %v, %v", a, b)
	}
	if reach := (Spread{Variance: math.NaN()}).Reach(); !math.IsNaN(reach) {
		t.Errorf("without an estimate: ±%v", reach)
	}
	if q := Quantile95(7); math.Abs(q-2.3646) > 1e-4 || math.Abs(AsNormal(q, 7)-Normal95) > 1e-6 {
		t.Errorf("t(7): %v, as normal %v", q, AsNormal(q, 7))
	}
}

func TestOf(t *testing.T) {
	var match, club, alone []Pair
	for i := range int32(100) {
		match = append(match, Pair{0, 1})
		club = append(club, Pair{i % 20, (i*7 + 1) % 20})
		alone = append(alone, Pair{0, 1 + i%50})
	}
	if c := Of(match); len(c.Hubs) != 2 || c.Usable() || len(c.All) != 2 {
		t.Errorf("a match of two: %+v", c)
	}
	if c := Of(club); c.Players != 20 || math.Abs(c.Effective-20) > 1 || !c.Usable() || !c.Pairs {
		t.Errorf("a club: %d players, %v", c.Players, c.Effective)
	}
	if c := Of(alone); len(c.Hubs) != 1 || c.Players != 50 || !c.Usable() {
		t.Errorf("one player's games: %+v", c)
	}
}
