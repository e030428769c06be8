package ggf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"kifu/ingest/record"
	"kifu/ingest/record/recordtest"
	"kifu/internal/golden"
)

// readSplit reads text in blocks of about size bytes.
func readSplit(text []byte, size int) (lines []string, err error) {
	return recordtest.ReadBlocks(NewSplitter(bytes.NewReader(text), size, 0, 1), NewBlockReader(record.Options{}))
}

// TestVectors reads the files of testdata/vectors, one fault or habit of writers each,
// and compares the games and faults with the golden files beside them.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/vectors/*.ggf")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".ggf"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := recordtest.ReadAll(NewReader(bytes.NewReader(text), record.Options{}))
			if err != nil {
				t.Fatal(err)
			}
			golden.Equal(t, strings.TrimSuffix(path, ".ggf")+".txt", []byte(strings.Join(got, "\n")+"\n"))
			for size := 1; size <= len(text); size += 1 + size/4 {
				split, err := readSplit(text, size)
				if err != nil || strings.Join(split, "\n") != strings.Join(got, "\n") {
					t.Fatalf("in blocks of %d bytes\n%s\nat once\n%s\n%v", size, strings.Join(split, "\n"), strings.Join(got, "\n"), err)
				}
			}
		})
	}
}

const game = "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[a]PW[b]RB[2196.37]RW[2200.35]TI[05:00//02:00]TY[8]RE[+2.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"

// long is a game of n moves.
func long(n int) string {
	return game + strings.Repeat("B[d3/0.48/0.01]W[c5//1.25]", n/2) + ";)\n"
}

func TestGamesDoNotAllocate(t *testing.T) {
	block := record.Block{Data: []byte(long(60)), Line: 1}
	r := NewBlockReader(record.Options{})
	var g record.Game
	read := func() {
		r.Reset(block)
		if err := r.Read(&g); err != nil || len(g.Moves) != 60 {
			t.Fatalf("%d moves, %v", len(g.Moves), err)
		}
	}
	read()
	if n := testing.AllocsPerRun(10, read); n != 0 {
		t.Errorf("%v allocations a game: want none", n)
	}
}

// A game that is not kept has its tags and no moves; the next one is whole.
func TestKeep(t *testing.T) {
	text := "(;GM[Othello]PB[no]B[f5]W[];)(;GM[Othello]PB[yes]B[c4];)(;GM[Othello]PB[no];)"
	keep := func(g *record.Game) bool { return string(g.Tag("Black")) == "yes" }
	r := NewReader(strings.NewReader(text), record.Options{Keep: keep})
	var g record.Game
	for i, want := range []struct {
		skipped bool
		moves   int
	}{{true, 0}, {false, 1}, {true, 0}} {
		if err := r.Read(&g); err != nil || g.Skipped != want.skipped || len(g.Moves) != want.moves {
			t.Fatalf("game %d: %s, skipped %t, %v", i, recordtest.Describe(&g), g.Skipped, err)
		}
	}
}

// A game longer than the limit is given up, whatever the blocks; the next one is not.
func TestLongGames(t *testing.T) {
	text := []byte(long(2) + "(;GM[Othello]CO[" + strings.Repeat("abcd \n", 200) + "];)\n" + long(4) + "(;GM[Othello]CO[" + strings.Repeat("abcd \n", 200))
	for size := 1; size < 1500; size += 13 {
		s := NewSplitter(bytes.NewReader(text), size, 0, 1)
		s.cuts.Max = 1000
		var got []string
		var b record.Block
		for {
			err := s.Next(&b)
			var fault *record.SyntaxError
			if err == io.EOF {
				break
			} else if errors.As(err, &fault) {
				got = append(got, fmt.Sprintf("%d: %s", fault.Line, fault.Reason))
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			for range bytes.Count(b.Data, marker) {
				got = append(got, "game")
			}
			if line := 1 + bytes.Count(text[:b.Offset], []byte("\n")); b.Line != line || b.EndLine != line+bytes.Count(b.Data, []byte("\n")) {
				t.Fatalf("block of lines %d to %d begins on %d", b.Line, b.EndLine, line)
			}
		}
		if want := "game, 2: longer than 4 MiB, game, 204: longer than 4 MiB"; size <= 1000 && strings.Join(got, ", ") != want {
			t.Fatalf("blocks of %d: %q, want %q", size, got, want)
		}
	}
}

// The game after one that is given up is found wherever the limit cuts its beginning.
func TestLongGameBeforeCut(t *testing.T) {
	for n := 950; n < 1000; n++ {
		s := NewSplitter(strings.NewReader("(;GM[Othello]CO["+strings.Repeat("x", n)+long(2)), 100, 0, 1)
		s.cuts.Max = 1000
		var b record.Block
		if err := s.Next(&b); err != nil {
			if err := s.Next(&b); err != nil || !bytes.HasPrefix(b.Data, marker) {
				t.Fatalf("%d: %.20s, %v", n, b.Data, err)
			}
		}
	}
}

// A stream that fails gives the games before the failure, then what was cut, then the
// failure again and again.
func TestStreamFailure(t *testing.T) {
	broken := errors.New("broken")
	text := long(2) + long(4) + long(60)[:300]
	r := NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), record.Options{})
	lines, err := recordtest.ReadAll(r)
	if len(lines) != 3 || !strings.HasSuffix(lines[2], ":3! cut off in the middle") || err != broken {
		t.Errorf("%q, %v", lines, err)
	}
	if err := r.Read(&record.Game{}); err != broken {
		t.Error(err)
	}
}

func FuzzReader(f *testing.F) {
	files, err := filepath.Glob("testdata/vectors/*.ggf")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, uint16(50))
	}
	// Whatever is read, games lie in the stream in their order, and do not depend on where
	// it is cut; and whatever stands between two games, they are read as ever.
	f.Fuzz(func(t *testing.T, text []byte, size uint16) {
		before, after := long(2), long(4)
		r := NewReader(strings.NewReader(before+string(text)+after), record.Options{})
		var g record.Game
		last, games, moves := int64(-1), 0, 0
		for {
			err := r.Read(&g)
			if err == io.EOF {
				break
			}
			var fault *record.SyntaxError
			if errors.As(err, &fault) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			if g.Offset <= last || len(g.Moves) > maxMoves {
				t.Fatalf("a game at %d after one at %d, with %d moves", g.Offset, last, len(g.Moves))
			}
			if games == 0 && len(g.Moves) != 2 {
				t.Fatalf("first game: %s", recordtest.Describe(&g))
			}
			last, moves = g.Offset, len(g.Moves)
			games++
		}
		if want := int64(len(before) + len(text) + 2); last != want || moves != 4 {
			t.Fatalf("the last game has %d moves and begins at %d, want 4 at %d", moves, last, want)
		}
		want, err := recordtest.ReadAll(NewReader(bytes.NewReader(text), record.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		got, err := readSplit(text, 1+int(size))
		if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("in blocks of %d bytes\n%s\nat once\n%s\n%v", 1+int(size), strings.Join(got, "\n"), strings.Join(want, "\n"), err)
		}
	})
}
