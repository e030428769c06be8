package query

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kifu/query/syntax"
)

// TestPrune counts row groups of a thousand rows in which ply ascends, so that the
// answers can be told by hand; parts begin new ones. result is null in every third row.
func TestPrune(t *testing.T) {
	db, _ := attached(t, 2500, 10, 700) // row groups to ply 999, 1999, 2499, 2509, 3209
	for where, want := range map[string]string{
		"ply >= 2000":                              "3 of 5 [ply]",
		"ply > 1999 and ply < 2500":                "1 of 5 [ply]",
		"2499 < ply and 1 = 1":                     "2 of 5 [ply]",
		"ply = 2505":                               "1 of 5 [ply]",
		"ply = 2500":                               "1 of 5 [ply]",
		"1999 = ply":                               "1 of 5 [ply]",
		"ply between 999 and 1000":                 "2 of 5 [ply]",
		"ply < 0 and king_safety > 5":              "0 of 5 [ply king_safety]",
		"king_safety > 99.5":                       "4 of 5 [king_safety]", // no row of the fourth
		"result > 'second'":                        "0 of 5 [result]",
		"result >= 'second'":                       "5 of 5 [result]",
		"ply >= 2000 or ply < 5":                   "5 of 5 []",
		"abs(ply) > 3000":                          "5 of 5 []",
		"ply < king_safety":                        "5 of 5 []",
		"(ply > 3000 and l.ply < 3001) or ply = 3": "5 of 5 []",
	} {
		all, err := db.Prune(context.Background(), "SELECT count(*) FROM l WHERE "+where)
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %v %v", where, all, err)
			continue
		}
		p := all[0]
		if got := fmt.Sprintf("%d of %d %v", p.RowGroups, p.Groups, p.By); got != want {
			t.Errorf("%s: %s, want %s", where, got, want)
		}
		if p.Name != "l" || p.All == 0 || (p.RowGroups == p.Groups) != (p.Bytes == p.All) || (p.RowGroups == 0) != (p.Bytes == 0) {
			t.Errorf("%s: %+v", where, p)
		}
	}
	all, err := db.Prune(context.Background(), "WITH a AS (SELECT * FROM l WHERE ply < 5) SELECT * FROM a UNION ALL SELECT * FROM l x WHERE x.ply < 1500")
	if err != nil || len(all) != 2 || all[0].RowGroups+all[1].RowGroups != 3 {
		t.Errorf("two parts of a statement: %+v %v", all, err)
	}
	if _, err := db.Prune(context.Background(), "SELECT 1 FROM x"); err == nil || !strings.Contains(err.Error(), "no dataset x") {
		t.Errorf("%v", err)
	}
}

// TestRangesOfPlayers: ranges hold every id, end with their part, and are few.
func TestRangesOfPlayers(t *testing.T) {
	_, d := attached(t, 2500, 10, 700)
	v := view{name: "l", dir: d}
	for _, c := range []struct {
		ids  []int64
		gap  int64
		want string
	}{
		{nil, 10, "[]"},
		{[]int64{0, 9, 20, 29, 2499, 2500}, 10, "[{0 0 9} {0 20 29} {0 2499 2499} {1 2500 2500}]"},
		{[]int64{0, 9, 20, 29, 2499, 2500, 3209}, 3000, "[{0 0 2499} {1 2500 2500} {2 3209 3209}]"},
		{[]int64{5, 5, 3209}, 10, "[{0 5 5} {2 3209 3209}]"},
	} {
		if got, err := v.join(c.ids, c.gap); err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%v with gap %d: %v, %v, want %s", c.ids, c.gap, got, err, c.want)
		}
	}
}

// TestLiterals: constants keep all their digits.
func TestLiterals(t *testing.T) {
	db, _ := attached(t, 10, 10, 10)
	for text, want := range map[string]string{"9007199254740993": "9007199254740993", "-0.1": "-1e-1", "0.123456789": "123456789e-9", "12.50": "1250e-2", "'a''b'": "'a''b'", "true": "",
		"18446744073709551615": "18446744073709551615", "18446744073709551616": ""} {
		statements, err := db.parse(context.Background(), "SELECT 1 FROM l WHERE ply = "+text)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		syntax.Walk(statements[0], func(n syntax.Tree) {
			if where, _ := n["where_clause"].(syntax.Tree); where != nil {
				got, _ = literalOf(where["right"])
			}
		})
		if got != want {
			t.Errorf("%s is taken for %q, want %q", text, got, want)
		}
	}
}
