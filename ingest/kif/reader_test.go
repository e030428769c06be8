package kif

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
	return "#KIF version=2.0 encoding=UTF-8\n先手：a\n持ち時間：15分+60秒\n手合割：平手\n手数----指手---------消費時間--\n" +
		strings.Repeat("   1 ７六歩(77)   ( 0:10/00:00:10)\n   2 同　歩(33)   ( 0:01/00:00:03)\n", n/2) + "   3 投了\n"
}

// TestMovesDoNotAllocate: a game of many moves takes no more memory than one of few.
func TestMovesDoNotAllocate(t *testing.T) {
	allocations := func(n int) float64 {
		block := record.Block{Data: []byte(long(n)), Line: 1}
		r := NewBlockReader(record.Options{})
		var g record.Game
		return testing.AllocsPerRun(10, func() {
			r.Reset(block)
			if err := r.Read(&g); err != nil || len(g.Moves) != n {
				t.Fatalf("%d moves, %v", len(g.Moves), err)
			}
		})
	}
	if few, many := allocations(4), allocations(400); many > few || many > 4 {
		t.Errorf("%v allocations for 400 moves, %v for 4", many, few)
	}
}

// TestKeep: a game that is not kept has its tags and no moves; the next one is whole.
func TestKeep(t *testing.T) {
	text := "#KIF 1\n先手：no\n1 ７六歩(77)\n2 投了\n#KIF 1\n先手：yes\n1 ７六歩(77)\n#KIF 1\n先手：no\n"
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
	recordtest.LongGames(t, []byte(long(2)+"#KIF 1\n*"+strings.Repeat("abcd \n*", 200)+"\n"+long(4)), initial, "#KIF", 9)
}

// TestStreamFailure: a stream that fails gives the games before the failure, then what
// was cut, then the failure again and again.
func TestStreamFailure(t *testing.T) {
	recordtest.StreamFailure(t, long(2)+long(4)+long(60)[:900], NewReader)
}

// FuzzReader: whatever is read, games lie in the stream in their order and do not depend
// on where it is cut; and whatever stands between two games, they are read as ever.
func FuzzReader(f *testing.F) {
	vectors.Seed(f, func(data []byte) { f.Add(data, uint16(50)) })
	f.Fuzz(func(t *testing.T, text []byte, size uint16) {
		before, after := long(2)+"#KIF 1\n", long(4)
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
		if want := int64(len(before) + len(text) + 1 + strings.IndexByte(after, '\n') + 1); last != want || moves != 4 {
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
