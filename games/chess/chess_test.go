package chess_test

import (
	"strings"
	"testing"

	"kifu/games/chess"
	"kifu/kit/gametest"
)

func TestRules(t *testing.T) {
	gametest.Run(t, chess.Rules{}, gametest.Options{
		Starts: []gametest.Start{
			{},
			{Position: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"},
			{Variant: "Chess960", Position: "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"},
			{Position: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"},
			{Position: "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"},
			{Position: "4k3/8/b7/8/4n3/7p/7P/6KR w K - 0 1"}, // castling is the only move
		},
		Perft: []string{"testdata/standard.perft", "testdata/tricky.perft", "testdata/chess960.perft"},
		// The two counters of a FEN are not part of the hash.
		Key: func(fen string) string { return strings.Join(strings.Fields(fen)[:4], " ") },
	})
}
