package decide

import (
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
