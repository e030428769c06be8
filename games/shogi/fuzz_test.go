package shogi

import (
	"testing"

	"kifu/games"
)

// FuzzSFEN: a position that is read is written so that it is read as the same one, and
// no legal move from it makes it an impossible one.
func FuzzSFEN(f *testing.F) {
	f.Add(StartSFEN)
	f.Add("8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124")
	f.Add("startpos")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseSFEN(text)
		if err != nil {
			return
		}
		again, err := ParseSFEN(p.String())
		if err != nil || again != p {
			t.Fatalf("%q: written as %q, which is read as %q, %v", text, p, again, err)
		}
		moves := p.AppendMoves(nil)
		if p.canMove() != (len(moves) > 0) {
			t.Fatalf("%s: canMove %t with %d moves", p, p.canMove(), len(moves))
		}
		for _, m := range moves {
			q := p.Play(m)
			if err := q.validate(); err != nil || p.fault(m) != nil {
				t.Fatalf("%s: after %s it is %s: %v, %v", p, Rules{}.AppendMove(nil, p, m), q, err, p.fault(m))
			}
		}
	})
}

// FuzzMove: whatever the text, the move that it is read as is legal.
func FuzzMove(f *testing.F) {
	for _, text := range []string{"7g7f", "+7776FU", "７六歩(77)", "▲同銀右上成", "P*5e", "+Bx2b", "同　歩(00)", "5i5", "成香"} {
		f.Add(StartSFEN, []byte(text))
	}
	f.Add("8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124", []byte("8e7g+"))
	f.Fuzz(func(t *testing.T, sfen string, text []byte) {
		p, err := ParseSFEN(sfen)
		if err != nil {
			return
		}
		m, err := Rules{}.ParseMove(p, text)
		if err != nil {
			if _, ok := err.(games.Reason); !ok || m != 0 {
				t.Fatalf("%s: %q: %#x, %#v", p, text, m, err)
			}
			return
		}
		if q := p.Play(m); p.fault(m) != nil || q.validate() != nil {
			t.Fatalf("%s: %q is read as %#x: %v", p, text, m, p.fault(m))
		}
	})
}
