package chess_test

import (
	"testing"

	"kifu/games"
	"kifu/games/chess"
	"kifu/kit/gametest"
)

// TestExchange: with the sides exchanged a position has the same moves, with the squares mirrored, and these lead
// to the positions exchanged; exchanged twice, it is the same.
func TestExchange(t *testing.T) {
	rules := chess.Rules{}
	for _, fen := range []string{chess.StartFEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"} {
		start, err := chess.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(10) {
			gametest.Random(start, 80, seed, func(p chess.Position, _ []games.Move) {
				q := rules.Exchange(p)
				if rules.Exchange(q) != p {
					t.Fatalf("%s: exchanged twice is %s", p, rules.Exchange(q))
				}
				moves := p.AppendMoves(nil)
				if len(moves) != len(q.AppendMoves(nil)) || q.ToMove() == p.ToMove() || p.InCheck() != q.InCheck() {
					t.Fatalf("%s is %s", p, q)
				}
				for _, m := range moves {
					next := p.Play(m)
					got, want := q.Play(rules.ExchangeMove(p, m)), rules.Exchange(next)
					if got.Hash() != want.Hash() || string(rules.AppendBoard(nil, got)) != string(rules.AppendBoard(nil, want)) {
						t.Fatalf("%s, %s: %s, want %s", p, name(p, m), got, want)
					}
				}
			})
		}
	}
}
