package manifest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

const listParts = 4096

var numbers = schemas.Table{Name: "numbers", Version: 1, Columns: []schemas.Column{{Name: "n", Type: schemas.Int64, Doc: "n"}}}

// listed writes a manifest of so many parts, which are not there, and returns the directory.
func listed(t testing.TB, parts int) string {
	dir := t.TempDir()
	m := manifest.New(manifest.Manifest{Stage: "count", Schema: numbers.ID(), Params: []byte("{}"), Columns: numbers.Columns})
	for i := range parts {
		m.Parts = append(m.Parts, manifest.Part{File: checked.File{Name: manifest.PartName(i), Bytes: 1000, SHA256: strings.Repeat("a", 64)}, Rows: int64(i), Counts: manifest.Counts{Read: 1, Written: int64(i)}})
	}
	if err := m.PutLists(dir); err != nil {
		t.Fatal(err)
	}
	m.Sum = m.Checksum()
	if err := manifest.WriteJSON(filepath.Join(dir, manifest.Name), m); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestLists(t *testing.T) {
	for parts, lists := range map[int]int{0: 0, 1: 0, listParts: 0, listParts + 1: 2, 2*listParts + 5: 3} {
		dir := listed(t, parts)
		d := datasettest.Open(t, dir)
		if len(d.Manifest.Lists) != lists || d.NumParts() != parts || d.Rows() != int64(parts*(parts-1)/2) || d.Manifest.Bytes() != int64(parts*1000) {
			t.Errorf("%d parts: %d lists of %d parts, %d rows", parts, len(d.Manifest.Lists), d.NumParts(), d.Rows())
		}
		if (d.Manifest.Format == 4) != (lists > 0) {
			t.Errorf("%d parts: format %d", parts, d.Manifest.Format)
		}
		if parts == 0 {
			continue
		}
		for _, i := range []int{parts - 1, 0, parts / 2, min(listParts, parts-1)} {
			if p, err := d.Info(i); err != nil || p.Name != manifest.PartName(i) || p.Rows != int64(i) {
				t.Errorf("%d parts: part %d is %+v, %v", parts, i, p, err)
			}
		}
		if paths := d.PartPaths(); len(paths) != parts || paths[parts-1] != filepath.Join(dir, manifest.PartName(parts-1)) {
			t.Errorf("%d parts: %d paths", parts, len(paths))
		}
	}
}

// TestManifestFormats: manifests of before are read, and those of a kifu to come are refused.
func TestManifestFormats(t *testing.T) {
	for format, known := range map[int]bool{0: false, 1: true, 3: true, 5: false} {
		dir := listed(t, 3)
		path := filepath.Join(dir, manifest.Name)
		m, err := manifest.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		m.Format = format
		m.Sum = m.Checksum()
		if err := manifest.WriteJSON(path, m); err != nil {
			t.Fatal(err)
		}
		if _, err := datasets.Open(dir); (err == nil) != known || !known && !strings.Contains(err.Error(), fmt.Sprint("manifest format ", format)) {
			t.Errorf("format %d: %v", format, err)
		}
	}
}

// TestDamagedLists: a list with another byte is named, as are lists that a stranger wrote.
func TestDamagedLists(t *testing.T) {
	const parts = listParts + 3
	for name, change := range map[string]func(dir string, m *manifest.Manifest) error{
		"flipped bit": func(dir string, _ *manifest.Manifest) error {
			path := filepath.Join(dir, "parts-00001.json")
			text, err := os.ReadFile(path)
			text[30] ^= 4
			return cmp.Or(err, os.WriteFile(path, text, 0o666))
		},
		"missing": func(dir string, _ *manifest.Manifest) error { return os.Remove(filepath.Join(dir, "parts-00001.json")) },
		"outside": func(dir string, m *manifest.Manifest) error {
			return relist(dir, m, func(p []manifest.Part) { p[1].Name = "../outside" })
		},
		"part twice": func(dir string, m *manifest.Manifest) error {
			return relist(dir, m, func(p []manifest.Part) { p[1] = p[0] })
		},
		"rows": func(dir string, m *manifest.Manifest) error {
			return relist(dir, m, func(p []manifest.Part) { p[1].Rows++ })
		},
		"negative": func(dir string, m *manifest.Manifest) error {
			return relist(dir, m, func(p []manifest.Part) { p[1].Rows -= 1e6; p[2].Rows += 1e6 })
		},
		"name of a list":  func(_ string, m *manifest.Manifest) error { m.Lists[1].Name = "../parts-00001.json"; return nil },
		"a list too many": func(_ string, m *manifest.Manifest) error { m.Lists = append(m.Lists, m.Lists[1]); return nil },
		"a short list":    func(_ string, m *manifest.Manifest) error { m.Lists[0].Parts--; return nil },
		"parts beside": func(_ string, m *manifest.Manifest) error {
			m.Parts = []manifest.Part{{File: checked.File{Name: "x"}}}
			return nil
		},
		"of the old kind":  func(_ string, m *manifest.Manifest) error { m.Format = 3; return nil },
		"without any list": func(_ string, m *manifest.Manifest) error { m.Lists = nil; return nil },
	} {
		dir := listed(t, parts)
		m, err := manifest.Read(dir)
		if err == nil {
			err = change(dir, m)
		}
		m.Sum = m.Checksum()
		if err := cmp.Or(err, manifest.WriteJSON(filepath.Join(dir, manifest.Name), m)); err != nil {
			t.Fatal(name, err)
		}
		d, err := datasets.Open(dir)
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

// relist changes list 1 of the manifest as a stranger would, with checksums that hold.
func relist(dir string, m *manifest.Manifest, change func([]manifest.Part)) error {
	path := filepath.Join(dir, "parts-00001.json")
	text, err := os.ReadFile(path)
	var parts []manifest.Part
	if err := cmp.Or(err, json.Unmarshal(text, &parts)); err != nil {
		return err
	}
	change(parts)
	if text, err = json.Marshal(parts); err != nil {
		return err
	}
	m.Lists[1].File, err = manifest.WriteFile(path, text)
	return err
}

// BenchmarkOpen opens manifests of so many parts, and of the largest an entry in the middle.
func BenchmarkOpen(b *testing.B) {
	for _, parts := range []int{10_000, 1_000_000} {
		dir := listed(b, parts)
		b.Run(fmt.Sprint(parts), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				d, err := datasets.Open(dir)
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
