package ggf

import (
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/internal/cpu"
)

// BenchmarkRead reads games with values and times, as one block, from memory.
func BenchmarkRead(b *testing.B) {
	data := []byte(strings.Repeat(long(60), 5000))
	r := NewBlockReader(record.Options{})
	var g record.Game
	b.SetBytes(int64(len(data)))
	begun := cpu.Time()
	for b.Loop() {
		r.Reset(record.Block{Data: data, Line: 1})
		for r.Read(&g) == nil {
		}
	}
	b.ReportMetric(float64(len(data))*float64(b.N)/1e6/(cpu.Time()-begun).Seconds(), "MB/cpu-s")
}
