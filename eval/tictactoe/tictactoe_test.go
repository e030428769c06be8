package tictactoe

import (
	"strings"
	"testing"

	"kifu/eval"
	"kifu/games/tictactoe"
	"kifu/kit/evaltest"
)

// all returns the positions of tic-tac-toe, each as often as games come to it in random
// play.
func all() []tictactoe.Position {
	return evaltest.RandomPlay(tictactoe.Position{}, 2000, 9, 1)
}

func newEvaluator(t *testing.T, m *eval.Model) eval.Evaluator[tictactoe.Position] {
	t.Helper()
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func read(t *testing.T, text string) tictactoe.Position {
	t.Helper()
	p, err := tictactoe.Rules{}.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLinear(t *testing.T) {
	evaltest.Linear(t, newEvaluator(t, Default()), all())
	evaltest.Linear(t, newEvaluator(t, evaltest.Randomized(Default(), 90, 1)), all())
}

// The open lines advantage by the definition: lines without a mark of the other.
func TestOpenLines(t *testing.T) {
	e := newEvaluator(t, Default())
	for _, p := range all() {
		want := int32(0)
		full := false
		for _, line := range tictactoe.Lines() {
			if line&p.Marks(tictactoe.O) == 0 {
				want += eval.Grain
			}
			if line&p.Marks(tictactoe.X) == 0 {
				want -= eval.Grain
			}
			full = full || line&^p.Marks(tictactoe.X) == 0 || line&^p.Marks(tictactoe.O) == 0
		}
		if got := e.Value(p); !full && got != want {
			t.Fatalf("%s: %d, want %d", tictactoe.Rules{}.AppendPosition(nil, p), got, want)
		}
	}
	for text, want := range map[string]int32{"---/-x-/---": 400, "x--/---/---": 300, "-x-/---/---": 200, "o--/-x-/---": 100, "x--/-o-/--x": 100} {
		if got := e.Value(read(t, text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// Exchanging the marks of a position with equally many of each negates the value; rotating
// and reflecting the board changes nothing.
func TestSymmetry(t *testing.T) {
	e := newEvaluator(t, evaltest.Randomized(Default(), 90, 2))
	var even []tictactoe.Position
	for _, p := range all() {
		if p.ToMove() == tictactoe.X && p.Outcome() == 0 {
			even = append(even, p)
		}
		text := string(tictactoe.Rules{}.AppendPosition(nil, p))
		rows := strings.Split(text, "/")
		turned := ""
		for i := range 3 {
			turned += "/" + string([]byte{rows[2][i], rows[1][i], rows[0][i]})
		}
		for _, image := range []string{rows[2] + "/" + rows[1] + "/" + rows[0], turned[1:]} {
			if a, b := e.Value(p), e.Value(read(t, image)); a != b {
				t.Fatalf("%s: %d, its image %s: %d", text, a, image, b)
			}
		}
	}
	swap := strings.NewReplacer("x", "o", "o", "x")
	evaltest.Antisymmetric(t, e, even, func(p tictactoe.Position) tictactoe.Position {
		return read(t, swap.Replace(string(tictactoe.Rules{}.AppendPosition(nil, p))))
	})
}

func TestNewRefuses(t *testing.T) {
	m := Default()
	m.Terms[0].Weights[0] = 2 * maxWeight
	if _, err := New(m); err == nil {
		t.Error("a weight of two millions is taken")
	}
}
