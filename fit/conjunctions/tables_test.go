package conjunctions

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"kifu/eval/pattern"
	"kifu/games"
	"kifu/games/chess"
	"kifu/games/othello"
)

// TestTables: the evaluator of the files that are written has the values of the conjunctions.
func TestTables(t *testing.T) {
	sameValues(t, othello.Rules{}, othello.Start())
	start, _, err := chess.Rules{}.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	sameValues(t, chess.Rules{}, start)
}

func sameValues[P games.Position[P]](t *testing.T, rules interface {
	games.Rules[P]
	games.Drawer[P]
}, start P) {
	t.Helper()
	l := rules.Layout(start)
	a := newAtoms(l, rules.Pieces(), sideMover, nil)
	r := &reader[P]{p: Params{Board: true, Side: sideMover}, rules: rules, drawer: rules, atoms: a, view: newView(l, rules.Pieces())}
	s := newSample(len(a.List))
	random := rand.New(rand.NewPCG(1, 1))
	var all []P
	for range 30 {
		p := start
		for ply := 0; ply < 25 && p.Outcome() == games.Undecided; ply++ {
			moves := p.AppendMoves(nil)
			p = p.Play(moves[random.IntN(len(moves))])
			atoms, err := r.appendAtoms(nil, 0, rules.AppendBoard(nil, p), p.ToMove() == games.First)
			if err != nil {
				t.Fatal(err)
			}
			s.add(atoms, 0, 0, random.IntN(2) == 0)
			all = append(all, p)
		}
	}
	found, err := mine(context.Background(), s, a, Limits{Support: 40, Size: 2, Pair: a.near(1)}, 1)
	if err != nil {
		t.Fatal(err)
	}
	sets := found.Sets()
	w := Weights{Constant: 0.25, Of: make([]float64, len(sets))}
	left := map[int]bool{0: true}
	for i := 1; i < len(sets); i++ {
		w.Of[i] = float64(random.IntN(200)-100) / 100 // the tables' grain
	}
	files, err := a.tables(rules.Name(), sideMover, rules.Pieces(), sets, w, left)
	if err != nil || files == nil {
		t.Fatal("no files", err)
	}
	tables, err := pattern.Read(files["patterns.toml"], files["patterns.tables"], rules.Name(), l, rules.Pieces())
	if err != nil {
		t.Fatal(err)
	}
	e, err := pattern.New[P](tables.Model(), rules)
	if err != nil {
		t.Fatal(err)
	}
	z, err := w.scores(context.Background(), s, sets, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range all {
		if got := float64(e.Value(p)*p.ToMove().Sign()) / games.Grain; math.Abs(got-z[i]) > 1e-9 {
			t.Fatalf("%s, position %d: the tables say %v, the conjunctions %v", rules.Name(), i, got, z[i])
		}
	}
	if files, err := a.tables(rules.Name(), sideFirst, rules.Pieces(), sets, w, left); files != nil || err != nil {
		t.Errorf("tables of another side: %v", err)
	}
}
