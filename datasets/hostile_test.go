package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets/checked"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/kit/slow"
	"kifu/schemas"
)

// small writes a dataset with a column of every type, and a file beside its part.
func small(t *testing.T, n int) string {
	table := every()
	table.Columns = slices.DeleteFunc(table.Columns, func(c schemas.Column) bool { return c.Repeats || c.Nullable != (c.Type%2 == 0) })
	dir := filepath.Join(t.TempDir(), "small")
	_, _, err := Build(context.Background(), dir, Step{Stage: "test", Output: table.ID(), Params: map[string]int{"a": 1},
		Run: func(_ context.Context, _ []*Dir, out *Builder) error {
			out.SetTable(table)
			out.SetMeta("unit", "pawn")
			if err := out.AddFile("beside.txt", []byte("text\n")); err != nil {
				return err
			}
			w, err := out.Part(0)
			if err != nil {
				return err
			}
			b := columns.NewBatch(table)
			fill(b, n, rand.New(rand.NewPCG(3, 4)))
			g, err := w.Encode(b)
			if err == nil {
				err = w.Append(g)
			}
			if err != nil {
				return err
			}
			return w.Close(manifest.Counts{Read: int64(n), Written: int64(n)}, nil)
		}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// everything is all that a dataset tells: its manifest, its files, its rows.
func everything(dir string) (string, error) {
	d, err := Open(dir)
	if err != nil {
		return "", err
	}
	m := *d.Manifest
	m.Sum = ""
	text, err := json.Marshal(m)
	if err != nil {
		return "", err
	}
	all := []string{string(text)}
	for _, f := range d.Manifest.Files {
		text, err := d.ReadFile(f.Name)
		if err != nil {
			return "", err
		}
		all = append(all, string(text))
	}
	err = Each(context.Background(), d, 1, "", "", func(_ int, g Group, _ func(int) error) error {
		b := columns.NewBatch(d.Table)
		err := g.Read(b)
		all = append(all, rows(b)...)
		return err
	}, nil)
	return strings.Join(all, "\n"), err
}

// TestEveryByteFlipped flips every byte of a dataset in turn: it is read as it was, or the
// error names the file; and nothing is read that was not written.
func TestEveryByteFlipped(t *testing.T) {
	slow.Test(t, "reads a dataset once for each of its bytes")
	dir := small(t, 5)
	want, err := everything(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{manifest.Name, manifest.PartName(0), "beside.txt"} {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		unseen := 0
		for i := range text {
			flipped := slices.Clone(text)
			flipped[i] ^= 1 << (i % 8)
			if err := os.WriteFile(path, flipped, 0o666); err != nil {
				t.Fatal(err)
			}
			got, err := everything(dir)
			switch {
			case err == nil && got != want:
				t.Fatalf("%s, byte %d of %d: read as something else", name, i, len(text))
			case err == nil:
				unseen++ // white space, or the case of a key
			case !strings.Contains(err.Error(), dir):
				t.Errorf("%s, byte %d: %v", name, i, err)
			}
		}
		if name != manifest.Name && unseen > 0 {
			t.Errorf("%s: %d flips unseen", name, unseen)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// rewrite changes the manifest of a dataset as a stranger would: with a checksum that holds.
func rewrite(t *testing.T, dir string, change func(*manifest.Manifest)) {
	path := filepath.Join(dir, manifest.Name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := new(manifest.Manifest)
	if err := json.Unmarshal(text, m); err != nil {
		t.Fatal(err)
	}
	change(m)
	m.Sum = m.Checksum()
	if err := manifest.WriteJSON(path, m); err != nil {
		t.Fatal(err)
	}
}

// TestStrangersManifest: a manifest that names files outside the dataset is refused by
// whatever reads it, and nothing outside is read, moved or removed.
func TestStrangersManifest(t *testing.T) {
	for name, change := range map[string]func(m *manifest.Manifest, outside string){
		"part above":    func(m *manifest.Manifest, _ string) { m.Parts[0].Name = "../outside" },
		"part absolute": func(m *manifest.Manifest, outside string) { m.Parts[0].Name = outside },
		"file above":    func(m *manifest.Manifest, _ string) { m.Files[0].Name = "../outside" },
		"backslash":     func(m *manifest.Manifest, _ string) { m.Files[0].Name = `..\outside` },
		"the directory": func(m *manifest.Manifest, _ string) { m.Files[0].Name = ".." },
		"no name":       func(m *manifest.Manifest, _ string) { m.Files[0].Name = "" },
		"manifest":      func(m *manifest.Manifest, _ string) { m.Files[0].Name = manifest.Name },
		"twice":         func(m *manifest.Manifest, _ string) { m.Files[0].Name = m.Parts[0].Name },
		"rows below 0":  func(m *manifest.Manifest, _ string) { m.Parts[0].Rows = -1 },
		"bytes below 0": func(m *manifest.Manifest, _ string) { m.Parts[0].Bytes = -1 },
	} {
		dir := small(t, 5)
		outside := filepath.Join(filepath.Dir(dir), "outside")
		if err := os.WriteFile(outside, []byte("precious"), 0o666); err != nil {
			t.Fatal(err)
		}
		rewrite(t, dir, func(m *manifest.Manifest) { change(m, outside) })
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, manifest.Name)) {
			t.Errorf("%s: %v", name, err)
		}
		// In the place of an old dataset, and as a swap that was cut off.
		Build(context.Background(), dir, count(1, 1, -1, new([]int)), Options{Force: true})
		other := filepath.Join(filepath.Dir(dir), "other")
		if err := os.Rename(dir, filepath.Join(t.TempDir(), "x")); err != nil {
			t.Fatal(err)
		}
		dir = small(t, 5)
		outside2 := filepath.Join(filepath.Dir(dir), "outside")
		if err := os.WriteFile(outside2, []byte("precious"), 0o666); err != nil {
			t.Fatal(err)
		}
		rewrite(t, dir, func(m *manifest.Manifest) { change(m, outside2) })
		if err := os.MkdirAll(other, 0o777); err == nil {
			err = os.Rename(dir, filepath.Join(other, manifest.TmpName))
			if err != nil {
				t.Fatal(err)
			}
		}
		Build(context.Background(), other, count(1, 1, -1, new([]int)), Options{})
		for _, path := range []string{outside, outside2} {
			if text, err := os.ReadFile(path); err != nil || string(text) != "precious" {
				t.Errorf("%s: %s: %q, %v", name, path, text, err)
			}
		}
	}
}

// TestLyingManifest: counts, columns and schemas that the parts do not have are named.
func TestLyingManifest(t *testing.T) {
	for name, change := range map[string]func(m *manifest.Manifest){
		"rows":        func(m *manifest.Manifest) { m.Parts[0].Rows *= 1000 },
		"bytes":       func(m *manifest.Manifest) { m.Parts[0].Bytes *= 1000 },
		"fewer bytes": func(m *manifest.Manifest) { m.Parts[0].Bytes /= 2 },
		"checksum": func(m *manifest.Manifest) {
			m.Parts[0].SHA256, m.Parts[0].Footer.SHA256 = strings.Repeat("0", 64), strings.Repeat("0", 64)
		},
		"column":       func(m *manifest.Manifest) { m.Columns[0].Name = "other" },
		"type":         func(m *manifest.Manifest) { m.Columns[0].Type = m.Columns[len(m.Columns)-1].Type },
		"missing part": func(m *manifest.Manifest) { m.Parts[0].Name = "part-00007.parquet" },
	} {
		dir := small(t, 5)
		rewrite(t, dir, change)
		d, err := Open(dir)
		if err == nil {
			err = d.Verify(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: Verify: %v", name, err)
		}
		if _, err := everything(dir); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: read: %v", name, err)
		}
	}
}

// TestIsNoFile: a pipe or a device in the place of a part or a manifest is an error, not a wait.
func TestIsNoFile(t *testing.T) {
	for _, name := range []string{manifest.PartName(0), manifest.Name} {
		dir := small(t, 5)
		path := filepath.Join(dir, name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/dev/zero", path); err != nil {
			t.Skip(err)
		}
		if _, err := everything(dir); err == nil || !strings.Contains(err.Error(), "not a plain file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzManifest: whatever manifest.json says, an error or a dataset whose files are in it.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"format": 1, "schema": "games/v1", "parts": [{"name": "../a", "bytes": 1, "sha256": "", "rows": 1}]}`))
	f.Add([]byte(`{"format": 1, "schema": "games/v1", "params": {"a": 1}, "columns": [{"name": "a", "type": "int64", "doc": ""}], "sum": "00"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, manifest.Name), text, 0o666); err != nil {
			t.Fatal(err)
		}
		d, err := Open(dir)
		if err != nil {
			return
		}
		for _, path := range d.PartPaths() {
			if filepath.Dir(path) != filepath.Clean(dir) {
				t.Errorf("%s is outside", path)
			}
		}
		d.Verify(context.Background())
		everything(dir)
	})
}

// FuzzPart: whatever the bytes of a part are, an error or rows, when its checksum is that of
// the bytes, as a stranger can make it.
func FuzzPart(f *testing.F) {
	table := schemas.Table{Name: "fuzz", Version: 1, Columns: every().Columns}
	for _, n := range []int{0, 3} {
		d := writeOne(&testing.T{}, table, func() *columns.Batch {
			b := columns.NewBatch(table)
			fill(b, n, rand.New(rand.NewPCG(5, 6)))
			return b
		}())
		text, err := os.ReadFile(d.PartPaths()[0])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), manifest.PartName(0))
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		info := manifest.Part{File: checked.File{Name: manifest.PartName(0), Bytes: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}}
		m := &manifest.Manifest{Schema: table.ID(), Columns: table.Columns, Parts: []manifest.Part{info}}
		d, err := newDir(filepath.Dir(path), m, folder(filepath.Dir(path)), m.Entries())
		if err != nil {
			t.Fatal(err)
		}
		p, err := d.OpenPart(0)
		if err != nil {
			return
		}
		defer p.Close()
		for i := range p.RowGroups() {
			b := columns.NewBatch(table)
			if err := p.Read(i, b); err == nil {
				rows(b)
			} else if errors.Is(err, io.EOF) {
				return
			}
		}
	})
}
