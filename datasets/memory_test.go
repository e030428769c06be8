package datasets

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMemory: what was verified is not read again until it changes, however little, and
// whatever its time of change is set to.
func TestMemory(t *testing.T) {
	var wrote []int
	dir, cache := filepath.Join(t.TempDir(), "d"), filepath.Join(t.TempDir(), "a", "cache")
	mustBuild(t, dir, count(1, 3, -1, &wrote))
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx := WithMemory(context.Background(), cache)
	part := d.Manifest.Parts[1].File
	look := func() (bool, error) {
		m := recall(ctx, dir)
		m.settled = 0
		known, err := m.check(part, dir)
		m.save()
		return known, err
	}
	for i, want := range []bool{false, true, true} {
		if known, err := look(); known != want || err != nil {
			t.Fatalf("look %d: known %v, %v", i, known, err)
		}
	}
	if m := recall(ctx, filepath.Dir(dir)); len(m.files) > 0 {
		t.Errorf("another directory: %v", m.files)
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

// TestMemoryForgets: after a month a file is read again, and a file that was just written
// is not remembered, since the clock might not tell a change that follows.
func TestMemoryForgets(t *testing.T) {
	var wrote []int
	dir := filepath.Join(t.TempDir(), "d")
	mustBuild(t, dir, count(1, 1, -1, &wrote))
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx := WithMemory(context.Background(), t.TempDir())
	part := d.Manifest.Parts[0].File
	m := recall(ctx, dir)
	if _, err := m.check(part, dir); err != nil || m.news {
		t.Errorf("just written: remembered %v, %v", m.news, err)
	}
	m.settled = 0
	if _, err := m.check(part, dir); err != nil || !m.news {
		t.Fatalf("remembered %v, %v", m.news, err)
	}
	old := m.files[part.Name]
	old.When = old.When.Add(-forget - time.Hour)
	m.files[part.Name] = old
	if known, err := m.check(part, dir); known || err != nil {
		t.Errorf("after a month: known %v, %v", known, err)
	}
	if m := recall(context.Background(), dir); m != nil {
		t.Error("something is remembered without being asked")
	}
}
