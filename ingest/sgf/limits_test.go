package sgf

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

// TestKeep: a game that is not kept has its tags and no moves; the next one is whole.
func TestKeep(t *testing.T) {
	tested.Keep(t, "(;GM[1]PB[no];B[aa];W[])(;GM[1];B[cc]PB[late])(;GM[1]PB[yes];B[aa])", recordtest.Skipped, recordtest.Skipped, 1)
}

// TestLongGames: a game longer than the limit is given up, whatever the blocks; the next one is not.
func TestLongGames(t *testing.T) {
	long := "C[" + strings.Repeat("abcd (;\n", 600) + "]"
	text := []byte("(;GM[1]PB[0];B[aa])\n(;GM[1]PB[1]" + long + ";B[bb])\n(;GM[1]PB[2];B[cc])\n(;GM[1]PB[3]" + long)
	at := func(tag string) string { return recordtest.At(text, "(;GM[1]PB["+tag) }
	split := func(size int) record.Splitter {
		longest := initial
		longest.Max = 4000
		return cuts(longest).Splitter(bytes.NewReader(text), size, record.Start{Line: 1})
	}
	tested.GivenUp(t, 4000, 137, split,
		at("0")+` [Black "0"] [Variant "19x19"] aa => ""`,
		at("1")+`! longer than 8 MiB`,
		at("2")+` [Black "2"] [Variant "19x19"] cc => ""`,
		at("3")+`! longer than 8 MiB`,
	)
}

// Games without a sure beginning are cut after their brackets, if they are ASCII.
func TestGamesWithoutRoots(t *testing.T) {
	text := []byte(strings.Repeat("(;C[no root];B[aa](;W[bb])(;W[cc]))\n", 300))
	s := Format().NewSplitter(bytes.NewReader(text), 1000, record.Start{Line: 1})
	var b record.Block
	blocks := 0
	for ; s.Next(&b) == nil; blocks++ {
		if len(b.Data) > 1000 {
			t.Fatalf("a block of %d bytes", len(b.Data))
		}
	}
	got, err := tested.Split(text, 1000)
	if err != nil || len(got) != 300 || blocks < 10 {
		t.Errorf("%d games in %d blocks, %v", len(got), blocks, err)
	}
}

func TestTooManyMoves(t *testing.T) {
	for _, move := range []string{";B[aa]", "\n;B [aa]"} {
		text := "(;GM[1]PB[0]" + strings.Repeat(move, maxMoves) + ")\n(;GM[1]PB[1]" + strings.Repeat(move, maxMoves+1) + ")\n(;GM[1]PB[2];B[aa])"
		var g record.Game
		r := record.NewStream(Format(), strings.NewReader(text), record.Options{})
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

// TestStreamFailure: a stream that fails gives the games before the failure, then what was
// cut, then the failure again and again.
func TestStreamFailure(t *testing.T) {
	tested.StreamFailure(t, "(;GM[1];B[aa])\n(;GM[1];B[bb];W[cc])\n", "(;GM[1];B[dd]", 0)
}

// A stream that was left at the end of a block and goes on there has the same places.
func TestGoingOn(t *testing.T) {
	text := []byte(strings.Repeat("(;GM[1];B[aa]\n;W[bb])\r\n", 50))
	want, err := tested.Split(text, 200)
	if err != nil {
		t.Fatal(err)
	}
	var b record.Block
	if err := Format().NewSplitter(bytes.NewReader(text), 200, record.Start{Line: 1}).Next(&b); err != nil {
		t.Fatal(err)
	}
	end := b.Offset + int64(len(b.Data))
	got, err := tested.ReadBlocks(Format().NewSplitter(bytes.NewReader(text[end:]), 200, record.Start{Offset: end, Line: b.EndLine}))
	if err != nil || len(got) == 0 || len(got) == len(want) || strings.Join(got, "\n") != strings.Join(want[len(want)-len(got):], "\n") {
		t.Errorf("%v\n%s", err, strings.Join(got, "\n"))
	}
}
