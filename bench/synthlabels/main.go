// Synthlabels writes a labels dataset of any size whose true evaluation curve is
// known, for timing and for trying reports.
//
//	go run ./bench/synthlabels -rows 10000000 -out /var/tmp/labels
//	go run ./bench/synthlabels -rows 1000000000 -parts 900 -lean -features 2 -games /var/tmp/games -out /var/tmp/labels
//
// A game is decided by a fair coin, and its value is a random walk of log-likelihood
// ratios of the coin: each ply adds N(±s²/2, s²), + when the first player will win. By
// Bayes' rule the win probability at value v is then exactly 1/(1+exp(-v/scale)) at
// every ply. Part of each step is booked to the group king_safety, which the column
// blind_value lacks, so its conditioned curves split. Boards are positions of games played at
// random, and moves are legal, so that reports can draw them; neither has to do with the values.
// Nor have the features: a fit finds the weights again that are next to the parts, 1 each.
//
// With -lean a row takes 10 bytes instead of 100: one value, three groups and the phase alone, in
// whole centipawns, every board the start, hashes that count up. The games of -games have players,
// drawn at random, and no moves. Every part has its own seed, so that the bytes do not depend on
// the number of processors; what is there of a run that was ended is not made again.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/schemas"
)

type params struct {
	Rows     int64   // at least: the last game is finished
	Parts    int     // of equal size
	Features int     // mean number a row
	Draws    float64 // share of drawn games
	Scale    float64 // of the curve, in centipawns
	Seed     uint64
	Lean     bool
	Players  int // of the games
}

// groups are the terms' groups; the lean ones are few.
func (p params) groups() []string {
	if p.Lean {
		return []string{"material", "mobility", "king_safety"}
	}
	return []string{"material", "piece_square", "mobility", "pawns", "passed_pawns", "king_safety", "bishops", "rooks", "threats", "tempo"}
}

func (p params) values() []string {
	if p.Lean {
		return []string{"quiescence_value"}
	}
	return []string{"static_value", "quiescence_value", "blind_value"}
}

func (p params) pieces() []schemas.GameColumn {
	all := []schemas.GameColumn{
		{Name: "phase"}, {Name: "white_pawns"}, {Name: "black_pawns"}, {Name: "white_knights"}, {Name: "black_knights"},
		{Name: "white_bishops"}, {Name: "black_bishops"}, {Name: "white_rooks"}, {Name: "black_rooks"},
		{Name: "white_queens"}, {Name: "black_queens"},
	}
	if p.Lean {
		return all[:1]
	}
	return all
}

const (
	rowGroup = 1 << 16
	termGap  = 20 // at most, between the terms of a row
)

func main() {
	var p params
	flag.Int64Var(&p.Rows, "rows", 10_000_000, "number of labels")
	flag.IntVar(&p.Parts, "parts", 8, "number of parts")
	flag.IntVar(&p.Features, "features", 24, "features a row")
	flag.Float64Var(&p.Draws, "draws", 0.3, "share of drawn games")
	flag.Float64Var(&p.Scale, "scale", 180, "scale of the curve")
	flag.Uint64Var(&p.Seed, "seed", 1, "seed")
	flag.BoolVar(&p.Lean, "lean", false, "few columns, of few bytes")
	flag.IntVar(&p.Players, "players", 27_000, "players of the games")
	games := flag.String("games", "", "directory of the games; none: they are not written")
	out := flag.String("out", "", "directory")
	flag.Parse()
	err := build(*out, "label", "labels/v2", p, func(b *datasets.Builder) error { return writeLabels(p, b) })
	if err == nil && *games != "" {
		err = build(*games, "ingest", schemas.Games.ID(), p, func(b *datasets.Builder) error { return writeGames(p, b) })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "synthlabels:", err)
		os.Exit(1)
	}
}

func build(dir, stage, table string, p params, write func(*datasets.Builder) error) error {
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{
		Stage: stage, Output: table, Params: p,
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error { return write(b) },
	}, datasets.Options{})
	return err
}

func writeLabels(p params, b *datasets.Builder) error {
	b.SetTable(schemas.Labels(schemas.Positions(board.Of(chess.Rules{}).BoardSize(), p.pieces(), false), p.values(), p.groups(), "quiescence_value"))
	for k, v := range map[string]string{"game": "chess", "unit": "centipawns", "leaf": "quiescence_value", "groups": strings.Join(p.groups(), ",")} {
		b.SetMeta(k, v)
	}
	weights, err := p.model().TOML()
	if err != nil {
		return err
	}
	if err := b.AddFile("weights.toml", weights); err != nil {
		return err
	}
	n := 4096
	if p.Lean {
		n = 1
	}
	places, err := randomPlaces(n)
	if err != nil {
		return err
	}
	return p.eachPart(b, func(part int, first int64, w *partWriter) error {
		g := &generator{p: p, r: rand.New(rand.NewPCG(p.Seed, 2*uint64(part)+1)), places: places}
		return p.eachGame(part, first, func(h head) error { return w.take(func(b *columns.Batch) { g.game(b, h) }) })
	})
}

// model is the evaluator that is next to the labels: terms of weight 1, in groups of equal size.
func (p params) model() *eval.Model {
	m := &eval.Model{Game: "chess", Name: "synthetic", Unit: "centipawns", Stages: []string{"all"}, Knots: []int{0}}
	groups, terms := p.groups(), max(1, termGap*p.Features)
	for i := range terms {
		m.Terms = append(m.Terms, eval.Term{Name: fmt.Sprintf("term_%d", i), Group: groups[i*len(groups)/terms], Weights: []float64{1}})
	}
	return m
}

// eachPart calls write for every part that is not there yet, on all processors. first is the number
// of the part's first game.
func (p params) eachPart(b *datasets.Builder, write func(part int, first int64, w *partWriter) error) error {
	g := new(errgroup.Group)
	g.SetLimit(runtime.GOMAXPROCS(0))
	first := int64(0)
	for part := range p.Parts {
		from := first
		err := p.eachGame(part, first, func(h head) error { first = h.id + 1; return nil })
		if err != nil {
			return err
		}
		if _, done := b.Done(part); done {
			continue
		}
		g.Go(func() error {
			file, err := b.Part(part)
			if err != nil {
				return err
			}
			w := &partWriter{file: file, batch: columns.NewBatch(b.Table())}
			if err := write(part, from, w); err != nil {
				file.Abort()
				return err
			}
			if err := w.end(); err != nil {
				file.Abort()
				return err
			}
			return file.Close(manifest.Counts{Read: w.written, Written: w.written}, nil)
		})
	}
	return g.Wait()
}

// partWriter writes a part, in row groups.
type partWriter struct {
	file    *datasets.PartWriter
	batch   *columns.Batch
	written int64
}

// take lets add append to the batch, which is written when it is full.
func (w *partWriter) take(add func(*columns.Batch)) error {
	add(w.batch)
	if w.batch.Rows < rowGroup {
		return nil
	}
	return w.end()
}

// end writes the batch.
func (w *partWriter) end() error {
	if w.batch.Rows == 0 {
		return nil
	}
	g, err := w.file.Encode(w.batch)
	if err == nil {
		err = w.file.Append(g)
	}
	w.written += int64(w.batch.Rows)
	w.batch.Reset()
	return err
}

// head is a game without its positions.
type head struct {
	id            int64
	plies         int
	sign          float64 // 1 where the coin lets the first player win
	result        string
	first, second int // players
}

// eachGame calls do for the games of a part.
func (p params) eachGame(part int, first int64, do func(head) error) error {
	r := rand.New(rand.NewPCG(p.Seed, 2*uint64(part)))
	share := int64(p.Parts)
	for id, left := first, p.Rows*int64(part+1)/share-p.Rows*int64(part)/share; left > 0; id++ {
		h := head{id: id, sign: -1, result: "second"}
		if r.Float64() < 0.5 {
			h.sign, h.result = 1, "first"
		}
		if r.Float64() < p.Draws {
			h.result = "draw"
		}
		h.plies = 30 + r.IntN(80)
		h.first = r.IntN(p.Players)
		h.second = (h.first + 1 + r.IntN(p.Players-1)) % p.Players
		if err := do(h); err != nil {
			return err
		}
		left -= int64(h.plies)
	}
	return nil
}
