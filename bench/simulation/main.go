// Simulation plays games whose weights are known, fits them by kifu fit, and reports how
// often the intervals cover the truth, how often tests err, and how MLM and LS compare:
// the tables of bench/simulation/README.md.
//
//	go run ./bench/simulation -replications 1000 > tables.md
//
// Equal flags give equal tables. TMPDIR=/dev/shm spares the disk.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"kifu/fit/losses"
	"kifu/fit/solve"
)

func main() {
	replications := flag.Int("replications", 1000, "data sets of each kind")
	seed := flag.Uint64("seed", 2007, "seed")
	only := flag.String("only", "", "kinds whose name contains the text")
	flag.Parse()
	if err := run(*replications, *seed, *only); err != nil {
		fmt.Fprintln(os.Stderr, "simulation:", err)
		os.Exit(1)
	}
}

func run(replications int, seed uint64, only string) error {
	temp, err := os.MkdirTemp("", "simulation-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for _, d := range designs {
		if !strings.Contains(d.name, only) {
			continue
		}
		truth, err := d.truth(temp, seed)
		if err != nil {
			return err
		}
		all := make([]map[string]estimate, replications)
		g, ctx := errgroup.WithContext(context.Background())
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i := range all {
			g.Go(func() (err error) {
				all[i], err = d.replicate(ctx, filepath.Join(temp, fmt.Sprint(i)), seed, uint64(i)+1)
				var refused *solve.Unidentified
				if errors.As(err, &refused) {
					return nil
				}
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		fitted := slices.DeleteFunc(all, func(e map[string]estimate) bool { return e == nil })
		report(os.Stdout, d, truth, fitted)
		if n := replications - len(fitted); n > 0 {
			fmt.Printf("%d more data sets were refused: they do not determine the weights.\n\n", n)
		}
	}
	return nil
}

// truth returns the weights that each method tends to: the planted ones, or where the model
// is wrong those that it finds in very many games.
func (d design) truth(temp string, seed uint64) (map[string][]float64, error) {
	truth := map[string][]float64{losses.MLM: planted[:], losses.LS: planted[:]}
	if !d.wrong() {
		return truth, nil
	}
	d.games *= 100
	limit, err := d.replicate(context.Background(), filepath.Join(temp, "limit"), seed, 0)
	if err != nil {
		return nil, fmt.Errorf("%s, limit: %w", d.name, err)
	}
	for method, e := range limit {
		truth[method] = e.weights
	}
	return truth, nil
}
