package format

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/query"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

var update = flag.Bool("update", false, "write the golden files")

// everything is a row of every type that is printed in its own way.
const everything = `SELECT * FROM (VALUES
	(1, 'a|b_c%', 1.5::FLOAT, 2/3::DOUBLE, 12345678.9::DOUBLE, true, 1.25::DECIMAL(6,3), 170141183460469231731687303715884105727::HUGEINT, DATE '1950-07-15', TIMESTAMP '1950-07-15 12:00:00.5', [1, NULL, 3], '\xAB\x00'::BLOB, {'a': 1, 'b': 'x'}, 18446744073709551615::UBIGINT, INTERVAL 3 DAY),
	(-20, 'two
lines, "quoted"', 'nan'::FLOAT, -1e-7::DOUBLE, -0.0::DOUBLE, false, -0.001, -1, NULL, NULL, [], NULL, NULL, 0, NULL),
	(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
) t(int, text, float, double, large, bool, decimal, huge, date, time, list, blob, struct, unsigned, span)`

func TestFormats(t *testing.T) {
	db := open(t)
	for _, format := range []string{"table", "csv", "json", "markdown", "latex"} {
		r, err := db.Query(context.Background(), everything)
		if err != nil {
			t.Fatal(err)
		}
		write, err := Writer(format)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := write(&out, r); err != nil {
			t.Fatal(err)
		}
		golden(t, "formats."+format, out.Bytes())
	}
	if _, err := Writer("markdwn"); err == nil || !strings.Contains(err.Error(), "did you mean markdown?") {
		t.Error(err)
	}
	if err := Write(context.Background(), db, "SELECT 1", "parqet", io.Discard); err == nil || !strings.Contains(err.Error(), "did you mean parquet?") {
		t.Error(err)
	}
	var out bytes.Buffer
	if err := writeJSON(&out, query.NewResult([]query.Column{{Name: "a", Type: "INTEGER"}}, nil)); err != nil || out.String() != "[\n]\n" {
		t.Errorf("no rows as JSON: %q %v", out.String(), err)
	}
}

// open opens a database of nothing.
func open(t *testing.T) *query.DB {
	db, err := query.Open(context.Background(), query.Options{Threads: 2, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not the golden file (-update writes it):\n%s", name, got)
	}
}

func TestArrow(t *testing.T) {
	r, err := open(t).Query(context.Background(), fmt.Sprintf(`SELECT ply, king_safety, first_to_move, result, ply::HUGEINT AS huge, 0.5 AS half,
		DATE '1970-01-03' AS day, TIMESTAMP '1970-01-01 00:00:01' AS second, [ply, NULL] AS list, {'a': 1} AS struct, ply::UTINYINT %% 200 AS small FROM (
		SELECT range AS n, (range %% 201)::INTEGER AS ply, (range %% 201 - 100)::FLOAT AS king_safety, range %% 2 = 0 AS first_to_move, CASE range %% 3 WHEN 0 THEN 'first' WHEN 1 THEN 'second' END AS result
		FROM range(%d)) ORDER BY n`, arrowRows+5))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := writeArrow(&out, r); err != nil {
		t.Fatal(err)
	}
	read, err := ipc.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Release()
	row := 0
	for read.Next() {
		rec := read.Record()
		for i := range int(rec.NumRows()) {
			ply := int32(row % 201)
			if got := rec.Column(0).(*array.Int32).Value(i); got != ply {
				t.Fatalf("row %d: ply %d", row, got)
			}
			if got := rec.Column(1).(*array.Float32).Value(i); got != float32(ply)-100 {
				t.Fatalf("row %d: king_safety %v", row, got)
			}
			if got := rec.Column(3).(*array.String); got.IsNull(i) != (row%3 == 2) || row%3 == 1 && got.Value(i) != "second" {
				t.Fatalf("row %d: result %q", row, got.Value(i))
			}
			if rec.Column(2).(*array.Boolean).Value(i) != (row%2 == 0) || rec.Column(4).(*array.Int64).Value(i) != int64(ply) ||
				rec.Column(5).(*array.Float64).Value(i) != 0.5 || rec.Column(6).(*array.Date32).Value(i) != 2 ||
				rec.Column(7).(*array.Timestamp).Value(i) != 1e6 || rec.Column(9).(*array.String).Value(i) != `{"a":1}` {
				t.Fatalf("row %d: %v", row, rec)
			}
			row++
		}
	}
	if row != arrowRows+5 || read.Err() != nil {
		t.Errorf("%d rows, %v", row, read.Err())
	}
}
