package label

import (
	"context"
	"errors"
	"testing"

	"kifu/datasets/columns"
)

// TestStops: of a row group whose positions take seconds each no more are searched once the run
// is to end, whatever is made of them.
func TestStops(t *testing.T) {
	for name, p := range map[string]Params{"labels": {}, "choices": {Choices: &Choices{}}, "backward": {Backward: &Backward{Last: 24, Depth: 1}}} {
		p.Search = []string{"quiescence"}
		table := positionsTable()
		pl, err := newPlan(chessGame, p, table)
		if err != nil {
			t.Fatal(err)
		}
		begun := 0
		pl.stopped = func() error {
			if begun++; begun == 4 {
				return context.Canceled
			}
			return nil
		}
		in, out := columns.NewBatch(table), columns.NewBatch(pl.table)
		for _, p := range played(t)[:10] {
			appendRow(in, 1, p)
		}
		label := newWorker(pl).label
		switch {
		case p.Choices != nil:
			label = newChooser(pl, *p.Choices).label
		case p.Backward != nil:
			label = newBackward(newWorker(pl), *p.Backward, nil).label
		}
		if _, err := label(in, out); !errors.Is(err, context.Canceled) || begun != 4 {
			t.Errorf("%s: %d positions were begun, error %v", name, begun, err)
		}
	}
}
