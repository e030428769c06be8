// Package elo rates players by games in random orders of them, as Al-Khateeb and Kendall do.
package elo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Rating is the rating of a player after its games, in random orders of them: Al-Khateeb and
// Kendall, "The Importance of Look-Ahead Depth in Evolutionary Checkers", 2011, section II.
// Everyone begins at 1600. A game changes both ratings by C (outcome - W), where W is the
// outcome expected from the difference. C is 32 below 2100, 24 below 2400, and 16 from there
// on.
type Rating struct {
	Mean  float64 `json:"mean"`
	SD    float64 `json:"sd"` // standard deviation of one order
	Class string  `json:"class"`
}

const (
	firstRating = 1600
	// mostRated bounds the number of rated games, in all orders together.
	mostRated = 10_000_000
)

// Game is a finished game.
type Game struct {
	Players [2]int
	Halves  int // half points of the first player
}

// Rate rates n players by games in the given number of random orders, or fewer if the games
// are many. It returns the number of orders used.
func Rate(n int, games []Game, orders int, rng *rand.Rand) ([]Rating, int) {
	if len(games) == 0 || orders == 0 {
		return nil, 0
	}
	orders = min(orders, max(1, mostRated/len(games)))
	var (
		order   = make([]int32, len(games))
		lanes   [together]lane
		sums    = make([]float64, n)
		squares = make([]float64, n) // of differences from the first rating, for precision
	)
	for i := range order {
		order[i] = int32(i)
	}
	for done := 0; done < orders; done += together {
		some := lanes[:min(together, orders-done)]
		for l := range some {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			some[l] = lane{append(some[l].order[:0], order...), slices.Repeat([]float64{firstRating}, n)}
		}
		for i := range order {
			for l := range some {
				some[l].rate(&games[some[l].order[i]])
			}
		}
		for _, l := range some {
			for i, r := range l.ratings {
				sums[i] += r - firstRating
				squares[i] += (r - firstRating) * (r - firstRating)
			}
		}
	}
	list := make([]Rating, n)
	for i := range list {
		k := float64(orders)
		mean := sums[i] / k
		list[i] = Rating{Mean: firstRating + mean, SD: math.Sqrt(max(0, squares[i]/k-mean*mean))}
		list[i].Class = class(list[i].Mean)
	}
	return list, orders
}

// together are the orders that are rated game by game at once: each rating waits for the one before it in its order,
// and meanwhile the processor works at the others.
const together = 8

// lane is one order of the games, with the ratings so far.
type lane struct {
	order   []int32 // indices of games
	ratings []float64
}

// rate rates the players of g.
func (l *lane) rate(g *Game) {
	a, b := &l.ratings[g.Players[0]], &l.ratings[g.Players[1]]
	surprise := float64(g.Halves)/2 - expected(*a-*b)
	*a, *b = *a+step(*a)*surprise, *b-step(*b)*surprise
}

// expected returns the expected score, from 0 to 1, of the player rated higher by
// difference.
func expected(difference float64) float64 { return 1 / (1 + math.Exp(-difference*math.Ln10/400)) }

// step returns the C of a rating.
func step(rating float64) float64 {
	switch {
	case rating < 2100:
		return 32
	case rating < 2400:
		return 24
	}
	return 16
}

// class returns the name of a rating (table 1 of the paper).
func class(rating float64) string {
	switch band := math.Floor(rating / 200); {
	case rating >= 2400:
		return "Senior Master"
	case rating >= 2200:
		return "Master"
	case rating >= 2000:
		return "Expert"
	case band < 1:
		return "J"
	default:
		return string(rune('A' + 9 - int(band))) // A from 1800, I from 200
	}
}

// String returns "1188.9 ± 28.9 (class E)"; from 2000 on "2100.0 ± 28.9 (Expert)".
func (r Rating) String() string {
	name := r.Class
	if len(name) == 1 {
		name = "class " + name
	}
	return fmt.Sprintf("%.1f ± %.1f (%s)", r.Mean, r.SD, name)
}
