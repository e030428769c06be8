package datasets

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
)

// passOn builds a dataset whose columns are those of in as they are stored, except one, which is read.
func passOn(t *testing.T, in *Dir) (*Dir, error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "d")
	_, _, err := Build(context.Background(), dir, Step{Stage: "passed", Output: in.Table.ID(), Inputs: []string{in.Path}, Run: func(ctx context.Context, ins []*Dir, out *Builder) error {
		out.SetTable(in.Table)
		return Map(ctx, ins[0], out, MapOptions{Workers: 2, Copy: true, Columns: []string{in.Table.Columns[0].Name}}, func() MapFunc {
			return func(in, out *columns.Batch) (manifest.Counts, error) {
				for i := range in.Cols[1:] {
					if n := len(in.Cols[i+1].Ends) + len(in.Cols[i+1].Int64); n > 0 {
						t.Errorf("column %s was read", in.Cols[i+1].Column.Name)
					}
				}
				copy(out.Cols, in.Cols)
				out.Cols[0].Stored = nil
				out.Rows = in.Rows
				return manifest.Counts{}, nil
			}
		})
	}}, Options{})
	if err != nil {
		return nil, err
	}
	return Open(dir)
}

// TestPassedColumns: columns that pass from one dataset to the next have the bytes that encoding them gives,
// with their bounds, pages and checksums.
func TestPassedColumns(t *testing.T) {
	for name, in := range map[string]*Dir{"many pages": writeOne(t, every(), manyPages()), "row groups": summed(t)} {
		out, err := passOn(t, in)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(in.PartPaths()[0])
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out.PartPaths()[0])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the part has other bytes", name)
		}
	}
}

// TestPassedDamage: a flipped bit in a column that is not read does not pass into the next dataset.
func TestPassedDamage(t *testing.T) {
	d := summed(t)
	path := d.PartPaths()[0]
	for _, c := range chunksOf(t, d) {
		flipped(t, path, c.from+c.size/2, func() {
			in, err := Open(d.Path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := passOn(t, in); err == nil || !strings.Contains(err.Error(), path+": damaged: row group") || !strings.Contains(err.Error(), "column "+c.column) {
				t.Errorf("%s damaged: %v", c.column, err)
			}
		})
	}
}

// TestPassedGames: where datasets are read as one, the games of the second have other numbers than in its file.
func TestPassedGames(t *testing.T) {
	d := summed(t)
	p, err := d.OpenPart(0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	b := columns.NewBatch(d.Table)
	for _, from := range []int64{0, 5} {
		p.GamesFrom = from
		if err := p.Take(0, b, []string{}); err != nil || (b.Cols[0].Stored != nil) != (from == 0) {
			t.Errorf("games from %d: copied: %v, %v", from, b.Cols[0].Stored != nil, err)
		}
	}
}
