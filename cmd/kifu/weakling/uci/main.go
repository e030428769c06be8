// Uci is the program of package weakling.
package main

import (
	"fmt"
	"os"

	"kifu/cmd/kifu/weakling"
)

func main() {
	if err := weakling.Run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
