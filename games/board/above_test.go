package board_test

import (
	"regexp"
	"strings"
	"testing"

	"kifu/games/board"
)

// TestNamesAbove: boards of Shogi have files above and ranks to the right, as its diagrams do, and are of one size whatever is in hand.
func TestNamesAbove(t *testing.T) {
	var size string
	for _, text := range []string{"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "4k4/9/9/9/9/9/9/9/4K4 w 2Pr 1"} {
		b, err := shogiGame.Start("", text)
		if err != nil {
			t.Fatal(err)
		}
		d := board.Draw(shogiGame, b)
		svg, lines := string(d.AppendSVG(nil, false)), strings.Split(string(d.AppendTerminal(nil)), "\n")
		box := regexp.MustCompile(`viewBox="[^"]*"`).FindString(svg)
		if size == "" {
			size = box
		}
		if box != size {
			t.Errorf("%s: %s, another position is of %s", text, box, size)
		}
		if !regexp.MustCompile(`<text x="4[0-9.]+" y="[0-9.]+" text-anchor="start">一<`).MatchString(svg) || !regexp.MustCompile(`y="7[0-9.]+" text-anchor="middle">9<`).MatchString(svg) {
			t.Errorf("%s: names are elsewhere in %s", text, svg)
		}
		for len(lines) > 0 && strings.Contains(lines[0], "in hand") {
			lines = lines[1:]
		}
		if !strings.HasPrefix(strings.TrimSpace(lines[0]), "9 ") || !strings.HasSuffix(lines[1], " 一") {
			t.Errorf("the first lines are %q and %q", lines[0], lines[1])
		}
		if plain := board.PlainHeight(shogiGame, 200); plain <= 240 || board.PlainHeight(chessGame, 200) != 200 {
			t.Errorf("heights of pictures: Shogi %d, chess %d", plain, board.PlainHeight(chessGame, 200))
		}
	}
}
