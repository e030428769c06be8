package chess

import (
	"slices"
	"testing"

	"kifu/games"
)

// TestMoveFeatures: positions in which a person can see what each move does.
func TestMoveFeatures(t *testing.T) {
	for _, c := range []struct {
		fen, last, move string
		want            []string
	}{
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "", "e4d5", []string{"takes a pawn", "takes and wins the exchange", "takes a man that hangs", "moves a man that hangs"}},
		{"r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "", "d5c7", []string{"moves a knight", "attacks a man worth more", "attacks a man that hangs", "attacks two pieces"}},
		{"4k3/8/8/8/1b6/8/8/R3K2R w KQ - 0 1", "b4", "e1g1", nil}, // in check: no castling
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1g1", []string{"moves the king", "castles short"}},
		{"4k3/8/8/8/1b6/8/8/4K1N1 w - - 0 1", "b4", "e1d1", []string{"moves the king"}},
		{"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "", "a1a8", []string{"moves a rook", "rook to an open file", "attacks next to the enemy king", "mates"}},
		{"4k3/8/8/6b1/8/4N3/8/4K3 w - - 0 1", "g5", "e3f5", []string{"moves a knight", "moves a man that the last move attacks", "moves a man that hangs"}},
		{"3qk3/8/4b3/8/8/3Q4/4P3/4K3 w - - 0 1", "", "d3d7", []string{"moves the queen", "moves to where it is lost", "rook or queen to the seventh rank"}},
	} {
		p, err := Rules{}.ParsePosition(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		last := -1
		if c.last != "" {
			last = int(SquareAt(int(c.last[0]-'a'), int(c.last[1]-'1')).Flip())
		}
		moves := p.AppendMoves(nil)
		at := slices.IndexFunc(moves, func(m games.Move) bool { return string(Rules{}.AppendCoordinates(nil, p, m)) == c.move })
		if at < 0 {
			if c.want != nil {
				t.Errorf("%s: no move %s", c.fen, c.move)
			}
			continue
		}
		var got []string
		Rules{}.EachMoveFeature(p, moves[at:at+1], last, func(_, feature int) { got = append(got, featureNames[feature]) })
		for _, name := range c.want {
			if !slices.Contains(got, name) {
				t.Errorf("%s, %s: no %q in %q", c.fen, c.move, name, got)
			}
		}
	}
	if len(featureNames) != mates+1 {
		t.Errorf("%d names of %d features", len(featureNames), mates+1)
	}
}

// TestMoveFeaturesMirror: the same move of the other side has the same features.
func TestMoveFeaturesMirror(t *testing.T) {
	p, err := Rules{}.ParsePosition("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2NP1/PP3PBP/R1BQ1RK1 w - - 0 9")
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		moves, other := p.AppendMoves(nil), Rules{}.Exchange(p)
		for _, m := range moves {
			var a, b []int
			Rules{}.EachMoveFeature(p, []games.Move{m}, int(To(m).Flip()), func(_, feature int) { a = append(a, feature) })
			Rules{}.EachMoveFeature(other, []games.Move{Rules{}.ExchangeMove(p, m)}, int(To(m)), func(_, feature int) { b = append(b, feature) })
			if !slices.Equal(a, b) {
				t.Fatalf("%s: %v, by the other side %v", Rules{}.AppendCoordinates(nil, p, m), a, b)
			}
		}
		if p = p.Play(moves[len(moves)/3]); len(p.AppendMoves(nil)) == 0 {
			break
		}
	}
}
