// Players measures the reports on players: how often kifu learn names the strategy of a planted player
// and rejects one that is none of its candidates, and how often kifu report players singles a pair out
// where no pair is special. The tables of bench/simulation/README.md:
//
//	TMPDIR=/dev/shm go run ./bench/simulation/players -replications 200 [-only learn]
//
// Equal flags give equal tables. Each rate has its Monte-Carlo error.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"
)

func main() {
	replications := flag.Int("replications", 200, "players or leagues of each kind")
	seed := flag.Uint64("seed", 1993, "seed")
	only := flag.String("only", "", "studies whose name contains the text: learn, pairs")
	flag.Parse()
	for _, s := range studies {
		if !strings.Contains(s.name, *only) {
			continue
		}
		if err := s.run(os.Stdout, *replications, *seed); err != nil {
			fmt.Fprintln(os.Stderr, "players:", err)
			os.Exit(1)
		}
	}
}

// study is a table with a line a kind of data. A kind's trial i answers yes or no to each column.
type study struct {
	name    string
	columns []string
	kinds   []kind
}

type kind struct {
	name  string
	trial func(ctx context.Context, seed, i uint64) ([]bool, error)
	want  [][2]float64 // the rates of the columns; tests hold few trials against them
}

var studies = []study{learning, pairing}

func (s study) run(w io.Writer, n int, seed uint64) error {
	fmt.Fprintf(w, "| %s | trials | %s |\n|---|---:|%s\n", s.name, strings.Join(s.columns, " | "), strings.Repeat("---:|", len(s.columns)))
	for _, k := range s.kinds {
		hits, err := k.measure(n, seed)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		fmt.Fprintf(w, "| %s | %d |", k.name, n)
		for _, h := range hits {
			p := float64(h) / float64(n)
			fmt.Fprintf(w, " %.1f ± %.1f %% |", 100*p, 100*math.Sqrt(p*(1-p)/float64(n)))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	return nil
}

// measure counts the positive trials, by column.
func (k kind) measure(n int, seed uint64) ([]int, error) {
	all := make([][]bool, n)
	g, ctx := errgroup.WithContext(context.Background())
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range all {
		g.Go(func() (err error) {
			all[i], err = k.trial(ctx, seed, uint64(i))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	hits := make([]int, len(k.want))
	for _, answers := range all {
		for c, yes := range answers {
			if yes {
				hits[c]++
			}
		}
	}
	return hits, nil
}
