package datasets

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets/checked"
	"kifu/datasets/columns"
)

// listed writes a manifest of so many parts, which are not there, and returns the directory.
func listed(t testing.TB, parts int) string {
	dir := t.TempDir()
	m := newManifest(Step{Stage: "count", Output: numbers.ID()}, []byte("{}"), nil, nil)
	m.Columns = numbers.Columns
	for i := range parts {
		m.Parts = append(m.Parts, PartInfo{File: checked.File{Name: partName(i), Bytes: 1000, SHA256: strings.Repeat("a", 64)}, Rows: int64(i), Counts: Counts{Read: 1, Written: int64(i)}})
	}
	if err := m.putLists(dir); err != nil {
		t.Fatal(err)
	}
	m.Sum = m.sum()
	if err := writeJSON(filepath.Join(dir, manifestName), m); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestLists(t *testing.T) {
	for parts, lists := range map[int]int{0: 0, 1: 0, listParts: 0, listParts + 1: 2, 2*listParts + 5: 3} {
		dir := listed(t, parts)
		d, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Manifest.Lists) != lists || d.NumParts() != parts || d.Rows() != int64(parts*(parts-1)/2) || d.Manifest.Bytes() != int64(parts*1000) {
			t.Errorf("%d parts: %d lists of %d parts, %d rows", parts, len(d.Manifest.Lists), d.NumParts(), d.Rows())
		}
		if (d.Manifest.Format == listedFormat) != (lists > 0) {
			t.Errorf("%d parts: format %d", parts, d.Manifest.Format)
		}
		if parts == 0 {
			continue
		}
		for _, i := range []int{parts - 1, 0, parts / 2, min(listParts, parts-1)} {
			if p, err := d.Info(i); err != nil || p.Name != partName(i) || p.Rows != int64(i) {
				t.Errorf("%d parts: part %d is %+v, %v", parts, i, p, err)
			}
		}
		if paths := d.PartPaths(); len(paths) != parts || paths[parts-1] != filepath.Join(dir, partName(parts-1)) {
			t.Errorf("%d parts: %d paths", parts, len(paths))
		}
	}
}

// TestManifestFormats: manifests of before are read, and those of a kifu to come are refused.
func TestManifestFormats(t *testing.T) {
	for format, known := range map[int]bool{0: false, manifestFormat - 2: true, manifestFormat: true, listedFormat + 1: false} {
		dir := listed(t, 3)
		path := filepath.Join(dir, manifestName)
		m, err := readManifest(path)
		if err != nil {
			t.Fatal(err)
		}
		m.Format = format
		m.Sum = m.sum()
		if err := writeJSON(path, m); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); (err == nil) != known || !known && !strings.Contains(err.Error(), fmt.Sprint("manifest format ", format)) {
			t.Errorf("format %d: %v", format, err)
		}
	}
}

// TestDamagedLists: a list with another byte is named, as are lists that a stranger wrote.
func TestDamagedLists(t *testing.T) {
	const parts = listParts + 3
	for name, change := range map[string]func(dir string, m *Manifest) error{
		"flipped bit": func(dir string, _ *Manifest) error {
			path := filepath.Join(dir, listName(1))
			text, err := os.ReadFile(path)
			text[30] ^= 4
			return errorsOf(err, os.WriteFile(path, text, 0o666))
		},
		"missing": func(dir string, _ *Manifest) error { return os.Remove(filepath.Join(dir, listName(1))) },
		"outside": func(dir string, m *Manifest) error {
			return relist(dir, m, func(p []PartInfo) { p[1].Name = "../outside" })
		},
		"part twice": func(dir string, m *Manifest) error { return relist(dir, m, func(p []PartInfo) { p[1] = p[0] }) },
		"rows":       func(dir string, m *Manifest) error { return relist(dir, m, func(p []PartInfo) { p[1].Rows++ }) },
		"negative": func(dir string, m *Manifest) error {
			return relist(dir, m, func(p []PartInfo) { p[1].Rows -= 1e6; p[2].Rows += 1e6 })
		},
		"name of a list":   func(_ string, m *Manifest) error { m.Lists[1].Name = "../parts-00001.json"; return nil },
		"a list too many":  func(_ string, m *Manifest) error { m.Lists = append(m.Lists, m.Lists[1]); return nil },
		"a short list":     func(_ string, m *Manifest) error { m.Lists[0].Parts--; return nil },
		"parts beside":     func(_ string, m *Manifest) error { m.Parts = []PartInfo{{File: checked.File{Name: "x"}}}; return nil },
		"of the old kind":  func(_ string, m *Manifest) error { m.Format = manifestFormat; return nil },
		"without any list": func(_ string, m *Manifest) error { m.Lists = nil; return nil },
	} {
		dir := listed(t, parts)
		m, err := readManifest(filepath.Join(dir, manifestName))
		if err == nil {
			err = change(dir, m)
		}
		m.Sum = m.sum()
		if err := errorsOf(err, writeJSON(filepath.Join(dir, manifestName), m)); err != nil {
			t.Fatal(name, err)
		}
		d, err := Open(dir)
		if err == nil {
			_, err = d.Info(parts - 1)
		}
		if err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", name, err)
		}
		if d != nil {
			if err := d.Verify(context.Background()); err == nil {
				t.Errorf("%s: verified", name)
			}
		}
	}
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

// relist changes list 1 of the manifest as a stranger would, with checksums that hold.
func relist(dir string, m *Manifest, change func([]PartInfo)) error {
	path := filepath.Join(dir, listName(1))
	text, err := os.ReadFile(path)
	var parts []PartInfo
	if err := errorsOf(err, json.Unmarshal(text, &parts)); err != nil {
		return err
	}
	change(parts)
	if text, err = json.Marshal(parts); err != nil {
		return err
	}
	m.Lists[1].File, err = writeFile(path, text)
	return err
}

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
				if err := errorsOf(err, w.Append(g), w.Close(Counts{Written: 1}, nil)); err != nil {
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
	tmp := filepath.Join(dir, tmpName)
	if err := errorsOf(os.MkdirAll(tmp, 0o777), os.WriteFile(filepath.Join(tmp, keyName), []byte(d.Manifest.Key), 0o666)); err != nil {
		t.Fatal(err)
	}
	for i := range parts {
		if slices.Contains(missing, i) {
			continue
		}
		info.Name = partName(i)
		path := filepath.Join(tmp, info.Name)
		text := fmt.Appendf(nil, `{"name": %q, "bytes": %d, "sha256": %q, "rows": 1, "counts": {"read": 0, "written": 1}}`, info.Name, info.Bytes, info.SHA256)
		if err := errorsOf(os.WriteFile(path, data, 0o666), os.WriteFile(sidecar(path), text, 0o666)); err != nil {
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

// BenchmarkOpen opens manifests of so many parts, and of the largest an entry in the middle.
func BenchmarkOpen(b *testing.B) {
	for _, parts := range []int{10_000, 1_000_000} {
		dir := listed(b, parts)
		b.Run(fmt.Sprint(parts), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				d, err := Open(dir)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := d.Info(parts / 2); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
