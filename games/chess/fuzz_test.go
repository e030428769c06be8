package chess

import (
	"slices"
	"testing"

	"kifu/games"
)

// FuzzFEN: a FEN that is read is written so that it is read as the same position, and
// no legal move from it exposes a king.
func FuzzFEN(f *testing.F) {
	f.Add(StartFEN)
	f.Add("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	f.Add("1r3k1r/8/8/8/8/8/8/R1R2K1R w HChb - 0 1")
	f.Add("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2")
	f.Add("1r2k3/8/8/1PpP4/8/8/8/1K6 w - c6 0 2") // one of two pawns may take in passing
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseFEN(text)
		if err != nil {
			return
		}
		again, err := ParseFEN(p.String())
		if err != nil || again != p {
			t.Fatalf("%q: written as %q, which is read as %q, %v", text, p, again, err)
		}
		for _, m := range p.AppendMoves(nil) {
			q := p.Play(m)
			if err := q.validate(); err != nil || q.hash != q.computeHash() {
				t.Fatalf("%s: after %s it is %s: %v", p, Rules{}.AppendMove(nil, p, m), q, err)
			}
		}
	})
}

// FuzzSAN: whatever the text, in whatever language, the move that it is resolved to is
// legal, and is resolved to again from its own SAN and coordinates.
func FuzzSAN(f *testing.F) {
	for _, text := range []string{"e4", "Nbd2", "Sbd2", "Кр:d2", "O–O", "P-K4", "O-O-O", "exd6e.p.", "a7a8q", "Kxh1", "♘f3", "bxc3"} {
		f.Add("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", []byte(text))
	}
	f.Add("1r3k1r/6P1/8/3pP3/8/8/8/1R3K1R w HBhb d6 0 1", []byte("gxh8=N"))
	f.Add("4k3/8/8/8/8/8/p7/R3K3 b Q - 0 1", []byte("xa1"))
	f.Fuzz(func(t *testing.T, fen string, text []byte) {
		p, err := ParseFEN(fen)
		if err != nil {
			return
		}
		checkText(t, p, text)
		for i, name := range (Rules{}).Dialects() {
			translated, _ := Rules{}.Translate(nil, i, text)
			if len(translated) > len(text) {
				t.Fatalf("%q is %q in %s", text, translated, name)
			}
			checkText(t, p, translated)
		}
	})
}

func checkText(t *testing.T, p Position, text []byte) {
	m, err := Rules{}.ParseMove(p, text)
	if err != nil {
		if _, ok := err.(games.Reason); !ok || m != 0 {
			t.Fatalf("%s: %q: move %#x, error %#v", p, text, m, err)
		}
		return
	}
	if !slices.Contains(p.AppendMoves(nil), m) {
		t.Fatalf("%s: %q is resolved to %#x, which is illegal", p, text, m)
	}
	for _, again := range [][]byte{Rules{}.AppendMove(nil, p, m), Rules{}.AppendCoordinates(nil, p, m)} {
		if got, err := (Rules{}).ParseMove(p, again); got != m || err != nil {
			t.Fatalf("%s: %q is resolved to %#x and written as %q, which is resolved to %#x, %v", p, text, m, again, got, err)
		}
	}
}
