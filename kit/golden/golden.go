// Package golden compares what a test produced with a file under testdata, and writes
// the file again under -update: go test ./games/chess -run Playthrough -update
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files again")

// Updating reports whether the test was run with -update.
func Updating() bool { return *update }

// Equal fails t at the first line in which got differs from the file at path.
func Equal(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	if bytes.Equal(got, want) {
		return
	}
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := 0; i < len(g) && i < len(w); i++ {
		if !bytes.Equal(g[i], w[i]) {
			t.Fatalf("%s:%d: differs (-update writes it again)\n got %s\nwant %s", path, i+1, g[i], w[i])
		}
	}
	t.Fatalf("%s: got %d lines, want %d (-update writes it again)", path, len(g), len(w))
}
