package draughts

import (
	"errors"
	"strings"
	"testing"

	"kifu/games"
)

func position(t *testing.T, r Rules, fen string) Position {
	t.Helper()
	p, _, err := r.Start("", fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func reasonOf(err error) string {
	var r games.Reason
	if !errors.As(err, &r) {
		return err.Error() + " (no games.Reason)"
	}
	return string(r)
}

func TestParseMove(t *testing.T) {
	for _, c := range []struct {
		rules     Rules
		fen, text string
		want      string // as AppendCoordinates writes it, or the reason
	}{
		{Checkers, "", "11-15", "11-15"},
		{Checkers, "", "11x15", "11-15"}, // some files write x for all moves
		{Checkers, "", "1115", "11-15"},
		{Checkers, "", "c3-d4", "11-15"}, // seen by Black, who moves first
		{Checkers, "", "11-14", "illegal move"},
		{Checkers, "", "11-33", "no such square"},
		{Checkers, "", "a2-b3", "no such square"},
		{Checkers, "", "11", "unreadable move"},
		{Checkers, "", "11-", "unreadable move"},
		{Checkers, "", "O-O", "unreadable move"},
		{Checkers, "", "--", "null move"},
		{Checkers, "B:W11,20,27:B7", "7x32", "illegal move"},
		{Checkers, "B:W11,19,27:B7", "7x16", "illegal move"}, // it must go on
		{Checkers, "B:W11,19,27:B7", "7x32", "7x16x23x32"},
		{Checkers, "B:W11,19,27:B8", "8x31", "8x15x24x31"},
		{Checkers, "B:W11,19,27:B8", "8x15x24x31", "8x15x24x31"},
		{International, "", "32-28", "32-28"},
		{International, "", "c3-d4", "illegal move"},
		{International, "", "d4-e5", "32-28"},
		{International, "", "b4-a5", "31-26"},
		{Italian, "", "21-17", "21-17"},
		{Italian, "", "21-18", "21-18"},
		{Italian, "", "24-19", "illegal move"}, // the board is mirrored
		{Italian, "", "b3-a4", "21-17"},
		{Italian, "", "a3-b4", "no such square"},
		{Russian, "", "c3-d4", "c3-d4"},
		{Russian, "", "c3d4", "c3-d4"},
		{Russian, "", "C3-D4", "c3-d4"},
		{Russian, "", "22-18", "c3-d4"},
		{Russian, "W:Wc3:Bd4", "c3:e5", "c3xe5"},
		{Russian, "W:Wc3:Bd4", "c3xe5", "c3xe5"},
		{Russian, "W:Wc3:Bd4", "c3*e5", "c3xe5"},
	} {
		p := position(t, c.rules, c.fen)
		m, err := c.rules.ParseMove(p, []byte(c.text))
		got := string(c.rules.AppendCoordinates(nil, p, m))
		if err != nil {
			got = reasonOf(err)
		}
		if got != c.want {
			t.Errorf("%s: %q in %q is read as %s, want %s", c.rules.Name(), c.text, c.fen, got, c.want)
		}
	}
}

// Two captures between the same squares are distinguished by the squares between.
func TestAmbiguousCapture(t *testing.T) {
	for _, c := range []struct {
		rules Rules
		fen   string
		text  string
		want  []string
	}{
		{Checkers, "B:W6,7,14,15:B2", "2x18", []string{"2x9x18", "2x11x18"}},
		{International, "W:WK1:B6,23,32,33,44", "1x16", []string{"1x29x38x16", "1x40x49x16"}},
		{Russian, "W:WKb8:BKc7,g5,b4,b2", "b8xh6", []string{"b8xf4xh6", "b8xd6xa3xc1xh6"}},
	} {
		p := position(t, c.rules, c.fen)
		if _, err := c.rules.ParseMove(p, []byte(c.text)); err != games.AmbiguousMove {
			t.Errorf("%s %s: %s: %v", c.rules.Name(), c.fen, c.text, err)
		}
		for _, text := range c.want {
			m, err := c.rules.ParseMove(p, []byte(text))
			if err != nil {
				t.Errorf("%s %s: %s: %v", c.rules.Name(), c.fen, text, err)
				continue
			}
			if got := string(c.rules.AppendMove(nil, p, m)); got != text {
				t.Errorf("%s %s: %s is written as %s", c.rules.Name(), c.fen, text, got)
			}
		}
	}
}

func TestParsePosition(t *testing.T) {
	for _, c := range []struct {
		rules     Rules
		fen, want string // as it is written again, or the reason
	}{
		{Checkers, "B:W21-32:B1-12", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"},
		{Checkers, "W:W13,11,10,6:BK14,3,1.", "W:W6,10,11,13:B1,3,K14"},
		{Checkers, "W:BK14,3,1:W13,11,10,6", "W:W6,10,11,13:B1,3,K14"},
		{International, "B:W50:B", "B:W50:B"},
		{International, "B:W50", "B:W50:B"},
		{International, "W:W K:B20", "unreadable FEN"},
		{International, "W: WK3, K1-2 : B20 ", "W:WK1,K2,K3:B20"},
		{International, "W:WW31,W32:BB9,BK10", "W:W31,32:B9,K10"},
		{International, "?:W31:B9", "W:W31:B9"},
		{International, "W:W31:B9:H0:F1", "W:W31:B9"},
		{Russian, "W:W21,29:B1,K12", "W:Wa3,a1:Bb8,Kh6"},
		{Russian, "B:Wa3,Kc3:Bb8,BKd8", "B:Wa3,Kc3:Bb8,Kd8"},
		{Russian, "B:WA3,KC3:BB8,D8", "B:Wa3,Kc3:Bb8,d8"},
		{International, "W:W51:B1", "unreadable FEN"},
		{International, "W:W0:B1", "unreadable FEN"},
		{International, "W:W31x:B1", "unreadable FEN"},
		{International, "W:W31,:B1", "unreadable FEN"},
		{International, "W:W40-31:B1", "unreadable FEN"},
		{International, "X:W31:B1", "unreadable FEN"},
		{International, "W:W31:B1:W32", "unreadable FEN"},
		{International, "W", "unreadable FEN"},
		{International, "W:31:B1", "unreadable FEN"},
		{International, "W:W31:B31", "FEN with two men on a square"},
		{International, "W:W31,31:B1", "FEN with two men on a square"},
		{International, "W:W5:B1", "FEN with a man on its last row"},
		{International, "W:W31:B46", "FEN with a man on its last row"},
	} {
		p, err := c.rules.ParsePosition(c.fen)
		got := string(c.rules.AppendPosition(nil, p))
		if err != nil {
			got = reasonOf(err)
		}
		if got != c.want {
			t.Errorf("%s: %q is read as %q, want %q", c.rules.Name(), c.fen, got, c.want)
		}
	}
}

func TestStart(t *testing.T) {
	for _, c := range []struct {
		rules         Rules
		variant, want string
	}{
		{Checkers, "", "standard"}, {Checkers, "checkers", "standard"}, {Checkers, "21", "standard"}, {Checkers, "21,B,8,8,N1,0", "standard"},
		{International, "20", "standard"}, {International, "20,W,10,10,N1,0", "standard"}, {Giveaway, "21", "standard"}, {Russian, "Russian", "standard"},
		{International, "Spanish", "variant Spanish is not played here"}, {Checkers, "20", "variant 20 is not played here"},
	} {
		_, got, err := c.rules.Start(c.variant, "")
		if err != nil {
			got = reasonOf(err)
		}
		if got != c.want {
			t.Errorf("%s: variant %q is %q, want %q", c.rules.Name(), c.variant, got, c.want)
		}
	}
}

// TestAppendCaptures: a capture by its ends and the men taken, in ascending order; the
// example is of the protocol's own text.
func TestAppendCaptures(t *testing.T) {
	for fen, want := range map[string]string{
		"W:W28:B23":    "28x19x23",
		"W:W32:B28,19": "32x14x19x28",
		"W:W32:B1":     "32-27 32-28",
	} {
		p, err := International.ParsePosition(fen)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range p.AppendMoves(nil) {
			got = append(got, string(International.AppendCaptures(nil, p, m)))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", fen, got, want)
		}
	}
}
