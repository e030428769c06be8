package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

// design is a kind of data set.
type design struct {
	name, about  string
	games, plies int     // positions of each game
	hidden       float64 // mean of y in won games, minus that in lost ones where negative; 0: y means nothing
	given        bool    // one condition is judged, y >= threshold; else all are searched
	threshold    float64
}

var designs = []design{
	{name: "given", about: "one condition, without a search", games: 1000, plies: 20, hidden: 0.15, given: true, threshold: 0.7},
	{name: "given, few games", about: "long games", games: 300, plies: 60, hidden: 0.15, given: true, threshold: 0.7},
	{name: "given, rare", about: "it holds in one position of 28", games: 1000, plies: 20, hidden: 0.15, given: true, threshold: 1.8},
	{name: "searched", about: "y is missing among five columns that mean nothing", games: 1000, plies: 20, hidden: 0.3},
	{name: "searched, few games", about: "the same with long games", games: 200, plies: 60, hidden: 0.3},
	{name: "nothing", about: "nothing is missing: all that is found is false", games: 1000, plies: 20},
	{name: "nothing, few games", about: "the same with long games", games: 200, plies: 60},
}

const (
	scale  = 160 // centipawns
	noise  = 5   // columns
	stays  = 0.95
	warmUp = 10 // plies before the first position
)

// play calls f with the positions of d's games.
//
// Who wins is drawn first. The value is a random walk of its likelihood ratios, and the
// columns are normal, y about a mean that the result shifts; given the result they know
// nothing of each other. So, by Bayes' rule, logit P(win) is v/scale at every ply, and
// v/scale + log(P(c|won)/P(c|lost)) where a condition c on the columns holds, although all
// positions of a game have one result and columns change slowly.
func (d design) play(rng *rand.Rand, f func(game int, value float64, columns []float64, won bool)) {
	step := 1.3 / math.Sqrt(float64(d.plies))
	for game := range d.games {
		sign := float64(2*rng.IntN(2) - 1)
		state := make([]float64, noise+1)
		for i := range state {
			state[i] = rng.NormFloat64()
		}
		columns := make([]float64, noise+1)
		walk := 0.0
		for ply := range warmUp + d.plies {
			walk += sign*step*step/2 + step*rng.NormFloat64()
			if ply < warmUp {
				continue
			}
			for i := range state {
				state[i] = stays*state[i] + math.Sqrt(1-stays*stays)*rng.NormFloat64()
				columns[i] = math.Round(1000*state[i]) / 1000
			}
			columns[0] = math.Round(1000*(state[0]+sign*d.hidden)) / 1000
			f(game, scale*walk, columns, sign > 0)
		}
	}
}

// truth returns the gap of a condition, the same at every value, or the weight of a feature
// that is 1 where it holds.
func (d design) truth(condition string, weight bool) float64 {
	if d.given {
		condition = fmt.Sprint("y >= ", d.threshold)
	}
	won, lost := 1.0, 1.0
	for _, part := range strings.Split(condition, " AND ") {
		f := strings.Fields(part)
		t, err := strconv.ParseFloat(f[len(f)-1], 64)
		if err != nil || len(f) != 3 {
			return math.NaN()
		}
		sign, mean := 1.0, 0.0
		if f[1] == "<=" {
			sign = -1
		}
		if f[0] == "y" {
			mean = d.hidden
		}
		won, lost = won*distuv.UnitNormal.CDF(sign*(mean-t)), lost*distuv.UnitNormal.CDF(sign*(-mean-t))
	}
	gap := scale * math.Log(won/lost)
	if weight {
		return gap - scale*math.Log((1-won)/(1-lost))
	}
	return gap
}

// write makes labels of d's games.
func (d design) write(rng *rand.Rand, out *datasets.Builder) error {
	out.SetMeta("game", "simulation")
	out.SetMeta("unit", "centipawns")
	out.SetMeta("leaf", "value")
	out.SetTable(labels)
	w, err := out.Part(0)
	if err != nil {
		return err
	}
	b := columns.NewBatch(out.Table())
	d.play(rng, func(game int, value float64, columns []float64, won bool) {
		appendRow(b, game, value, columns, won, columns[0] >= d.threshold)
	})
	return w.CloseWith(b, manifest.Counts{}, nil)
}

// appendRow adds a position to labels.
func appendRow(b *columns.Batch, game int, value float64, columns []float64, won, hidden bool) {
	b.Col("game_id").AppendInt64(int64(game))
	b.Col("result").AppendString(map[bool]string{true: "first", false: "second"}[won])
	b.Col("value").AppendFloat32(float32(value))
	b.Col("hidden").AppendBool(hidden)
	for i, x := range columns {
		b.Col(names[i]).AppendFloat64(x)
	}
	b.Col("leaf_phase").AppendInt32(0)
	b.Col("features").AppendBytes(nil)
	b.Rows++
}

var names = [noise + 1]string{"y", "a", "b", "c", "d", "e"}

var labels = func() schemas.Table {
	t := schemas.Table{Columns: []schemas.Column{
		{Name: "game_id", Type: schemas.Int64}, {Name: "result", Type: schemas.String, Nullable: true, Repeats: true}, {Name: "hidden", Type: schemas.Bool},
	}}
	for _, name := range names {
		t.Columns = append(t.Columns, schemas.Column{Name: name, Type: schemas.Float64})
	}
	return schemas.Labels(t, []string{"value"}, nil, "value")
}()

// found is a split: estimates with their intervals of gap, gap held out, mean gap, weight.
type found struct {
	condition string
	confirmed bool
	intervals [4][3]float64
}

// read reads split.csv.
func read(text []byte) ([]found, error) {
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	var all []found
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		f := found{condition: row["condition"], confirmed: row["confirmed"] == "true"}
		for i, name := range []string{"gap", "gap_held_out", "mean_gap", "weight"} {
			for j, end := range []string{"", "_low", "_high"} {
				f.intervals[i][j] = math.NaN()
				if x := row[name+end]; x != "" {
					if f.intervals[i][j], err = strconv.ParseFloat(x, 64); err != nil {
						return nil, err
					}
				}
			}
		}
		all = append(all, f)
	}
	return all, nil
}
