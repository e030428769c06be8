package fittest

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"

	"kifu/eval"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/internal/dyads"
)

// wthor is who met whom in the WTHOR database of 1989 (Fédération Française d'Othello), the
// players by number: clubs, tournaments and a few who play much.
//
//go:embed testdata/wthor-1989.csv
var wthor []byte

// Schedule returns the first games of a real schedule, of 2,144 games and 306 players; 0: all.
func Schedule(games int) []dyads.Pair {
	lines, err := csv.NewReader(bytes.NewReader(wthor)).ReadAll()
	if err != nil {
		panic(err)
	}
	var out []dyads.Pair
	for _, line := range lines[1:] {
		a, err1 := strconv.Atoi(line[0])
		b, err2 := strconv.Atoi(line[1])
		if err1 != nil || err2 != nil {
			panic("testdata/wthor-1989.csv: damaged")
		}
		out = append(out, dyads.Pair{A: int32(a), B: int32(b)})
	}
	if games > 0 {
		out = out[:games]
	}
	return out
}

// Anyone draws both players of a game from all.
func Anyone(players, games int) func(rng *rand.Rand) []dyads.Pair {
	return func(rng *rand.Rand) (all []dyads.Pair) {
		for range games {
			p := rng.IntN(players)
			q := (p + 1 + rng.IntN(players-1)) % players
			all = append(all, dyads.Pair{A: int32(p), B: int32(q)})
		}
		return all
	}
}

// Sides has the first half of the players always move first.
func Sides(schedule func(rng *rand.Rand) []dyads.Pair, players int32) func(rng *rand.Rand) []dyads.Pair {
	return func(rng *rand.Rand) []dyads.Pair {
		all := schedule(rng)
		for g := range all {
			all[g] = dyads.Pair{A: rng.Int32N(players / 2), B: players/2 + rng.Int32N(players/2)}
		}
		return all
	}
}

// Hubs has some players of whom one is in every game, against one of many others.
func Hubs(few, many, games int) func(rng *rand.Rand) []dyads.Pair {
	return func(rng *rand.Rand) (all []dyads.Pair) {
		for g := range games {
			p := dyads.Pair{A: int32(rng.IntN(few)), B: int32(few + rng.IntN(many))}
			if g%2 == 1 {
				p.A, p.B = p.B, p.A
			}
			all = append(all, p)
		}
		return all
	}
}

// Zipf has players whose numbers of games are as 1, 1/2, 1/3, …
func Zipf(players, games int) func(rng *rand.Rand) []dyads.Pair {
	return func(rng *rand.Rand) (all []dyads.Pair) {
		var sum []float64
		total := 0.0
		for k := range players {
			total += 1 / float64(k+1)
			sum = append(sum, total)
		}
		draw := func() int32 { return int32(sort.SearchFloat64s(sum, total*rng.Float64())) }
		for len(all) < games {
			if p := (dyads.Pair{A: draw(), B: draw()}); p.A != p.B {
				all = append(all, p)
			}
		}
		return all
	}
}

// Fresh has new players in every game.
func Fresh(games int) func(rng *rand.Rand) []dyads.Pair {
	return func(*rand.Rand) (all []dyads.Pair) {
		for g := range games {
			all = append(all, dyads.Pair{A: int32(2 * g), B: int32(2*g + 1)})
		}
		return all
	}
}

// Club makes games in which players are stronger than their evaluations suggest: who wins has
// the log-odds Scale·e plus the difference of the players' effects, which are normal with the
// standard deviation Effect. Evaluations and the terms, which mean nothing, differ by player
// too, independently of that. Players are drawn again for each data set.
type Club struct {
	Games  []dyads.Pair
	Terms  int
	Effect float64 // log-odds
}

const (
	clubScale     = 0.006 // w_0, in log-odds a centipawn
	clubSpread    = 100   // centipawns: of evaluations, in addition to what players differ by
	clubOwn       = 0.8   // what players differ by, of that
	clubPositions = 2     // of a game
)

// Play returns the games as rows with their players.
func (c Club) Play(rng *rand.Rand) *rows.Store {
	m := &eval.Model{Stages: []string{"all"}, Knots: []int{0}}
	var free []int
	for i := range c.Terms {
		m.Terms = append(m.Terms, eval.Term{Name: "t" + strconv.Itoa(i), Group: "noise", Weights: []float64{0}})
		free = append(free, i)
	}
	b := rows.NewBuilder(rows.NewDesign(m, free, nil, nil))
	effect, own, style := map[int32]float64{}, map[int32]float64{}, map[int32][]float64{}
	for _, g := range c.Games {
		for _, p := range [2]int32{g.A, g.B} {
			if _, seen := effect[p]; seen {
				continue
			}
			effect[p], own[p] = c.Effect*rng.NormFloat64(), clubOwn*rng.NormFloat64()
			for range c.Terms {
				style[p] = append(style[p], rng.NormFloat64())
			}
		}
	}
	players := dyads.ByID{}
	for i, g := range c.Games {
		players[int64(i)] = g
		e := clubSpread * (rng.NormFloat64() + own[g.A] - own[g.B])
		won := rng.Float64() < losses.Win(clubScale*e+effect[g.A]-effect[g.B])
		for range clubPositions {
			x := &rows.Row{Game: int64(i), Value: e, Weight: 1, Stratum: rows.NoStratum}
			if won {
				x.Y = 1
			}
			for t := range c.Terms {
				n := math.Round(2*rng.NormFloat64() + style[g.A][t] - style[g.B][t])
				if n != 0 {
					x.Features = append(x.Features, rows.Count{Slot: uint32(t), N: int16(n)})
				}
			}
			b.Add(x)
		}
	}
	r := b.Finish()
	r.Players = players
	return r
}

// Scale returns the w_0 that a fit to any number of games tends to. It is less than the one of
// a single player's games, because what players differ by makes results less certain:
// the root of Σ e·(P(e) - g(w·e)), P being the chance to win over all players, with sums in
// the place of integrals.
func (c Club) Scale() float64 {
	const steps, reach = 200, 6
	spread := clubSpread * math.Sqrt(1+2*clubOwn*clubOwn)
	type point struct{ x, density float64 }
	var grid []point
	for i := range steps {
		x := reach * (2*(float64(i)+0.5)/steps - 1)
		grid = append(grid, point{x, math.Exp(-x * x / 2)})
	}
	wins := make([]float64, steps)
	for i, e := range grid {
		total := 0.0
		for _, b := range grid {
			wins[i] += b.density * losses.Win(clubScale*spread*e.x+math.Sqrt2*c.Effect*b.x)
			total += b.density
		}
		wins[i] /= total
	}
	low, high := 0.0, 2*clubScale
	for range 60 {
		w := (low + high) / 2
		off := 0.0
		for i, e := range grid {
			off += e.density * e.x * (wins[i] - losses.Win(w*spread*e.x))
		}
		if off > 0 {
			low = w
		} else {
			high = w
		}
	}
	return (low + high) / 2
}
