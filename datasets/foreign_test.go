package datasets

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
)

// TestCheckParquet: a whole file passes; with a byte of its footer or its page headers changed
// it is an error that names it, or is read as another whole file, and never a panic.
func TestCheckParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	text, err := os.ReadFile(filepath.Join(small(t, 5), manifest.PartName(0)))
	if err != nil {
		t.Fatal(err)
	}
	check := func(text []byte) error {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return checked.Parquet(context.Background(), path)
	}
	if err := check(text); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range text {
		damaged := slices.Clone(text)
		damaged[i] ^= 0xff
		if err := check(damaged); err != nil {
			refused++
			if !strings.Contains(err.Error(), path) {
				t.Errorf("byte %d: %v", i, err)
			}
		}
	}
	if err := check(text[:len(text)/2]); err == nil {
		t.Error("half a file passes")
	}
	if refused < len(text)/4 {
		t.Errorf("of %d damaged files %d are refused", len(text), refused)
	}
	t.Logf("of %d damaged files %d are refused", len(text), refused)
}
