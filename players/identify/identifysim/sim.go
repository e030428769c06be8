// Package identifysim makes evidence of planted players, of whom all is known, to hold the
// posteriors of identify against.
//
// Every decision has five moves, which each candidate k values by numbers of its own; a player
// plays move i with a chance in proportion to exp(value i). The evidence comes from the values
// of the candidates. Three things make it claim too much, as in records:
//
//	Repeat  every decision counts as often: moves of one game repeat the same evidence
//	Habit   the player's true values differ from the candidate's by fixed amounts, which are
//	        the same in all games: the models are wrong about the player in one direction
//	Blank   the share of decisions in which all candidates value alike
package identifysim

import (
	"math"
	"math/rand/v2"

	"kifu/players/identify"
)

// Planted are players of whom all is known.
type Planted struct {
	Players   int
	Decisions int     // of a game
	Spread    float64 // standard deviation of a candidate's values around the values of all
	Repeat    int     // from 1
	Habit     float64 // standard deviation of what is wrong about a player; 0: nothing
	Blank     float64
}

const (
	moves = 5
	kinds = 40 // of decisions, which return in all games
)

// World are the players' values, drawn once.
type World struct {
	Planted
	by   [][kinds][moves]float64 // of the candidates
	true [][kinds][moves]float64 // of the players
}

// New draws the players.
func (p Planted) New(rng *rand.Rand) *World {
	w := &World{Planted: p}
	var base [kinds][moves]float64
	blank := [kinds]bool{}
	for d := range base {
		blank[d] = rng.Float64() < p.Blank
		for m := range base[d] {
			base[d][m] = rng.NormFloat64()
		}
	}
	for range p.Players {
		of, is := base, base
		for d := range of {
			for m := range of[d] {
				if !blank[d] {
					of[d][m] += p.Spread * rng.NormFloat64()
				}
				is[d][m] = of[d][m] + p.Habit*rng.NormFloat64()
			}
		}
		w.by, w.true = append(w.by, of), append(w.true, is)
	}
	return w
}

// Games plays n games of each player. Half of the decisions of a game are evidence of one kind,
// half of the other.
func (w *World) Games(rng *rand.Rand, n int) (all []identify.Evidence) {
	for k := range w.Players {
		for range n {
			e := identify.Evidence{Player: k}
			for kind := range e.Log {
				e.Log[kind] = make([]float64, w.Players)
			}
			for i := range w.Decisions {
				d := rng.IntN(kinds)
				m := draw(w.true[k][d], rng)
				for c := range w.Players {
					e.Log[i%len(e.Log)][c] += float64(w.Repeat) * log(w.by[c][d], m)
				}
			}
			all = append(all, e)
		}
	}
	return all
}

func log(values [moves]float64, m int) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Exp(v)
	}
	return values[m] - math.Log(sum)
}

func draw(values [moves]float64, rng *rand.Rand) int {
	x := rng.Float64()
	for m := range values {
		if x -= math.Exp(log(values, m)); x < 0 {
			return m
		}
	}
	return moves - 1
}
