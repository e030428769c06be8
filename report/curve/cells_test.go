package curve

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/query"
	"kifu/report/shape"
)

// TestCellsAreTheQuery: curves of conditions by bits of plies are those that the database
// groups, in long games too, where a condition holds nowhere, and where it is null.
func TestCellsAreTheQuery(t *testing.T) {
	slow.Test(t, "hundreds of queries")
	rng := rand.New(rand.NewPCG(3, 4))
	var labels []reporttest.Label
	for _, l := range randomLabels(rng, 300) {
		l.Ply *= int32(1 + l.Game%9) // gaps, and more than 64
		labels = append(labels, l)
	}
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
		for _, where := range []string{"", "ply >= 0", "ply > 70 -- late", "(ply + game_id) % 3 = 0", "quiescence_value > 10", "NULL", "ply < 0"} {
			text, err := l.sql(1, conditions(nil), where)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := rowsOf(t, db, l, where), answer(t, db, text); !reflect.DeepEqual(got, want) {
				t.Errorf("draws %s, %q:\ngot  %v\nwant %v", draws, where, got, want)
			}
		}
		if l.cells == nil || len(l.cells.bins) != len(labels) {
			t.Error("the database grouped")
		}
	}
}

func rowsOf(t *testing.T, db *query.DB, l *Live, where string) [][]any {
	t.Helper()
	r, err := l.rows(context.Background(), db, where)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := r.All()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func answer(t *testing.T, db *query.DB, text string) [][]any {
	t.Helper()
	r, err := db.Query(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := r.All()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestCellsApart: labels whose games do not lie together, or that have a ply twice, are grouped
// by the database.
func TestCellsApart(t *testing.T) {
	one := func(game int64, ply int32, result string) reporttest.Label {
		return reporttest.Label{Game: game, Ply: ply, Value: 1, Result: result}
	}
	for name, labels := range map[string][]reporttest.Label{
		"apart":       {one(1, 0, "first"), one(2, 0, "first"), one(1, 1, "first")},
		"twice":       {one(1, 0, "first"), one(1, 0, "first")},
		"two results": {one(1, 0, "first"), one(1, 1, "second")},
		"far":         {one(1, 70000, "first")},
	} {
		d := reporttest.WriteLabels(t, t.TempDir(), labels, nil)
		db := reporttest.OpenDB(t)
		if err := db.Attach(context.Background(), "labels", d); err != nil {
			t.Fatal(err)
		}
		l, err := NewLive(context.Background(), db, "labels", d, Params{Bin: 20})
		if err != nil {
			t.Fatal(err)
		}
		if rows := rowsOf(t, db, l, "ply >= 0"); len(rows) == 0 || l.cells != nil {
			t.Errorf("%s: %d rows, cells %v", name, len(rows), l.cells)
		}
	}
}

// TestCellsOfRowGroups: row groups that end within games, and games over several of them, give
// the cells of one reading.
func TestCellsOfRowGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	d := reporttest.WriteLabels(t, t.TempDir(), randomLabels(rng, 50), nil)
	whole := &cells{source: &streamed{dir: d, column: "quiescence_value", bin: 20}}
	if err := whole.read(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		got := &cells{source: whole.source}
		for from := 0; from < len(whole.bins); {
			to := min(len(whole.bins), from+1+rng.IntN(40))
			part := &cells{plies: whole.plies[from:to], bins: whole.bins[from:to]}
			for i, g := range whole.games {
				end := len(whole.bins)
				if i+1 < len(whole.games) {
					end = whole.games[i+1].from
				}
				if g.from < to && end > from {
					part.games = append(part.games, binned{id: g.id, outcome: g.outcome, from: max(0, g.from-from)})
				}
			}
			if err := got.append(part); err != nil {
				t.Fatal(err)
			}
			from = to
		}
		if !reflect.DeepEqual(got, whole) {
			t.Fatal("row groups give other cells")
		}
	}
	again := &cells{plies: whole.plies[:1], bins: whole.bins[:1], games: whole.games[:1]}
	if err := whole.append(again); !errors.Is(err, errApart) {
		t.Errorf("an earlier game after the last: %v", err)
	}
}
