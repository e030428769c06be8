package ggf

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"kifu/ingest/record"
)

// BenchmarkRead reads games with values and times, as one block, from memory.
func BenchmarkRead(b *testing.B) {
	data := []byte(strings.Repeat(long(60), 5000))
	r := NewBlockReader(record.Options{})
	var g record.Game
	b.SetBytes(int64(len(data)))
	begun := cpu()
	for b.Loop() {
		r.Reset(record.Block{Data: data, Line: 1})
		for r.Read(&g) == nil {
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
