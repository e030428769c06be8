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
	"time"

	"kifu/ingest/legal"
	"kifu/ingest/source"
	"kifu/internal/checksum"
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
	o := newOpener(nil, nil, in, nil)
	src, err := o.open(file{name: "-", path: "-"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	s, err := src.Next(0)
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

// TestHeld: a small file is read once for all that look at it, and again when it has changed.
func TestHeld(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.sgf")
	first, second := []byte(recordOf["sgf"]("A", "B")), []byte(recordOf["sgf"]("C", "D"))
	keyOf := func(text []byte) string { return checksum.Bytes(text) }
	o := Options{Inputs: []string{dir}, Held: &Held{}}
	key := func() string {
		keys, err := InputKeys(t.Context(), goGame, Params{Game: "go"}, o)
		if err != nil || len(keys) != 1 {
			t.Fatal(keys, err)
		}
		return keys[0].Key
	}
	write(t, path, first)
	if names, err := Detect([]legal.Game{goGame}, o.Inputs, nil, false, o.Held); err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(second); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := os.Chtimes(path, time.Time{}, info.ModTime()); err != nil { // so that nobody can tell
		t.Fatal(err)
	}
	if got := key(); got != keyOf(first) {
		t.Error("the file was read again")
	}
	if err := os.Chtimes(path, time.Time{}, info.ModTime().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if got := key(); got != keyOf(second) {
		t.Error("the file has changed, and was not read again")
	}
	if o.Held.used != len(first)+len(second) {
		t.Errorf("%d bytes are held", o.Held.used)
	}
	for _, f := range []file{{name: "big.sgf", size: mostHeld + 1}, {name: "a.zip", size: 10}, {name: "none.sgf", size: 10}} {
		f.path, f.info = filepath.Join(dir, f.name), info
		if _, ok := o.Held.text(f); ok {
			t.Errorf("%s is held", f.name)
		}
	}
}

// TestOpenDisk: what cannot be opened is told as os.Open tells it, and what can begins anew
// after its end.
func TestOpenDisk(t *testing.T) {
	dir := t.TempDir()
	_, want := os.Open(filepath.Join(dir, "none"))
	if _, err := source.OpenDisk(filepath.Join(dir, "none")); err == nil || err.Error() != want.Error() || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want %v", err, want)
	}
	o := newOpener(nil, nil, nil, nil)
	src, err := o.open(file{name: "a.sgf", path: write(t, filepath.Join(dir, "a.sgf"), []byte("(;GM[1])"))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	s, err := src.Next(0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Skip(2); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(s); err != nil || string(text) != "GM[1])" {
		t.Errorf("after going back: %q %v", text, err)
	}
}
