package draughts

import "testing"

// FuzzFEN: a FEN that is read is written so that it is read as the same position.
func FuzzFEN(f *testing.F) {
	for _, fen := range []string{"B:W21-32:B1-12", "W:WW31,WK46:B9,K10.", "?:W:BKb8,c1", "B:Wa3,Kc3:Bb8,BKd8:H1:F2", "W:W1-"} {
		for r := range uint8(4) {
			f.Add(r, fen)
		}
	}
	f.Fuzz(func(t *testing.T, rules uint8, fen string) {
		r := Rules(rules % 4)
		p, err := r.ParsePosition(fen)
		if err != nil {
			return
		}
		text := string(r.AppendPosition(nil, p))
		again, err := r.ParsePosition(text)
		if err != nil || again != p {
			t.Fatalf("%s %q: written as %q, which is read as %s, %v", r.Name(), fen, text, r.AppendPosition(nil, again), err)
		}
		if (p.own|p.opp)&^p.Board() != 0 || p.own&p.opp != 0 || p.kings&^(p.own|p.opp) != 0 {
			t.Fatalf("%s %q: men off the board or two on a square", r.Name(), fen)
		}
	})
}

// FuzzMove: whatever the text, the move that it is resolved to is legal, and is read
// back from what is written for it.
func FuzzMove(f *testing.F) {
	for _, text := range []string{"11-15", "7x16x23x32", "c3:e5", "32-28", "c3d4", "--", "1-0"} {
		f.Add(uint8(0), "", text)
		f.Add(uint8(1), "W:W38,K50:B32,33,22,23,K14", text)
		f.Add(uint8(2), "W:Wc3,Ka1:Bd4,f6", text)
	}
	f.Fuzz(func(t *testing.T, rules uint8, fen, text string) {
		r := Rules(rules % 4)
		p, _, err := r.Start("", fen)
		if err != nil || (p.own|p.opp).Count() > p.Board().Count()/2 {
			return
		}
		m, err := r.ParseMove(p, []byte(text))
		if err != nil {
			return
		}
		if got, err := r.UnpackMove(p, r.PackMove(p, m)); err != nil || got != m {
			t.Fatalf("%s %q: %q is %#x, which is no legal move", r.Name(), fen, text, m)
		}
		for _, again := range [][]byte{r.AppendMove(nil, p, m), r.AppendCoordinates(nil, p, m)} {
			if got, err := r.ParseMove(p, again); err != nil || got != m {
				t.Fatalf("%s %q: %q is written as %q, which is read as %#x, %v", r.Name(), fen, text, again, got, err)
			}
		}
	})
}
