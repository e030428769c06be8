// Package skillsim plays games of players whose levels are known, for tests and simulations of internal/skill.
package skillsim

import (
	"math"
	"math/rand/v2"

	"kifu/internal/skill"
)

// League is players who meet each other again and again. A player's level is the rating and something of the player's own; the
// level of a day is the player's and something of the game.
type League struct {
	Players, Games int // games of each player
	Moves          int // of a side in a game, on average
	Own, Day       float64
	Help           float64 // share of the moves of every Nth player that are replaced by the best one
	Nth            int
	Levels         []float64 // of players, when it has been played
	Ratings        []float64
}

// Helped reports whether a player has help.
func (l *League) Helped(player int) bool { return l.Help > 0 && player%l.Nth == 0 }

// Play plays the games, with the losses of all legal moves or of the move played alone.
func (l *League) Play(rng *rand.Rand, all bool) *skill.Moves {
	m := skill.Losses()
	if all {
		m = skill.Choices()
	}
	l.Levels, l.Ratings = nil, nil
	for range l.Players {
		rating := math.Round(1200 + 800*rng.Float64())
		l.Ratings, l.Levels = append(l.Ratings, rating), append(l.Levels, rating+l.Own*rng.NormFloat64())
	}
	for g := range l.Players * l.Games / 2 {
		first := rng.IntN(l.Players)
		for _, p := range [2]int{first, (first + 1 + rng.IntN(l.Players-1)) % l.Players} {
			m.Begin(p, int64(g), l.Ratings[p])
			level := l.Levels[p] + l.Day*rng.NormFloat64()
			for i := range 1 + rng.IntN(2*l.Moves-1) {
				help := l.Helped(p) && rng.Float64() < l.Help
				if all {
					choose(rng, m, level, help)
				} else {
					lose(rng, m, level, 2*i, help)
				}
			}
		}
	}
	return m
}

// Consistency and the sensitivity at 1600 and by a hundred points, of players who choose among all moves.
const (
	Consistency = 0.6
	Sensitivity = -1
	ByHundred   = -0.08
)

// choose plays a move of 5 to 29 by the law of choices.
func choose(rng *rand.Rand, m *skill.Moves, level float64, help bool) {
	s := math.Exp(Sensitivity + ByHundred*(level-1600)/100)
	values, chances := make([]float64, 5+rng.IntN(25)), make([]float64, 29)
	best := 0
	for j := range values {
		if values[j] = -1.5 * rng.ExpFloat64(); values[j] > values[best] {
			best = j
		}
	}
	sum, played := 0.0, best
	for j, v := range values {
		chances[j] = math.Exp(-math.Pow((values[best]-v)/s, Consistency))
		sum += chances[j]
	}
	at := rng.Float64() * sum
	for j := range values {
		if at -= chances[j]; at < 0 {
			played = j
			break
		}
	}
	if help {
		played = best
	}
	m.Choose(values, played)
}

// lose plays a move that loses nothing in half of all cases, and else an amount with a long tail.
func lose(rng *rand.Rand, m *skill.Moves, level float64, ply int, help bool) {
	before := skill.Scaled(150*rng.NormFloat64(), 100)
	loss := 0.0
	if rng.Float64() < 0.5 && !help {
		root := rng.ExpFloat64() * math.Exp(-0.7-0.05*(level-1600)/100)
		loss = root * root
	}
	m.Lose(before, before-loss, ply)
}
