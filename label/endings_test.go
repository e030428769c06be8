package label

import (
	"testing"

	"kifu/games"
	"kifu/games/chess"
)

// loneKings are tables of positions in which Black has few men: with his king alone White wins, with one more
// Black, with two nobody.
type loneKings struct{}

func (loneKings) Outcome(board []byte) (games.Outcome, bool) {
	p, err := chess.UnpackBoard(board)
	switch n := p.Side(games.Second).Count(); {
	case err != nil || n > 3:
		return games.Undecided, false
	case n == 1:
		return games.WinFor(games.First), true
	case n == 2:
		return games.WinFor(games.Second), true
	}
	return games.Drawn, true
}

// TestEndings: positions that tables have get what they say, the others null; the manifest names the tables.
func TestEndings(t *testing.T) {
	var ps []chess.Position
	for _, fen := range []string{
		"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1",
		"4k3/3pp3/8/8/8/8/4P3/4K3 w - - 0 1", chess.StartFEN,
	} {
		p, err := chess.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
	p := Params{Search: []string{"static"}, Eval: chessGame.Default(), Endings: &Endings{Names: []string{"KPvK"}, Tables: loneKings{}}}
	rows, out := run(t, dataset(t, ps), 1, p)
	if got := out.Manifest.Meta["endings"]; got != "KPvK" {
		t.Errorf("the manifest names the tables %q", got)
	}
	want := []float32{1, -1, 0}
	v := rows.Col("solve_value")
	for i := range ps {
		switch known := i < len(want); {
		case known == v.IsNull(i):
			t.Errorf("position %d: no value %v, want %v", i, v.IsNull(i), !known)
		case known && v.Float32[i] != want[i]:
			t.Errorf("position %d: %v, want %v", i, v.Float32[i], want[i])
		}
	}
	if p.Solve = 3; p.Validate() == nil {
		t.Error("tables of endings beside Solve are taken")
	}
}
