package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// board is a position of Go in terms of GTP.
type board struct {
	rows        string // from the top, parted by /: X black, O white, full stops and numbers of empty points
	size        int
	whiteToMove bool
	ko          string // the point that may not be retaken at once, "" or - if none
	komi        float64
	taken       [2]int // stones taken by Black and by White
}

// parseBoard reads "9/2X6/… b - 0 0:0 7.5 chinese": the rows, the side to move, the ko, the
// passes, the stones taken by Black and by White, the komi, the set of rules. Fields after
// the side to move may be missing from any field on.
func parseBoard(text string) (board, error) {
	fields := strings.Fields(text)
	bad := fmt.Errorf("%q is not a position of Go: want its rows, b or w, ko, passes, prisoners, komi and rules", text)
	if len(fields) < 2 || strings.Trim(fields[0], "XO./0123456789") != "" || fields[1] != "b" && fields[1] != "w" {
		return board{}, bad
	}
	b := board{rows: fields[0], size: strings.Count(fields[0], "/") + 1, whiteToMove: fields[1] == "w"}
	if len(fields) > 2 {
		b.ko = fields[2]
	}
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

// stone is a stone on the board, by column from the left and row from the top.
type stone struct {
	column, row int
	colour      byte // X or O
}

// stones returns the stones of b, row by row.
func (b board) stones() (list []stone) {
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
				list = append(list, stone{column, row, c})
			}
			column++
		}
	}
	return list
}

// taker returns the stone that opened the ko of b, as an index into the stones of b, and the
// stone that it took on the ko's point. The taker has no neighbour of its own colour and no
// free point but the ko's. Every ko has one.
func (b board) taker(stones []stone) (index int, taken stone, ok bool) {
	at := map[[2]int]byte{}
	for _, s := range stones {
		at[[2]int{s.column, s.row}] = s.colour
	}
	for i, s := range stones {
		free, own := 0, 0
		var open [2]int
		for _, step := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			next := [2]int{s.column + step[0], s.row + step[1]}
			if min(next[0], next[1]) < 0 || max(next[0], next[1]) >= b.size {
				continue
			}
			switch at[next] {
			case 0:
				free, open = free+1, next
			case s.colour:
				own++
			}
		}
		taken = stone{open[0], open[1], other(s.colour)}
		if free == 1 && own == 0 && (taken.colour == 'O') == b.whiteToMove && strings.EqualFold(b.point(taken), b.ko) {
			return i, taken, true
		}
	}
	return 0, stone{}, false
}

// commands returns the commands that set b up. The order of the stones does not matter: a part
// of a chain that has a liberty in the end has one before, so nothing is taken on the way. In a
// ko the last stone takes: the position before the ko is set up first, and this stone opens the
// ko. Other stones that were taken are not the program's prisoners; if it counts prisoners,
// komi compensates for them.
func (b board) commands(prisoners bool) []string {
	stones, taken := b.stones(), b.taken
	if i, lost, ok := b.taker(stones); ok {
		taker := stones[i]
		stones[i] = lost
		stones = append(stones, taker)
		if taker.colour == 'X' {
			taken[0]--
		} else {
			taken[1]--
		}
	}
	komi := b.komi
	if prisoners {
		komi += float64(taken[1] - taken[0])
	}
	list := []string{"boardsize " + strconv.Itoa(b.size), "clear_board", "komi " + strconv.FormatFloat(komi, 'f', -1, 64)}
	for _, s := range stones {
		list = append(list, "play "+colour(s.colour)+" "+b.point(s))
	}
	return list
}

// point returns the point of s in GTP's notation.
func (b board) point(s stone) string { return fmt.Sprintf("%c%d", letter(s.column), b.size-s.row) }

func other(colour byte) byte { return 'X' + 'O' - colour }

func colour(stone byte) string {
	if stone == 'X' {
		return "black"
	}
	return "white"
}

// letter returns the letter of a column: there is no I.
func letter(column int) byte {
	if column >= 'I'-'A' {
		column++
	}
	return 'A' + byte(column)
}
