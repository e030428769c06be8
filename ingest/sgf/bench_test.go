package sgf

import (
	"strings"
	"testing"
)

const game = "(;GM[1]FF[4]CA[UTF-8]SZ[19]GN[1]DT[2016-06-01]PB[a]BR[9d]PW[b]WR[9d]KM[6.5]RE[B+Resign]RU[Japanese]TM[0]OT[3x20 byo-yomi]PC[here]\n"

// long is a game of 2n moves.
func long(n int) string { return game + strings.Repeat(";B[pd];W[dp]", n) + ")\n" }

// TestGamesDoNotAllocate: a reader that has read a game takes no memory for the next.
func TestGamesDoNotAllocate(t *testing.T) {
	if n := tested.Allocations(t, long(60), 120); n != 0 {
		t.Errorf("%v allocations a game: want none", n)
	}
}

// BenchmarkRead reads the file that SGF names, as one block, from memory; without it a
// game a thousand times.
func BenchmarkRead(b *testing.B) {
	tested.ReadFile(b, "SGF", strings.Repeat(long(100), 1000))
}
