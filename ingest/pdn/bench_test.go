package pdn

import (
	"os"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/internal/cpu"
)

// BenchmarkRead reads the file that PDN names, as one block, from memory; without it a
// game that has a little of everything, a thousand times.
func BenchmarkRead(b *testing.B) {
	data := []byte(strings.Repeat("[Event \"Alwick 1842\"]\n[Date \"1842-??-??\"]\n[Black \"Hay, W.\"]\n[Result \"1/2-1/2\"]\n"+
		strings.Repeat("1. 11-15 24-20 2. 8-11 28-24 3. 4-8 21x14x7 {a remark} (3... 23-19)\n", 10)+"1/2-1/2\n\n", 1000))
	if path := os.Getenv("PDN"); path != "" {
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
