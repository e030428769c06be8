package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/report/shape"
	"kifu/report/split/conditions"
	"kifu/report/split/search"
	"kifu/schemas"
)

// realDesign is games with the columns of real ones, and with drawn results and values: values are
// independent of the columns, so that only y is missing. y is a real column, too, of another game, in
// standard deviations, and higher by effect in games that are won and lower in lost ones: conditions on
// y shift the curve, all others are false.
type realDesign struct {
	name   string
	games  int
	effect float64
}

var realDesigns = []realDesign{
	{"real columns, nothing missing, 600 games", 600, 0},
	{"real columns, one missing, 600 games", 600, 0.2},
	{"real columns, nothing missing, 2,000 games", 2000, 0},
	{"real columns, one missing, 2,000 games", 2000, 0.1},
}

// pool is the real games: a column after the other, and the rows of a game.
type pool struct {
	columns []schemas.Column
	values  [][]float64
	games   [][2]int
	y       []float64 // the column of which y is made, in standard deviations
}

// readPool reads the columns that report split makes conditions of; y is made of the named one.
func readPool(ctx context.Context, dir, y string) (*pool, error) {
	d, err := datasets.Open(dir)
	if err != nil {
		return nil, err
	}
	p := &pool{}
	names := []string{"game_id"}
	numbers, err := conditions.Columns(d.Table, nil)
	if err != nil {
		return nil, err
	}
	for _, name := range numbers {
		p.columns = append(p.columns, d.Table.Columns[d.Table.Index(name)])
		names = append(names, name)
	}
	p.values = make([][]float64, len(p.columns))
	last := int64(-1)
	err = datasets.Scan(ctx, d, "games", "positions", names, func(_ datasets.Group, b *columns.Batch) error {
		for i, id := range b.Col("game_id").Int64[:b.Rows] {
			if id != last {
				p.games = append(p.games, [2]int{len(p.values[0]), len(p.values[0])})
				last = id
			}
			for k, c := range p.columns {
				p.values[k] = append(p.values[k], b.Col(c.Name).Number(i))
			}
			p.games[len(p.games)-1][1]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for k, c := range p.columns {
		if c.Name == y {
			p.y = standardised(p.values[k])
		}
	}
	if p.y == nil {
		return nil, fmt.Errorf("%s has no column %s: -planted names one", dir, y)
	}
	return p, nil
}

func standardised(x []float64) []float64 {
	var sum, squares float64
	for _, a := range x {
		sum, squares = sum+a, squares+a*a
	}
	n := float64(len(x))
	mean := sum / n
	sd := math.Sqrt(squares/n - mean*mean)
	out := make([]float64, len(x))
	for i, a := range x {
		out[i] = (a - mean) / sd
	}
	return out
}

// write makes labels of d's games, drawn from the pool.
func (d realDesign) write(rng *rand.Rand, p *pool, out *datasets.Builder) error {
	out.SetMeta("game", "simulation")
	out.SetMeta("unit", "centipawns")
	out.SetMeta("leaf", "value")
	t := schemas.Table{Columns: []schemas.Column{
		{Name: "game_id", Type: schemas.Int64}, {Name: "result", Type: schemas.String, Nullable: true, Repeats: true}, {Name: "y", Type: schemas.Float64},
	}}
	for _, c := range p.columns {
		t.Columns = append(t.Columns, schemas.Column{Name: c.Name, Type: schemas.Float64})
	}
	out.SetTable(schemas.Labels(t, []string{"value"}, nil, "value"))
	w, err := out.Part(0)
	if err != nil {
		return err
	}
	b := columns.NewBatch(out.Table())
	order := rng.Perm(len(p.games))
	for game := range d.games {
		d.play(rng, p, b, int64(game), p.games[order[game]], p.games[order[len(order)-1-game]])
	}
	return w.CloseWith(b, manifest.Counts{}, nil)
}

// play appends the positions of one game, with y of another.
func (d realDesign) play(rng *rand.Rand, p *pool, b *columns.Batch, id int64, game, other [2]int) {
	sign := float64(2*rng.IntN(2) - 1)
	step := 1.3 / math.Sqrt(float64(game[1]-game[0]))
	walk := 0.0
	// y starts anywhere in the other game and goes round, so that it knows neither ply nor side to move.
	from := rng.IntN(other[1] - other[0])
	for range warmUp {
		walk += sign*step*step/2 + step*rng.NormFloat64()
	}
	for i := game[0]; i < game[1]; i++ {
		walk += sign*step*step/2 + step*rng.NormFloat64()
		b.Col("game_id").AppendInt64(id)
		b.Col("result").AppendString(map[float64]string{1: "first", -1: "second"}[sign])
		b.Col("value").AppendFloat32(float32(scale * walk))
		b.Col("y").AppendFloat64(p.y[other[0]+(from+i-game[0])%(other[1]-other[0])] + sign*d.effect)
		for k, c := range p.columns {
			b.Col(c.Name).AppendFloat64(p.values[k][i])
		}
		b.Col("leaf_phase").AppendInt32(0)
		b.Col("features").AppendBytes(nil)
		b.Rows++
	}
}

// search searches the data set in dir.
func (d realDesign) search(ctx context.Context, in *datasets.Dir, seed uint64) ([]search.Found, error) {
	p := search.Params{Source: "labels", Bin: 25, Draws: shape.DrawsExclude, MinCount: 300, Holdout: 0.3, FDR: rate, Level: rate, Top: 20, Seed: seed, Workers: 1}
	return search.Find(ctx, p, in)
}

// report writes a line for the design.
func (d realDesign) report(w io.Writer, all [][]search.Found) {
	var any, shifts, slopes, y, pairs, wrongShare float64
	for _, found := range all {
		var wrongShift, wrongSlope, right, wrongPair, shown bool
		wrong := 0.0
		for _, k := range found {
			if !k.Shown {
				continue
			}
			shown = true
			of := strings.Count(" "+k.Condition, " y ")
			switch {
			case of > 0 && !strings.Contains(k.Condition, " AND "):
				right = true
			case of > 0:
				right, wrongPair = true, true
			default:
				wrong++
				wrongShift = wrongShift || k.Shift
				wrongSlope = wrongSlope || !k.Shift
			}
		}
		_ = shown
		any += b2f(wrongShift || wrongSlope)
		shifts, slopes, y, pairs = shifts+b2f(wrongShift), slopes+b2f(wrongSlope), y+b2f(right), pairs+b2f(wrongPair)
		wrongShare += wrong / math.Max(1, float64(countShown(found)))
	}
	n := float64(len(all))
	fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %s | %s | %s |\n", d.name, len(all), rated(any, n), rated(shifts, n), rated(slopes, n), rated(wrongShare, n), rated(y, n), rated(pairs, n))
}

const realHead = "| games | data sets | any false | a false shift | a false slope | of what is shown false | y found | with another column |\n|---|---:|---:|---:|---:|---:|---:|---:|\n"

func countShown(found []search.Found) (n int) {
	for _, k := range found {
		n += one(k.Shown)
	}
	return n
}

func b2f(yes bool) float64 { return float64(one(yes)) }

// rated is a share with its standard error.
func rated(k, n float64) string {
	share := k / n
	return fmt.Sprintf("%.1f ± %.1f %%", 100*share, 100*math.Sqrt(share*(1-share)/n))
}
