package ingest

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"kifu/datasets/columns"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/schemas"
)

// FuzzGames: whatever the bytes, every game that is read is written or rejected, texts
// are valid UTF-8, and all columns have a value a row.
func FuzzGames(f *testing.F) {
	files, err := filepath.Glob("pgn/testdata/vectors/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range append(files, "testdata/columns.pgn") {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	j := &job{rows: rows.NewTable(columns.NewBatch(schemas.Games))}
	f.Fuzz(func(t *testing.T, text []byte) {
		j.reset()
		*j.add(0) = segment{format: game.Formats()[0], block: record.Block{Data: text, Line: 1}}
		w, err := newWorker(t.Context(), &run{Options: Options{Log: &breaking{}}, game: game, files: []file{{name: "x.pgn"}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.parse(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		var rejected int64
		for reason, n := range j.counts.Rejected {
			if !utf8.ValidString(reason) || len(reason) > 100 {
				t.Errorf("reason %q", reason)
			}
			rejected += n
		}
		if j.counts.Read != j.counts.Written+rejected || j.counts.Written != int64(j.rows.Rows) {
			t.Errorf("%d rows, %+v", j.rows.Rows, j.counts)
		}
		for i := range j.rows.Cols {
			v := &j.rows.Cols[i]
			if v.Len() != j.rows.Rows || v.Column.Nullable && len(v.Valid) != j.rows.Rows {
				t.Errorf("%s has %d values in %d rows", v.Column.Name, v.Len(), j.rows.Rows)
			}
			if (v.Column.Type == schemas.String || v.Column.Type == schemas.StringMap) && !utf8.Valid(v.Bytes) {
				t.Errorf("%s has %q", v.Column.Name, v.Bytes)
			}
		}
		if !utf8.Valid(j.log) {
			t.Errorf("log %q", j.log)
		}
	})
}
