package views

import (
	"net/url"
	"strings"
	"testing"

	"kifu/explore/parts"
	"kifu/games"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/weiqi"
	"kifu/query/find"
)

// TestLines: a line leads to the games that begin with all its moves, and their next ones; results are those of the sides on
// the board.
func TestLines(t *testing.T) {
	l := lines{hits: []find.Hit{
		{Game: 1, Ply: 9, Line: "BQ16 WR14 BO17", Result: games.FirstWins},
		{Game: 2, Ply: 8, Line: "BQ16 WR14", Result: games.FirstWins, Exchanged: true},
		{Game: 3, Ply: 7, Line: "BQ16 WR1", Result: games.Drawn},
		{Game: 4, Ply: 6},
	}}
	h := parts.Here{View: "openings", Values: url.Values{"line": {"x"}}}
	for _, one := range []struct {
		line, want string
		all        parts.Tally
	}{
		{"", "B Q16 3 openings?line=BQ16", parts.Tally{All: 4, First: 1, Draws: 1, Second: 1}},
		{"BQ16", "W R14 2 openings?line=BQ16+WR14, W R1 1 openings?line=BQ16+WR1", parts.Tally{All: 3, First: 1, Draws: 1, Second: 1}},
		{"BQ16 WR1", "", parts.Tally{All: 1, Draws: 1}},
		{"BQ16 WR14", "B O17 1 openings?line=BQ16+WR14+BO17", parts.Tally{All: 2, First: 1, Second: 1}},
	} {
		n := l.after(strings.Fields(one.line), h)
		var next []string
		for _, b := range n.Next {
			next = append(next, strings.Join([]string{b.Move, string('0' + rune(b.All)), b.To}, " "))
		}
		if got := strings.Join(next, ", "); got != one.want || n.Tally != one.all || len(n.Games) != int(n.All) || len(n.Plies) != len(n.Games) {
			t.Errorf("%q: %s, %+v, games %v at %v; want %s, %+v", one.line, got, n.Tally, n.Games, n.Plies, one.want, one.all)
		}
	}
}

// TestNearSteps: sides need not alternate, and stones are taken.
func TestNearSteps(t *testing.T) {
	g := board.Of(weiqi.Rules{})
	like, err := g.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	p := patternIn(g, "###/#XO/#..")
	if p == nil {
		t.Fatal("no pattern")
	}
	all, err := nearSteps(g, like, p.Cells(like.Layout()), []string{"WA18", "WC18"}, parts.Look{})
	if err != nil {
		t.Fatal(err)
	}
	if got := all[0].Text; !strings.HasPrefix(got, "XO17/19/") {
		t.Errorf("the pattern is drawn as %s", got)
	}
	if got := all[2]; !strings.HasPrefix(got.Text, "1O17/O1O16/") || got.Move != "W C18" {
		t.Errorf("%s: %s", got.Move, got.Text)
	}
	for _, word := range []string{"xA1", "BA19", "B"} {
		if _, err := nearSteps(g, like, p.Cells(like.Layout()), []string{word}, parts.Look{}); err == nil {
			t.Errorf("%s is played", word)
		}
	}
	if got := cornerOf(like.Layout()); len(strings.Split(got, "/")) != 19 || patternIn(g, got) == nil {
		t.Errorf("a corner: %s", got)
	}
	small, err := g.Start("9x9", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := cornerOf(small.Layout()); len(strings.Split(got, "/")) != 9 || patternIn(g, got) == nil {
		t.Errorf("a corner of a small board: %s", got)
	}
	if c := board.Of(chess.Rules{}); patternIn(c, "*/*/*/*/*/*/*/P*") != nil || cornerOf(c.Layout()) != "" || patternIn(g, string(like.AppendText(nil))) != nil {
		t.Error("a pattern of chess, or a position")
	}
}
