package datasets

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kifu/datasets/checked"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

// summed writes a dataset of one part with two row groups.
func summed(t *testing.T) *Dir {
	t.Helper()
	var batches []*columns.Batch
	for i := range uint64(2) {
		b := columns.NewBatch(every())
		fill(b, 50, rand.New(rand.NewPCG(7, i)))
		batches = append(batches, b)
	}
	return writeOne(t, every(), batches...)
}

// flipped calls f while one bit of a file is another.
func flipped(t *testing.T, path string, at int64, f func()) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	change := func() {
		text[at] ^= 4
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	change()
	defer change()
	f()
}

// readColumn reads one column of the dataset at path, through a Dir of its own.
func readColumn(ctx context.Context, path, column string) error {
	d, err := OpenAt(ctx, path)
	if err != nil {
		return err
	}
	return Each(ctx, d, 1, "", "", func(_ int, g Group, _ func(int) error) error {
		return g.Read(columns.NewBatch(d.Table, column))
	}, nil)
}

// chunksOf lists where the column chunks of the only part begin, with their sizes and columns.
func chunksOf(t *testing.T, d *Dir) (all []struct {
	column     string
	from, size int64
}) {
	t.Helper()
	for _, g := range openOne(t, d).Metadata().RowGroups {
		for _, c := range g.Columns {
			from := c.MetaData.DataPageOffset
			if o := c.MetaData.DictionaryPageOffset; o > 0 {
				from = o
			}
			all = append(all, struct {
				column     string
				from, size int64
			}{c.MetaData.PathInSchema[0], from, c.MetaData.TotalCompressedSize})
		}
	}
	return all
}

// TestFlippedChunk: a flipped bit in a column chunk is named to who reads or verifies the column, and
// to nobody who reads another one; who verifies all finds it, whatever it is in.
func TestFlippedChunk(t *testing.T) {
	d := summed(t)
	ctx, thorough := context.Background(), checked.Thorough(context.Background())
	path := d.PartPaths()[0]
	r := rand.New(rand.NewPCG(1, 2))
	chunks := chunksOf(t, d)
	if len(chunks) < 2*len(d.Table.Columns) {
		t.Fatalf("%d chunks", len(chunks))
	}
	for i, c := range chunks {
		other := d.Table.Columns[(i+1)%len(d.Table.Columns)].Name
		if other == c.column {
			other = d.Table.Columns[(i+5)%len(d.Table.Columns)].Name
		}
		for _, at := range []int64{c.from, c.from + c.size - 1, c.from + r.Int64N(c.size)} {
			flipped(t, path, at, func() {
				verify := func(columns ...string) error {
					d, err := Open(d.Path)
					if err != nil {
						t.Fatal(err)
					}
					return d.VerifyColumns(ctx, columns...)
				}
				for what, err := range map[string]error{"read": readColumn(ctx, d.Path, c.column), "verify": verify(other, c.column)} {
					if err == nil || !strings.Contains(err.Error(), path+": damaged: row group") || !strings.Contains(err.Error(), "column "+c.column) {
						t.Errorf("%s of %s, damaged at %d: %v", what, c.column, at, err)
					}
				}
				if err := readColumn(ctx, d.Path, other); err != nil {
					t.Errorf("%s is damaged, %s read: %v", c.column, other, err)
				}
				if err := verify(other); err != nil {
					t.Errorf("%s is damaged, %s verified: %v", c.column, other, err)
				}
				if err := readColumn(thorough, d.Path, other); err == nil {
					t.Errorf("%s is damaged, which a thorough reader of %s does not see", c.column, other)
				}
			})
		}
	}
}

// TestFlippedFooter: a flipped bit after the last column chunk is named before anything is read.
func TestFlippedFooter(t *testing.T) {
	d := summed(t)
	path, info := d.PartPaths()[0], d.Manifest.Parts[0]
	last := chunksOf(t, d)
	if end := last[len(last)-1].from + last[len(last)-1].size; end != info.Bytes-info.Footer.Bytes {
		t.Fatalf("chunks end at %d, the footer begins at %d", end, info.Bytes-info.Footer.Bytes)
	}
	for range 50 {
		at := info.Bytes - 1 - rand.Int64N(info.Footer.Bytes)
		flipped(t, path, at, func() {
			if err := readColumn(context.Background(), d.Path, d.Table.Columns[0].Name); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("damaged at %d: %v", at, err)
			}
		})
	}
}

// TestPartsWithoutSums: of parts that an earlier version wrote all is compared.
func TestPartsWithoutSums(t *testing.T) {
	d := summed(t)
	chunks := chunksOf(t, d)
	rewrite(t, d.Path, func(m *manifest.Manifest) { m.Parts[0].Footer = checked.Footer{} })
	first, last := chunks[0], chunks[len(chunks)-1]
	if err := readColumn(context.Background(), d.Path, first.column); err != nil {
		t.Fatal(err)
	}
	flipped(t, d.PartPaths()[0], last.from, func() {
		if err := readColumn(context.Background(), d.Path, first.column); err == nil {
			t.Error("a damaged part without sums is read")
		}
		old, err := Open(d.Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := old.VerifyColumns(context.Background(), first.column); err == nil {
			t.Error("a damaged part without sums is verified")
		}
	})
}

// TestMemoryOfColumns: a column that was verified is not read again while its part is as it was,
// and others are.
func TestMemoryOfColumns(t *testing.T) {
	checked.Settled = 0
	d := summed(t)
	ctx := checked.WithMemory(context.Background(), t.TempDir())
	file, names := d.Manifest.Parts[0].File, []string{}
	for _, c := range d.Table.Columns {
		names = append(names, c.Name)
	}
	look := func(columns ...string) (compared []string) {
		m := checked.Recall(ctx, d.Path)
		compared = []string{"nothing"}
		if err := m.CheckColumns(file, d.Path, columns, func(left []string) error { compared = left; return nil }); err != nil {
			t.Fatal(err)
		}
		m.Save()
		return compared
	}
	for i, k := range []struct{ columns, want []string }{
		{nil, nil}, {nil, []string{"nothing"}},
		{names[:2], names[:2]}, {names[1:3], names[2:3]}, {names[:3], []string{"nothing"}}, {nil, []string{"nothing"}},
	} {
		if got := look(k.columns...); !slices.Equal(got, k.want) {
			t.Errorf("look %d: %v compared, want %v", i, got, k.want)
		}
	}
	m := checked.Recall(ctx, d.Path)
	if known, err := m.Check(file, d.Path); known || err != nil {
		t.Errorf("some columns are taken for all: %v, %v", known, err)
	}
	m.Save()
	if got := look(names...); !slices.Equal(got, []string{"nothing"}) {
		t.Errorf("all of the part was verified, then %v", got)
	}
	if err := os.Chtimes(filepath.Join(d.Path, file.Name), time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if got := look(names[0]); !slices.Equal(got, names[:1]) {
		t.Errorf("a touched part: %v compared", got)
	}
	if m := checked.Recall(checked.Thorough(ctx), d.Path); m != nil {
		t.Error("a thorough reader remembers")
	}
}

// TestSums: a part without rows has none.
func TestSums(t *testing.T) {
	d := writeOne(t, schemas.Table{Name: "none", Version: 1, Columns: every().Columns[:1]})
	if d.Manifest.Parts[0].Footer.Bytes == 0 {
		t.Error("a part without rows has no footer")
	}
	if err := readColumn(context.Background(), d.Path, d.Table.Columns[0].Name); err != nil {
		t.Error(err)
	}
}
