package main

import (
	"testing"

	"kifu/games/chess"
)

// TestLostInTwo: positions of King and Rook against King and Knight, Black to move, that one can judge without a program.
func TestLostInTwo(t *testing.T) {
	for fen, want := range map[string]bool{
		"4R2k/8/6K1/8/8/8/8/n7 b - - 0 1":  true,  // mated
		"8/8/8/R2k3n/8/8/8/K7 b - - 0 1":   true,  // the king leaves the line, and the rook takes the knight
		"8/8/8/R4k1n/8/8/8/K7 b - - 0 1":   false, // the same, and the king guards it
		"8/8/2n5/R2k3n/8/8/8/K7 b - - 0 1": false, // the other knight takes the rook
		"7k/5K2/8/8/8/8/8/R6n b - - 0 1":   false, // the knight is attacked, and leaves
		"k7/8/1K6/8/8/8/8/R6n b - - 0 1":   true,  // out of check, but the rook takes the knight
	} {
		p, err := chess.ParseFEN(fen)
		if err != nil {
			t.Fatal(fen, err)
		}
		if got := lostInTwo(p); got != want {
			t.Errorf("%s: %v", fen, got)
		}
	}
}
