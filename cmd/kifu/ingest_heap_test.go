package main

import (
	"context"
	"io"
	"runtime/debug"
	"strings"
	"testing"
)

// limitReader notes the heap's limit when it is read.
type limitReader struct {
	io.Reader
	limit int64
}

func (r *limitReader) Read(p []byte) (int, error) {
	r.limit = debug.SetMemoryLimit(-1)
	return r.Reader.Read(p)
}

// TestIngestBoundsHeap: while records are read the heap is bounded well below 256 MB; then it is as
// before, and so it stays where GOMEMLIMIT is set.
func TestIngestBoundsHeap(t *testing.T) {
	first := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(first)
	for _, set := range []int64{1<<63 - 1, 3 << 30} {
		debug.SetMemoryLimit(set)
		in := &limitReader{Reader: strings.NewReader("[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n")}
		var said strings.Builder
		a := inFolder(t.TempDir(), in, &said, &said)
		if code := a.Run(context.Background(), []string{"ingest", "--game", "chess", "--workers", "2", "--out", "games", "-"}); code != 0 {
			t.Fatal(said.String())
		}
		if now := debug.SetMemoryLimit(-1); now != set {
			t.Errorf("the limit was %d, and is %d", set, now)
		}
		if set == 3<<30 && in.limit != set || set != 3<<30 && in.limit > 200<<20 {
			t.Errorf("limit %d, while records are read %d", set, in.limit)
		}
	}
}
