package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	icebergio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

// everything has a column of each type.
var everything = schemas.Table{Name: "everything", Version: 1, Columns: []schemas.Column{
	{Name: "n", Type: schemas.Int64, Doc: "n"},
	{Name: "hash", Type: schemas.Uint64, Doc: "hash"},
	{Name: "small", Type: schemas.Int16, Doc: "small"},
	{Name: "value", Type: schemas.Float64, Nullable: true, Doc: "value"},
	{Name: "text", Type: schemas.String, Doc: "text"},
	{Name: "list", Type: schemas.Int32List, Doc: "list"},
	{Name: "tags", Type: schemas.StringMap, Doc: "tags"},
}}

// build makes a dataset of two parts, and returns its directory.
func build(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "everything")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: everything.ID(), Params: 1,
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(everything)
			for i := range 2 {
				if err := write(out, i); err != nil {
					return err
				}
			}
			return nil
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// published publishes a dataset where it is, and reads the metadata.
func published(t *testing.T, dir string) (location string, meta table.Metadata) {
	t.Helper()
	location, err := publish(context.Background(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(location)
	if err != nil {
		t.Fatal(err)
	}
	if meta, err = table.ParseMetadataBytes(text); err != nil {
		t.Fatal(err)
	}
	return location, meta
}

// TestIndependentReader publishes a dataset of two parts, and reads it by a program that
// shares nothing with this one. It needs node, and icebird in the folder that ICEBIRD names.
func TestIndependentReader(t *testing.T) {
	dir := build(t)
	seen := ""
	for version := 1; version <= 2; version++ { // published again, it is a new version of the same table
		location, meta := published(t, dir)
		if id := meta.TableUUID().String(); seen != "" && id != seen {
			t.Errorf("%s has the UUID %s, %s before", location, id, seen)
		} else {
			seen = id
		}
	}
	d, err := datasets.Open(dir)
	if err != nil || d.Verify(context.Background()) != nil {
		t.Fatal("the dataset has changed", err)
	}
	if os.Getenv("ICEBIRD") == "" {
		t.Skip("ICEBIRD names no folder with icebird (npm install icebird@0.3.1)")
	}
	read := exec.Command("node", "read.mjs", dir)
	read.Stderr = os.Stderr
	text, err := read.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Rows int
		Sums map[string]float64
		Last struct {
			Text string
			List []int
			Tags any
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if got.Rows != 200 || got.Sums["n"] != 199*100 || got.Sums["small"] != 2*99*50 || got.Sums["value"] != 0.5*199*100-0.5*99 {
		t.Errorf("%d rows with sums %v", got.Rows, got.Sums)
	}
	if got.Last.Text != "row" || len(got.Last.List) != 2 || got.Last.List[1] != 99 {
		t.Errorf("the last row is %s", text)
	}
}

// TestHashesHaveNoBounds holds that engines skip no part by the bounds of a column whose order
// as unsigned numbers is not that of the signed ones of Iceberg.
func TestHashesHaveNoBounds(t *testing.T) {
	dir := build(t)
	_, meta := published(t, dir)
	manifests, err := meta.CurrentSnapshot().Manifests(icebergio.LocalFS{})
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, m := range manifests {
		entries, err := m.FetchEntries(icebergio.LocalFS{}, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			files++
			f := e.DataFile()
			low, high := f.LowerBoundValues(), f.UpperBoundValues()
			if low[1] == nil || high[1] == nil || low[2] != nil || high[2] != nil {
				t.Errorf("%s: bounds from %v to %v: want those of column 1 and none of column 2", f.FilePath(), low, high)
			}
		}
	}
	if files != 2 {
		t.Errorf("%d files, want 2", files)
	}
}

// write makes a part of 100 rows; the last value of the first part is null.
func write(out *datasets.Builder, part int) error {
	w, err := out.Part(part)
	if err != nil {
		return err
	}
	b := columns.NewBatch(everything)
	b.Rows = 100
	for i := range 100 {
		n := part*100 + i
		b.Cols[0].AppendInt64(int64(n))
		b.Cols[1].AppendUint64(uint64(n) << 50)
		b.Cols[2].AppendInt32(int32(i))
		if n == 99 {
			b.Cols[3].AppendNull()
		} else {
			b.Cols[3].AppendFloat64(float64(n) / 2)
		}
		b.Cols[4].AppendString("row")
		b.Cols[5].AppendItem(int32(part), true)
		b.Cols[5].AppendItem(int32(i), true)
		b.Cols[5].EndList()
		b.Cols[6].AppendPair([]byte("a"), []byte("b"))
		b.Cols[6].EndMap()
	}
	g, err := w.Encode(b)
	if err == nil {
		err = w.Append(g)
	}
	if err != nil {
		return err
	}
	return w.Close(manifest.Counts{Written: 100}, nil)
}
