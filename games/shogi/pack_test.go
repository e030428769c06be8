package shogi

import (
	"strings"
	"testing"

	"kifu/games"
)

// TestLetters: the letters of a packed board are those of its SFEN.
func TestLetters(t *testing.T) {
	for _, text := range []string{
		StartSFEN,
		"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1",
		"4k4/9/+P+L+N+S+B+R3/+p+l+n+s+b+r3/9/9/9/9/4K4 b G2S2gn2l5p 1",
	} {
		p, err := ParseSFEN(text)
		if err != nil {
			t.Fatal(err)
		}
		squares, hands, side, err := Letters(Rules{}.AppendBoard(nil, p))
		if err != nil || side != p.side {
			t.Fatalf("%s: side %v, %v", text, side, err)
		}
		var board strings.Builder
		for rank := range 9 {
			for file := 8; file >= 0; file-- {
				switch letter := squares[At(file, rank)]; {
				case letter == 0:
					board.WriteByte('1')
				case letter >= 128:
					board.WriteString("+" + string(rune(letter-128)))
				default:
					board.WriteByte(letter)
				}
			}
			board.WriteString("/"[:min(1, 8-rank)])
		}
		want, _, _ := strings.Cut(text, " ")
		for n := 2; n <= 9; n++ {
			want = strings.ReplaceAll(want, string(rune('0'+n)), strings.Repeat("1", n))
		}
		if board.String() != want {
			t.Errorf("%s has the letters %s", text, board.String())
		}
		for side := range hands {
			for k, n := range hands[side] {
				if int(n) != p.Hand(games.Side(side)).Count(Pawn+Kind(k)) {
					t.Errorf("%s: %d of kind %d in hand of side %d", text, n, k+1, side)
				}
			}
		}
	}
	start := Rules{}.AppendBoard(nil, start)
	for at, b := range map[int]byte{0: 15, 40: 16, 80: 32, 95: 2} {
		bad := append([]byte(nil), start...)
		bad[at] = b
		if _, _, _, err := Letters(bad); err != unreadableBoard {
			t.Errorf("byte %d as %d: %v", at, b, err)
		}
	}
	if _, _, _, err := Letters(start[:95]); err != unreadableBoard {
		t.Errorf("a short board: %v", err)
	}
}
