package weiqi

import (
	"strings"
	"testing"

	"kifu/games"
)

// replayed plays moves from start and returns the replay.
func replayed(t *testing.T, variant, start, moves string) *replay {
	t.Helper()
	p, _, err := Rules{}.Start(variant, start)
	if err != nil {
		t.Fatal(err)
	}
	r := &replay{}
	r.Reset(p)
	for _, text := range strings.Fields(moves) {
		m, err := Rules{}.ParseMove(r.Position(), []byte(text))
		if err != nil {
			t.Fatalf("%s: %s: %v", Rules{}.AppendPosition(nil, r.Position()), text, err)
		}
		r.Play(m)
	}
	return r
}

func TestReplayOutcome(t *testing.T) {
	const (
		// Black takes the ko at C3, White plays away, and so on.
		ko = "5/1XO2/X.XO1/1XO2/5 w"
		// White sends two stones and returns one, and Black is to move where White was.
		two = "5/5/5/XXO2/.O.O1 w"
		// Chains of the board of 2×2 are taken in turn until the first move comes again.
		cycle = "B2 A1 B1 A2 B2 B1 B2"
		// Black owns five columns of nine, White four.
		halves = "4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3 b"
		// The same with a white stone among Black's, which only players can call dead.
		dead = "4XO3/4XO3/4XO3/1O2XO3/4XO3/4XO3/4XO3/4XO3/4XO3 b"
	)
	for _, c := range []struct{ variant, start, moves, want string }{
		{"5x5", ko, "B3 E5", ""},
		{"9x9 tromp-taylor", halves, "pass", ""},
		{"9x9 tromp-taylor komi 8.5", halves, "pass pass", "first by two passes"},
		{"9x9 tromp-taylor komi 9", halves, "pass pass", "draw by two passes"},
		{"9x9 tromp-taylor komi 9.5", halves, "pass pass", "second by two passes"},
		{"9x9 chinese komi 9.5", halves, "pass pass", "second by two passes"},
		{"9x9 japanese komi 8.5", halves, "pass pass", "first by two passes"},
		{"9x9 japanese komi 5.5", dead, "pass pass", ""},
		{"9x9 tromp-taylor komi 5.5", dead, "pass pass", "second by two passes"},
		{"9x9 japanese komi 9.5", halves, "pass pass A1", ""},
		{"2x2 tromp-taylor", "", cycle, "second by superko"},
		{"2x2 chinese", "", cycle, "second by superko"},
		{"2x2 aga", "", cycle, "second by superko"},
		{"2x2 japanese", "", cycle, "draw by no result: whole-board repetition"},
		{"2x2", "", cycle, ""},
		{"5x5 chinese", two, "A1 C1 B1", "first by superko"},
		{"5x5 aga", two, "A1 C1 B1", ""},
		{"5x5 japanese", two, "A1 C1 B1", ""},
	} {
		o, rule := replayed(t, c.variant, c.start, c.moves).Outcome()
		got := ""
		if o != games.Undecided {
			got = o.String() + " by " + rule
		}
		if got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.variant, c.moves, got, c.want)
		}
	}
}

// What is repeated is known before it is played, and a replay can be used again.
func TestRepeats(t *testing.T) {
	r := replayed(t, "2x2 tromp-taylor", "", "B2 A1 B1 A2 B2 B1")
	at := func(text string) games.Move {
		m, err := Rules{}.ParseMove(r.Position(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if !r.Repeats(at("B2")) || r.Repeats(at("pass")) {
		t.Errorf("repeats by B2 %t, by a pass %t", r.Repeats(at("B2")), r.Repeats(at("pass")))
	}
	r.Reset(r.Position())
	if r.Repeats(at("B2")) {
		t.Error("a board of the game before is remembered")
	}
}

// Who wins is who has the higher score, where the board can be counted.
func TestScore(t *testing.T) {
	const (
		halves = "4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3 b - 0 2:5"
		dead   = "4XO3/4XO3/4XO3/1O2XO3/4XO3/4XO3/4XO3/4XO3/4XO3 b - 0 2:5"
	)
	for _, c := range []struct {
		variant, start, moves string
		want                  int32
		ok                    bool
	}{
		{"9x9 chinese komi 7.5", halves, "pass pass", 900 - 750, true},
		{"9x9 japanese komi 7.5", halves, "pass pass", 3600 + 200 - 2700 - 500 - 750, true},
		{"9x9 tromp-taylor komi 0.25", halves, "pass pass", 900 - 25, true},
		{"9x9 tromp-taylor", dead, "pass pass", 900 - 100*37, true},
		{"9x9 chinese", dead, "pass pass", 0, false},
		{"9x9 tromp-taylor", halves, "pass", 0, false},
		{"9x9 chinese", halves, "A1 pass", 0, false},
	} {
		r := replayed(t, c.variant, c.start, c.moves)
		if score, ok := (Rules{}).Score(r.Position()); score != c.want || ok != c.ok {
			t.Errorf("%s, %s, %s: %d, %v; want %d, %v", c.variant, c.start, c.moves, score, ok, c.want, c.ok)
		}
	}
}
