package decide

import (
	"math"
	"strconv"

	"kifu/games"
	"kifu/internal/lists"
	"kifu/internal/splitmix"
	"kifu/search"
)

// Key identifies a move in a position.
func Key[P games.Position[P]](p P, m games.Move) uint64 {
	return splitmix.Mix(p.Hash() ^ splitmix.Mix(uint64(m)))
}

// Within reports whether a ply is from the first one on and before the end; 0: there is none.
func Within(ply, first, end int) bool { return ply >= first && (end == 0 || ply < end) }

// Values returns the values of the legal moves of p for its side to move, in 1/search.Grain units.
// Index i has the values for looking i+1 plies ahead, up to deepest. A strategy (f, d) of Carmel
// and Markovitch (1993) looks d plies ahead of the board, so the position after a move is searched
// d-1 plies deep.
func Values[P games.Position[P]](s *search.Searcher[P], p P, deepest int) [][]int32 {
	moves, sign := p.AppendMoves(nil), p.ToMove().Sign()
	values := lists.N(deepest, func(int) []int32 { return make([]int32, len(moves)) })
	s.Alternatives(p, deepest, 1, func(d, i int, r search.Result[P]) { values[d-1][i] = r.Value * sign })
	return values
}

// QuietValues returns the same by searches with quiescence at their leaves.
func QuietValues[P games.Position[P]](s *search.Searcher[P], p P, deepest int) [][]int32 {
	return QuietValuesOf(s, p, p.AppendMoves(nil), deepest)
}

// QuietValuesOf is QuietValues of some moves.
func QuietValuesOf[P games.Position[P]](s *search.Searcher[P], p P, moves []games.Move, deepest int) [][]int32 {
	sign := p.ToMove().Sign()
	values := lists.N(deepest, func(int) []int32 { return make([]int32, len(moves)) })
	for i, m := range moves {
		next := p.Play(m)
		values[0][i] = s.Depth(next, 0).Value * sign
		if deepest > 1 {
			s.Deepen(next, deepest-1, func(d int, r search.Result[P]) { values[d][i] = r.Value * sign })
		}
	}
	return values
}

// LogChance returns ln P(move i) of a noisy choice: with probability lapse the player plays
// a random legal move, else move i with probability proportional to exp(value i /
// temperature). The temperature is in the evaluator's unit, above 0.
func LogChance(values []int32, i int, temperature, lapse float64) float64 {
	best := values[0]
	for _, v := range values {
		best = max(best, v)
	}
	sum, t := 0.0, temperature*search.Grain
	for _, v := range values {
		sum += math.Exp(float64(v-best) / t)
	}
	p := math.Exp(float64(values[i]-best)/t) / sum
	return math.Log(lapse/float64(len(values)) + (1-lapse)*p)
}

// The least temperature and lapse for computing the chances of moves. A model may have less, but then a
// single move that it does not expect would make it impossible.
const (
	LeastTemperature = 1.0 / search.Grain
	LeastLapse       = 0.001
)

// Decimal is a number as the tables of a model's directory have it: six digits.
func Decimal(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// OrEmpty is Decimal, or nothing for a number that there is not.
func OrEmpty(x *float64) string {
	if x == nil {
		return ""
	}
	return Decimal(*x)
}

// Split puts games into parts by a seed: a share is held out from fits and chooses between
// them, another is kept for tests.
type Split struct {
	Seed          uint64
	Holdout, Test float64
}

// Part is the use of a game's decisions.
type Part uint8

// The parts of a Split.
const (
	Train Part = iota // weights, temperatures and lapses are fitted to them
	Held              // for early stopping and for the choice between fits
	Test              // for the quality of the chosen one
)

func (p Part) String() string { return [...]string{"train", "held_out", "test"}[p] }

// Of returns the part of a game.
func (s Split) Of(game int64) Part {
	switch x := Share(s.Seed, uint64(game)); {
	case x < s.Holdout:
		return Held
	case x < s.Holdout+s.Test:
		return Test
	}
	return Train
}

// Share returns a number in [0, 1) determined by seed and n.
func Share(seed, n uint64) float64 {
	return float64(splitmix.Mix(seed^splitmix.Mix(n+splitmix.Golden))>>11) / (1 << 53)
}
