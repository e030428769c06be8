package decide

import (
	"math"

	"kifu/internal/splitmix"
)

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

// MeanByCluster returns the mean of x and its standard error when values of one cluster
// (the decisions of a game, the games of a player), which lie side by side, may depend on each
// other; nil for less than two clusters, and where all values are equal: a share of nothing or of all
// has an error, though they do not tell it (Percent tells it).
func MeanByCluster(x []float64, cluster func(i int) int64) (mean float64, se *float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v
	}
	mean /= n
	groups, squares := 0, 0.0
	for i := 0; i < len(x); {
		sum, of := 0.0, cluster(i)
		for ; i < len(x) && cluster(i) == of; i++ {
			sum += x[i] - mean
		}
		squares += sum * sum
		groups++
	}
	if groups > 1 && squares > 0 {
		e := math.Sqrt(squares*float64(groups)/float64(groups-1)) / n
		se = &e
	}
	return mean, se
}
