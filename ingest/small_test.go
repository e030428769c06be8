package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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

// asked counts how often it is read.
type asked struct {
	io.Reader
	times int
}

func (a *asked) Read(p []byte) (int, error) {
	a.times++
	return a.Reader.Read(p)
}

// TestEndOnce: what has ended is not asked for more.
func TestEndOnce(t *testing.T) {
	in := &asked{Reader: strings.NewReader("(;GM[1])")}
	o := opener{stdin: in, count: func(int64) {}}
	src, err := o.open(file{name: "-", path: "-"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	s, err := src.next(0)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(s); err != nil || string(text) != "(;GM[1])" {
		t.Fatalf("%q %v", text, err)
	}
	if in.times != 2 {
		t.Errorf("read %d times, not once for the text and once for its end", in.times)
	}
}

// TestOpenDisk: what cannot be opened is told as os.Open tells it, and what can begins anew
// after its end.
func TestOpenDisk(t *testing.T) {
	dir := t.TempDir()
	_, want := os.Open(filepath.Join(dir, "none"))
	if _, err := openDisk(filepath.Join(dir, "none")); err == nil || err.Error() != want.Error() || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want %v", err, want)
	}
	o := opener{count: func(int64) {}}
	src, err := o.open(file{name: "a.sgf", path: write(t, filepath.Join(dir, "a.sgf"), []byte("(;GM[1])"))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	s, err := src.next(0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.skip(2); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(s); err != nil || string(text) != "GM[1])" {
		t.Errorf("after going back: %q %v", text, err)
	}
}
