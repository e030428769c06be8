// Command fit of bench writes positions for a comparison of solvers: as a dataset of
// labels for kifu fit, and as plain arrays for others.
//
//	go run ./bench/fit -rows 500000 -terms 150 -stages 2 -out DIR     made up
//	go run ./bench/fit -labels LABELS -free mobility,pawns -out DIR   of real games
//
// DIR/labels is the dataset, with all but three terms zeroed out of the values (not
// with -labels); DIR/raw holds little-endian arrays: value and y (float64), indptr,
// indices (int32) and data (float64) of the sparse matrix whose columns are the free
// terms, a column a stage.
//
// The made-up terms are alike, and their counts depend on each other little: an easy problem. A chess
// evaluator's terms are harder.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/schemas"
)

const fixed = 3 // terms that stay in the values

type params struct {
	Rows, Terms, Stages, PerRow, PerGame int
	Seed                                 uint64
}

func main() {
	log.SetFlags(0)
	p := params{PerGame: 80}
	flag.IntVar(&p.Rows, "rows", 500_000, "positions")
	flag.IntVar(&p.Terms, "terms", 300, "terms")
	flag.IntVar(&p.Stages, "stages", 1, "stages: 1 or 2")
	flag.IntVar(&p.PerRow, "features", 31, "mean number of features a position")
	flag.Uint64Var(&p.Seed, "seed", 1, "seed")
	labels := flag.String("labels", "", "write the positions of this dataset instead")
	free := flag.String("free", "", "its free terms and groups")
	out := flag.String("out", "", "directory")
	only := flag.Bool("only-labels", false, "write no arrays")
	flag.Parse()
	if err := run(p, *labels, *free, *out, *only); err != nil {
		log.Fatal("bench/fit: ", err)
	}
}

func run(p params, labels, free, out string, only bool) (err error) {
	var raw *arrays
	if !only {
		if raw, err = createRaw(filepath.Join(out, "raw")); err != nil {
			return err
		}
	}
	if labels == "" {
		err = p.write(filepath.Join(out, "labels"), raw)
	} else {
		var dir *datasets.Dir
		if dir, err = datasets.Open(labels); err == nil {
			err = dump(dir, free, raw)
		}
	}
	if cerr := raw.close(); err == nil {
		err = cerr
	}
	return err
}

// models returns the evaluator that decides the games, and the one of the values.
func (p params) models() (planted, present *eval.Model) {
	rng := rand.New(rand.NewPCG(p.Seed, 1))
	m := &eval.Model{Game: "synthetic", Name: "planted", Unit: "points", Stages: []string{"all"}, Knots: []int{0}}
	if p.Stages == 2 {
		m.Stages, m.Knots = []string{"opening", "endgame"}, []int{24, 0}
	}
	for i := range p.Terms {
		t := eval.Term{Name: fmt.Sprintf("t%d", i), Group: "free"}
		if i < fixed {
			t.Group = "fixed"
		}
		for range m.Stages {
			w := 15 * rng.NormFloat64()
			if i < fixed {
				w = 80
			}
			t.Weights = append(t.Weights, math.Round(w*100)/100)
		}
		m.Terms = append(m.Terms, t)
	}
	present = m.Clone()
	for i := fixed; i < p.Terms; i++ {
		clear(present.Terms[i].Weights)
	}
	return m, present
}

func (p params) write(dir string, raw *arrays) error {
	planted, present := p.models()
	positions := schemas.Table{Columns: []schemas.Column{{Name: "game_id", Type: schemas.Int64}, {Name: "result", Type: schemas.String, Nullable: true, Repeats: true}}}
	table := schemas.Labels(positions, []string{"static_value"}, nil, "static_value")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{
		Stage: "label", Output: table.ID(), Params: p,
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			text, err := present.TOML()
			if err != nil {
				return err
			}
			out.SetTable(table)
			for k, v := range map[string]string{"game": "synthetic", "unit": "points", "leaf": "static_value", "zeroed": "free"} {
				out.SetMeta(k, v)
			}
			if err := out.AddFile("weights.toml", text); err != nil {
				return err
			}
			w, err := out.Part(0)
			if err != nil {
				return err
			}
			b := columns.NewBatch(table)
			end := func() error {
				g, err := w.Encode(b)
				b.Reset()
				if err != nil {
					return err
				}
				return w.Append(g)
			}
			rng := rand.New(rand.NewPCG(p.Seed, 2))
			counts := make([]int16, p.Terms)
			for i := range p.Rows {
				ply := i % p.PerGame
				p.move(rng, counts, ply == 0)
				phase := 24 - 24*ply/p.PerGame
				var features []eval.Feature
				for t, n := range counts {
					if n != 0 {
						features = append(features, eval.Feature{Term: uint32(t), Count: n})
					}
				}
				won := rng.Float64() < 1/(1+math.Exp(-0.005*planted.Score(features, phase)))
				value := float32(present.Score(features, phase))
				b.Col("game_id").AppendInt64(int64(i / p.PerGame))
				b.Col("result").AppendString(map[bool]string{true: "first", false: "second"}[won])
				b.Col("static_value").AppendFloat32(value)
				b.Col("leaf_phase").AppendInt32(int32(phase))
				b.Col("features").AppendBytes(eval.AppendPacked(nil, features))
				for _, f := range features {
					for s, share := range present.Mix(phase, nil) {
						if f.Term >= fixed && share != 0 {
							raw.entry(int32(f.Term-fixed)*int32(p.Stages)+int32(s), float64(f.Count)*share)
						}
					}
				}
				raw.row(float64(value), won)
				if b.Rows++; b.Rows == 1<<16 {
					if err := end(); err != nil {
						return err
					}
				}
			}
			if err := end(); err != nil {
				return err
			}
			return w.Close(manifest.Counts{Read: int64(p.Rows), Written: int64(p.Rows)}, nil)
		}}, datasets.Options{Force: true})
	return err
}

// move changes the counts as a move would: an eighth of them.
func (p params) move(rng *rand.Rand, counts []int16, fresh bool) {
	draw := func(i int) {
		counts[i] = 0
		if rng.IntN(p.Terms) < p.PerRow {
			counts[i] = int16(rng.IntN(3)+1) * int16(1-2*rng.IntN(2))
		}
	}
	if !fresh {
		for range p.Terms / 8 {
			draw(rng.IntN(p.Terms))
		}
		return
	}
	for i := range counts {
		draw(i)
	}
}

// arrays are the files for other solvers; nil takes what it gets and keeps nothing.
type arrays struct {
	files map[string]*os.File
	to    map[string]*bufio.Writer
	n     int32
	err   error
}

func createRaw(dir string) (*arrays, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	a := &arrays{files: map[string]*os.File{}, to: map[string]*bufio.Writer{}}
	for _, name := range []string{"value", "y", "indptr", "indices", "data"} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		a.files[name], a.to[name] = f, bufio.NewWriter(f)
	}
	a.put("indptr", 0, 4)
	return a, nil
}

// put appends the low bytes of x, of which the file's elements have size.
func (a *arrays) put(name string, x uint64, size int) {
	b := binary.LittleEndian.AppendUint64(nil, x)
	if _, err := a.to[name].Write(b[:size]); a.err == nil {
		a.err = err
	}
}

// entry adds to the row that row will end.
func (a *arrays) entry(column int32, x float64) {
	if a == nil {
		return
	}
	a.put("indices", uint64(column), 4)
	a.put("data", math.Float64bits(x), 8)
	a.n++
}

func (a *arrays) row(value float64, won bool) {
	if a == nil {
		return
	}
	a.put("indptr", uint64(a.n), 4)
	a.put("value", math.Float64bits(value), 8)
	y := 0.0
	if won {
		y = 1
	}
	a.put("y", math.Float64bits(y), 8)
}

func (a *arrays) close() error {
	if a == nil {
		return nil
	}
	for name, f := range a.files {
		if err := a.to[name].Flush(); a.err == nil {
			a.err = err
		}
		if err := f.Close(); a.err == nil {
			a.err = err
		}
	}
	return a.err
}
