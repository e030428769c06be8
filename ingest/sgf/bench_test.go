package sgf

import (
	"os"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/internal/cpu"
)

const game = "(;GM[1]FF[4]CA[UTF-8]SZ[19]GN[1]DT[2016-06-01]PB[a]BR[9d]PW[b]WR[9d]KM[6.5]RE[B+Resign]RU[Japanese]TM[0]OT[3x20 byo-yomi]PC[here]\n"

// long is a game of 2n moves.
func long(n int) string { return game + strings.Repeat(";B[pd];W[dp]", n) + ")\n" }

func TestGamesDoNotAllocate(t *testing.T) {
	block := record.Block{Data: []byte(long(60)), Line: 1}
	r := NewBlockReader(record.Options{})
	var g record.Game
	read := func() {
		r.Reset(block)
		if err := r.Read(&g); err != nil || len(g.Moves) != 120 {
			t.Fatalf("%d moves, %v", len(g.Moves), err)
		}
	}
	read()
	if n := testing.AllocsPerRun(10, read); n != 0 {
		t.Errorf("%v allocations a game: want none", n)
	}
}

// BenchmarkRead reads the file that SGF names, as one block, from memory; without it a
// game a thousand times.
func BenchmarkRead(b *testing.B) {
	data := []byte(strings.Repeat(long(100), 1000))
	if path := os.Getenv("SGF"); path != "" {
		var err error
		if data, err = os.ReadFile(path); err != nil {
			b.Fatal(err)
		}
	}
	r := NewBlockReader(record.Options{})
	var g record.Game
	b.SetBytes(int64(len(data)))
	begun := cpu.Time()
	for b.Loop() {
		r.Reset(record.Block{Data: data, Line: 1})
		for {
			if err := r.Read(&g); err != nil {
				if _, ok := err.(*record.SyntaxError); !ok {
					break
				}
			}
		}
	}
	b.ReportMetric(float64(len(data))*float64(b.N)/1e6/(cpu.Time()-begun).Seconds(), "MB/cpu-s")
}
