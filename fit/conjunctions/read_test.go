package conjunctions

import (
	"slices"
	"strings"
	"testing"

	"kifu/datasets/bygame"
	"kifu/fit/computed"
	"kifu/fit/losses"
	"kifu/games"
	"kifu/games/chess"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/schemas"
)

// names returns the atoms of a position that are no empty square, from a side.
func names[P games.Position[P]](t *testing.T, rules interface {
	games.Rules[P]
	games.Drawer[P]
}, text, side string) []string {
	t.Helper()
	p, err := rules.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	l := rules.Layout(p)
	r := &reader[P]{p: Params{Board: true, Side: side}, rules: rules, drawer: rules, atoms: newAtoms(l, rules.Pieces(), side, nil), view: newView(l, rules.Pieces())}
	atoms, err := r.appendAtoms(nil, 0, rules.AppendBoard(nil, p), p.ToMove() == games.First)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, a := range atoms {
		if name := r.atoms.List[a].Name; !strings.HasSuffix(name, " empty") {
			list = append(list, name)
		}
	}
	return list
}

// TestMover: a position and the same one with sides exchanged have the same atoms.
func TestMover(t *testing.T) {
	for _, c := range []struct {
		what       string
		one, other []string
		want       string
	}{
		{"chess",
			names(t, chess.Rules{}, "4k3/8/8/8/8/2N5/P7/4K2r w - - 0 1", sideMover),
			names(t, chess.Rules{}, "4k2R/p7/2n5/8/8/8/8/4K3 b - - 0 1", sideMover), "c3 my knight"},
		{"draughts",
			names(t, draughts.International, "W:W31,K50:B5,20", sideMover),
			names(t, draughts.International, "B:W46,31:B20,K1", sideMover), "31 my man"},
		{"othello",
			names(t, othello.Rules{}, "---------------------------OX------XO--------------------------- X", sideMover),
			names(t, othello.Rules{}, "---------------------------XO------OX--------------------------- O", sideMover), "d4 theirs"},
	} {
		if !slices.Equal(c.one, c.other) || !slices.Contains(c.one, c.want) {
			t.Errorf("%s: %v and %v, want the same with %s", c.what, c.one, c.other, c.want)
		}
	}
	if got := names(t, chess.Rules{}, "4k3/8/8/8/8/8/8/R3K3 b - - 0 1", sideFirst); !slices.Equal(got, []string{"e8 black king", "a1 white rook", "e1 white king"}) {
		t.Errorf("from the first player's side: %v", got)
	}
}

// TestTarget: who has won is seen from the side that is asked for.
func TestTarget(t *testing.T) {
	for _, c := range []struct {
		p      Params
		result string
		first  bool
		target []float64
		y      float64
		why    string
	}{
		{Params{Method: losses.MLM, Side: sideMover}, "first", true, nil, 1, ""},
		{Params{Method: losses.MLM, Side: sideMover}, "first", false, nil, 0, ""},
		{Params{Method: losses.MLM, Side: sideFirst}, "first", false, nil, 1, ""},
		{Params{Method: losses.MLM, Side: sideFirst, Draws: drawsExclude}, "draw", false, nil, 0, bygame.DrawnGame},
		{Params{Method: losses.MLM, Side: sideFirst, Draws: drawsHalf}, "draw", false, nil, 0.5, ""},
		{Params{Method: losses.MLM, Side: sideFirst}, "", true, nil, 0, bygame.NoResult},
		{Params{Method: losses.Value, Side: sideMover}, "", false, []float64{3}, -3, ""},
		{Params{Method: losses.Value, Side: sideFirst}, "", false, []float64{computed.Absent}, 0, bygame.NoTarget},
		{Params{Method: bayes, Side: sideFirst}, "second", true, []float64{2}, 1, ""},
	} {
		r := &reader[othello.Position]{p: c.p, x: expressions{target: c.target}}
		if y, why := r.target(0, schemas.OutcomeOf([]byte(c.result)), c.first); y != c.y || why != c.why {
			t.Errorf("%+v, %q, first to move %v: %v %q, want %v %q", c.p, c.result, c.first, y, why, c.y, c.why)
		}
	}
}

func TestLists(t *testing.T) {
	rules := othello.Rules{}
	a := newAtoms(rules.Layout(othello.Start()), rules.Pieces(), sideMover, []Cut{{SQL: "phase", Points: []float64{20}}})
	masks, err := a.lists([][]string{{"a1", "b1"}, {"B1", "c1"}})
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]uint64{}
	for i, x := range a.List {
		of[x.Name] = masks[i]
	}
	if of["a1 mine"] != 1 || of["b1 empty"] != 3 || of["c1 theirs"] != 2 || of["d4 mine"] != 0 || of["phase < 20"] != ^uint64(0) {
		t.Errorf("%v", of)
	}
	for _, bad := range [][]string{{"j9"}, {"a1", "A1"}} {
		if _, err := a.lists([][]string{bad}); err == nil || !strings.Contains(err.Error(), "--squares") {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if near := a.near(1); !near(0, 3*9) || near(0, 6) || !near(0, uint32(len(a.List)-1)) {
		t.Error("a1 is near b2, not c1, and columns are near everything")
	}
}

// TestSQL: conditions look where the mover's square is, for the piece that is his.
func TestSQL(t *testing.T) {
	rules := chess.Rules{}
	a := newAtoms(rules.Layout(chess.Position{}), rules.Pieces(), sideMover, []Cut{{SQL: "a + b", Points: []float64{1, 2}}})
	of := map[string]string{}
	for _, x := range a.List {
		of[x.Name] = x.SQL
	}
	for name, want := range map[string]string{
		"c3 my knight":   "piece_at(board, CASE WHEN first_to_move THEN 'c3' ELSE 'c6' END) = CASE WHEN first_to_move THEN 'N' ELSE 'n' END",
		"e1 empty":       "piece_at(board, CASE WHEN first_to_move THEN 'e1' ELSE 'e8' END) = ''",
		"1 <= a + b < 2": "(a + b) >= 1 AND (a + b) < 2",
		"a + b < 1":      "(a + b) < 1",
	} {
		if of[name] != want {
			t.Errorf("%s: %s, want %s", name, of[name], want)
		}
	}
}
