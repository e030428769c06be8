package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
)

// TestSmallFiles: what is allocated per file goes by the file's size, not by that of a
// block, in directories and in archives.
func TestSmallFiles(t *testing.T) {
	const n, most = 400, 40 << 10 // bytes per file, of which os.File and tar take the most
	src := t.TempDir()
	var zipped, tarred bytes.Buffer
	z, tr := zip.NewWriter(&zipped), tar.NewWriter(&tarred)
	for i := range n {
		name, text := fmt.Sprintf("%03d.sgf", i), []byte(recordOf["sgf"]("A", "B"))
		write(t, filepath.Join(src, "dir", name), text)
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := tr.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if _, err := tr.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	tr.Close()
	for _, input := range []string{filepath.Join(src, "dir"), write(t, filepath.Join(src, "a.zip"), zipped.Bytes()), write(t, filepath.Join(src, "a.tar"), tarred.Bytes())} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, sums, err := Count(t.Context(), goGame, Params{Game: "go"}, Options{Inputs: []string{input}, Workers: 1})
		runtime.ReadMemStats(&after)
		if err != nil || sums.Read != n {
			t.Fatal(sums, err)
		}
		fixed := uint64(16 << 20) // columns of the jobs
		if got := after.TotalAlloc - before.TotalAlloc; got > n*most+fixed {
			t.Errorf("%s: %d bytes per file", filepath.Base(input), (got-fixed)/n)
		}
	}
}
