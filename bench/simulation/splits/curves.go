package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"

	"kifu/datasets"
	"kifu/fit/fittest"
	"kifu/internal/dyads"
	"kifu/query"
	"kifu/report/curve"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// curveDesigns are games of clubDesign whose curves are drawn: where nothing is missing the chance to
// win at a value is known, for all positions and under any condition on the columns.
var curveDesigns = []clubDesign{
	{"curves: 40 players, 1,200 games", fittest.Anyone(40, 1200), 0.7, 0, false},
	{"curves: 100 players, 4,000 games", fittest.Anyone(100, 4000), 0.7, 0, false},
	{"curves: 306 players of WTHOR's schedule of 1989, 2,144 games", wthor, 0.7, 0, false},
	{"curves: the same, equally strong", wthor, 0, 0, false},
}

// The kinds of intervals that are compared.
var curveKinds = []struct{ name, way, interval string }{
	{"Wilson's, positions independent", dyads.ByGame, curve.IntervalWilson},
	{"by game", dyads.ByGame, curve.IntervalRobust},
	{"as players make games depend", dyads.Both, curve.IntervalRobust},
	{"bootstrap, as players make games depend", dyads.Both, curve.IntervalBootstrap},
}

const (
	curveBin   = 40
	styled     = "a >= 0.7" // a condition that players' styles are in
	binMinimum = 100
)

// runCurves prints how many bins' intervals hold the truth, in the mean over data sets.
func runCurves(replications int, seed uint64, only string) error {
	head := "| games | intervals | data sets | bins of the total | of those beyond ± 200 | bins of the condition |\n|---|---|---:|---:|---:|---:|\n"
	for _, d := range curveDesigns {
		if !strings.Contains(d.name, only) {
			continue
		}
		all, err := replicated(replications, func(ctx context.Context, dir string, i uint64) ([][3]float64, error) {
			return d.curves(ctx, dir, seed, i)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		for k, kind := range curveKinds {
			fmt.Printf("%s| %s | %s | %d |", head, strings.TrimPrefix(d.name, "curves: "), kind.name, replications)
			for part := range 3 {
				var shares []float64
				for _, of := range all {
					if x := of[k][part]; !math.IsNaN(x) {
						shares = append(shares, x)
					}
				}
				mean, spread := stat.MeanStdDev(shares, nil)
				fmt.Printf(" %.1f ± %.1f %% |", 100*mean, 100*spread/math.Sqrt(float64(len(shares))))
			}
			fmt.Println()
			head = ""
		}
	}
	return nil
}

// curves returns for each kind of interval the shares of the bins that hold the truth in data set
// number i.
func (d clubDesign) curves(ctx context.Context, dir string, seed, i uint64) ([][3]float64, error) {
	return played(ctx, d, dir, seed, i, func(in, games *datasets.Dir) (all [][3]float64, err error) {
		for _, kind := range curveKinds {
			one, err := d.covered(ctx, kind.way, kind.interval, i, in, games)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		return all, nil
	})
}

func (d clubDesign) covered(ctx context.Context, way, interval string, i uint64, in, games *datasets.Dir) (shares [3]float64, err error) {
	db, err := query.Open(ctx, query.Options{Threads: 1})
	if err != nil {
		return shares, err
	}
	defer db.Close()
	p := curve.Params{Sources: []string{"labels"}, Bin: curveBin, MinCount: binMinimum, Draws: shape.DrawsExclude, Interval: interval, Seed: i, Workers: 1,
		When: []query.Named{{Name: "styled", SQL: styled}}, Clusters: sheet.Clusters{Way: way, Names: []int{1}}}
	c, err := curve.Run(ctx, db, p, []*datasets.Dir{in, games})
	if err != nil {
		return shares, err
	}
	truth, err := meanChances(ctx, in)
	if err != nil {
		return shares, err
	}
	var hits, bins [3]float64
	for k, of := range c.Curves {
		for _, b := range of.Bins {
			want := truth[k][b.V]
			hit := b2f(b.Low <= want && want <= b.High)
			if k > 0 {
				hits[2], bins[2] = hits[2]+hit, bins[2]+1
				continue
			}
			hits[0], bins[0] = hits[0]+hit, bins[0]+1
			if math.Abs(b.V) > 200 {
				hits[1], bins[1] = hits[1]+hit, bins[1]+1
			}
		}
	}
	for part := range shares {
		shares[part] = hits[part] / bins[part]
	}
	return shares, nil
}

// meanChances returns the mean chance to win of the positions of each bin, of all and under the
// condition, by their values.
func meanChances(ctx context.Context, in *datasets.Dir) (means [2]map[float64]float64, err error) {
	db, err := query.Open(ctx, query.Options{Threads: 1})
	if err != nil {
		return means, err
	}
	defer db.Close()
	if err := db.Attach(ctx, "labels", in); err != nil {
		return means, err
	}
	for k, condition := range []string{"true", styled} {
		result, err := db.Query(ctx, fmt.Sprintf("SELECT (floor(value / %d + 0.5) * %d)::DOUBLE, avg(1 / (1 + exp(-value::DOUBLE / %d))) FROM labels WHERE %s GROUP BY 1", curveBin, curveBin, scale, condition))
		if err != nil {
			return means, err
		}
		means[k] = map[float64]float64{}
		if err := result.Each(func(row []any) error { means[k][row[0].(float64)] = row[1].(float64); return nil }); err != nil {
			return means, err
		}
	}
	return means, nil
}
