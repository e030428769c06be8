package curve

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"kifu/datasets"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/sheet"
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
			live, err := NewLive(ctx, db, []string{"labels"}, []*datasets.Dir{d}, p)
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

// TestLiveByPlayer: with the games, live curves have the errors by player and the note that Run has.
func TestLiveByPlayer(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(8, 1))
	games, names := sidedGames(t, rng, 600, 30)
	in := []*datasets.Dir{reporttest.WriteLabels(t, t.TempDir(), walks(rng, names, 1), nil), games}
	p := Params{Bin: 40, MinCount: 60, When: []query.Named{{Name: "ahead", SQL: "abs(quiescence_value) > 60"}}}
	db := reporttest.OpenDB(t)
	for i, name := range []string{"labels", "games"} {
		if err := db.Attach(ctx, name, in[i]); err != nil {
			t.Fatal(err)
		}
	}
	live, err := NewLive(ctx, db, []string{"labels", "games"}, in, p)
	if err != nil {
		t.Fatal(err)
	}
	p.Sources, p.Clusters = []string{"labels"}, sheet.Clusters{Names: []int{1}}
	want, err := Run(ctx, reporttest.OpenDB(t), p, in)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // read, and kept
		got, err := live.Draw(ctx, db, p.When)
		if err != nil {
			t.Fatal(err)
		}
		if got.errors != want.errors || got.SQL != want.SQL {
			t.Errorf("note %q, want %q; queries equal: %v", got.errors, want.errors, got.SQL == want.SQL)
		}
		for i, k := range got.Curves {
			if !sameCurve(k, want.Curves[i]) {
				t.Errorf("got %+v, want %+v", k, want.Curves[i])
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

// TestLiveIsTheQuery: live curves are those of the query that they print, where a condition
// holds nowhere and where it is null, for labels in any order.
func TestLiveIsTheQuery(t *testing.T) {
	slow.Test(t, "dozens of queries")
	ctx := context.Background()
	for _, apart := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(3, 4))
		labels := randomLabels(rng, 300)
		if apart {
			rng.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
		}
		d := reporttest.WriteLabels(t, t.TempDir(), labels, nil)
		db := reporttest.OpenDB(t)
		if err := db.Attach(ctx, "labels", d); err != nil {
			t.Fatal(err)
		}
		for _, draws := range []string{shape.DrawsExclude, shape.DrawsHalf, shape.DrawsBands} {
			l, err := NewLive(ctx, db, []string{"labels"}, []*datasets.Dir{d}, Params{Draws: draws, Bin: 20})
			if err != nil {
				t.Fatal(err)
			}
			for _, live := range []*Live{l, l.From("(SELECT * REPLACE ((quiescence_value * 2)::FLOAT AS quiescence_value) FROM labels)")} {
				var when []query.Named
				for i, where := range []string{"ply >= 0", "ply > 20 -- late", "(ply + game_id) % 3 = 0", "quiescence_value > 10", "NULL", "ply < 0"} {
					if when = append(when, query.Named{Name: fmt.Sprint("condition ", i), SQL: where}); i%4 != 1 {
						continue // drawn with the next ones
					}
					c, err := live.Draw(ctx, db, when)
					if err != nil {
						t.Fatal(err)
					}
					r, err := db.Query(ctx, c.SQL)
					if err != nil {
						t.Fatal(err)
					}
					sameRows(t, fmt.Sprintf("apart %v, draws %s, %d conditions", apart, draws, i+1), c.Rows(), r, 0)
				}
			}
		}
	}
}

// sameRows compares with the rows of the query; numbers may differ by that share.
func sameRows(t *testing.T, what string, made, asked *query.Result, within float64) {
	t.Helper()
	if !slices.Equal(made.Columns, asked.Columns) {
		t.Errorf("%s: columns %v, the query has %v", what, made.Columns, asked.Columns)
	}
	want, err := asked.All()
	if err != nil {
		t.Fatal(err)
	}
	got, err := made.All()
	if err != nil || len(got) != len(want) || len(got) < 5 {
		t.Fatalf("%s: %d rows, the query has %d; %v", what, len(got), len(want), err)
	}
	for i := range want {
		for k := range want[i] {
			a, _ := got[i][k].(float64)
			b, number := want[i][k].(float64)
			if got[i][k] != want[i][k] && !(number && got[i][k] != nil && math.Abs(a-b) <= within*math.Abs(b)) {
				t.Errorf("%s, row %d, %s: %v, the query has %v", what, i, asked.Columns[k].Name, got[i][k], want[i][k])
			}
		}
	}
}
