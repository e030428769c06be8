package gametest

import (
	"testing"

	"kifu/games"
)

// Exchange plays random games from a position's text, "" for the usual start. With the sides exchanged each position has the same
// moves, and these lead to the positions exchanged; exchanged twice, it is the same.
func Exchange[P games.Position[P]](t *testing.T, rules games.Rules[P], position string) {
	t.Helper()
	exchanger := rules.(games.Exchanger[P])
	start, _, err := rules.Start("", position)
	if err != nil {
		t.Fatal(err)
	}
	same := func(a, b P) bool {
		return a.Hash() == b.Hash() && string(rules.AppendBoard(nil, a)) == string(rules.AppendBoard(nil, b))
	}
	text := func(p P) string { return string(rules.AppendPosition(nil, p)) }
	for seed := range uint64(10) {
		Random(start, 80, seed, func(p P, _ []games.Move) {
			q := exchanger.Exchange(p)
			if twice := exchanger.Exchange(q); !same(twice, p) {
				t.Fatalf("%s: exchanged twice is %s", text(p), text(twice))
			}
			moves, others := p.AppendMoves(nil), map[games.Move]bool{}
			for _, m := range q.AppendMoves(nil) {
				others[m] = true
			}
			if len(moves) != len(others) || q.ToMove() == p.ToMove() {
				t.Fatalf("%s is %s", text(p), text(q))
			}
			for _, m := range moves {
				other := exchanger.ExchangeMove(p, m)
				if !others[other] {
					t.Fatalf("%s, %s: not a move of %s", text(p), rules.AppendMove(nil, p, m), text(q))
				}
				if got, want := q.Play(other), exchanger.Exchange(p.Play(m)); !same(got, want) {
					t.Fatalf("%s, %s: %s, want %s", text(p), rules.AppendMove(nil, p, m), text(got), text(want))
				}
			}
		})
	}
}
