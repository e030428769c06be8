package games

import "testing"

// TestReadResult: results as people write them.
func TestReadResult(t *testing.T) {
	for o, all := range map[Outcome][]string{
		FirstWins:  {"1-0", "1:0", "1–0", "1—0", "1 - 0", "1-0.", "2-0", "1.0-0.0", "+-", "+:-", "+/-", "White wins", "white won", "Black resigns", "black resigned", "1\u00A0-\u202F0", "1/0"},
		SecondWins: {"0-1", "0:1", "0 — 1", "0‑1", "0-2", "-:+", "White resigns", "Black mates", "White lost", "White forfeits"},
		Drawn:      {"1/2-1/2", "1/2:1/2", "½-½", "½:½", "½", "½ – ½", "0.5-0.5", "0,5-0,5", "0.5:0.5", "\xBD-\xBD", "\xBD", "1-1", "=", "=:=", "remis", "Remis", "Draw", "1/2"},
		Undecided:  {"*"},
	} {
		for _, text := range all {
			if got, whole := ReadResult([]byte(text), false); got != o || !whole {
				t.Errorf("%q is read as %v, whole %v; want %v", text, got, whole, o)
			}
		}
	}
	for text, o := range map[string]Outcome{"1-0 ff": FirstWins, "1-0 (time)": FirstWins, "1/2-1/2 agreed": Drawn, "White wins on time": FirstWins, "Black resigns in a lost position": FirstWins,
		"1-0-0": Undecided, "4-6": Undecided, "0-0": Undecided, "": Undecided, "?": Undecided, "adjourned": Undecided, "White is better": Undecided, "Blackwood": Undecided, "1-05": Undecided, "drawing": Undecided} {
		if got, whole := ReadResult([]byte(text), false); got != o || whole {
			t.Errorf("%q is read as %v, whole %v; want %v and more", text, got, whole, o)
		}
	}
	if got, _ := ReadResult([]byte("Black wins"), true); got != FirstWins {
		t.Errorf("Black moves first, and wins: %v", got)
	}
}

// TestReadResultAllocates: a result in its usual form takes no memory.
func TestReadResultAllocates(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { ReadResult([]byte("1/2-1/2"), false) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestOutcomeNamed: words of the result columns lead back to their outcomes, without memory; other texts are no result.
func TestOutcomeNamed(t *testing.T) {
	for o := Undecided; o <= Drawn; o++ {
		if got := OutcomeNamed(o.String()); got != o {
			t.Errorf("%q is %v", o, got)
		}
	}
	if got := OutcomeNamed([]byte("1-0")); got != Undecided {
		t.Errorf("1-0 is %v", got)
	}
	if n := testing.AllocsPerRun(100, func() { OutcomeNamed([]byte("second")) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
