// Gamecopies writes a dataset of many copies of games, with -clocks with made clocks and with -players with players of each copy's
// own, for timing reports that read games.
//
//	go run ./bench/gamecopies -copies 461 -clocks -out /var/tmp/copies GAMES
//
// A made clock begins at ten minutes, and a move takes up to a tenth of what is left.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

type params struct {
	Copies  int
	Clocks  bool
	Players bool
	Seed    uint64
}

func main() {
	var p params
	flag.IntVar(&p.Copies, "copies", 10, "number of copies")
	flag.BoolVar(&p.Clocks, "clocks", false, "make clocks")
	flag.BoolVar(&p.Players, "players", false, "name the players of each copy apart")
	flag.Uint64Var(&p.Seed, "seed", 1, "seed of the clocks")
	out := flag.String("out", "", "directory")
	flag.Parse()
	_, _, err := datasets.Build(context.Background(), *out, datasets.Step{
		Stage: "ingest", Output: schemas.Games.ID(), Params: p, Inputs: flag.Args(),
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return write(ctx, p, in[0], b)
		},
	}, datasets.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "gamecopies:", err)
		os.Exit(1)
	}
}

// write writes a part a copy.
func write(ctx context.Context, p params, in *datasets.Dir, b *datasets.Builder) error {
	b.SetTable(schemas.Games)
	b.SetMeta("game", in.Manifest.Meta["game"])
	games := in.Rows()
	for copied := range p.Copies {
		if _, done := b.Done(copied); done {
			continue
		}
		w, err := b.Part(copied)
		if err != nil {
			return err
		}
		first, r := int64(copied)*games, rand.New(rand.NewPCG(p.Seed, uint64(copied)))
		err = datasets.Scan(ctx, in, "copy", "games", nil, func(_ datasets.Group, from *columns.Batch) error {
			to := columns.NewBatch(b.Table())
			for row := range from.Rows {
				for i := range to.Cols {
					p.column(&to.Cols[i], from, row, copied, first+int64(row), r)
				}
			}
			first, to.Rows = first+int64(from.Rows), from.Rows
			g, err := w.Encode(to)
			if err != nil {
				return err
			}
			return w.Append(g)
		})
		if err != nil {
			w.Abort()
			return err
		}
		if err := w.Close(manifest.Counts{Read: games, Written: games}, nil); err != nil {
			return err
		}
	}
	return nil
}

// column appends a column of a copied game.
func (p params) column(v *columns.Vec, from *columns.Batch, row, copied int, id int64, r *rand.Rand) {
	of := from.Col(v.Column.Name)
	switch name := v.Column.Name; {
	case name == "game_id":
		v.AppendInt64(id)
	case p.Players && (name == "first_player" || name == "second_player"):
		v.AppendString(string(of.Value(row)) + " " + strconv.Itoa(copied))
	case name == "clocks_ms" && p.Clocks:
		left := [2]int32{600_000, 600_000}
		for k := range from.Col("ply_count").Int32[row] {
			left[k%2] -= r.Int32N(left[k%2]/10 + 1)
			v.AppendItem(left[k%2], true)
		}
		v.EndList()
	case of == nil:
		v.AppendNull()
	default:
		v.AppendFrom(of, row)
	}
}
