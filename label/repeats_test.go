package label

import (
	"reflect"
	"testing"

	"kifu/datasets/columns"
)

// Positions that recur have the labels that they have by themselves.
func TestRepeats(t *testing.T) {
	table := positionsTable()
	pl, err := newPlan(chessGame, Params{Search: []string{"static", "quiescence"}, Variations: true, Mate: 500, Adjudicate: []string{"mate:last"}}, table)
	if err != nil {
		t.Fatal(err)
	}
	ps := append(played(t)[:299], fens(t, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")...)
	in, got := columns.NewBatch(table), columns.NewBatch(pl.table)
	one, want := columns.NewBatch(table), columns.NewBatch(pl.table)
	alone := newWorker(pl)
	for i := range 3 * len(ps) {
		appendRow(in, int64(i), ps[i%len(ps)])
		one.Reset()
		appendRow(one, int64(i), ps[i%len(ps)])
		out := columns.NewBatch(pl.table)
		if _, err := alone.label(one, out); err != nil {
			t.Fatal(err)
		}
		for c := range want.Cols {
			want.Cols[c].AppendFrom(&out.Cols[c], 0)
		}
	}
	if r := want.Col("result"); r.IsNull(in.Rows - 1) {
		t.Error("no result of the row with a mate")
	}
	found := 0
	repeats := newRepeats()
	for i := range in.Rows {
		if _, ok := repeats.find(in.Col("board"), i); ok {
			found++
		}
	}
	if found < 590 || found > 650 {
		t.Errorf("%d rows recur, of 600", found) // a few lose their slot, a few recur in the games
	}
	if _, err := newWorker(pl).label(in, got); err != nil {
		t.Fatal(err)
	}
	for i := range want.Cols {
		if !reflect.DeepEqual(got.Cols[i], want.Cols[i]) {
			t.Errorf("column %s differs", want.Cols[i].Column.Name)
		}
	}
}
