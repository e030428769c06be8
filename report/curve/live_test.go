package curve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/query"
	"kifu/report/shape"
)

// TestLive: curves drawn one condition after the other are those of one query for all of
// them, bins, gaps and counts, however draws count and whatever the least number of
// positions; a condition that nothing meets is a curve without bins.
func TestLive(t *testing.T) {
	slow.Test(t, "a hundred curves")
	ctx := context.Background()
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	db, err := query.Open(ctx, query.Options{Threads: 2, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Attach(ctx, "labels", d); err != nil {
		t.Fatal(err)
	}
	never := query.Named{Name: "never", SQL: "ply < 0 -- none"}
	for _, draws := range []string{shape.DrawsExclude, shape.DrawsHalf, shape.DrawsBands} {
		for _, least := range []int64{0, 30} {
			p := Params{Draws: draws, Bin: 25, MinCount: least}
			live, err := NewLive(ctx, db, "labels", d, p)
			if err != nil {
				t.Fatal(err)
			}
			for n := range len(reporttest.When) + 1 {
				p.When = append([]query.Named{}, reporttest.When[:n]...)
				if n == len(reporttest.When) {
					p.When = append(p.When, never)
				}
				got, err := live.Draw(ctx, db, p.When)
				if err != nil {
					t.Fatal(err)
				}
				want := mustAsk(t, p, d)
				if got.MinCount != want.MinCount || got.Lowered != want.Lowered || got.SQL != want.SQL {
					t.Errorf("%s, %d: minimum %d, %v; want %d, %v; query %v", draws, n, got.MinCount, got.Lowered, want.MinCount, want.Lowered, got.SQL == want.SQL)
				}
				for i, k := range got.Curves {
					if w := want.Curves[i]; !sameCurve(k, w) {
						t.Errorf("%s, %d, %s:\ngot  %+v\nwant %+v", draws, n, k.Name, k, w)
					}
				}
			}
		}
	}
}

// sameCurve compares gaps by their texts: they have NaN where a curve does not reach.
func sameCurve(a, b *Curve) bool {
	x, y := *a, *b
	if (x.Gap == nil) != (y.Gap == nil) || x.Gap != nil && fmt.Sprint(*x.Gap) != fmt.Sprint(*y.Gap) {
		return false
	}
	x.Gap, y.Gap = nil, nil
	return reflect.DeepEqual(x, y)
}

// TestLiveIsTheQuery: the rows of live curves are those that the database groups, where a condition
// holds nowhere and where it is null; labels whose games lie apart or have two results are left to it.
func TestLiveIsTheQuery(t *testing.T) {
	slow.Test(t, "dozens of queries")
	one := func(game int64, ply int32, result string) reporttest.Label {
		return reporttest.Label{Game: game, Ply: ply, Value: 1, Result: result}
	}
	for name, labels := range map[string][]reporttest.Label{
		"together":    randomLabels(rand.New(rand.NewPCG(3, 4)), 300),
		"apart":       {one(1, 0, "first"), one(2, 0, "first"), one(1, 1, "first")},
		"two results": {one(1, 0, "first"), one(1, 1, "second")},
	} {
		d := reporttest.WriteLabels(t, t.TempDir(), labels, nil)
		db := reporttest.OpenDB(t)
		if err := db.Attach(context.Background(), "labels", d); err != nil {
			t.Fatal(err)
		}
		for _, draws := range []string{shape.DrawsExclude, shape.DrawsHalf, shape.DrawsBands} {
			l, err := NewLive(context.Background(), db, "labels", d, Params{Draws: draws, Bin: 20})
			if err != nil {
				t.Fatal(err)
			}
			for _, where := range []string{"", "ply >= 0", "ply > 20 -- late", "(ply + game_id) % 3 = 0", "quiescence_value > 10", "NULL", "ply < 0"} {
				text, err := l.sql(1, conditions(nil), where)
				if err != nil {
					t.Fatal(err)
				}
				rows, err := l.rows(context.Background(), db, where)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := all(t, rows), all(t, answer(t, db, text)); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, draws %s, %q:\ngot  %v\nwant %v", name, draws, where, got, want)
				}
			}
			if sums, err := l.sums(context.Background(), db, ""); err != nil || (sums == nil) != (name != "together") {
				t.Errorf("%s, draws %s: sums %v, %v", name, draws, sums, err)
			}
		}
	}
}

func answer(t *testing.T, db *query.DB, text string) *query.Result {
	t.Helper()
	r, err := db.Query(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func all(t *testing.T, r *query.Result) [][]any {
	t.Helper()
	rows, err := r.All()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
