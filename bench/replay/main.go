// Replay reads a PGN file and plays the moves of its games, and writes nothing: the part of ingest that
// is comparable with parsers and move generators (bench/peers.sh).
//
//	replay [-syntax] [-workers N] FILE
//
// It prints the games and moves read and those left out. -syntax stops at the texts of
// the moves. With one worker a Reader streams the file; with more, a Splitter cuts it
// into blocks that the workers read.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"

	"kifu/games/chess"
	"kifu/ingest/pgn"
	"kifu/ingest/record"
)

func main() {
	syntax := flag.Bool("syntax", false, "read the moves' texts and leave them so")
	workers := flag.Int("workers", 1, "read on `N` processors")
	flag.Parse()
	if flag.NArg() != 1 || *workers < 1 {
		fmt.Fprintln(os.Stderr, "usage: replay [-syntax] [-workers N] FILE")
		os.Exit(2)
	}
	runtime.GOMAXPROCS(*workers)
	f, err := os.Open(flag.Arg(0))
	if err == nil {
		var sum tally
		if *workers == 1 {
			sum.syntax = *syntax
			err = sum.read(record.NewStream(pgn.Format(), f, record.Options{}))
		} else {
			sum, err = parallel(f, *workers, *syntax)
		}
		fmt.Printf("%d games, %d moves, %d games left out\n", sum.games, sum.moves, sum.bad)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(1)
	}
}

// tally reads games and counts them.
type tally struct {
	games, moves, bad int
	syntax            bool
	game              record.Game
}

// read counts the games of r up to its end.
func (t *tally) read(r record.Reader) error {
	for {
		err := r.Read(&t.game)
		if err == io.EOF {
			return nil
		}
		if err != nil && !isDamage(err) {
			return err
		}
		if err != nil || !t.syntax && !legal(&t.game) {
			t.bad++
			continue
		}
		t.games++
		t.moves += len(t.game.Moves)
	}
}

// legal plays g, and reports whether all of it can be played.
func legal(g *record.Game) bool {
	rules := chess.Rules{}
	p := chess.Start()
	if fen, variant := g.Tag("FEN"), g.Tag("Variant"); fen != nil || variant != nil {
		var err error
		if p, _, err = rules.Start(string(variant), string(fen)); err != nil {
			return false
		}
	}
	for i := range g.Moves {
		m, err := rules.ParseMove(p, g.Moves[i].Text)
		if err != nil {
			return false
		}
		p = p.Play(m)
	}
	return true
}

// parallel counts the games of f on several processors.
func parallel(f io.Reader, workers int, syntax bool) (tally, error) {
	blocks, free := make(chan *record.Block), make(chan *record.Block, workers+1)
	for range workers + 1 {
		free <- new(record.Block)
	}
	var sum tally
	var g errgroup.Group
	g.Go(func() (err error) {
		defer close(blocks)
		sum.bad, err = split(f, blocks, free)
		return err
	})
	tallies := make([]tally, workers)
	for i := range tallies {
		t := &tallies[i]
		t.syntax = syntax
		g.Go(func() error {
			r := pgn.NewBlockReader(record.Options{})
			var err error
			for b := range blocks {
				if err == nil {
					r.Reset(*b)
					err = t.read(r)
				}
				free <- b
			}
			return err
		})
	}
	err := g.Wait()
	for _, t := range tallies {
		sum.games, sum.moves, sum.bad = sum.games+t.games, sum.moves+t.moves, sum.bad+t.bad
	}
	return sum, err
}

// split cuts f into blocks, and counts the games that it had to leave out.
func split(f io.Reader, blocks chan<- *record.Block, free <-chan *record.Block) (bad int, err error) {
	s := pgn.Format().NewSplitter(f, 512<<10, record.Start{Line: 1})
	for {
		b := <-free
		err := s.Next(b)
		for ; isDamage(err); err = s.Next(b) {
			bad++
		}
		if err == io.EOF {
			return bad, nil
		}
		if err != nil {
			return bad, err
		}
		blocks <- b
	}
}

// isDamage separates the fault of one game from the end of the input.
func isDamage(err error) bool {
	_, damage := err.(*record.SyntaxError)
	return damage
}
