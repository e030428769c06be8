package board_test

import (
	"strings"
	"testing"

	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/games/shogi"
	"kifu/games/weiqi"
)

// TestWords: moves are found in the text of records, books and kifu's own lines, of every game.
func TestWords(t *testing.T) {
	for _, test := range []struct {
		g           board.Game
		text, moves string
	}{
		{board.Of(chess.Rules{}), "1. e4 e5 2. Nf3", "e4 e5 Nf3"},
		{board.Of(chess.Rules{}), "1.e4 e5 2.Nf3 2...Nc6", "e4 e5 Nf3 Nc6"},
		{board.Of(chess.Rules{}), "1 e4 e5 2 Nf3", "e4 e5 Nf3"},
		{board.Of(chess.Rules{}), "e4e5", "e4e5"},
		{board.Of(chess.Rules{}), "5254 5254", "5254 5254"}, // the second is a move that cannot be played, not a number
		{board.Of(weiqi.Rules{}), "1 Q16 D4 3 Q3", "Q16 D4 Q3"},
		{board.Of(othello.Rules{}), "1 f5 d6 2 c3", "f5 d6 c3"},
		{board.Of(othello.Rules{}), "f5d6c3", "f5 d6 c3"},
		{board.Of(othello.Rules{}), "f5d6h8", "f5d6h8"},
		{board.Of(draughts.Checkers), "1. 11-15 23-19 2. 8-11", "11-15 23-19 8-11"},
		{board.Of(shogi.Rules{}), "1 ▲７六歩 △３四歩 3 ▲２二角成 △同　銀", "▲７六歩 △３四歩 ▲２二角成 △同銀"},
		{board.Of(shogi.Rules{}), "☗７六歩☖３四歩☗２二角成☖同 銀", "☗７六歩 ☖３四歩 ☗２二角成 ☖同銀"},
		{board.Of(shogi.Rules{}), "７六歩 ３四歩", "７六歩 ３四歩"},
	} {
		b, err := test.g.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(board.Words(b, test.text), " "); got != test.moves {
			t.Errorf("%s: %q, want %q", test.text, got, test.moves)
		}
	}
}
