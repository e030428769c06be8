package checked

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"kifu/internal/checksum"
)

// TestMemoryForgets: after a month a file is read again, and a file that was just written
// is not remembered, since the clock might not tell a change that follows.
func TestMemoryForgets(t *testing.T) {
	dir, text := t.TempDir(), []byte("text")
	f := File{Name: "a", Bytes: int64(len(text)), SHA256: checksum.Bytes(text)}
	if err := os.WriteFile(filepath.Join(dir, f.Name), text, 0o666); err != nil {
		t.Fatal(err)
	}
	m := Recall(WithMemory(context.Background(), t.TempDir()), dir)
	if _, err := m.Check(f, dir); err != nil || m.news {
		t.Errorf("just written: remembered %v, %v", m.news, err)
	}
	Settled = 0
	if _, err := m.Check(f, dir); err != nil || !m.news {
		t.Fatalf("remembered %v, %v", m.news, err)
	}
	old := m.files[f.Name]
	old.When = old.When.Add(-forget - time.Hour)
	m.files[f.Name] = old
	if known, err := m.Check(f, dir); known || err != nil {
		t.Errorf("after a month: known %v, %v", known, err)
	}
	if m := Recall(context.Background(), dir); m != nil {
		t.Error("something is remembered without being asked")
	}
}

// TestCheckedOnce: a Parquet file that was read is not read again until it is another.
func TestCheckedOnce(t *testing.T) {
	Settled = 0
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := parquet.WriteFile(path, []struct{ A int64 }{{1}, {2}}); err != nil {
		t.Fatal(err)
	}
	m := Recall(WithMemory(context.Background(), t.TempDir()), path)
	cost := func() uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := m.parquet(path); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if first, second := cost(), cost(); second > first/4 {
		t.Errorf("%d bytes the first time, %d the second", first, second)
	}
	if info, err := os.Stat(path); err != nil || os.Truncate(path, info.Size()-1) != nil {
		t.Fatal(err)
	}
	if err := m.parquet(path); err == nil {
		t.Error("a file that was cut passes")
	}
}
