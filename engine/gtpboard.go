package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// board is a position of Go as GTP can say it.
type board struct {
	rows        string // from the top, parted by /: X black, O white, full stops and numbers of empty points
	size        int
	whiteToMove bool
	komi        float64
	taken       [2]int // stones taken by Black and by White
}

// parseBoard reads "9/2X6/… b - 0 0:0 7.5 chinese": the rows, the side to move, the ko,
// the passes, the stones taken by Black and by White, the komi, the set of rules. What
// stands behind the side to move may be missing from any place on.
func parseBoard(text string) (board, error) {
	fields := strings.Fields(text)
	bad := fmt.Errorf("%q is no position of Go: want its rows, b or w, ko, passes, prisoners, komi and rules", text)
	if len(fields) < 2 || strings.Trim(fields[0], "XO./0123456789") != "" || fields[1] != "b" && fields[1] != "w" {
		return board{}, bad
	}
	b := board{rows: fields[0], size: strings.Count(fields[0], "/") + 1, whiteToMove: fields[1] == "w"}
	if len(fields) > 4 {
		black, white, _ := strings.Cut(fields[4], ":")
		for side, text := range []string{black, white} {
			n, err := strconv.Atoi(text)
			if err != nil {
				return board{}, bad
			}
			b.taken[side] = n
		}
	}
	if len(fields) > 5 {
		komi, err := strconv.ParseFloat(fields[5], 64)
		if err != nil {
			return board{}, bad
		}
		b.komi = komi
	}
	return b, nil
}

// commands set b up. The order of the stones does not matter: a part of a chain that has a
// liberty in the end has one before, so nothing is taken on the way. The program will
// therefore have no prisoners; where it counts them, komi makes up for it.
func (b board) commands(prisoners bool) []string {
	komi := b.komi
	if prisoners {
		komi += float64(b.taken[1] - b.taken[0])
	}
	list := []string{"boardsize " + strconv.Itoa(b.size), "clear_board", "komi " + strconv.FormatFloat(komi, 'f', -1, 64)}
	for row, text := range strings.Split(b.rows, "/") {
		column, number := 0, 0
		for _, c := range []byte(text) {
			if c >= '0' && c <= '9' {
				number = 10*number + int(c-'0')
				continue
			}
			column += number
			number = 0
			if c != '.' {
				list = append(list, fmt.Sprintf("play %s %c%d", colour(c), letter(column), b.size-row))
			}
			column++
		}
	}
	return list
}

func colour(stone byte) string {
	if stone == 'X' {
		return "black"
	}
	return "white"
}

// letter is that of a column: there is no I.
func letter(column int) byte {
	if column >= 'I'-'A' {
		column++
	}
	return 'A' + byte(column)
}
