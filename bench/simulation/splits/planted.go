package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/fit/fittest"
	"kifu/schemas"
)

// playedInterval is an interval of a report, and what it is of: NaN, the mean over data sets.
type playedInterval struct {
	name             string
	value, low, high float64
	truth            float64
}

// playedDesign is data sets with planted rates of players who return.
type playedDesign struct {
	name  string
	short bool // tests have it
	of    func(ctx context.Context, dir string, seed, i uint64) ([]playedInterval, error)
}

var playedDesigns = []playedDesign{
	{"moves: 100 players, 1,200 games", false, chosenBy(fittest.Anyone(100, 1200), 0.7)},
	{"moves: 40 players of strong habits, 800 games", true, chosenBy(fittest.Anyone(40, 800), 1.5)},
	{"moves: 306 players of WTHOR's schedule of 1989, 2,144 games", false, chosenBy(wthor, 0.7)},
	{"moves: 100 players, 1,200 games, players alike", false, chosenBy(fittest.Anyone(100, 1200), 0)},
	{"few players, moves: 6 engines, 240 games", true, chosenBy(fittest.Anyone(6, 240), 1)},
	{"few players, moves: 8 engines, 240 games", false, chosenBy(fittest.Anyone(8, 240), 1)},
	{"few players, moves: 9 engines, 240 games, alike by 0.4", false, chosenBy(fittest.Anyone(9, 240), 0.4)},
	{"few players, moves: five hubs and 60 others", false, chosenBy(fittest.Hubs(5, 60, 400), 1)},
	{"few players, moves: 60 players, games by Zipf's law", true, chosenBy(fittest.Zipf(60, 600), 1)},
	{"judged: 100 players, 1,200 games", false, clubDesign{"", fittest.Anyone(100, 1200), 0.7, 0, false}.searched},
	{"judged: 306 players of WTHOR's schedule of 1989, 2,144 games", false, clubDesign{"", wthor, 0.7, 0, false}.searched},
	{"judged: 60 players by Zipf's law, 400 games of unequal length", true, clubDesign{"", fittest.Zipf(60, 400), 0.7, 0, true}.searched},
	{"judged: 6 engines, 240 games of unequal length", false, clubDesign{"", fittest.Anyone(6, 240), 0.7, 0, true}.searched},
	{"judged: 80 games of unequal length, nobody returns", false, clubDesign{"", fittest.Fresh(80), 0.7, 0, true}.searched},
	{"few players, database: 8 engines, 400 games", true, league{spread: 150, schedule: fittest.Anyone(8, 400)}.intervals},
	{"few players, database: the same, half of them always first", false, league{spread: 150, schedule: fittest.Sides(fittest.Anyone(8, 400), 8)}.intervals},
	{"few players, database: 60 players, games by Zipf's law, ratings off by 100", false, league{spread: 150, off: 100, schedule: fittest.Zipf(60, 1200)}.intervals},
	{"database: 100 players, 1,200 games", false, league{spread: 150, schedule: fittest.Anyone(100, 1200)}.intervals},
	{"database: the same, ratings off by 100", false, league{spread: 150, off: 100, schedule: fittest.Anyone(100, 1200)}.intervals},
	{"database: the same, half of the players always first", true, league{spread: 150, off: 100, schedule: fittest.Sides(fittest.Anyone(100, 1200), 100)}.intervals},
}

// writeRows writes a part of n rows; columns that fill leaves out are null, empty or 0.
func writeRows(out *datasets.Builder, table schemas.Table, n int, fill func(row int, v *columns.Vec) bool) error {
	out.SetTable(table)
	w, err := out.Part(0)
	if err != nil {
		return err
	}
	b := columns.NewBatch(out.Table())
	for row := range n {
		for i := range b.Cols {
			if v := &b.Cols[i]; !fill(row, v) {
				appendNothing(v)
			}
		}
		b.Rows++
	}
	return w.CloseWith(b, manifest.Counts{}, nil)
}

func appendNothing(v *columns.Vec) {
	switch {
	case v.Column.Nullable:
		v.AppendNull()
	case v.Column.Type == schemas.StringMap:
		v.EndMap()
	case v.Column.Type == schemas.Bytes || v.Column.Type == schemas.String:
		v.AppendBytes(nil)
	case v.Column.Type == schemas.Int64:
		v.AppendInt64(0)
	default:
		v.AppendInt32(0)
	}
}

// eachRow calls f with the rows of a CSV file by the names of its columns; an empty number is NaN.
func eachRow(file []byte, f func(text func(string) string, number func(string) float64)) error {
	lines, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		return err
	}
	for _, line := range lines[1:] {
		text := func(name string) string {
			for i, column := range lines[0] {
				if column == name {
					return line[i]
				}
			}
			return ""
		}
		f(text, func(name string) float64 {
			x, err := strconv.ParseFloat(text(name), 64)
			if err != nil {
				return math.NaN()
			}
			return x
		})
	}
	return nil
}

// measure returns how many intervals of n data sets hold the truth, by name in the order of names.
func (d playedDesign) measure(n int, seed uint64) (names []string, held []float64, err error) {
	all, err := replicated(n, func(ctx context.Context, dir string, i uint64) ([]playedInterval, error) {
		return d.of(ctx, dir, seed, i)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", d.name, err)
	}
	for j, one := range all[0] {
		names, held = append(names, one.name), append(held, 0)
		truth := one.truth
		if math.IsNaN(truth) {
			var values []float64
			for _, of := range all {
				values = append(values, of[j].value)
			}
			truth = stat.Mean(values, nil)
		}
		for _, of := range all {
			held[j] += b2f(of[j].low <= truth && truth <= of[j].high)
		}
	}
	return names, held, nil
}

// runPlayed prints how often the intervals of report moves and report database hold what was planted.
func runPlayed(replications int, seed uint64, only string) error {
	head := "| data | interval of | data sets | held |\n|---|---|---:|---:|\n"
	for _, d := range playedDesigns {
		if !strings.Contains(d.name, only) {
			continue
		}
		names, held, err := d.measure(replications, seed)
		if err != nil {
			return err
		}
		for j, name := range names {
			fmt.Printf("%s| %s | %s | %d | %s |\n", head, d.name, name, replications, rated(held[j], float64(replications)))
			head = ""
		}
	}
	return nil
}
