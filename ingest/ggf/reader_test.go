package ggf

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

var tested = recordtest.NewFormat(Format())

// TestVectors reads the files of testdata/vectors, one fault or habit of writers each.
func TestVectors(t *testing.T) { tested.Run(t) }

const game = "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[a]PW[b]RB[2196.37]RW[2200.35]TI[05:00//02:00]TY[8]RE[+2.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"

// long is a game of n moves.
func long(n int) string {
	return game + strings.Repeat("B[d3/0.48/0.01]W[c5//1.25]", n/2) + ";)\n"
}

// TestGamesDoNotAllocate: a reader that has read a game takes no memory for the next.
func TestGamesDoNotAllocate(t *testing.T) {
	if n := tested.Allocations(t, long(60), 60); n != 0 {
		t.Errorf("%v allocations a game: want none", n)
	}
}

// TestKeep: a game that is not kept has its tags and no moves; the next one is whole.
func TestKeep(t *testing.T) {
	tested.Keep(t, "(;GM[Othello]PB[no]B[f5]W[];)(;GM[Othello]PB[yes]B[c4];)(;GM[Othello]PB[no];)", recordtest.Skipped, 1, recordtest.Skipped)
}

// TestLongGames: a game longer than the limit is given up, whatever the blocks; the next one
// is not.
func TestLongGames(t *testing.T) {
	long := "CO[" + strings.Repeat("abcd \n", 200) + "]"
	text := []byte("(;GM[Othello]PB[0]B[d3];)\n(;GM[Othello]PB[1]" + long + ";)\n(;GM[Othello]PB[2]B[c4]W[c3];)(;GM[Othello]PB[3]" + long)
	at := func(i int) string { return recordtest.At(text, fmt.Sprintf("(;GM[Othello]PB[%d]", i)) }
	split := func(size int) record.Splitter {
		longest := initial
		longest.Max = 1000
		return longest.Cuts().Splitter(bytes.NewReader(text), size, record.Start{Line: 1})
	}
	tested.GivenUp(t, 1000, 13, split,
		at(0)+` [Black "0"] d3 => ""`, at(1)+"! longer than 4 MiB", at(2)+` [Black "2"] c4 c3 => ""`, at(3)+"! longer than 4 MiB")
}

// The game after one that is given up is found wherever the limit cuts its beginning.
func TestLongGameBeforeCut(t *testing.T) {
	for n := 950; n < 1000; n++ {
		longest := initial
		longest.Max = 1000
		s := longest.Cuts().Splitter(strings.NewReader("(;GM[Othello]CO["+strings.Repeat("x", n)+long(2)), 100, record.Start{Line: 1})
		var b record.Block
		if err := s.Next(&b); err != nil {
			if err := s.Next(&b); err != nil || !bytes.HasPrefix(b.Data, marker) {
				t.Fatalf("%d: %.20s, %v", n, b.Data, err)
			}
		}
	}
}

// TestStreamFailure: a stream that fails gives the games before the failure, then what was
// cut, then the failure again and again.
func TestStreamFailure(t *testing.T) {
	tested.StreamFailure(t, long(2)+long(4), long(60)[:300], len("1 "))
}

// FuzzReader: whatever is read, games lie in the stream in their order and do not depend on
// where it is cut; and whatever stands between two games, they are read as ever.
func FuzzReader(f *testing.F) { tested.FuzzBetween(f, long(2), long(4), len("1 ")) }

// BenchmarkRead reads games with values and times, as one block, from memory.
func BenchmarkRead(b *testing.B) { tested.Read(b, []byte(strings.Repeat(long(60), 5000))) }
