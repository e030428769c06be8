package chess

import (
	"strings"
	"testing"

	"kifu/games"
)

func TestReplayOutcome(t *testing.T) {
	for _, test := range []struct{ name, fen, moves, want string }{
		{"mate", StartFEN, "f3 e5 g4 Qh4", "second by checkmate"},
		{"stalemate", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", "draw by stalemate"},
		{"the third time", StartFEN, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", "draw by threefold repetition"},
		{"the second time", StartFEN, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", " by "},
		{"castling lost meanwhile", "4k3/8/8/8/8/8/7P/R3K3 w Q - 0 1", "Ra2 Kd8 Ra1 Ke8 Ra2 Kd8 Ra1 Ke8", " by "},
		{"and then the third time", "4k3/8/8/8/8/8/7P/R3K3 w Q - 0 1", "Ra2 Kd8 Ra1 Ke8 Ra2 Kd8 Ra1 Ke8 Ra2", "draw by threefold repetition"},
		{"a pawn move between", "4k3/7p/8/8/8/8/7P/R3K3 w - - 0 1", "Ra2 Kd8 Ra1 Ke8 h3 h6 Ra2 Kd8 Ra1 Ke8", " by "},
		{"fifty moves", "4k3/8/8/8/8/8/7P/R3K3 w - - 99 80", "Ra2", "draw by fifty moves"},
		{"not yet fifty", "4k3/8/8/8/8/8/7P/R3K3 w - - 98 80", "Ra2", " by "},
		{"mate at fifty", "7k/8/6K1/8/8/8/8/R7 w - - 99 80", "Ra8", "first by checkmate"},
		{"bare kings", "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "Kxe2", "draw by insufficient material"},
		{"a knight", "4k3/8/8/8/8/8/4p3/4K1N1 w - - 0 1", "Nxe2", "draw by insufficient material"},
		{"two knights", "4k3/8/8/8/8/N7/4p3/4K1N1 w - - 0 1", "Nxe2", " by "},
		{"bishops on one colour", "2b1k3/8/8/8/8/8/4p3/4KB2 w - - 0 1", "Bxe2", "draw by insufficient material"},
		{"bishops on two colours", "4kb2/8/8/8/8/8/4p3/4KB2 w - - 0 1", "Bxe2", " by "},
		{"a pawn", "4k3/8/8/8/8/8/P3p3/4K3 w - - 0 1", "Kxe2", " by "},
	} {
		p, err := ParseFEN(test.fen)
		if err != nil {
			t.Fatal(err)
		}
		r := Rules{}.NewReplay()
		r.Reset(p)
		for _, text := range strings.Fields(test.moves) {
			m, err := Rules{}.ParseMove(r.Position(), []byte(text))
			if err != nil {
				t.Fatalf("%s: %s: %v", test.name, text, err)
			}
			if o, rule := r.Outcome(); o != games.Undecided {
				t.Errorf("%s: %s by %s before %s", test.name, o, rule, text)
			}
			r.Play(m)
		}
		o, rule := r.Outcome()
		if got := o.String() + " by " + rule; got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
