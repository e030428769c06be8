package wthor

import (
	"bytes"
	"testing"

	"kifu/ingest/record"
	"kifu/internal/cpu"
)

// BenchmarkRead reads a million games from a stream, with their names.
func BenchmarkRead(b *testing.B) {
	data := many(1_000_000)
	names := testNames(b)
	b.SetBytes(int64(len(data)))
	begun := cpu.Time()
	for b.Loop() {
		r := record.NewStream(format(names), bytes.NewReader(data), record.Options{})
		var g record.Game
		n := 0
		for r.Read(&g) == nil {
			n++
		}
		if n != 1_000_000 {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(len(data))*float64(b.N)/1e6/(cpu.Time()-begun).Seconds(), "MB/cpu-s")
}
