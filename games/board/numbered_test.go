package board_test

import (
	"strings"
	"testing"

	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/shogi"
	"kifu/games/weiqi"
)

// TestNumberedLine: lines have the numbers of records and the words of players, from any move on; what cannot be played is unchanged.
func TestNumberedLine(t *testing.T) {
	for _, test := range []struct {
		g                     board.Game
		before, moves, line   string
		number, shown, letter string // of the first move
	}{
		{board.Of(chess.Rules{}), "", "e2e4 b8c6 g1f3", "1. e4 Nc6 2. Nf3", "1. e4", "e4", "e4"},
		{board.Of(chess.Rules{}), "e4", "b8c6 g1f3 zzz g8f6", "1... Nc6 2. Nf3 zzz g8f6", "1... Nc6", "Nc6", "Nc6"},
		{board.Of(weiqi.Rules{}), "pd", "dp qq", "2 D4 3 R3", "2 D4", "D4", "D4"},
		{board.Of(shogi.Rules{}), "7g7f 3c3d", "8h2b+ 3a2b 7i6h", "3 ▲２二角成 △同銀 5 ▲６八銀", "3 ▲２二角成", "▲２二角成", "Bx2b+"},
	} {
		b, err := test.g.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		before, moves := strings.Fields(test.before), strings.Fields(test.moves)
		for _, text := range before {
			m, err := b.Find(text)
			if err != nil {
				t.Fatal(err)
			}
			b = m.Play()
		}
		m, err := b.Find(moves[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := board.Line(b, len(before), moves, false); got != test.line {
			t.Errorf("%s, want %s", got, test.line)
		}
		if number, shown, letter := board.Numbered(b, m, len(before), false), board.Shown(b, moves[0], false), board.Shown(b, moves[0], true); number != test.number || shown != test.shown || letter != test.letter {
			t.Errorf("%s, %s, %s, want %s, %s, %s", number, shown, letter, test.number, test.shown, test.letter)
		}
	}
}
