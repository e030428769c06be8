package chess

import (
	"bufio"
	"bytes"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"kifu/eval"
	"kifu/games"
	"kifu/games/chess"
	"kifu/kit/evaltest"
)

func newDefault(t testing.TB) eval.Evaluator[chess.Position] {
	t.Helper()
	e, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// positions returns those of random play and of testdata/positions.fen, taken from games.
func positions(t testing.TB) []chess.Position {
	t.Helper()
	all := evaltest.RandomPlay(chess.Start(), 40, 250, 1)
	return append(all, played(t)...)
}

func played(t testing.TB) []chess.Position {
	t.Helper()
	f, err := os.Open("testdata/positions.fen")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []chess.Position
	for in := bufio.NewScanner(f); in.Scan(); {
		p, err := chess.ParseFEN(in.Text())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// mirror exchanges the players: the board upside down, colours swapped.
func mirror(t testing.TB) func(chess.Position) chess.Position {
	return func(p chess.Position) chess.Position {
		fields := strings.Fields(string(p.AppendFEN(nil)))
		swap := func(s string) string {
			return strings.Map(func(r rune) rune {
				switch {
				case r >= 'a' && r <= 'z':
					return r - 32
				case r >= 'A' && r <= 'Z':
					return r + 32
				}
				return r
			}, s)
		}
		ranks := strings.Split(swap(fields[0]), "/")
		slices.Reverse(ranks)
		fields[0] = strings.Join(ranks, "/")
		fields[1] = map[string]string{"w": "b", "b": "w"}[fields[1]]
		fields[2] = swap(fields[2])
		if fields[3] != "-" {
			fields[3] = fields[3][:1] + map[byte]string{'3': "6", '6': "3"}[fields[3][1]]
		}
		q, err := chess.ParseFEN(strings.Join(fields, " "))
		if err != nil {
			t.Fatalf("mirror of %s: %v", p.AppendFEN(nil), err)
		}
		return q
	}
}

func TestLinear(t *testing.T) {
	ps := positions(t)
	evaltest.Linear(t, newDefault(t), ps)
	for seed := range int64(3) {
		e, err := New(evaltest.Randomized(Default(), 900, seed))
		if err != nil {
			t.Fatal(err)
		}
		evaltest.Linear(t, e, ps)
	}
}

func TestAntisymmetric(t *testing.T) {
	evaltest.Antisymmetric(t, newDefault(t), positions(t), mirror(t))
	e, err := New(evaltest.Randomized(Default(), 900, 9))
	if err != nil {
		t.Fatal(err)
	}
	evaltest.Antisymmetric(t, e, positions(t), mirror(t))
}

// No value depends on what was evaluated before.
func TestNoMemory(t *testing.T) {
	ps := positions(t)
	used := newDefault(t)
	for _, p := range ps {
		used.Value(p)
	}
	fresh := newDefault(t)
	for i := len(ps) - 1; i >= 0; i-- {
		if a, b := used.Value(ps[i]), fresh.Value(ps[i]); a != b {
			t.Fatalf("%s: %d, %d in another order", ps[i].AppendFEN(nil), a, b)
		}
	}
}

// Every term of the model fires somewhere, or it could not be fitted.
func TestEveryTermFires(t *testing.T) {
	e := newDefault(t)
	seen := make([]bool, len(e.Model().Terms))
	var features []eval.Feature
	for _, p := range append(positions(t), evaltest.RandomPlay(chess.Start(), 300, 300, 2)...) {
		features, _ = e.Trace(p, features[:0])
		for _, f := range features {
			seen[f.Term] = true
		}
	}
	var silent []string
	for i, ok := range seen {
		if !ok {
			silent = append(silent, e.Model().Terms[i].Name)
		}
	}
	if len(silent) > 0 {
		t.Errorf("%d of %d terms never fire: %v", len(silent), len(seen), silent)
	}
}

func TestModel(t *testing.T) {
	m := Default()
	if n := len(m.Terms); n < 500 {
		t.Errorf("%d terms", n)
	}
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
	text, err := m.TOML()
	if err != nil || string(text) != weights {
		t.Errorf("weights.toml is not what the model is written as (%v)", err)
	}
	// Another order, and only some of the terms, make the same evaluator.
	part := m.Clone()
	slices.Reverse(part.Terms)
	part.Terms = part.Terms[:300]
	e, err := New(part)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := e.Model().TOML(); !bytes.Equal(got, text) {
		t.Error("a part of the terms in another order is another model")
	}
	part.Terms[0].Name = "temp"
	if _, err := New(part); err == nil || !strings.Contains(err.Error(), `did you mean tempo?`) {
		t.Errorf("unknown term: %v", err)
	}
}

// A pawn up, a queen up and the start have plausible values.
func TestSane(t *testing.T) {
	e := newDefault(t)
	value := func(fen string) int32 {
		p, err := chess.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		return e.Value(p) / eval.Grain
	}
	for _, c := range []struct {
		fen       string
		low, high int32
	}{
		{chess.StartFEN, 0, 60},
		{"rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 30, 200},
		{"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 700, 1500},
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 40, 300},
		{"8/5k2/8/8/8/1p6/8/7K b - - 0 1", -1500, -200},
	} {
		if v := value(c.fen); v < c.low || v > c.high {
			t.Errorf("%s: %d, want %d to %d", c.fen, v, c.low, c.high)
		}
	}
}

var _ eval.Evaluator[chess.Position] = (*evaluator)(nil)
var _ games.Position[chess.Position] = chess.Position{}

func BenchmarkValue(b *testing.B) {
	e, ps := newDefault(b), played(b)
	b.ReportAllocs()
	for i := range b.N {
		e.Value(ps[i%len(ps)])
	}
}

func BenchmarkTrace(b *testing.B) {
	e, ps := newDefault(b), played(b)
	var features []eval.Feature
	b.ReportAllocs()
	n := 0
	for i := range b.N {
		features, _ = e.Trace(ps[i%len(ps)], features[:0])
		n += len(features)
	}
	b.ReportMetric(float64(n)/float64(b.N), "features/op")
}

// No term is a sum of others: the counts of all terms have full rank, otherwise a fit of
// all of them could not separate their weights. The rank is computed from random
// combinations of many positions' counts, modulo a prime, which can only make it too low.
func TestTermsAreIndependent(t *testing.T) {
	const prime = 1<<31 - 1
	e := newDefault(t)
	n := len(e.Model().Terms)
	rows := make([][]uint64, n+20)
	for i := range rows {
		rows[i] = make([]uint64, n)
	}
	r := rand.New(rand.NewSource(7))
	var features []eval.Feature
	for _, p := range append(positions(t), evaltest.RandomPlay(chess.Start(), 100, 300, 2)...) {
		features, _ = e.Trace(p, features[:0])
		for range 3 {
			row, x := rows[r.Intn(len(rows))], uint64(r.Uint32()>>1)
			for _, f := range features {
				row[f.Term] = (row[f.Term] + x*uint64(prime+int(f.Count))) % prime
			}
		}
	}
	var dependent []string
	rank := 0
	for c := range n {
		pivot := rank
		for pivot < len(rows) && rows[pivot][c] == 0 {
			pivot++
		}
		if pivot == len(rows) {
			dependent = append(dependent, e.Model().Terms[c].Name)
			continue
		}
		rows[rank], rows[pivot] = rows[pivot], rows[rank]
		inverse := power(rows[rank][c], prime-2, prime)
		for i := rank + 1; i < len(rows); i++ {
			if factor := rows[i][c] * inverse % prime; factor != 0 {
				for j := c; j < n; j++ {
					rows[i][j] = (rows[i][j] + (prime-factor)*rows[rank][j]) % prime
				}
			}
		}
		rank++
	}
	if len(dependent) > 0 {
		t.Errorf("%d terms are sums of those before them: %v", len(dependent), dependent)
	}
}

// power returns x^n modulo m.
func power(x, n, m uint64) uint64 {
	y := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			y = y * x % m
		}
		x = x * x % m
	}
	return y
}

// TestExpect: whatever was expected, and whether it came, values and traces equal those of
// an evaluator without Expect.
func TestExpect(t *testing.T) {
	ps := evaltest.RandomPlay(chess.Start(), 20, 100, 7)
	told, plain := newDefault(t), newDefault(t)
	var a, b []eval.Feature
	for i, p := range ps {
		q := ps[(i*7+3)%len(ps)]
		if i%3 != 0 {
			told.(eval.Expecter).Expect(p.Hash())
		}
		for _, x := range [][]chess.Position{{p}, {q, p}, {p, q}, {p, p}}[i%4] {
			if v, want := told.Value(x), plain.Value(x); v != want {
				t.Fatalf("position %d: value %d, want %d", i, v, want)
			}
		}
		for _, x := range [][]chess.Position{{p}, {q}, {p, p}, {q, p}, {}}[i%5] {
			var phase, want int
			a, phase = told.Trace(x, a[:0])
			b, want = plain.Trace(x, b[:0])
			if phase != want || !slices.Equal(a, b) {
				t.Fatalf("position %d: trace %v at %d, want %v at %d", i, a, phase, b, want)
			}
		}
	}
}
