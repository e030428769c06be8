package pgn

import (
	"os"
	"testing"

	"kifu/ingest/record"
	"kifu/internal/cpu"
)

// BenchmarkRead reads the file that PGN names, as one block, from memory.
func BenchmarkRead(b *testing.B) {
	path := os.Getenv("PGN")
	if path == "" {
		b.Skip("PGN names no file")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
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
