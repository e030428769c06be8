package reporttest

import (
	"bytes"
	"context"
	"embed"
	"encoding/csv"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"testing"

	"kifu/query"
)

// shared are the inputs that reports have in common, and what judge.py computed of them.
//
//go:embed testdata
var shared embed.FS

// Data returns a file of the inputs that reports share, such as labels.csv.
func Data(t *testing.T, name string) []byte {
	t.Helper()
	text, err := shared.ReadFile(path.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// ReadCSV returns the rows of a file in testdata of the test's own package, each by the
// names of its columns.
func ReadCSV(t *testing.T, name string) []map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return rows(t, text)
}

func rows(t *testing.T, text []byte) (all []map[string]string) {
	t.Helper()
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		all = append(all, row)
	}
	return all
}

// sharedRows are the rows of a file that reports share.
func sharedRows(t *testing.T, name string) []map[string]string {
	t.Helper()
	return rows(t, Data(t, name))
}

// Number is a number of a CSV file, NaN for an empty cell.
func Number(t *testing.T, text string) float64 {
	t.Helper()
	if text == "" {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Judged returns the lines that testdata/judge.py wrote for a report, without its name.
func Judged(t *testing.T, report string) (all [][]string) {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(Data(t, "judged.csv")))
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if line[0] == report {
			all = append(all, line[1:])
		}
	}
	return all
}

// Near compares a number with a script's; the empty text is NaN or 0.
func Near(t *testing.T, what, want string, got float64) {
	t.Helper()
	if want == "" {
		if !math.IsNaN(got) && got != 0 {
			t.Errorf("%s is %v, want none", what, got)
		}
		return
	}
	w := Number(t, want)
	if !(math.Abs(got-w) <= 1e-9*math.Max(1, math.Abs(w))) {
		t.Errorf("%s is %v, want %v", what, got, w)
	}
}

// OpenDB opens a database that the end of the test closes.
func OpenDB(t *testing.T) *query.DB {
	t.Helper()
	db, err := query.Open(context.Background(), query.Options{Threads: 2, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}
