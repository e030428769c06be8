package network

import (
	"bytes"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"kifu/eval"
	"kifu/games"
	"kifu/games/draughts"
	"kifu/kit/evaltest"
)

// sampled returns the parameters of testdata/forward.py.
func sampled(seed uint64) []float32 {
	p := make([]float32, Parameters)
	x := seed
	for i := range p {
		x = x*6364136223846793005 + 1442695040888963407
		p[i] = float32(x>>48)/65536 - 0.5
	}
	p[atKing] = 2 + 2*p[atKing]
	return p
}

func newEvaluator(t testing.TB, m *eval.Model) eval.Evaluator[draughts.Position] {
	t.Helper()
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func start(t testing.TB) draughts.Position {
	t.Helper()
	p, _, err := draughts.Checkers.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSizes: the numbers of Al-Khateeb and Kendall 2011.
func TestSizes(t *testing.T) {
	if Weights != 5046 {
		t.Errorf("%d weights and biases, want 5,046", Weights)
	}
	inputs, bias := layout()
	sizes := map[int]int{} // sub-squares by the number of their squares
	counts := [subs]int{}
	total := 0
	for _, in := range inputs {
		total += len(in)
		for _, in := range in {
			counts[in.sub]++
		}
	}
	for _, n := range counts {
		sizes[n]++
	}
	if total != 854 || bias[subs-1] != 854+91-1 {
		t.Errorf("%d inputs of sub-squares and a last bias at %d, want 854 and 944", total, bias[subs-1])
	}
	// 36 of 3×3 with 4 or 5 squares, 25 of 4×4, 16 of 5×5, 9 of 6×6, 4 of 7×7 and the board.
	want := map[int]int{4: 18, 5: 18, 8: 25, 12: 8, 13: 8, 18: 9, 24: 2, 25: 2, 32: 1}
	for n, k := range want {
		if sizes[n] != k {
			t.Errorf("%d sub-squares of %d squares, want %d", sizes[n], n, k)
		}
	}
}

// TestForward compares the network with testdata/forward.py.
func TestForward(t *testing.T) {
	f, err := os.Open("testdata/forward.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = ';'
	rows, err := r.ReadAll()
	if err != nil || len(rows) < 20 {
		t.Fatal(len(rows), err)
	}
	for _, row := range rows {
		seed, _ := strconv.ParseUint(row[0], 10, 64)
		want, _ := strconv.ParseFloat(row[2], 64)
		p, err := draughts.Checkers.ParsePosition(row[1])
		if err != nil {
			t.Fatal(err)
		}
		m, err := Model(sampled(seed)).Zero("material")
		if err != nil {
			t.Fatal(err)
		}
		got := float64(newEvaluator(t, m).Value(p)) / eval.Grain / man
		if math.Abs(got-want) > 2e-4 { // half a count, and the rounding of tanh and of the sums
			t.Errorf("seed %d, %s: %.5f, want %.5f", seed, row[1], got, want)
		}
	}
}

// TestTanh compares the table with math.Tanh.
func TestTanh(t *testing.T) {
	table := newTanhTable()
	for x := -9.0; x < 9; x += 0.001237 {
		if got, want := float64(table.lookUp(float32(x))), math.Tanh(x); math.Abs(got-want) > 7e-6 {
			t.Fatalf("tanh %g is %g, want %g", x, got, want)
		}
	}
	for x, want := range map[float32]float32{1e30: 1, -1e30: -1, 8: 1, -8: -1, 0: 0} {
		if got := table.lookUp(x); got != want {
			t.Errorf("tanh %g is %g", x, got)
		}
	}
}

func TestLinear(t *testing.T) {
	ps := evaltest.RandomPlay(start(t), 20, 120, 1)
	evaltest.Linear(t, newEvaluator(t, Model(sampled(1))), ps)
	evaltest.Linear(t, newEvaluator(t, evaltest.Randomized(Model(sampled(2)), 150, 3)), ps)
}

// TestBoardAlone: the value does not depend on what was valued before, nor on who is to
// move, and nothing is allocated.
func TestBoardAlone(t *testing.T) {
	ps := evaltest.RandomPlay(start(t), 10, 150, 5)
	m := Model(sampled(3))
	one := newEvaluator(t, m)
	for i := range 300 {
		at := rand.New(rand.NewPCG(1, uint64(i))).IntN(len(ps))
		p := ps[at]
		fresh := newEvaluator(t, m).Value(p)
		if v := one.Value(p); v != fresh {
			t.Fatalf("%s: %d after other positions, %d at first", draughts.Checkers.AppendPosition(nil, p), v, fresh)
		}
		text := string(draughts.Checkers.AppendPosition(nil, p))
		other, err := draughts.Checkers.ParsePosition(map[byte]string{'B': "W", 'W': "B"}[text[0]] + text[1:])
		if err != nil || other.ToMove() == p.ToMove() {
			t.Fatal(err)
		}
		if v := one.Value(other); v != fresh {
			t.Fatalf("%s: %d, with the other side to move %d", text, fresh, v)
		}
	}
	i := 0
	if n := testing.AllocsPerRun(100, func() { one.Value(ps[i]); i++ }); n > 0 {
		t.Errorf("%v allocations an evaluation", n)
	}
}

// TestPieceDifference: without weights the value is the piece difference.
func TestPieceDifference(t *testing.T) {
	p := make([]float32, Parameters)
	p[atKing] = 1.7
	e := newEvaluator(t, Model(p))
	for _, pos := range evaltest.RandomPlay(start(t), 10, 150, 7) {
		first, second, k := pos.Side(games.First), pos.Side(games.Second), pos.Kings()
		want := 10000*((first&^k).Count()-(second&^k).Count()) + 17000*((first&k).Count()-(second&k).Count())
		if v := e.Value(pos); int(v) != want {
			t.Fatalf("%s: %d, want %d", draughts.Checkers.AppendPosition(nil, pos), v, want)
		}
	}
}

// TestKing: the king value reaches the network too, not only the piece difference.
func TestKing(t *testing.T) {
	p := sampled(4)
	m, _ := Model(p).Zero("material")
	q := append([]float32(nil), p...)
	q[atKing] += 0.5
	n, _ := Model(q).Zero("material")
	pos, err := draughts.Checkers.ParsePosition("B:WK1,10:BK29,28")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := newEvaluator(t, m).Value(pos), newEvaluator(t, n).Value(pos); a == b {
		t.Errorf("kings of %g and of %g give %d", p[atKing], q[atKing], a)
	}
}

func TestFile(t *testing.T) {
	m := Model(sampled(6))
	text, err := m.Round().TOML()
	if err != nil {
		t.Fatal(err)
	}
	back, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	a, b := newEvaluator(t, m), newEvaluator(t, back)
	for _, p := range evaltest.RandomPlay(start(t), 3, 100, 2) {
		if a.Value(p) != b.Value(p) {
			t.Fatal("a network that was written and read back values otherwise")
		}
	}
	again, err := b.Model().TOML()
	if err != nil || !bytes.Equal(text, again) {
		t.Error("the model that was read back is written otherwise", err)
	}
}

func TestErrors(t *testing.T) {
	for want, change := range map[string]func(m *eval.Model){
		"a network of 5046 parameters":  func(m *eval.Model) { m.Network = m.Network[:Weights] },
		"weight 7 of the network is":    func(m *eval.Model) { m.Network[7] = 101 },
		"king is worth -1":              func(m *eval.Model) { m.Network[atKing] = -1 },
		`term "output" has weight 201`:  func(m *eval.Model) { m.Terms[outputTerm].Weights[0] = 201 },
		`no term "men"`:                 func(m *eval.Model) { m.Terms[manTerm].Name = "men" },
		"weights are for russian":       func(m *eval.Model) { m.Game = "russian" },
		"weight 5045 of the network is": func(m *eval.Model) { m.Network[Weights-1] = float32(math.NaN()) },
	} {
		m := Model(sampled(1))
		change(m)
		if _, err := New(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// BenchmarkValue values the positions of games, each of which differs from the one before
// by a move, and of a tree's neighbouring leaves.
func BenchmarkValue(b *testing.B) {
	e, ps := newEvaluator(b, Model(sampled(1))), evaltest.RandomPlay(start(b), 40, 150, 1)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		e.Value(ps[i])
		if i++; i == len(ps) {
			i = 0
		}
	}
}
