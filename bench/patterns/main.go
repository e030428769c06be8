//go:build unix

// Command patterns of bench fits pattern tables to random games of Othello, and reports how long
// the parts of it take.
//
//	go run ./bench/patterns -rows 10000000 [-patterns logistello] [-tolerance 0.01] [-workers 2]
//
// It prints processor seconds of the fit alone, its gradient norm, the most memory that the
// process had, and how many positions a second of one core the evaluator values: in the order of
// games, and in a search to depth 4.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"syscall"
	"time"

	"kifu/eval"
	"kifu/eval/pattern"
	"kifu/fit/losses"
	"kifu/fit/sparse"
	"kifu/games"
	"kifu/games/othello"
	"kifu/search"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("rows", 1_000_000, "positions")
	preset := flag.String("patterns", "logistello", "preset")
	tolerance := flag.Float64("tolerance", 0.01, "gradient norm")
	workers := flag.Int("workers", 2, "goroutines")
	flag.Parse()
	if err := run(*n, *preset, *tolerance, *workers); err != nil {
		log.Fatal("bench/patterns: ", err)
	}
}

func run(n int, preset string, tolerance float64, workers int) error {
	p, err := planOf(preset)
	if err != nil {
		return err
	}
	s, err := store(p, n)
	if err != nil {
		return err
	}
	fmt.Printf("%d positions, %.1f entries each, %d weights\n", s.Rows, float64(s.Entries)/float64(s.Rows), s.Weights)
	before, began := processor(), time.Now()
	set := sparse.Settings{Loss: losses.Linear{}, Ridge: p.File.Ridge, Tolerance: tolerance, Workers: workers}
	for _, t := range p.Neighbours() {
		set.Ties = append(set.Ties, sparse.Tie{A: t.A, B: t.B, N: t.N, Strength: p.File.Neighbours})
	}
	e, err := sparse.Fit(context.Background(), s, set)
	if err != nil {
		return err
	}
	fmt.Printf("fit: %.0f s of processor time (%.0f s wall-clock, %d workers): norm %.1e, %d iterations; %s\n", processor()-before, time.Since(began).Seconds(), workers, e.Norm, e.Iterations, e.Status)
	fmt.Printf("memory: %.1f GB at most\n", memory())
	tables, _, err := p.NewTables(e.Weights)
	if err != nil {
		return err
	}
	return speed(tables)
}

func planOf(preset string) (*pattern.Plan, error) {
	var r othello.Rules
	layout, pieces := r.Layout(othello.Start()), r.Pieces()
	text, known, err := pattern.Preset(preset, r.Name(), "discs", layout, pieces)
	if err != nil || !known {
		return nil, fmt.Errorf("preset %s: known %t: %v", preset, known, err)
	}
	f, err := pattern.Parse(text)
	if err != nil {
		return nil, err
	}
	return pattern.NewPlan(f, r.Name(), layout, pieces)
}

// play plays random games and calls visit with the positions of each.
func play(seed uint64, visit func(game int, positions []othello.Position) bool) {
	r := rand.New(rand.NewPCG(seed, 1))
	var moves []games.Move
	var all []othello.Position
	for game := 0; ; game++ {
		p := othello.Start()
		for all = all[:0]; ; {
			all = append(all, p)
			if moves = p.AppendMoves(moves[:0]); len(moves) == 0 {
				break
			}
			p = p.Play(moves[r.IntN(len(moves))])
		}
		if !visit(game, all) {
			return
		}
	}
}

// store has the positions of random games with the discs of their ends.
func store(p *pattern.Plan, n int) (*sparse.Store, error) {
	b, index := sparse.NewBuilder(p.Weights), pattern.NewIndexer(p, othello.Rules{})
	var failed error
	var row sparse.Row
	left := n
	play(1, func(game int, all []othello.Position) bool {
		last := all[len(all)-1]
		end := last.Discs(othello.Black).Count() - last.Discs(othello.White).Count()
		for _, position := range all[:min(left, len(all))] {
			e, err := index.Of(row.At[:0], nil, position)
			if err == nil {
				row = sparse.Row{Game: int64(game), Class: e.Pieces, Weight: 1, Y: float64(end) * float64(e.ToMove.Sign()), At: e.At}
				err = b.Add(&row)
			}
			if err != nil {
				failed = err
				return false
			}
		}
		left -= min(left, len(all))
		return left > 0
	})
	return b.Finish(), failed
}

// speed measures values in the order of games, and in searches.
func speed(t *pattern.Tables) error {
	e, err := pattern.New(t.Model(), othello.Rules{})
	if err != nil {
		return err
	}
	var all []othello.Position
	play(2, func(_ int, positions []othello.Position) bool {
		all = append(all, positions...)
		return len(all) < 400_000
	})
	sum := int32(0)
	before := processor()
	for _, p := range all {
		sum += e.Value(p)
	}
	took := processor() - before
	fmt.Printf("values in the order of games: %.0f a second of one core (sum %d)\n", float64(len(all))/took, sum)
	var _ eval.Evaluator[othello.Position] = e
	s := search.New(search.Static[othello.Position](e))
	nodes := int64(0)
	before = processor()
	for i := 0; i < len(all); i += len(all) / 400 {
		nodes += s.Depth(all[i], 4).Nodes
	}
	fmt.Printf("search to depth 4: %.0f nodes a second of one core\n", float64(nodes)/(processor()-before))
	return nil
}

// processor returns the seconds of processor time that this process has taken.
func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// memory returns the most memory that this process had, in GB.
func memory() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return float64(u.Maxrss) / 1e6
}
