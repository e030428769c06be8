package datasets

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/datasets/checked"
)

// TestMemory: what was verified is not read again until it changes, however little, and
// whatever its time of change is set to.
func TestMemory(t *testing.T) {
	checked.Settled = 0
	var wrote []int
	dir, cache := filepath.Join(t.TempDir(), "d"), filepath.Join(t.TempDir(), "a", "cache")
	mustBuild(t, dir, count(1, 3, -1, &wrote))
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx := checked.WithMemory(context.Background(), cache)
	part := d.Manifest.Parts[1].File
	look := func() (bool, error) {
		m := checked.Recall(ctx, dir)
		known, err := m.Check(part, dir)
		m.Save()
		return known, err
	}
	for i, want := range []bool{false, true, true} {
		if known, err := look(); known != want || err != nil {
			t.Fatalf("look %d: known %v, %v", i, known, err)
		}
	}
	if known, err := checked.Recall(ctx, filepath.Dir(dir)).Check(part, dir); known || err != nil {
		t.Errorf("another directory: known %v, %v", known, err)
	}

	path := filepath.Join(dir, part.Name)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if known, err := look(); known || err == nil {
		t.Errorf("one flipped bit: known %v, %v", known, err)
	}
	if err := d.Verify(ctx); err == nil || !strings.Contains(err.Error(), part.Name) {
		t.Errorf("verify: %v", err)
	}
}
