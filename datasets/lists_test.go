package datasets

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
)

// TestResumeManyParts: of an interrupted run that made all but three of many parts, these
// three are made, and the dataset is whole, is up to date, and is replaced by a smaller one.
// With KIFU_LONG there are 100,001 parts, in 200,000 files.
func TestResumeManyParts(t *testing.T) {
	parts := 4500
	if os.Getenv("KIFU_LONG") != "" {
		parts = 100_001
	}
	missing := []int{0, parts - 2, parts - 1}
	one := filepath.Join(t.TempDir(), "one")
	var wrote []int
	tiny := func(parts int) Step {
		return Step{Stage: "count", Output: numbers.ID(), Run: func(_ context.Context, _ []*Dir, out *Builder) error {
			out.SetTable(numbers)
			b := columns.NewBatch(numbers)
			b.Rows = 1
			b.Cols[0].AppendInt64(7)
			for i := range parts {
				if _, done := out.Done(i); done {
					continue
				}
				wrote = append(wrote, i)
				w, err := out.Part(i)
				if err != nil {
					return err
				}
				g, err := w.Encode(b)
				if err := cmp.Or(err, w.Append(g), w.Close(manifest.Counts{Written: 1}, nil)); err != nil {
					return err
				}
			}
			return nil
		}}
	}
	mustBuild(t, one, tiny(1))
	d, err := Open(one)
	if err != nil {
		t.Fatal(err)
	}
	info := d.Manifest.Parts[0]
	data, err := os.ReadFile(filepath.Join(one, info.Name))
	if err != nil {
		t.Fatal(err)
	}

	dir := filepath.Join(t.TempDir(), "many")
	tmp := filepath.Join(dir, manifest.TmpName)
	if err := cmp.Or(os.MkdirAll(tmp, 0o777), os.WriteFile(filepath.Join(tmp, manifest.KeyName), []byte(d.Manifest.Key), 0o666)); err != nil {
		t.Fatal(err)
	}
	for i := range parts {
		if slices.Contains(missing, i) {
			continue
		}
		info.Name = manifest.PartName(i)
		path := filepath.Join(tmp, info.Name)
		text := fmt.Appendf(nil, `{"name": %q, "bytes": %d, "sha256": %q, "rows": 1, "counts": {"read": 0, "written": 1}}`, info.Name, info.Bytes, info.SHA256)
		if err := cmp.Or(os.WriteFile(path, data, 0o666), os.WriteFile(manifest.Sidecar(path), text, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	wrote = nil
	if !mustBuild(t, dir, tiny(parts)) || !slices.Equal(wrote, missing) {
		t.Fatalf("made %d parts: %v, want %v", len(wrote), wrote[:min(9, len(wrote))], missing)
	}
	if d, err = Open(dir); err != nil || d.NumParts() != parts || d.Rows() != int64(parts) || d.Manifest.Counts.Written != int64(parts) {
		t.Fatal(d.NumParts(), err)
	}
	p, err := d.OpenPart(parts - 1)
	if err != nil || p.RowGroups() != 1 {
		t.Fatal(err)
	}
	p.Close()
	if mustBuild(t, dir, tiny(parts)) {
		t.Error("made twice")
	}
	s := tiny(2)
	s.Params = "smaller"
	if _, _, err := Build(context.Background(), dir, s, Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 4 { // two parts, manifest, lock
		t.Errorf("%d files are left, %v", len(left), err)
	}
}
