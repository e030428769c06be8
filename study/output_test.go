package study

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPageAtOnce: of two programs that write one page the second is refused while the first one
// writes; nothing but the whole page of one of them is ever there.
func TestPageAtOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out", "index.html")
	write := func(o *output, text string, failed error) {
		t.Helper()
		if _, err := o.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := o.install(failed); !errors.Is(err, failed) {
			t.Fatal(err)
		}
	}
	first, err := create(Ground{Root: dir, Out: filepath.Dir(path)}, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := create(Ground{Root: dir, Out: filepath.Dir(path)}, path); err == nil || !strings.Contains(err.Error(), "index.html is being written by another kifu") {
		t.Errorf("the second one: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there before it is whole: %v", err)
	}
	write(first, "first", nil)
	for _, c := range []struct {
		text   string
		failed error
		want   string
	}{{"half of", errors.New("broken off"), "first"}, {"second", nil, "second"}} {
		o, err := create(Ground{Root: dir, Out: filepath.Dir(path)}, path)
		if err != nil {
			t.Fatal(err)
		}
		write(o, c.text, c.failed)
		if text, err := os.ReadFile(path); err != nil || string(text) != c.want {
			t.Errorf("%q is there, want %q; %v", text, c.want, err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 2 { // and what was written
		t.Errorf("left: %v, %v", left, err)
	}
}
