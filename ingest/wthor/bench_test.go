package wthor

import (
	"bytes"
	"syscall"
	"testing"
	"time"

	"kifu/ingest/record"
)

// BenchmarkRead reads a million games from a stream, with their names.
func BenchmarkRead(b *testing.B) {
	data := many(1_000_000)
	names := testNames(b)
	b.SetBytes(int64(len(data)))
	begun := cpu()
	for b.Loop() {
		r := NewReader(bytes.NewReader(data), Options{Names: names})
		var g record.Game
		n := 0
		for r.Read(&g) == nil {
			n++
		}
		if n != 1_000_000 {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(len(data))*float64(b.N)/1e6/(cpu()-begun).Seconds(), "MB/cpu-s")
}

// cpu is the processor time of this process: on a busy machine the clock says little.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
