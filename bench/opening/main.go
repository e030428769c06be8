// Opening writes positions of the first plies of games whose lines soon are all different, for
// timing kifu report opening: a move is the nth of thirty with a share of 1/n, so that of ten
// million games with twelve plies nine in ten have a line of their own.
//
//	go run ./bench/opening -games 10000000 -out /var/tmp/distinct
//
// The moves belong to no game, so that no boards are shown.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

type params struct {
	Games int64
	Plies int
	Seed  uint64
}

const (
	moves    = 30
	rowGroup = 1 << 16
	perPart  = 1 << 20 // games
)

func main() {
	var p params
	flag.Int64Var(&p.Games, "games", 10_000_000, "number of games")
	flag.IntVar(&p.Plies, "plies", 12, "moves of each")
	flag.Uint64Var(&p.Seed, "seed", 1, "seed")
	out := flag.String("out", "", "directory")
	flag.Parse()
	_, _, err := datasets.Build(context.Background(), *out, datasets.Step{
		Stage: "transform", Output: "positions/v1", Params: p,
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error { return write(p, b) },
	}, datasets.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "opening:", err)
		os.Exit(1)
	}
}

func write(p params, b *datasets.Builder) error {
	b.SetTable(schemas.Positions(1, nil, false))
	b.SetMeta("game", "of no rules")
	g := &generator{p: p, r: rand.New(rand.NewPCG(p.Seed, 0)), batch: columns.NewBatch(b.Table())}
	for n := range moves {
		g.sum += 1 / float64(n+1)
		g.upTo = append(g.upTo, g.sum)
		g.names = append(g.names, fmt.Sprint("move", n+1))
	}
	for i := 0; g.id < p.Games; i++ {
		w, err := b.Part(i)
		if err != nil {
			return err
		}
		var written int64
		for end := min(p.Games, g.id+perPart); g.id < end; {
			g.batch.Reset()
			for g.batch.Rows < rowGroup && g.id < end {
				g.game()
			}
			rg, err := w.Encode(g.batch)
			if err == nil {
				err = w.Append(rg)
			}
			if err != nil {
				return err
			}
			written += int64(g.batch.Rows)
		}
		if err := w.Close(datasets.Counts{Read: written, Written: written}, nil); err != nil {
			return err
		}
	}
	return nil
}

type generator struct {
	p     params
	r     *rand.Rand
	id    int64
	batch *columns.Batch
	names []string
	upTo  []float64 // sum of the shares up to a move
	sum   float64
}

// game appends the positions of one game.
func (g *generator) game() {
	hash, result := uint64(1), []string{"first", "second", "draw"}[g.r.IntN(3)]
	for ply := range g.p.Plies + 1 {
		n := 0
		for at := g.r.Float64() * g.sum; n < moves-1 && g.upTo[n] < at; n++ {
		}
		for i := range g.batch.Cols {
			switch v := &g.batch.Cols[i]; v.Column.Name {
			case "game_id":
				v.AppendInt64(g.id)
			case "ply":
				v.AppendInt32(int32(ply))
			case "first_to_move":
				v.AppendBool(ply%2 == 0)
			case "move":
				if ply == g.p.Plies {
					v.AppendNull()
					continue
				}
				v.AppendString(g.names[n])
			case "hash":
				v.AppendUint64(hash)
			case "board":
				v.AppendBytes([]byte{0})
			case "result":
				v.AppendString(result)
			case "first_elo", "second_elo":
				v.AppendInt32(int32(1500 + g.id%900))
			default:
				v.AppendNull()
			}
		}
		g.batch.Rows++
		hash = splitmix.Mix(hash + uint64(n+1)*splitmix.Golden)
	}
	g.id++
}
