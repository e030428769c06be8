package csa

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/ingest/record/recordtest"
	"kifu/internal/cpu"
)

var vectors = recordtest.Vectors{
	Decode: recordtest.Unescape,
	All: func(data []byte) ([]string, error) {
		return recordtest.ReadAll(NewReader(bytes.NewReader(data), record.Options{}))
	},
	Split: func(data []byte, size int) ([]string, error) {
		return recordtest.ReadBlocks(NewSplitter(bytes.NewReader(data), size, 0, 1), NewBlockReader(record.Options{}))
	},
}

// TestVectors reads the files of testdata/vectors, one habit of writers or fault each.
func TestVectors(t *testing.T) { vectors.Run(t) }

// long is a game of n moves, n even.
func long(n int) string {
	return "V2.2\nN+a\nN-b\n$EVENT:wdoor+floodgate-900-0+a+b+1\nPI\n+\n" + strings.Repeat("+7776FU\nT12\n'** 130 -3334FU\n-3334FU\nT1\n'** -30000\n", n/2) + "%TORYO\n"
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

// TestKeep: a game that is not kept has its tags and no moves; the next one is whole.
func TestKeep(t *testing.T) {
	text := "V2\nN+no\n+7776FU\n%TORYO\n/\nV2\nN+yes\n+7776FU\n/\nV2\nN+no\n"
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

// TestLongGames: a game longer than the limit is given up, whatever the blocks; the next
// one is not.
func TestLongGames(t *testing.T) {
	recordtest.LongGames(t, []byte(long(2)+"V2.2\n'"+strings.Repeat("abcd \n'", 200)+"\n"+long(4)), initial, "V2.2", 14)
}

// TestStreamFailure: a stream that fails gives the games before the failure, then what
// was cut, then the failure again and again.
func TestStreamFailure(t *testing.T) {
	recordtest.StreamFailure(t, long(2)+long(4)+long(60)[:300], NewReader)
}

func TestRecognize(t *testing.T) {
	for head, want := range map[string]bool{
		"V2.2\nN+": true, "'comment\r\n\r\nV3.0": true, "\uFEFF'CSA encoding=UTF-8\nV3.0\n": true, "N+a\nN-b\n": true, "PI\n+\n": true,
		"'only a comment\n": false, "[Event \"x\"]\n": false, "": false, "手合割：平手\n": false, "Vienna, 1903\n": false,
	} {
		if got := recognize([]byte(head)); got != want {
			t.Errorf("%q: %t", head, got)
		}
	}
}

// FuzzReader: whatever is read, games lie in the stream in their order and do not depend
// on where it is cut; and whatever stands between two games, they are read as ever.
func FuzzReader(f *testing.F) {
	vectors.Seed(f, func(data []byte) { f.Add(data, uint16(50)) })
	f.Fuzz(func(t *testing.T, text []byte, size uint16) {
		before, after := long(2)+"/\n", "/\n"+long(4)
		r := NewReader(strings.NewReader(before+string(text)+"\n"+after), record.Options{})
		var g record.Game
		last, moves, games := int64(-1), 0, 0
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
			if g.Offset <= last {
				t.Fatalf("a game at %d after one at %d", g.Offset, last)
			}
			if games == 0 && len(g.Moves) != 2 {
				t.Fatalf("first game: %s", recordtest.Describe(&g))
			}
			last, moves = g.Offset, len(g.Moves)
			games++
		}
		if want := int64(len(before) + len(text) + 3); last != want || moves != 4 {
			t.Fatalf("the last game has %d moves and begins at %d, want 4 at %d", moves, last, want)
		}
		want, err := vectors.All(text)
		if err != nil {
			t.Fatal(err)
		}
		vectors.Same(t, text, 1+int(size), want)
	})
}

// BenchmarkRead reads games with values and times, as one block, from memory.
func BenchmarkRead(b *testing.B) {
	data := []byte(strings.Repeat(long(100), 1000))
	r := NewBlockReader(record.Options{})
	var g record.Game
	b.SetBytes(int64(len(data)))
	begun, plies := cpu.Time(), 0
	for b.Loop() {
		r.Reset(record.Block{Data: data, Line: 1})
		for r.Read(&g) == nil {
			plies += len(g.Moves)
		}
	}
	b.ReportMetric(float64(plies)/1e6/(cpu.Time()-begun).Seconds(), "Mplies/cpu-s")
}
