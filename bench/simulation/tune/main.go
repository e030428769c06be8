// Tune tunes programs whose strength is known and reports how near it comes to the best values and how
// often the intervals of kifu tune hold them: the table of docs/validation.md.
//
//	go run ./bench/simulation/tune -replications 1000
//
// Equal flags give equal tables. Each rate has its Monte-Carlo error.
package main

import (
	"flag"
	"fmt"
)

func main() {
	n := flag.Int("replications", 1000, "runs of each kind")
	seed := flag.Uint64("seed", 1998, "seed")
	flag.Parse()
	fmt.Println("| program | games | Elo below the best at the start | at the end | off by (of 100) | best value in its 95 % interval | interval found | its median width |\n|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, k := range Kinds {
		fmt.Println(Run(k, *n, *seed))
	}
}
