package sgf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"kifu/ingest/record"
	"kifu/ingest/record/recordtest"
)

// A game that is not kept has its tags and no moves; the next one is whole.
func TestKeep(t *testing.T) {
	text := "(;GM[1]PB[no];B[aa];W[])(;GM[1];B[cc]PB[late])(;GM[1]PB[yes];B[aa])"
	keep := func(g *record.Game) bool { return string(g.Tag(record.TagBlack)) == "yes" }
	r := NewReader(strings.NewReader(text), record.Options{Keep: keep})
	var g record.Game
	for i, want := range []struct {
		skipped bool
		moves   int
	}{{true, 0}, {true, 0}, {false, 1}} {
		if err := r.Read(&g); err != nil || g.Skipped != want.skipped || len(g.Moves) != want.moves {
			t.Fatalf("game %d: %s, skipped %t, %v", i, recordtest.Describe(&g), g.Skipped, err)
		}
	}
}

// A game longer than the limit is given up, whatever the blocks; the next one is not.
func TestLongGames(t *testing.T) {
	long := "C[" + strings.Repeat("abcd (;\n", 600) + "]"
	text := []byte("(;GM[1]PB[0];B[aa])\n(;GM[1]PB[1]" + long + ";B[bb])\n(;GM[1]PB[2];B[cc])\n(;GM[1]PB[3]" + long)
	for size := 1; size < 4000; size += 137 {
		s := NewSplitter(bytes.NewReader(text), size, 0, 1)
		s.cuts.Max = 4000
		got, err := readBlocks(s)
		if err != nil {
			t.Fatal(err)
		}
		at := func(tag string) string {
			i := bytes.Index(text, []byte("(;GM[1]PB["+tag))
			return fmt.Sprintf("@%d:%d", i, 1+bytes.Count(text[:i], []byte("\n")))
		}
		want := []string{
			at("0") + ` [Black "0"] [Variant "19x19"] aa => ""`,
			at("1") + `! longer than 8 MiB`,
			at("2") + ` [Black "2"] [Variant "19x19"] cc => ""`,
			at("3") + `! longer than 8 MiB`,
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("in blocks of %d bytes\n%s\nwant\n%s", size, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// Games without a sure beginning are cut after their brackets, if they are ASCII.
func TestGamesWithoutRoots(t *testing.T) {
	text := []byte(strings.Repeat("(;C[no root];B[aa](;W[bb])(;W[cc]))\n", 300))
	s := NewSplitter(bytes.NewReader(text), 1000, 0, 1)
	var b record.Block
	blocks := 0
	for ; s.Next(&b) == nil; blocks++ {
		if len(b.Data) > 1000 {
			t.Fatalf("a block of %d bytes", len(b.Data))
		}
	}
	got, err := vectors.Split(text, 1000)
	if err != nil || len(got) != 300 || blocks < 10 {
		t.Errorf("%d games in %d blocks, %v", len(got), blocks, err)
	}
}

func TestTooManyMoves(t *testing.T) {
	for _, move := range []string{";B[aa]", "\n;B [aa]"} {
		text := "(;GM[1]PB[0]" + strings.Repeat(move, maxMoves) + ")\n(;GM[1]PB[1]" + strings.Repeat(move, maxMoves+1) + ")\n(;GM[1]PB[2];B[aa])"
		var g record.Game
		r := NewReader(strings.NewReader(text), record.Options{})
		if err := r.Read(&g); err != nil || len(g.Moves) != 2*maxMoves-1 {
			t.Errorf("%d moves, %v", len(g.Moves), err)
		}
		var fault *record.SyntaxError
		if err := r.Read(&g); !errors.As(err, &fault) || len(g.Moves) != 0 || string(g.Tag(record.TagBlack)) != "1" {
			t.Errorf("%d moves, %v", len(g.Moves), err)
		}
		if err := r.Read(&g); err != nil || len(g.Moves) != 1 {
			t.Errorf("%d moves, %v", len(g.Moves), err)
		}
	}
}

// A stream that fails gives the games before, then the one that was cut, then the error.
func TestFailingStream(t *testing.T) {
	broken := errors.New("broken")
	text := "(;GM[1];B[aa])\n(;GM[1];B[bb];W[cc])\n(;GM[1];B[dd]"
	for size := 1; size < 100; size += 9 {
		got, err := readBlocks(NewSplitter(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), size, 0, 1))
		want := "@0:1 [Variant \"19x19\"] aa => \"\"\n@15:2 [Variant \"19x19\"] bb cc => \"\"\n@36:3! cut off in the middle"
		if err != broken || strings.Join(got, "\n") != want {
			t.Errorf("in blocks of %d: %v\n%s", size, err, strings.Join(got, "\n"))
		}
	}
}

// A stream that was left at the end of a block and goes on there has the same places.
func TestGoingOn(t *testing.T) {
	text := []byte(strings.Repeat("(;GM[1];B[aa]\n;W[bb])\r\n", 50))
	want, err := vectors.Split(text, 200)
	if err != nil {
		t.Fatal(err)
	}
	var b record.Block
	if err := NewSplitter(bytes.NewReader(text), 200, 0, 1).Next(&b); err != nil {
		t.Fatal(err)
	}
	end := b.Offset + int64(len(b.Data))
	got, err := readBlocks(NewSplitter(bytes.NewReader(text[end:]), 200, end, b.EndLine))
	if err != nil || len(got) == 0 || len(got) == len(want) || strings.Join(got, "\n") != strings.Join(want[len(want)-len(got):], "\n") {
		t.Errorf("%v\n%s", err, strings.Join(got, "\n"))
	}
}
