package match

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/games/tictactoe"
	"kifu/players/match/pentanomial"
	"kifu/players/play"
	"kifu/search/engine"
)

// TestCopies: openings that come again tell little new. 72 starts of tic-tac-toe, five times each, have an
// interval nearly as wide as once each; a test of programs that play the same games again ends.
func TestCopies(t *testing.T) {
	p := params(t, 2, "depth=2 pseudorandom=3", "depth=1 pseudorandom=4")
	p.Openings.Plies = 2
	once := p
	once.Games = 2 * 72
	a, err := playOut(t, tictactoeGame, nil, once, 2, t.TempDir())
	if err != nil || a.Seen.Openings.Number != 72 {
		t.Fatal(a, err)
	}
	again := p
	again.Games = 5 * once.Games
	b, err := playOut(t, tictactoeGame, nil, again, 2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if a.Seen.Openings != b.Seen.Openings {
		t.Errorf("openings: %+v, %+v", a.Seen, b.Seen)
	}
	if b.Elo.High-b.Elo.Low < 0.7*(a.Elo.High-a.Elo.Low) {
		t.Errorf("five times the same games: %v, once: %v", b.Elo, a.Elo)
	}
	for i := range again.Players {
		again.Players[i] = play.Player{Text: "program", Outside: &play.Outside{Name: "first", Start: func(context.Context) (engine.Engine, error) {
			e := newProgram()
			e.left.Store(1 << 20)
			return e, nil
		}}}
	}
	again.SPRT = &pentanomial.Test{Elo0: 0, Elo1: 5, Alpha: 1e-12, Beta: 1e-12}
	dir := t.TempDir()
	if b, err = playOut(t, tictactoeGame, nil, again, 2, dir); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(filepath.Join(dir, ResultText))
	if b.Pairs.N() != 2*72 || b.Seen.Fresh.N() != 72 || !strings.Contains(string(text), "only repeat") || !strings.Contains(string(text), "the others repeat") {
		t.Errorf("%d pairs\n%s", b.Pairs.N(), text)
	}
}

// TestSightings: what a part keeps of its games is what was seen of them.
func TestSightings(t *testing.T) {
	s := sighting{footprint: 1<<footprintBits - 2, halves: unfinished}
	text := s.appendTo(nil)
	r := run[tictactoe.Position]{}
	if len(text) != footprintBytes || r.recall(0, text[1:]) == nil {
		t.Errorf("%x", text)
	}
}
