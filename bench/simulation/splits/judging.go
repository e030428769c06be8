package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
	"kifu/report/calibration"
	"kifu/report/depth"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// judgedDesigns are games of clubDesign with values of three searches, whose calibration is reported,
// and how far the shallow ones predict the deep one.
var judgedDesigns = []clubDesign{
	{"judged: 100 players, 1,200 games", anyone(100, 1200), 0.7, 0},
	{"judged: 306 players of WTHOR's schedule of 1989, 2,144 games", wthor, 0.7, 0},
	{"judged: the same, equally strong", wthor, 0, 0},
}

// The values of a position: the true one, and with errors that stay for a while.
var searches = [3]string{"static_value", "quiescence_value", "depth_2_value"}

var judgedLabels = schemas.Labels(schemas.Table{Columns: []schemas.Column{
	{Name: "game_id", Type: schemas.Int64}, {Name: "ply", Type: schemas.Int32}, {Name: "result", Type: schemas.String, Nullable: true, Repeats: true},
	{Name: "first_elo", Type: schemas.Int16, Nullable: true}, {Name: "second_elo", Type: schemas.Int16, Nullable: true},
}}, searches[:], nil, searches[2])

// write3 makes labels of d's games with the values of three searches.
func (d clubDesign) write3(rng *rand.Rand, out *datasets.Builder) (pairs []dyads.Pair, err error) {
	out.SetMeta("game", "simulation")
	out.SetMeta("unit", "centipawns")
	out.SetMeta("leaf", searches[2])
	out.SetTable(judgedLabels)
	w, err := out.Part(0)
	if err != nil {
		return nil, err
	}
	b := columns.NewBatch(out.Table())
	var off [2]float64
	last, ply := -1, 0
	pairs = d.play(rng, func(game int, value float64, columns []float64, won bool) {
		for i, size := range [2]float64{120, 60} {
			off[i] = 0.8*off[i] + 0.6*size*rng.NormFloat64()
			if game != last { // players' styles are in what the searches do not see
				off[i], ply = size*(rng.NormFloat64()+columns[1]/2), warmUp
			}
		}
		last = game
		ply++
		b.Col("game_id").AppendInt64(int64(game))
		b.Col("ply").AppendInt32(int32(ply))
		b.Col("result").AppendString(map[bool]string{true: "first", false: "second"}[won])
		b.Col("first_elo").AppendNull()
		b.Col("second_elo").AppendNull()
		b.Col(searches[0]).AppendFloat32(float32(value + off[0]))
		b.Col(searches[1]).AppendFloat32(float32(value + off[1]))
		b.Col(searches[2]).AppendFloat32(float32(value))
		b.Col("leaf_phase").AppendInt32(0)
		b.Col("features").AppendBytes(nil)
		b.Rows++
	})
	return pairs, closePart(w, b)
}

// judgedNumber is a number of a report with its error.
type judgedNumber struct {
	name      string
	value, se float64
}

// judgedNumbers returns the numbers of data set number i, with errors by way.
func judgedNumbers(ctx context.Context, way string, in ...*datasets.Dir) (all []judgedNumber, err error) {
	clusters := sheet.Clusters{Way: way, Names: []int{1}}
	out := files{}
	c := calibration.Params{Values: searches[:], Sources: []string{"labels"}, Holdout: 0.3, Seed: 1, Bins: 20, Draws: "exclude", Workers: 1, Clusters: clusters}
	if err := calibration.Make(ctx, c, in, page.Alone(out)); err != nil {
		return nil, err
	}
	d := depth.Params{Sources: []string{"labels"}, Workers: 1, Clusters: clusters}
	if err := depth.Make(ctx, d, in, page.Alone(out)); err != nil {
		return nil, err
	}
	add := func(file, key string, names ...string) error {
		lines, err := csv.NewReader(bytes.NewReader(out[file])).ReadAll()
		if err != nil {
			return err
		}
		for _, line := range lines[1:] {
			row := map[string]string{}
			for i, name := range lines[0] {
				row[name] = line[i]
			}
			if row["kind"] != "all" {
				continue
			}
			for _, name := range names {
				value, err := strconv.ParseFloat(row[name], 64)
				if err != nil {
					continue // the first has no difference
				}
				se, err := strconv.ParseFloat(row[name+"_se"], 64)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", file, name, err)
				}
				all = append(all, judgedNumber{name + " of " + row[key], value, se})
			}
		}
		return nil
	}
	if err := add("calibration.csv", "forecast", "log_loss", "difference"); err != nil {
		return nil, err
	}
	return all, add("depth.csv", "shallow", "a", "b", "sigma", "sigma_difference")
}

// runJudged prints how often ± 1.96 errors of a number hold its mean over data sets.
func runJudged(replications int, seed uint64, only string) error {
	head := "| games | number | data sets | held, by game | as players make games depend |\n|---|---|---:|---:|---:|\n"
	for _, d := range judgedDesigns {
		if !strings.Contains(d.name, only) {
			continue
		}
		all, err := replicated(replications, func(ctx context.Context, dir string, i uint64) ([2][]judgedNumber, error) {
			return playedAs(ctx, judgedLabels.ID(), d.write3, dir, seed, i, func(in, games *datasets.Dir) (of [2][]judgedNumber, err error) {
				for k, way := range ways {
					if of[k], err = judgedNumbers(ctx, way, in, games); err != nil {
						return of, err
					}
				}
				return of, nil
			})
		})
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		n := float64(len(all))
		for j, number := range all[0][0] {
			var values []float64
			for _, of := range all {
				values = append(values, of[0][j].value)
			}
			truth := stat.Mean(values, nil)
			var held [2]float64
			for _, of := range all {
				for k := range ways {
					held[k] += b2f(math.Abs(of[k][j].value-truth) <= 1.96*of[k][j].se)
				}
			}
			fmt.Printf("%s| %s | %s | %d | %s | %s |\n", head, strings.TrimPrefix(d.name, "judged: "), number.name, len(all), rated(held[0], n), rated(held[1], n))
			head = ""
		}
	}
	return nil
}
