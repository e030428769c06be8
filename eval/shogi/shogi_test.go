package shogi

import (
	"strings"
	"testing"
	"unicode"

	"kifu/eval"
	"kifu/games"
	"kifu/games/shogi"
	"kifu/kit/evaltest"
)

func newEvaluator(t testing.TB, m *eval.Model) eval.Evaluator[shogi.Position] {
	t.Helper()
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func read(t testing.TB, sfen string) shogi.Position {
	t.Helper()
	p, err := shogi.ParseSFEN(sfen)
	if err != nil {
		t.Fatalf("%s: %v", sfen, err)
	}
	return p
}

// positions returns positions of random games from the start, from two endings and from a problem
// in which Black has no king.
func positions(t testing.TB) []shogi.Position {
	all := evaltest.RandomPlay(shogi.Start(), 20, 200, 1)
	for _, sfen := range []string{
		"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
		"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
		"8k/9/8L/9/9/9/9/9/9 w G2r2b3g4s4n3l18p 1",
	} {
		all = append(all, evaltest.RandomPlay(read(t, sfen), 6, 60, 2)...)
	}
	return all
}

func evaluators(t *testing.T) []eval.Evaluator[shogi.Position] {
	all := []eval.Evaluator[shogi.Position]{newEvaluator(t, Default())}
	for seed := range int64(3) {
		all = append(all, newEvaluator(t, evaltest.Randomized(Default(), 90, seed)))
	}
	return all
}

func TestLinear(t *testing.T) {
	for _, e := range evaluators(t) {
		evaltest.Linear(t, e, positions(t))
	}
}

// flip turns the board round and exchanges the sides.
func flip(t testing.TB, p shogi.Position) shogi.Position {
	fields := strings.Fields(p.String())
	board := []rune(fields[0])
	var turned []rune
	for i := len(board) - 1; i >= 0; i-- {
		r := board[i]
		if i > 0 && board[i-1] == '+' {
			turned = append(turned, '+', r)
			i--
			continue
		}
		turned = append(turned, r)
	}
	swap := func(text []rune) string {
		for i, r := range text {
			if unicode.IsUpper(r) {
				text[i] = unicode.ToLower(r)
			} else {
				text[i] = unicode.ToUpper(r)
			}
		}
		return string(text)
	}
	side := map[string]string{"b": "w", "w": "b"}[fields[1]]
	return read(t, swap(turned)+" "+side+" "+swap([]rune(fields[2])))
}

func TestAntisymmetric(t *testing.T) {
	for _, e := range evaluators(t) {
		evaltest.Antisymmetric(t, e, positions(t), func(p shogi.Position) shogi.Position { return flip(t, p) })
	}
}

// TestTerms names terms in positions that were counted by hand.
func TestTerms(t *testing.T) {
	e := newEvaluator(t, Default())
	for _, c := range []struct {
		sfen string
		want map[string]int
	}{
		{"4k4/9/4P4/9/9/9/9/4G4/4K4 b 2P 1", map[string]int{
			"pawn": 1, "gold": 1, "hand_pawn": 2, "pawn_attack_2": 1, "gold_shelter_1": 1, "drop_file": 8, "turn": 1,
			"king_pawn": 0, "all_golds": 0, "pawn_shelter_3": 0,
		}},
		{"4k4/4p4/9/4R4/9/8P/P8/6r2/4K4 w 4Gp 1", map[string]int{
			"rook": 0, "hand_gold": 4, "all_golds": 1, "hand_pawn": -1, "pinned": -1, "edge_pawn": 0, "turn": -1,
			"king_pawn": -1, "rook_attack_3": 1, "rook_attack_2": -1, "drop_file": -8,
		}},
		{"9/8P/4K4/9/9/9/9/9/4k4 b - 1", map[string]int{"king_rank_7": 1, "king_rank_2": 0, "edge_pawn": 1}},
	} {
		features, _ := e.Trace(read(t, c.sfen), nil)
		got := map[string]int{}
		for _, f := range features {
			got[e.Model().Terms[f.Term].Name] = int(f.Count)
		}
		for name, n := range c.want {
			if got[name] != n {
				t.Errorf("%s: %s is %d, want %d", c.sfen, name, got[name], n)
			}
		}
	}
}

func TestValuesDoNotAllocate(t *testing.T) {
	e, p := newEvaluator(t, Default()), shogi.Start()
	var features []eval.Feature
	if n := testing.AllocsPerRun(10, func() {
		e.Value(p)
		features, _ = e.Trace(p, features[:0])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkValue(b *testing.B) {
	e, all := newEvaluator(b, Default()), positions(b)
	i := 0
	for b.Loop() {
		e.Value(all[i])
		if i++; i == len(all) {
			i = 0
		}
	}
}

var _ games.Rules[shogi.Position] = shogi.Rules{}
