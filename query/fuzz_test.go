package query

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// FuzzCheck: whatever statement is let through, DuckDB without files binds it, and no row has what
// is in a file that is not attached.
func FuzzCheck(f *testing.F) {
	db, _ := attached(f, 10)
	dir := secrets(f, db)
	at := filepath.ToSlash(dir)
	for _, text := range append(passed("DIR"), "SELECT ply FROM l", "WITH x AS (FROM l) SELECT max(ply) OVER () FROM x", "SELECT repeat(result, 10) FROM l", "FROM range(3)") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(text, "DIR", at)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		statements, err := db.parse(ctx, text)
		if err != nil || len(statements) != 1 || db.permitted(ctx, statements[0]) != nil {
			return
		}
		if err := db.try(ctx, text); err != nil {
			if strings.Contains(err.Error(), "disabled") {
				t.Fatalf("%q: the check lets through what opens a file: %v", text, err)
			}
			return
		}
		if _, err := os.Stat(filepath.Join(dir, "out.csv")); err == nil {
			t.Fatalf("%q: a file was written", text)
		}
		r, err := db.Query(ctx, text+"\nLIMIT 5")
		if err != nil {
			return
		}
		_ = r.Each(func(row []any) error {
			for _, cell := range row {
				if s, _ := cell.(string); strings.Contains(s, "xyzzy") && !strings.Contains(text, "xyzzy") {
					t.Fatalf("%q: reads the secret", text)
				}
			}
			return nil
		})
	})
}
