// Fits measures whether the intervals and tests of fits hold: how often intervals cover
// the weights that games were made with, and how often tests reject what is true. It
// prints a line per case, with the error of the simulation and the range that is wanted:
//
//	go run ./bench/simulation/fits -replications 1000 [-only priors]
//
// Equal flags give equal lines. It makes the table of weights in docs/validation.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"kifu/fit/solve"
)

func main() {
	replications := flag.Int("replications", 400, "data sets of each case")
	seed := flag.Uint64("seed", 1, "seed")
	only := flag.String("only", "", "studies and cases whose name contains the text, as in 'priors' or 'returning players: lstd'")
	flag.Parse()
	if err := run(os.Stdout, *replications, *seed, *only); err != nil {
		fmt.Fprintln(os.Stderr, "fits:", err)
		os.Exit(1)
	}
}

// study is a question asked of several kinds of data.
type study struct {
	name, about string
	cases       []kind
}

// kind is a kind of data with what is counted in it. play makes data set and fit number i
// and counts by name.
type kind struct {
	name string
	slow bool // too slow for a test
	cost int  // how many times the work of a plain case a data set takes: so many fewer are made
	play func(ctx context.Context, seed, i uint64, count func(name string, hit bool)) error
	// low and high are the rates that are wanted, by name; a name without is shown only.
	want map[string][2]float64
}

var studies = []study{priors, rare, noise, clubs, uneven, returning}

// rate is a share of cases.
type rate struct {
	study, kind, name string
	hits, of          int
	want              [2]float64 // zero: none
}

// share is the rate with the standard error of the simulation.
func (r rate) share() (p, se float64) {
	p = float64(r.hits) / float64(r.of)
	return p, math.Sqrt(max(p*(1-p), 1/float64(r.of)) / float64(r.of))
}

func run(w io.Writer, replications int, seed uint64, only string) error {
	for _, s := range studies {
		s.cases = slices.DeleteFunc(slices.Clone(s.cases), func(k kind) bool { return !strings.Contains(s.name+": "+k.name, only) })
		if len(s.cases) == 0 {
			continue
		}
		fmt.Fprintf(w, "### %s\n\n%s\n\n| data | | rate | wanted | of |\n|---|---|---:|---:|---:|\n", s.name, s.about)
		for _, k := range s.cases {
			rates, err := k.measure(s.name, max(1, replications/max(1, k.cost)), seed)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", s.name, k.name, err)
			}
			for _, r := range rates {
				p, se := r.share()
				wanted := ""
				if r.want != [2]float64{} {
					wanted = fmt.Sprintf("%.3g to %.3g %%", 100*r.want[0], 100*r.want[1])
				}
				fmt.Fprintf(w, "| %s | %s | %.1f ± %.1f %% | %s | %d |\n", r.kind, r.name, 100*p, 100*se, wanted, r.of)
			}
		}
		fmt.Fprintln(w)
	}
	return nil
}

// measure plays the replications and returns the rates in the order in which they were
// first counted. Data that do not determine a fit are left out.
func (k kind) measure(study string, replications int, seed uint64) ([]rate, error) {
	type hit struct {
		name string
		hit  bool
	}
	all := make([][]hit, replications)
	g, ctx := errgroup.WithContext(context.Background())
	g.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	refusals := 0
	for i := range all {
		g.Go(func() error {
			var hits []hit
			err := k.play(ctx, seed, uint64(i), func(name string, is bool) { hits = append(hits, hit{name, is}) })
			var refused *solve.Unidentified
			if errors.As(err, &refused) {
				mu.Lock()
				refusals++
				mu.Unlock()
				return nil
			}
			all[i] = hits
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []rate
	at := map[string]int{}
	for _, hits := range all {
		for _, h := range hits {
			if _, seen := at[h.name]; !seen {
				at[h.name] = len(out)
				out = append(out, rate{study: study, kind: k.name, name: h.name, want: k.want[h.name]})
			}
			r := &out[at[h.name]]
			r.of++
			if h.hit {
				r.hits++
			}
		}
	}
	if refusals == replications {
		return nil, errors.New("no data set determines its fit")
	}
	return out, nil
}
