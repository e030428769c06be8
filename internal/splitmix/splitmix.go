// Package splitmix draws by hashes: whether a game, a position or a row is taken depends
// on its number and a seed alone, not on its place or on who asks. Steele, Lea and Flood,
// "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014).
package splitmix

// Golden is the increment of SplitMix64, 2⁶⁴ over the golden ratio.
const Golden = 0x9e3779b97f4a7c15

// Mix is the finisher of SplitMix64: every bit of x changes every bit of the result.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Hash is output number n of the generator that a seed starts, from -1.
func Hash(seed uint64, n int64) uint64 { return Mix(Mix(seed+Golden) + uint64(n)*Golden) }

// Share is Hash as a number from 0 up to 1: below a share, n is drawn.
func Share(seed uint64, n int64) float64 { return float64(Hash(seed, n)>>11) / (1 << 53) }
