package main

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"kifu/bench/simulation/walk"
	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/fit/solve"
	"kifu/internal/dyads"
)

// returning: do intervals of fits to moves, and of LSTD, hold where players return, games are of unequal length and some are copies?
var returning = study{
	name:  "returning players",
	about: "Players have own weights for moves (a standard deviation of 0.3 in log-odds), or effects on results of half a log-odds; games have from a few to hundreds of positions, and one in twenty of the former is a copy. Intervals should hold the weights of a large fit in 95 %.",
	cases: []kind{
		movesCase(losses.Choice, "60 players, games by Zipf's law", fittest.Zipf(60, 200)),
		movesCase(losses.Choice, "6 engines", fittest.Anyone(6, 120)),
		movesCase(losses.Choice, "30 players, 60 games", fittest.Anyone(30, 60)),
		movesCase(losses.Pairs, "60 players, games by Zipf's law", fittest.Zipf(60, 200)),
		movesCase(losses.Pairs, "6 engines", fittest.Anyone(6, 120)),
		lstdCase("nobody returns, 80 games", fittest.Fresh(80)),
		lstdCase("60 players, games by Zipf's law", fittest.Zipf(60, 300)),
		lstdCase("6 engines", fittest.Anyone(6, 240)),
	},
}

// returnCase is games of a schedule that play makes, fitted by a method.
func returnCase(name string, s solve.Settings, schedule func(rng *rand.Rand) []dyads.Pair, play func(rng *rand.Rand, schedule []dyads.Pair) *rows.Store) kind {
	var once sync.Once
	var truth []float64
	var failed error
	s.Workers = 1
	return kind{name: s.Method + ", " + name,
		want: map[string][2]float64{"weights covered, " + dyads.Both: {0.93, 0.99}},
		play: func(ctx context.Context, seed, i uint64, count func(string, bool)) error {
			once.Do(func() {
				e, err := solve.Fit(ctx, play(walk.Source(seed+1, 0), fittest.Fresh(6000)(nil)), s)
				if err != nil {
					failed = err
					return
				}
				truth = e.Weights
			})
			if failed != nil {
				return failed
			}
			rng := walk.Source(seed, i)
			r := play(rng, schedule(rng))
			for _, way := range []string{dyads.ByGame, dyads.Both} {
				s := s
				s.Cluster = way
				e, err := solve.Fit(ctx, r, s)
				if err != nil {
					return err
				}
				for j, w := range truth {
					count("weights covered, "+way, covers(e, j, w))
				}
			}
			return nil
		}}
}

// lengthOf is the number of positions of a game.
func lengthOf(rng *rand.Rand) int {
	return min(200, 1+int(math.Exp(math.Log(16)+0.8*rng.NormFloat64())))
}

func movesCase(method, name string, schedule func(rng *rand.Rand) []dyads.Pair) kind {
	k := returnCase(name, solve.Settings{Method: method}, schedule, func(rng *rand.Rand, schedule []dyads.Pair) *rows.Store {
		return playMoves(rng, method, schedule)
	})
	k.slow = method == losses.Choice
	return k
}

// playMoves has each mover choose by weights of their own.
func playMoves(rng *rand.Rand, method string, schedule []dyads.Pair) *rows.Store {
	const per = 0.01 // log-odds a unit of the value
	own := map[int32][4]float64{}
	of := func(p int32) [4]float64 {
		if _, seen := own[p]; !seen {
			w := [4]float64{0.3, -0.4, 0.25, 0.2}
			for i := range w {
				w[i] += 0.3 * rng.NormFloat64()
			}
			own[p] = w
		}
		return own[p]
	}
	var last []fittest.Move
	players := dyads.ByID{}
	r := fittest.Decisions(method, func(add func(fittest.Move)) {
		for g, pair := range schedule {
			if players[int64(g)] = pair; g > 0 && rng.IntN(20) == 0 { // a copy
				players[int64(g)] = players[int64(g-1)]
			} else {
				last = last[:0]
				for ply := range lengthOf(rng) {
					first := ply%2 == 0
					w := of(pair.A)
					if !first {
						w = of(pair.B)
					}
					last = append(last, decision(rng, ply, first, w, per)...)
				}
			}
			for _, x := range last {
				x.Game = int64(g)
				add(x)
			}
		}
	})
	r.Players = players
	return r
}

// decision is the moves of a position, of which one was played.
func decision(rng *rand.Rand, ply int, first bool, w [4]float64, per float64) []fittest.Move {
	all := make([]fittest.Move, 2+rng.IntN(5))
	best, most := 0, math.Inf(-1)
	for i := range all {
		phase, a, b, c, value := max(0, 24-ply/2), int16(rng.IntN(5)-2), int16(rng.IntN(3)-1), rng.NormFloat64(), 100*rng.NormFloat64()
		all[i] = fittest.NewMove(0, ply, first, false, phase, a, b, c, value)
		m := float64(phase) / 24
		u := per*value + (w[0]*m+w[1]*(1-m))*float64(a) + w[2]*float64(b) + w[3]*c
		if !first {
			u = -u
		}
		if u -= math.Log(rng.ExpFloat64()); u > most {
			best, most = i, u
		}
	}
	all[best].Y *= losses.PlayedRow
	return all
}

func lstdCase(name string, schedule func(rng *rand.Rand) []dyads.Pair) kind {
	return returnCase(name, solve.Settings{Method: losses.LSTD, Temporal: solve.Temporal{Lambda: []float64{0.8}}}, schedule, playUneven)
}

// playUneven plays exact walks of unequal length, whose drift is by the players, too.
func playUneven(rng *rand.Rand, schedule []dyads.Pair) *rows.Store {
	parts := []part{{weight: 30}, {weight: -15}, {weight: 0}}
	b := rows.NewBuilder(designOf(parts))
	effect, style := map[int32]float64{}, map[int32]float64{}
	players := dyads.ByID{}
	for game, pair := range schedule {
		for _, p := range [2]int32{pair.A, pair.B} {
			if _, seen := effect[p]; !seen {
				effect[p], style[p] = 0.5*rng.NormFloat64(), 0.3*rng.NormFloat64()
			}
		}
		players[int64(game)] = pair
		won := rng.Float64() < 1/(1+math.Exp(effect[pair.B]-effect[pair.A]))
		known, counts := 0, make([]int, len(parts))
		for left := lengthOf(rng); left > 0; left-- {
			known += walk.Step(rng, won, scale*knownStep)
			for i, p := range parts {
				counts[i] += walk.Step(rng, won, scale*p.weight)
			}
			if rng.Float64() < math.Abs(style[pair.A]-style[pair.B]) { // a habit in what means nothing
				counts[2] += 1 - 2*b2i(style[pair.A] < style[pair.B])
			}
			b.Add(row(game, won, known, counts))
			if known > 12 || known < -12 {
				left -= 3 // what is decided ends
			}
		}
	}
	r := b.Finish()
	r.Players = players
	return r
}

func b2i(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
