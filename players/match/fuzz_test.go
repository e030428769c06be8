package match

import (
	"slices"
	"testing"

	"kifu/games"
	"kifu/games/draughts"
	"kifu/games/shogi"
	"kifu/players/play"
)

// FuzzBook: a text is openings, each of which is legal moves from a position that the rules
// take, or an error.
func FuzzBook(f *testing.F) {
	for _, text := range []string{"e4 e5\nd4 # remark\n", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"x\"; id 1", "position startpos moves e2e4 e7e5", "11-15 23-19",
		"B:W18,24,K30:B1,2", " moves ", "fen moves a", "7g7f 3c3d", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b", "8/8/8/8/8/8/8/8 w - - 0 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		legalBook(t, chessGame.Rules, text)
		legalBook(t, draughts.Checkers, text)
		legalBook[shogi.Position](t, shogi.Rules{}, text)
	})
}

func legalBook[P games.Position[P]](t *testing.T, rules games.Rules[P], text string) {
	if text == "" {
		return
	}
	o, err := newOpener(rules, Params{Openings: Openings{Name: "book", Text: text}})
	if err != nil {
		return
	}
	if len(o.lines) == 0 {
		t.Fatalf("%s: no opening, and no error", rules.Name())
	}
	for _, l := range o.lines {
		p := l.start
		if _, _, err := rules.Start(l.variant, string(rules.AppendPosition(nil, p))); err != nil {
			t.Fatalf("%s: its own position: %v", rules.Name(), err)
		}
		for _, m := range l.moves {
			if !slices.Contains(p.AppendMoves(nil), m) {
				t.Fatalf("%s: %q has an illegal move", rules.Name(), l.name)
			}
			p = p.Play(m)
		}
	}
}

// FuzzWords: words of a player are a player or an error.
func FuzzWords(f *testing.F) {
	for _, text := range []string{"depth=3 eval=w.toml", "\"uci:stockfish\" depth=4 Hash=16", "gtp:gnugo --mode gtp", "model=m.toml name=\"a b\"", "random", "temperature=NaN depth=1", "\"", "m*=2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := play.Parse(text); err == nil && p.Text == "" {
			t.Errorf("%q is a player without words", text)
		}
	})
}
