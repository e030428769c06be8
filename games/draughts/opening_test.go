package draughts_test

import (
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/draughts"
)

// namedLines are lines with the name that books give to the position at their end, and others
// that transpose to it or lead beyond it.
var namedLines = []struct {
	rules      draughts.Rules
	line, want string
}{
	{draughts.Checkers, "", ""},
	{draughts.Checkers, "11-15 24-20", "Ayrshire Lassie"},
	{draughts.Checkers, "11-15 23-19 8-11 22-17 4-8", "Old Fourteenth"},
	{draughts.Checkers, "11-15 22-17 8-11 23-19 4-8", "Old Fourteenth"},
	{draughts.Checkers, "11-15 23-19 7-11 22-17 9-14", "Whilter"},
	{draughts.Checkers, "11-15 22-18", "Single Corner"},
	{draughts.Checkers, "11-15 22-18 15x22", ""},
	{draughts.International, "32-28 19-23", "Symmetrical"},
	{draughts.International, "32-28 18-23", "Chefneux"},
	{draughts.International, "34-29", ""},
	{draughts.Giveaway, "11-15 24-20", ""},
}

func TestOpeningName(t *testing.T) {
	for _, c := range namedLines {
		rules := draughts.Named{Rules: c.rules}
		p := play(t, rules, c.line)
		if got := rules.OpeningName(p); got != c.want || rules.OpeningCode(p) != c.want {
			t.Errorf("%s, %s: %q, want %q", rules.Name(), c.line, got, c.want)
		}
	}
}

func play(t *testing.T, rules draughts.Named, line string) draughts.Position {
	t.Helper()
	p, _, err := rules.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, move := range strings.Fields(line) {
		m, err := rules.ParseMove(p, []byte(move))
		if err != nil {
			t.Fatalf("%s: %s: %v", line, move, err)
		}
		p = p.Play(m)
	}
	return p
}

// TestEachOpening: a line that cannot be played is named.
func TestEachOpening(t *testing.T) {
	p := play(t, draughts.Named{Rules: draughts.Checkers}, "")
	err := games.EachOpening("Bristol\t11-16\nNone\t11-15 11-15\n", draughts.Checkers, p, func(draughts.Position, string) {})
	if err == nil || !strings.Contains(err.Error(), `"None": 11-15`) {
		t.Errorf("error %v", err)
	}
}
