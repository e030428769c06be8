// Positions writes all legal positions of King and Pawn (or Rook, Queen) against King with their results under best play, as EPD:
//
//	go run ./experiments/endings/positions P >kpk.epd
//
// experiments/endings/README.md shows what it is for.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 || os.Args[1] != "P" && os.Args[1] != "R" && os.Args[1] != "Q" {
		fmt.Fprintln(os.Stderr, "usage: positions P|R|Q")
		os.Exit(2)
	}
	e := newEnding(os.Args[1])
	w := bufio.NewWriter(os.Stdout)
	for i := range e.asked {
		fmt.Fprintln(w, e.line(i))
	}
	if err := w.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
