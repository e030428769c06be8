package curve

import (
	"context"
	"fmt"
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
