// Package walk moves the parts of a simulated evaluation, for the simulations in the folders around it:
// a random walk whose drift determines the winner, so that the chance to win is known exactly at every
// position.
package walk

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// Moving is the chance of a part to move in a ply.
const Moving = 0.3

// Step returns +1, -1 or 0. In games that the first player wins +1 has the odds e^odds against -1, in
// lost games e^-odds: a +1 adds this log-odds for the first player.
func Step(rng *rand.Rand, won bool, odds float64) int {
	if rng.Float64() >= Moving {
		return 0
	}
	if !won {
		odds = -odds
	}
	if rng.Float64() < 1/(1+math.Exp(-odds)) {
		return 1
	}
	return -1
}

// Source returns the source of data set number i: unlike PCG's, the streams of neighbouring
// seeds of ChaCha8 have nothing in common.
func Source(seed, i uint64) *rand.Rand {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], i)
	return rand.New(rand.NewChaCha8(key))
}
