package pdn

import (
	"testing"

	"kifu/kit/recordtest"
)

// FuzzReader: whatever is read, games lie in the stream in their order and hold no more than
// it has, and do not depend on where the stream is cut.
func FuzzReader(f *testing.F) {
	tested.FuzzOrder(f, recordtest.LineOf)
}

// FuzzDamage: whatever stands in the place of game k, the games before it and from the
// next but one on are read as ever.
func FuzzDamage(f *testing.F) {
	const before, after = "[Event \"0\"]\n\n1. 11-15 {c} 24-20 1-0\n\n", "[Event \"2\"]\n[White \"w\"]\n\n1. 9-14 (1. 9-13) 22-17 *\n\n[White \"3\"]\n[Event \"e\"]\n\n1. 10-14 {d} 22-18 0-1\n\n[Event \"4\"]\n\n1. 12-16 *\n"
	tested.FuzzDamage(f, before, after, 1, 2)
}
