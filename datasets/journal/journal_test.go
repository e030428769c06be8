package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// kept writes records to a new journal and closes it.
func kept(t *testing.T, records ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), Prefix+"games-0")
	j, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := j.Add([]byte(r)); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// count is the number of records that the journals next to path have.
func count(path string) int {
	n, _ := Kept(filepath.Dir(path))
	return n
}

// has compares what a journal has with records, and adds one more.
func has(t *testing.T, path string, more string, want ...string) {
	t.Helper()
	if n := count(path); n != len(want) {
		t.Errorf("%d records are counted, want %d", n, len(want))
	}
	j, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if got := fmt.Sprintf("%q", j.Records()); got != fmt.Sprintf("%q", want) {
		t.Errorf("records %s, want %q", got, want)
	}
	if err := j.Add([]byte(more)); err != nil {
		t.Fatal(err)
	}
}

// TestReopened: a journal that was closed has its records, and goes on after them.
func TestReopened(t *testing.T) {
	path := kept(t, "one", "", "three")
	has(t, path, "four", "one", "", "three")
	has(t, path, "five", "one", "", "three", "four")
}

// TestCutShort: wherever a file ends, its whole records are read, and the next one takes the place of the half one.
func TestCutShort(t *testing.T) {
	all := []string{"one", "", "three"}
	text, err := os.ReadFile(kept(t, all...))
	if err != nil {
		t.Fatal(err)
	}
	ends := []int{0, 11, 19, len(text)} // of the records
	for n := range len(text) {
		path := filepath.Join(t.TempDir(), Prefix+"games-0")
		if err := os.WriteFile(path, text[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		whole := 0
		for ends[whole+1] <= n {
			whole++
		}
		has(t, path, "next", all[:whole]...)
		has(t, path, "", append(append([]string{}, all[:whole]...), "next")...)
	}
}

// TestDamaged: a record with a changed byte, and those after it, are not read.
func TestDamaged(t *testing.T) {
	path := kept(t, "one", "two", "three")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 11; at < 22; at++ { // in the second record: its length, its checksum, its bytes
		damaged := bytes.Clone(text)
		damaged[at] ^= 1
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		has(t, path, "next", "one")
	}
}

// TestTogether: records of several goroutines are whole.
func TestTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), Prefix+"games-0")
	j, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 50 {
				if err := j.Add(bytes.Repeat([]byte{byte('a' + i)}, 1000+i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if err := j.Close(); err != nil || count(path) != 400 {
		t.Errorf("%d records, %v; want 400", count(path), err)
	}
}

// TestDrop: a journal whose work is complete is gone, and one that is none keeps nothing.
func TestDrop(t *testing.T) {
	path := kept(t, "one")
	j, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Drop(); err != nil || count(path) != 0 {
		t.Errorf("after Drop: %d records, %v", count(path), err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file is there: %v", err)
	}
	none := new(File)
	if err := none.Add([]byte("one")); err != nil || none.Records() != nil || none.Close() != nil || none.Drop() != nil {
		t.Errorf("a journal that is none: %v", err)
	}
}

// TestValues: values come back by their keys after an interruption, and are gone when the work is complete. Those of a version
// with other fields are refused.
func TestValues(t *testing.T) {
	type old struct{ Plies int }
	type new struct{ Moves int }
	path := kept(t)
	v, err := Of[int, old](Open(path))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := v.Kept(7); ok {
		t.Error("a value is there that nobody kept")
	}
	cut := errors.New("cut off")
	if err := errors.Join(v.Keep(7, old{40}), v.Keep(8, old{41})); err != nil || !errors.Is(v.End(cut), cut) {
		t.Fatal(err)
	}
	if _, err := Of[int, new](Open(path)); err == nil || !strings.Contains(err.Error(), "start again with --force") {
		t.Errorf("values of another version: %v", err)
	}
	if v, err = Of[int, old](Open(path)); err != nil {
		t.Fatal(err)
	}
	if got, ok := v.Kept(8); !ok || got.Plies != 41 {
		t.Errorf("%v, %t; want 41 plies", got, ok)
	}
	if err := v.End(nil); err != nil || count(path) != 0 {
		t.Errorf("%d records are left, %v", count(path), err)
	}
}
