// Positions writes positions of chess endings with their results, as EPD: all legal ones of King and Pawn (or Rook, Queen) against
// King under best play, or a sample of King and Rook against King and Knight (N), won where Black is lost in two plies:
//
//	go run ./bench/endings P >kpk.epd
//
// experiments/endings/README.md shows what it is for.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"kifu/games/chess"
)

func main() {
	if len(os.Args) != 2 || len(os.Args[1]) != 1 || !strings.Contains("PRQN", os.Args[1]) {
		fmt.Fprintln(os.Stderr, "usage: positions P|R|Q|N")
		os.Exit(2)
	}
	w := bufio.NewWriter(os.Stdout)
	write := func(p chess.Position, won bool) { fmt.Fprintln(w, line(p, won)) }
	if os.Args[1] == "N" {
		sampleKnight(write)
	} else {
		e := newEnding(os.Args[1])
		for i, p := range e.positions[:e.asked] {
			write(p, e.depth[i] != unsolved)
		}
	}
	if err := w.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
