package shogi_test

import (
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/shogi"
)

// openings are lines of the openings' usual moves, with the name that they show at the end.
var openings = map[string]string{
	"":                                   "",
	"7g7f 3c3d 6g6f 8c8d 2h6h 6a5b 5i4h": "四間飛車",
	"2g2f 3c3d 7g7f 4c4d 4i5h 8b4b 6i6h 5a6b":                                    "四間飛車",
	"7g7f 3c3d 6g6f 8c8d 2h7h":                                                   "三間飛車",
	"7g7f 3c3d 5g5f 8c8d 2h5h":                                                   "中飛車",
	"7g7f 3c3d 6g6f 8c8d 8h7g 7a6b 2h8h":                                         "向かい飛車",
	"7g7f 3c3d 6g6f 8b3b 2h6h":                                                   "相振り飛車",
	"7g7f 8c8d 7i6h 3c3d 6h7g 7a6b 2g2f 3a4b":                                    "矢倉",
	"2g2f 8c8d 2f2e 8d8e 6i7h 4a3b":                                              "相掛かり",
	"7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d": "横歩取り",
	"7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i6h 2b7g+ 6h7g":                              "角換わり",
	"7g7f 3c3d 6g6f 8c8d 7i6h 7a6b 6h6g 5a4b 6i7h":                               "雁木",
	"7g7f 3c3d 4g4f 8c8d 2h4h":                                                   "右四間飛車",
	"7g7f 8c8d 3g3f 3c3d 2h3h":                                                   "袖飛車",
}

// TestOpeningName: names of well-known lines, and of the same boards turned round.
func TestOpeningName(t *testing.T) {
	var rules games.OpeningNames[shogi.Position] = shogi.Rules{}
	for line, want := range openings {
		p := shogi.Start()
		for _, move := range strings.Fields(line) {
			m, err := shogi.Rules{}.ParseMove(p, []byte(move))
			if err != nil {
				t.Fatalf("%s: %s: %v", line, move, err)
			}
			p = p.Play(m)
		}
		if got := rules.OpeningName(p); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
		if got := rules.OpeningName(turned(t, p)); got != want {
			t.Errorf("%s, turned round: %q, want %q", line, got, want)
		}
	}
}

// turned returns the board turned round, with the sides exchanged.
func turned(t *testing.T, p shogi.Position) shogi.Position {
	t.Helper()
	fields := strings.Fields(p.String())
	var board []string
	for _, rank := range strings.Split(fields[0], "/") {
		var back []byte
		for i := len(rank) - 1; i >= 0; i-- {
			if i > 0 && rank[i-1] == '+' {
				back = append(back, '+', rank[i]^32)
				i--
			} else if rank[i] > '9' {
				back = append(back, rank[i]^32)
			} else {
				back = append(back, rank[i])
			}
		}
		board = append([]string{string(back)}, board...)
	}
	hands := []byte(fields[2])
	for i, ch := range hands {
		if ch > '9' {
			hands[i] = ch ^ 32
		}
	}
	q, err := shogi.ParseSFEN(strings.Join(board, "/") + " " + map[string]string{"b": "w", "w": "b"}[fields[1]] + " " + string(hands) + " 1")
	if err != nil {
		t.Fatal(err)
	}
	return q
}
