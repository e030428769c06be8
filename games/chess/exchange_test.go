package chess_test

import (
	"testing"

	"kifu/games/chess"
	"kifu/kit/gametest"
)

// TestExchange begins at positions with castling, and with pawns about to promote.
func TestExchange(t *testing.T) {
	for _, fen := range []string{chess.StartFEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"} {
		gametest.Exchange(t, chess.Rules{}, fen)
	}
}
