package query

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"kifu/kit/datasettest"
)

// TestColumnsOfPlan: the columns that a statement reads, whatever its form, are those that are
// compared with their checksums.
func TestColumnsOfPlan(t *testing.T) {
	db, d := attached(t, 100, 100)
	for text, want := range map[string]string{
		"SELECT count(*) FROM l":         "",
		"SELECT avg(king_safety) FROM l": "king_safety",
		"SELECT count(*) FROM l WHERE ply > 3 AND (result = 'first' OR ply = 5)": "ply result",
		"SELECT count(*) FROM l WHERE result = 'first'":                          "result",
		"SELECT * FROM l":                        "ply king_safety first_to_move result",
		"FROM l LIMIT 1":                         "ply king_safety first_to_move result",
		"SELECT count(l) FROM l":                 "ply king_safety first_to_move result",
		"SELECT a FROM l AS t(a, b) WHERE b > 3": "ply king_safety",
		"SELECT COLUMNS('first.*') FROM l":       "first_to_move",
		"SELECT * EXCLUDE (ply, result) FROM l":  "king_safety first_to_move",
		"SUMMARIZE SELECT ply FROM l":            "ply",
		"DESCRIBE l":                             "",
		"SELECT max(a.ply) FROM l a POSITIONAL JOIN (SELECT result FROM l) b":                                                                      "ply",
		"SELECT a.ply, b.result FROM l a POSITIONAL JOIN l b":                                                                                      "*",
		"SELECT a.ply FROM l a JOIN l b USING (ply) WHERE b.first_to_move":                                                                         "ply first_to_move",
		"SELECT max(ply), (SELECT min(king_safety) FROM l) FROM l":                                                                                 "ply king_safety",
		"SELECT ply FROM l a WHERE EXISTS (SELECT 1 FROM l b WHERE b.king_safety = a.ply AND b.result = 'second')":                                 "ply king_safety result",
		"WITH x AS MATERIALIZED (SELECT ply FROM l) SELECT count(*) FROM x a, x b WHERE a.ply < b.ply":                                             "ply",
		"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r, (SELECT max(ply) m FROM l) WHERE n < m AND n < 9) SELECT max(n) FROM r": "ply",
		"SELECT row_number() OVER (PARTITION BY result ORDER BY ply) FROM l":                                                                       "ply result",
		"SELECT ply FROM l UNION ALL SELECT king_safety FROM l":                                                                                    "ply king_safety",
		"SELECT ply FROM l ORDER BY king_safety LIMIT 3":                                                                                           "ply king_safety",
		"SELECT unnest([ply, 1]) FROM l":                                                                                                           "ply",
		"SELECT a.ply FROM l a ASOF JOIN l b ON a.ply >= b.king_safety":                                                                            "ply king_safety",
		"SELECT ply FROM l INTERSECT SELECT ply FROM l WHERE first_to_move":                                                                        "ply first_to_move",
		"SELECT ply FROM l USING SAMPLE 10 ROWS":                                                                                                   "ply",
		"SELECT x FROM l, LATERAL (SELECT l.ply + 1 AS x)":                                                                                         "ply",
		"SELECT DISTINCT ON (result) ply FROM l":                                                                                                   "ply result",
		"SELECT result, count(*) FROM l GROUP BY ROLLUP (result, first_to_move)":                                                                   "first_to_move result",
		"SELECT 1": "",
	} {
		plan, err := db.plan(context.Background(), text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		want, unknown := strings.CutPrefix(want, "*")
		if plan.all {
			if !unknown {
				t.Errorf("%s: not known", text)
			}
			continue
		}
		if got := strings.Join(plan.columnsOf(d), " "); got != want || unknown {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestDamagedColumnIsRefusedByName: a flipped bit in a column is an error to the statements that
// read it, and to no other.
func TestDamagedColumnIsRefusedByName(t *testing.T) {
	d := build(t, filepath.Join(t.TempDir(), "l"), 500, 2500)
	path := d.PartPaths()[1]
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, g := range f.Metadata().RowGroups {
		for i, c := range g.Columns {
			at := c.MetaData.DataPageOffset + c.MetaData.TotalCompressedSize/2
			if o := c.MetaData.DictionaryPageOffset; o > 0 {
				at = o + 1
			}
			damaged := slices.Clone(text)
			damaged[at] ^= 16
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			for k, column := range d.Table.Columns {
				db := open(t)
				fresh := datasettest.Open(t, d.Path)
				if err := db.Attach(ctx, "l", fresh); err != nil {
					t.Fatal(err)
				}
				asked := "SELECT max(" + column.Name + ") FROM l WHERE " + column.Name + " IS NOT NULL"
				for what, err := range map[string]error{
					"query": func() error {
						r, err := db.Query(ctx, asked)
						if err == nil {
							_, err = r.All()
						}
						return err
					}(),
					"parquet": db.WriteParquet(ctx, asked, io.Discard),
					"columns": func() error {
						_, err := db.Columns(ctx, fresh, []Named{{Name: "x", SQL: "coalesce(length(" + column.Name + "::VARCHAR), 0)"}})
						return err
					}(),
				} {
					if k == i {
						wantError(t, err, path, "damaged", "column "+column.Name)
					} else if err != nil {
						t.Errorf("%s of %s, %s is damaged: %v", what, column.Name, d.Table.Columns[i].Name, err)
					}
				}
			}
		}
	}
}
