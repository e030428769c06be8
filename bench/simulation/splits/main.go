// Splits plays games of an evaluator that is right but for one condition, or right
// altogether, searches them by kifu report split, and reports how often the intervals hold
// the truth and how much of what is found is false: tables of
// bench/simulation/README.md.
//
//	go run ./bench/simulation/splits -replications 400 > tables.md
//
// Equal flags give equal tables. TMPDIR=/dev/shm spares the disk.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"kifu/bench/simulation/walk"
	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/report/page"
	"kifu/report/shape"
	"kifu/report/split"
	"kifu/report/split/search"
)

func main() {
	replications := flag.Int("replications", 400, "data sets of each kind")
	seed := flag.Uint64("seed", 2007, "seed")
	only := flag.String("only", "", "kinds whose name contains the text")
	labels := flag.String("labels", "", "labels whose columns the designs of real columns have")
	planted := flag.String("planted", "mobility", "column of the labels that y is made of")
	flag.Parse()
	err := run(*replications, *seed, *only)
	if err == nil {
		err = runClubs(*replications, *seed, *only)
	}
	if err == nil {
		err = runCurves(*replications, *seed, *only)
	}
	if err == nil {
		err = runPlayed(*replications, *seed, *only)
	}
	if err == nil && *labels != "" {
		err = runReal(*replications, *seed, *only, *labels, *planted)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "splits:", err)
		os.Exit(1)
	}
}

func run(replications int, seed uint64, only string) error {
	for _, d := range designs {
		if !strings.Contains(d.name, only) {
			continue
		}
		all, err := replicated(replications, func(ctx context.Context, dir string, i uint64) ([]found, error) {
			return d.replicate(ctx, dir, seed, i)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		d.report(os.Stdout, all)
	}
	return nil
}

// runReal is run of the designs with real columns.
func runReal(replications int, seed uint64, only, path, planted string) error {
	p, err := readPool(context.Background(), path, planted)
	if err != nil {
		return err
	}
	fmt.Print(realHead)
	for _, d := range realDesigns {
		if !strings.Contains(d.name, only) {
			continue
		}
		all, err := replicated(replications, func(ctx context.Context, dir string, i uint64) ([]search.Found, error) {
			return made(ctx, labels.ID(), dir, seed, i, func(b *datasets.Builder) error { return d.write(walk.Source(seed, i), p, b) },
				func(in *datasets.Dir) ([]search.Found, error) { return d.search(ctx, in, i) })
		})
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		d.report(os.Stdout, all)
	}
	return nil
}

// made writes a data set, calls do with it, and removes it.
func made[T any](ctx context.Context, output, dir string, seed, i uint64, write func(b *datasets.Builder) error, do func(in *datasets.Dir) (T, error)) (result T, err error) {
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in, err := build(ctx, dir, output, seed, i, write)
	if err != nil {
		return result, err
	}
	return do(in)
}

// build writes one data set.
func build(ctx context.Context, dir, output string, seed, i uint64, write func(b *datasets.Builder) error) (*datasets.Dir, error) {
	_, _, err := datasets.Build(ctx, dir, datasets.Step{
		Stage: "simulation", Output: output, Params: [...]uint64{seed, i},
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error { return write(b) },
	}, datasets.Options{})
	if err != nil {
		return nil, err
	}
	return datasets.Open(dir)
}

// rate is the family-wise rate of the searches, and the false discovery rate of their
// candidates.
const rate = 0.1

// replicate plays data set number i and searches it.
func (d design) replicate(ctx context.Context, dir string, seed, i uint64) ([]found, error) {
	return made(ctx, labels.ID(), dir, seed, i, func(b *datasets.Builder) error { return d.write(walk.Source(seed, i), b) },
		func(in *datasets.Dir) ([]found, error) { return d.judge(ctx, i, "", in) })
}

// judge searches labels, which the games may come after, with errors by way.
func (d design) judge(ctx context.Context, i uint64, way string, in ...*datasets.Dir) ([]found, error) {
	p := search.Params{Cluster: way, Source: "labels", Bin: 25, Draws: shape.DrawsExclude, MinCount: 300, Holdout: 0.3, FDR: rate, Level: rate, Top: 100, Seed: i, Workers: 1}
	if d.given {
		// Whatever its test finds: an interval that exists only for findings covers the larger
		// estimates.
		p.Columns, p.FDR, p.Level = []string{"hidden"}, 0.9999, 0.9999
	}
	out := files{}
	if err := split.Make(ctx, p, in, page.Alone(out)); err != nil {
		return nil, err
	}
	return read(out["split.csv"])
}

// files holds the files of a report in memory.
type files map[string][]byte

func (f files) AddFile(name string, data []byte) error { f[name] = data; return nil }
func (files) AddCounts(manifest.Counts)                {}
func (files) Key() string                              { return "" }
func (files) SetMeta(_, _ string)                      {}

// report writes the table of a design.
func (d design) report(w io.Writer, all [][]found) {
	fmt.Fprintf(w, "### %s\n\n%s: %d games of %d positions, %d data sets.\n\n", d.name, d.about, d.games, d.plies, len(all))
	if d.given || d.hidden > 0 {
		d.intervals(w, all)
	}
	if d.given {
		return
	}
	any, confirmed, firsts := 0, 0, 0
	var share, shareConfirmed float64
	for _, splits := range all {
		wrong, wrongConfirmed, n := 0.0, 0.0, 0.0
		for i, s := range splits {
			meant := d.hidden > 0 && strings.Contains(s.condition, "y ")
			firsts += one(i == 0 && meant)
			wrong += float64(one(!meant))
			wrongConfirmed += float64(one(!meant && s.confirmed))
			n += float64(one(s.confirmed))
		}
		any += one(len(splits) > 0)
		confirmed += one(n > 0)
		share += wrong / math.Max(1, float64(len(splits)))
		shareConfirmed += wrongConfirmed / math.Max(1, n)
	}
	n := float64(len(all))
	fmt.Fprintf(w, "Searches at a rate of %.0f %% that find anything: %s; that have anything confirmed: %s; with the hidden column first: %s.\n", 100*rate, percent(any, len(all)), percent(confirmed, len(all)), percent(firsts, len(all)))
	fmt.Fprintf(w, "False are in the mean %.1f %% of the splits shown, %.1f %% of those confirmed.\n\n", 100*share/n, 100*shareConfirmed/n)
}

// intervals summarises the first split of each data set.
func (d design) intervals(w io.Writer, all [][]found) {
	fmt.Fprintf(w, "| | truth, mean | estimate, mean | bias | interval's width | covers | has none |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for i, name := range []string{"gap", "gap, held out", "mean gap", "weight"} {
		var truth, estimate, width, covers, n, off, squares float64
		for _, splits := range all {
			if len(splits) == 0 {
				continue
			}
			first := splits[0]
			want, x := d.truth(first.condition, i == 3), first.intervals[i]
			if math.IsNaN(want) || math.IsNaN(x[1]) {
				continue
			}
			n++
			truth, estimate, width = truth+want, estimate+x[0], width+x[2]-x[1]
			off, squares = off+x[0]-want, squares+(x[0]-want)*(x[0]-want)
			covers += float64(one(x[1] <= want && want <= x[2]))
		}
		fmt.Fprintf(w, "| %s | %.1f | %.1f | %+.1f ± %.1f | %.0f | %s | %s |\n", name, truth/n, estimate/n, off/n, math.Sqrt(squares-off*off/n)/n, width/n, rated(covers, n), percent(len(all)-int(n), len(all)))
	}
	fmt.Fprintln(w)
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func percent(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of)) }
