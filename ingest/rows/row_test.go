package rows

import (
	"testing"

	"kifu/datasets/columns"
	"kifu/ingest/record"
	"kifu/schemas"
)

// TestMovesDoNotAllocate: the row of a game takes no memory for its moves, whether these have values and clocks or not.
func TestMovesDoNotAllocate(t *testing.T) {
	for name, move := range map[string]record.Move{"bare": {}, "with values": {Value: 12, HasValue: true, Clock: 1000, HasClock: true}} {
		table := NewTable(columns.NewBatch(schemas.Games))
		g := &record.Game{}
		for range 400 {
			g.Moves = append(g.Moves, move)
		}
		h := ReadHeader(g, "", false)
		n := testing.AllocsPerRun(20, func() {
			table.Reset()
			table.Append("x.pgn", g, h, &Row{}, func(string) {})
		})
		if n > 20 {
			t.Errorf("%s: %v allocations for a game of 400 moves", name, n)
		}
	}
}
