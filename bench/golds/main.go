// Golds plants the condition of figure 2 of Takeuchi et al. 2007, all four golds on one
// side, into positions of Shogi: a line of SFEN from the standard input becomes three on
// the standard output, the position itself, the one in which Black has exchanged silvers for
// White's golds, and the one in which White has exchanged silvers for Black's golds.
//
//	kifu export --out - positions | go run ./bench/golds > golds.sfen
//
// Positions are left out, all three, when a gold or a silver is promoted or in hand, when
// sides have no two of each, and when a king is in check in one of the three.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"kifu/games/shogi"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "golds:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	to := bufio.NewWriter(out)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 {
			return fmt.Errorf("line %d: want SFEN: %q", n, lines.Text())
		}
		for _, text := range plant(fields[0], strings.Join(fields[1:4], " ")) {
			fmt.Fprintln(to, text)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return to.Flush()
}

var (
	goldsToBlack = strings.NewReplacer("g", "s", "S", "G")
	goldsToWhite = strings.NewReplacer("G", "S", "s", "g")
)

// plant returns the three positions, or none.
func plant(board, rest string) []string {
	for _, letter := range []string{"G", "g", "S", "s"} {
		if strings.Count(board, letter) != 2 || strings.Contains(board, "+"+letter) || strings.Contains(rest, letter) {
			return nil
		}
	}
	all := []string{board + " " + rest, goldsToBlack.Replace(board) + " " + rest, goldsToWhite.Replace(board) + " " + rest}
	for i, text := range all {
		p, err := shogi.ParseSFEN(text)
		if err != nil || p.InCheck() || p.FourGolds() != []int{0, 1, -1}[i] {
			return nil
		}
	}
	return all
}
