// Package gametest is the conformance kit for a game's rules: rules that pass it can go
// through every stage. A game's own test file calls Run, names its perft files, and adds
// tests specific to the game:
//
//	func TestRules(t *testing.T) {
//		gametest.Run(t, othello.Rules{}, gametest.Options{Perft: []string{"testdata/perft.epd"}})
//	}
//
// Run plays random games and checks every position of them against the contracts of
// games.Position, games.Notation and games.Rules; it counts perft leaves against published
// numbers; and it compares one playthrough with a golden file.
//
// It depends on no particular game: symmetry of colours, and rules that only a second, slower
// generator can check, are left to the game's own tests.
package gametest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"

	"kifu/games"
)

// Options set what Run plays. The zero value is usable.
type Options struct {
	Starts []Start  // where games start; the usual start when empty
	Games  int      // random games from each start; 0 is 20
	Plies  int      // longest random game; 0 is 200
	Seed   uint64   // of the random moves
	Perft  []string // perft files; see Perft

	// Key reduces a position's text to what its hash covers, where the text holds more
	// (move counters). By default all of it.
	Key func(text string) string
	// Choice means that the tactics of a forced position may be a choice of its moves.
	Choice bool
	// Playthrough is the golden file of the playthrough; "" is
	// testdata/playthrough.txt.
	Playthrough string
}

// Start is a start position as a record gives it.
type Start struct{ Variant, Position string }

// Run runs the kit on a game's rules, each part as a subtest.
func Run[P games.Position[P]](t *testing.T, r games.Rules[P], o Options) {
	t.Helper()
	if len(o.Starts) == 0 {
		o.Starts = []Start{{}}
	}
	o.Games = cmp.Or(o.Games, 20)
	o.Plies = cmp.Or(o.Plies, 200)
	if o.Key == nil {
		o.Key = func(text string) string { return text }
	}
	o.Playthrough = cmp.Or(o.Playthrough, "testdata/playthrough.txt")
	t.Run("Columns", func(t *testing.T) { checkColumns(t, r) })
	t.Run("RandomPlay", func(t *testing.T) {
		k := newKit(r, o)
		for _, s := range o.Starts {
			for i := range o.Games {
				k.game(t, s, uint64(i))
			}
		}
	})
	t.Run("Allocations", func(t *testing.T) { checkAllocations(t, r, o) })
	t.Run("Playthrough", func(t *testing.T) { playthrough(t, r, o) })
	t.Run("Perft", func(t *testing.T) {
		for _, path := range o.Perft {
			Perft(t, r, path)
		}
	})
}

// Random plays one game of random legal moves from the start and calls visit with
// every position, the last one too, and the moves that led to it. It is for tests of
// other packages that need many real positions.
func Random[P games.Position[P]](start P, plies int, seed uint64, visit func(p P, line []games.Move)) {
	rng := rand.New(rand.NewPCG(seed, 0x6b696675))
	var line, moves []games.Move
	p := start
	for {
		visit(p, line)
		moves = p.AppendMoves(moves[:0])
		if len(moves) == 0 || len(line) == plies {
			return
		}
		m := moves[rng.IntN(len(moves))]
		line = append(line, m)
		p = p.Play(m)
	}
}

func startOf[P games.Position[P]](t *testing.T, r games.Rules[P], s Start) P {
	t.Helper()
	p, canonical, err := r.Start(s.Variant, s.Position)
	if err != nil {
		t.Fatalf("start %+v: %v", s, err)
	}
	if canonical == "" {
		t.Fatalf("start %+v: no canonical variant", s)
	}
	return p
}

func checkColumns[P games.Position[P]](t *testing.T, r games.Rules[P]) {
	columns := r.Columns()
	if len(columns) == 0 || columns[0].Name != "phase" {
		t.Fatal("the first column must be phase")
	}
	seen := map[string]bool{}
	for _, c := range columns {
		if seen[c.Name] {
			t.Errorf("column %s appears twice", c.Name)
		}
		seen[c.Name] = true
		if c.Doc == "" {
			t.Errorf("column %s has no doc", c.Name)
		}
		for _, ch := range c.Name {
			if (ch < 'a' || ch > 'z') && (ch < '0' || ch > '9') && ch != '_' {
				t.Errorf("column %q: want snake_case", c.Name)
				break
			}
		}
	}
}

// checkAllocations looks whether what is done for every row and every node takes memory, in the positions of a random game.
func checkAllocations[P games.Position[P]](t *testing.T, r games.Rules[P], o Options) {
	moves, text := make([]games.Move, 0, 1024), make([]byte, 0, 1<<14)
	board, values := make([]byte, 0, 1024), make([]int16, 0, 256)
	allocate := map[string]float64{}
	look := func(what string, f func()) { allocate[what] += testing.AllocsPerRun(1, f) }
	Random(startOf(t, r, o.Starts[0]), 60, 1, func(p P, _ []games.Move) {
		look("AppendMoves", func() { moves = p.AppendMoves(moves[:0]) })
		look("AppendTactics", func() { p.AppendTactics(moves[len(moves):]) })
		look("Hash", func() { p.Hash() })
		look("AppendColumns", func() { r.AppendColumns(values, p) })
		look("AppendBoard", func() { board = r.AppendBoard(board[:0], p) })
		look("UnpackBoard", func() { _, _ = r.UnpackBoard(board) })
		each := func(what string, f func(m games.Move)) {
			look(what, func() {
				for _, m := range moves {
					f(m)
				}
			})
		}
		each("Play", func(m games.Move) { p.Play(m) })
		each("AppendMove", func(m games.Move) { r.AppendMove(text[:0], p, m) })
		texts, ends := text[:0], []int(nil)
		for _, m := range moves {
			texts = r.AppendMove(texts, p, m)
			ends = append(ends, len(texts))
		}
		look("ParseMove", func() {
			from := 0
			for _, end := range ends {
				_, _ = r.ParseMove(p, texts[from:end])
				from = end
			}
		})
		each("PackMove and UnpackMove", func(m games.Move) { _, _ = r.UnpackMove(p, r.PackMove(p, m)) })
	})
	for what, n := range allocate {
		if n != 0 {
			t.Errorf("%s allocates memory, %v times in a game", what, n)
		}
	}
}

// describe names a position in a failure.
func describe[P games.Position[P]](r games.Rules[P], p P) string {
	return fmt.Sprintf("%s position %q", r.Name(), r.AppendPosition(nil, p))
}
