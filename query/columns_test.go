package query

import (
	"context"
	"kifu/datasets"
	"testing"
)

func TestColumnsKeepTheOrder(t *testing.T) {
	db, d := attached(t, 300_000, 7, 140_001)
	ctx := context.Background()
	columns, err := db.Columns(ctx, d, []Named{
		{Name: "ply", SQL: "ply"},
		{Name: "odd", SQL: "NOT first_to_move"},
		{Name: "wide", SQL: "CASE WHEN result = 'first' THEN ply / 4 ELSE coalesce(king_safety, 0) * 0.5 END"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range columns {
		if len(c) != 440_008 {
			t.Fatalf("column %d has %d rows", i, len(c))
		}
	}
	for row := range columns[0] {
		wide := 0.5 * float64(row%201-100)
		if row%3 == 0 {
			wide = float64(row) / 4
		}
		if columns[0][row] != float64(row) || columns[1][row] != float64(row%2) || columns[2][row] != wide {
			t.Fatalf("row %d: %v %v %v", row, columns[0][row], columns[1][row], columns[2][row])
		}
	}
}

func TestColumnsOfADatasetThatIsNotAttached(t *testing.T) {
	db := open(t)
	d := build(t, t.TempDir(), 10)
	columns, err := db.Columns(context.Background(), d, []Named{{Name: "x", SQL: "ply + 1"}})
	if err != nil || columns[0][9] != 10 {
		t.Errorf("%v %v", columns, err)
	}
}

func TestExpressionErrors(t *testing.T) {
	db, d := attached(t, 30)
	ctx := context.Background()
	for text, want := range map[string]string{
		"king_saftey > 0":                "no column king_saftey: did you mean king_safety?",
		"ply, ply":                       "not one expression",
		"ply FROM l":                     "not one expression",
		"ply; DROP VIEW l":               "not one expression",
		"ply WHERE ply > 1":              "not one expression",
		"ply ORDER BY ply":               "not one expression",
		"*":                              "not one expression",
		"(SELECT max(ply) FROM l)":       "sub-query",
		"ply IN (SELECT 1)":              "sub-query",
		"sum(ply)":                       "aggregate",
		"count(*) > 3":                   "aggregate",
		"avg(ply) OVER ()":               "window",
		"unnest([ply])":                  "several rows",
		"random()":                       "differs from run to run",
		"ply AS p":                       "before the =",
		"ply >":                          "syntax error",
		"result":                         "VARCHAR is not a number",
		"CASE WHEN ply > 4 THEN ply END": "null in 5 of 30 rows",
		"ply / 0.0":                      "30 rows",
		"read_text('/etc/hostname')":     "read_text",
		"":                               "not one expression",
	} {
		_, err := db.Columns(ctx, d, []Named{{Name: "new", SQL: text}})
		wantError(t, err, "new="+text, want)
	}
	wantError(t, db.Condition(ctx, d, Named{Name: "unsafe", SQL: "king_safety"}), "unsafe=king_safety", "true or false", "FLOAT")
	if err := db.Condition(ctx, d, Named{Name: "unsafe", SQL: "king_safety <= -50 -- or so"}); err != nil {
		t.Error(err)
	}
}

func TestParseNamed(t *testing.T) {
	got, err := ParseNamed([]string{"unsafe=king_safety <= -50", "pair = (a>=2)::int"})
	if err != nil || len(got) != 2 || got[0] != (Named{Name: "unsafe", SQL: "king_safety <= -50"}) || got[1] != (Named{Name: "pair", SQL: "(a>=2)::int"}) {
		t.Errorf("%v %v", got, err)
	}
	for _, arg := range []string{"unsafe", "=x", "a=", "king_safety >= 50", "a.b=c"} {
		_, err := ParseNamed([]string{arg})
		wantError(t, err, arg)
	}
	_, err = ParseNamed([]string{"a=1", "a=2"})
	wantError(t, err, "a is named twice")
}

// Columns returns the columns of all parts.
func (db *DB) Columns(ctx context.Context, dir *datasets.Dir, exprs []Named) (all [][]float64, err error) {
	of, err := db.PartColumns(ctx, dir, exprs)
	if err != nil {
		return nil, err
	}
	all = make([][]float64, len(exprs))
	for i := range all {
		all[i] = make([]float64, 0, dir.Rows())
	}
	for i := range dir.NumParts() {
		if err := of.Append(ctx, all, i); err != nil {
			return nil, err
		}
	}
	return all, nil
}
