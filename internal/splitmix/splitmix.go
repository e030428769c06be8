// Package splitmix samples by hashes: whether a game, a position or a row is taken depends
// on its number and a seed alone, not on its place or the order of the work. Steele, Lea
// and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014).
package splitmix

import "math/rand/v2"

// Golden is the increment of SplitMix64, 2⁶⁴ divided by the golden ratio.
const Golden = 0x9e3779b97f4a7c15

// Mix is the finisher of SplitMix64: every bit of x changes every bit of the result.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Hash returns output number n of the generator that a seed starts, from -1.
func Hash(seed uint64, n int64) uint64 { return Mix(Mix(seed+Golden) + uint64(n)*Golden) }

// Share returns Hash as a number in [0, 1): n is in a sample of share s if it is below s.
func Share(seed uint64, n int64) float64 { return float64(Hash(seed, n)>>11) / (1 << 53) }

// Stream returns the random numbers of one thing that is numbered (a game, a player) for
// one purpose: independent of other numbers, purposes and seeds.
func Stream(seed uint64, purpose, number int) *rand.Rand {
	a := Mix(seed + uint64(purpose)*Golden)
	return rand.New(rand.NewPCG(a, Mix(a^uint64(number))))
}
