package label

import (
	"reflect"
	"testing"

	"kifu/datasets/columns"
)

// Recurring openings have the labels that they would have had by themselves.
func TestOpenings(t *testing.T) {
	table := positionsTable()
	pl, err := newPlan(chessGame, Params{Search: []string{"static", "quiescence"}}, table)
	if err != nil {
		t.Fatal(err)
	}
	in := columns.NewBatch(table)
	ps := played(t)[:300]
	for i := range 3 * len(ps) {
		appendRow(in, 1, ps[i%len(ps)])
	}
	plies := in.Col("ply").Int32
	for i := range plies {
		plies[i] = int32(i % 32) // some are too late to be remembered
	}
	w, forgetful := newWorker(pl), newWorker(pl)
	forgetful.openings = nil
	got, want := columns.NewBatch(pl.table), columns.NewBatch(pl.table)
	again := columns.NewBatch(table)
	for i := range in.Rows {
		for c := range in.Cols {
			again.Cols[c].AppendFrom(&in.Cols[c], i)
		}
	}
	again.Rows = in.Rows
	if _, err := w.label(in, got); err != nil {
		t.Fatal(err)
	}
	if _, err := forgetful.label(again, want); err != nil {
		t.Fatal(err)
	}
	for i := range want.Cols {
		if !reflect.DeepEqual(got.Cols[i], want.Cols[i]) {
			t.Errorf("column %s differs", want.Cols[i].Column.Name)
		}
	}
	known := 0
	for i := range w.openings {
		if w.openings[i].known {
			known++
		}
	}
	if known < 100 || known > 300 {
		t.Errorf("%d positions remembered, of 300 some too late", known)
	}
}
