package query

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kifu/datasets"
	"kifu/datasets/checked"
	"kifu/kit/datasettest"
)

// tables builds a dataset without parts, of these files.
func tables(t *testing.T, files map[string]string) *datasets.Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "depth=[1]*") // as kifu run may name it
	return datasettest.Build(t, dir, datasets.Step{Stage: "learn", Output: "report/v1",
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			for _, name := range slices.Sorted(maps.Keys(files)) {
				if err := b.AddFile(name, []byte(files[name])); err != nil {
					return err
				}
			}
			return nil
		}})
}

func TestTablesOfReports(t *testing.T) {
	db := open(t)
	ctx := context.Background()
	d := tables(t, map[string]string{
		"depths.csv":   "depth,se,name\n1,,\"a \"\"b\"\", c\"\n2,0.5,11-15\n",
		"weights.csv":  "term,se\n",
		"weights.json": `[{"no": "the CSV goes first"}]`,
		"learn.json":   `{"w_0": {"value": 0.5, "se": null}, "notes": [], "depth": 3}`,
		"learn.txt":    "no table",
	})
	if err := db.Attach(ctx, "m", d); err != nil {
		t.Fatal(err)
	}
	r, err := db.Query(ctx, "SELECT depth, se, name FROM m_depths WHERE depth + coalesce(se, 0) < 3 ORDER BY depth")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := r.All()
	if want := `[[1 <nil> a "b", c] [2 0.5 11-15]]`; err != nil || fmt.Sprint(rows) != want {
		t.Errorf("%v (%v), want %s", rows, err, want)
	}
	if r, err = db.Query(ctx, "SELECT count(*) FROM m_weights"); err != nil {
		t.Fatal(err)
	}
	if rows, err := r.All(); err != nil || fmt.Sprint(rows) != "[[0]]" {
		t.Errorf("%v (%v)", rows, err)
	}
	if r, err = db.Query(ctx, "SELECT w_0.value, w_0.se, len(notes), depth FROM m_learn"); err != nil {
		t.Fatal(err)
	}
	if rows, err := r.All(); err != nil || fmt.Sprint(rows) != "[[0.5 <nil> 0 3]]" {
		t.Errorf("%v (%v)", rows, err)
	}
	for text, hint := range map[string]string{
		"SELECT * FROM m":              "there is m_depths, m_weights, m_learn",
		"SELECT depht FROM m_depths":   "did you mean depth",
		"SELECT * FROM read_csv('x')":  "not read_csv(…)",
		"SELECT * FROM m_text":         "no dataset m_text",
		"SELECT * FROM 'm/depths.csv'": "no dataset",
	} {
		_, err := db.Query(ctx, text)
		wantError(t, err, hint)
	}
	wantError(t, db.Attach(ctx, "M", d), "M_depths is the table in")
	wantError(t, open(t).Attach(ctx, "m", tables(t, map[string]string{"learn.txt": ""})), "holds no table")

	// Of a dataset with parts they stand beside the view of the parts.
	part := build(t, filepath.Join(t.TempDir(), "parts"), 10)
	if err := os.WriteFile(filepath.Join(part.Path, "fit.json"), []byte(`{"a": {"b": 7}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	part.Manifest.Files = append(part.Manifest.Files, checked.File{Name: "fit.json", Bytes: 15})
	beside, err := Open(ctx, Options{Trust: true})
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close()
	if err := beside.Attach(ctx, "p", part); err != nil {
		t.Fatal(err)
	}
	if r, err = beside.Query(ctx, "SELECT (SELECT count(*) FROM p), a.b FROM p_fit"); err != nil {
		t.Fatal(err)
	}
	if rows, err := r.All(); err != nil || fmt.Sprint(rows) != "[[10 7]]" {
		t.Errorf("%v (%v)", rows, err)
	}

	path := filepath.Join(d.Path, "depths.csv")
	if err := os.WriteFile(path, []byte("depth,se,name\n1,,\n3,0.5,11-15\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	again := datasettest.Open(t, d.Path)
	wantError(t, open(t).Attach(ctx, "m", again), path)
}

// TestTypesOfTables: hashes of positions are whole numbers up to 2⁶⁴ and stay so; counts,
// fractions and texts have the types that they had.
func TestTypesOfTables(t *testing.T) {
	db := open(t)
	ctx := context.Background()
	d := tables(t, map[string]string{"opening.csv": "hash,child,games,share,move,last_date,first\n" +
		"18446744073709551615,9223372036854775809,12,0.5,e2e4,2010-01-31,true\n7,12,-3,1,d2d4,,false\n"})
	if err := db.Attach(ctx, "o", d); err != nil {
		t.Fatal(err)
	}
	r, err := db.Query(ctx, "SELECT * FROM o_opening WHERE hash = 18446744073709551615 AND child = 9223372036854775809")
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, c := range r.Columns {
		types = append(types, c.Type)
	}
	if want := "[UBIGINT UBIGINT BIGINT DOUBLE VARCHAR DATE BOOLEAN]"; fmt.Sprint(types) != want {
		t.Errorf("columns are %v, want %s", types, want)
	}
	if rows, err := r.All(); err != nil || len(rows) != 1 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}
