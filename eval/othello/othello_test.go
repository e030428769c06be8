package othello

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/eval"
	"kifu/games"
	"kifu/games/othello"
	"kifu/kit/evaltest"
	"kifu/kit/gametest"
)

func newEvaluator(t testing.TB, m *eval.Model) eval.Evaluator[othello.Position] {
	t.Helper()
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func positions() []othello.Position { return evaltest.RandomPlay(othello.Start(), 60, 80, 1) }

func read(t testing.TB, text string) othello.Position {
	t.Helper()
	p, err := othello.Rules{}.ParsePosition(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p
}

func text(p othello.Position) string { return string(othello.Rules{}.AppendPosition(nil, p)) }

// evaluators returns one with the default weights and some with random ones.
func evaluators(t *testing.T) []eval.Evaluator[othello.Position] {
	all := []eval.Evaluator[othello.Position]{newEvaluator(t, Default())}
	for seed := range int64(3) {
		all = append(all, newEvaluator(t, evaltest.Randomized(Default(), 90, seed)))
	}
	return all
}

func TestLinear(t *testing.T) {
	for _, e := range evaluators(t) {
		evaltest.Linear(t, e, positions())
	}
}

func TestAntisymmetric(t *testing.T) {
	swap := strings.NewReplacer("X", "O", "O", "X")
	for _, e := range evaluators(t) {
		evaltest.Antisymmetric(t, e, positions(), func(p othello.Position) othello.Position { return read(t, swap.Replace(text(p))) })
	}
}

// Rotating and reflecting the board changes no count.
func TestBoardSymmetry(t *testing.T) {
	e := newEvaluator(t, Default())
	for _, p := range positions() {
		want, _ := e.Trace(p, nil)
		from := text(p)
		for _, image := range gametest.Images(from, 8) {
			if got, _ := e.Trace(read(t, image), nil); !slices.Equal(got, want) {
				t.Fatalf("%s has features %v, its image %s %v", from, want, image, got)
			}
		}
	}
}

// Every term of the model fires somewhere, or it could not be fitted; and the ten classes
// cover the board.
func TestEveryTermFires(t *testing.T) {
	e := newEvaluator(t, Default())
	fired := make([]bool, termCount)
	for _, p := range positions() {
		features, _ := e.Trace(p, nil)
		for _, f := range features {
			fired[f.Term] = true
		}
	}
	for i, f := range fired {
		if !f {
			t.Errorf("%s never fires", terms[i].name)
		}
	}
	all := images(3, 3)
	for _, c := range classes {
		if all&c.squares != 0 {
			t.Errorf("class %s has squares of another", terms[c.term].name)
		}
		all |= c.squares
	}
	if all.Count() != 64 {
		t.Errorf("the classes have %d squares", all.Count())
	}
}

// stableByPlay returns the discs of a position that no play whatever turns.
func stableByPlay(p othello.Position, seen map[othello.Position]bool) (black, white othello.Bitboard) {
	black, white = p.Discs(othello.Black), p.Discs(othello.White)
	if seen[p] {
		return black, white
	}
	seen[p] = true
	for _, m := range p.AppendMoves(nil) {
		b, w := stableByPlay(p.Play(m), seen)
		black, white = black&b, white&w
	}
	return black, white
}

// No disc reported as stable ever turns, and most of those that never turn are found.
func TestStable(t *testing.T) {
	found, real := 0, 0
	for _, p := range positions() {
		if p.Empty().Count() > 8 || p.Outcome() != games.Undecided {
			continue
		}
		black, white := stableByPlay(p, map[othello.Position]bool{})
		b, w := othello.Stable(p.Discs(othello.Black), p.Discs(othello.White))
		if b&^black != 0 || w&^white != 0 {
			t.Fatalf("%s: black %x and white %x are called stable, but turn", text(p), b&^black, w&^white)
		}
		found += b.Count() + w.Count()
		real += black.Count() + white.Count()
	}
	if found < real/2 {
		t.Errorf("%d of %d stable discs are found", found, real)
	}
}

// The counts of terms, on boards where they can be seen: rows from the top, counts Black's
// less White's. A term that a line names without a count is 0.
func TestTerms(t *testing.T) {
	e := newEvaluator(t, Default())
	const row = "--------"
	for _, c := range []struct{ text, want string }{
		{strings.Repeat(row, 3) + "---OX---" + "---XO---" + strings.Repeat(row, 3) + " X",
			"discs=0 mobility=0 to_move=1 last_move=-1 frontier=0 potential_mobility=0 odd_region_moves=0"},
		{strings.Repeat(row, 3) + "---OX---" + "---XXX--" + strings.Repeat(row, 3) + " O",
			"discs=3 mobility=0 to_move=-1 last_move=-1 frontier=3 potential_mobility=-8 square_c3=0"},
		{"X-------" + "-X------" + "--X-----" + strings.Repeat(row, 5) + " X", "square_a1=1 square_b2=1 square_c3=1 x_square_open=0 stable=1 discs=3"},
		{"-X------" + "XX------" + strings.Repeat(row, 6) + " X", "square_b1=2 square_b2=1 c_square_open=2 x_square_open=1 stable=0"},
		{"-OX-----" + strings.Repeat(row, 7) + " X", "corner_moves=1 mobility=0 c_square_open=-1"},
		{"-OX-----" + strings.Repeat(row, 6) + "XXXX---- X", "stable=4 square_a1=1"},
		{"XXXXXXXX" + strings.Repeat(row, 7) + " X", "stable=8 no_move=0"},
		{"OXXXXXXO" + strings.Repeat(row, 7) + " X", "stable=4"},
		{"-OXXXXXX" + strings.Repeat(row, 7) + " O", "no_move=-1 mobility=1"},
		{"OX------" + strings.Repeat(row, 7) + " O", "mobility=-1 odd_region_moves=0 last_move=1"},
		{strings.Repeat("X", 56) + "-OOX-OXX X", "odd_region_moves=1 corner_moves=1"},
	} {
		p := read(t, c.text)
		counts := map[string]int{}
		features, _ := e.Trace(p, nil)
		for _, f := range features {
			counts[e.Model().Terms[f.Term].Name] = int(f.Count)
		}
		for _, want := range strings.Fields(c.want) {
			name, number, _ := strings.Cut(want, "=")
			if _, err := e.Model().Match(name); err != nil {
				t.Fatal(err)
			}
			if n, err := strconv.Atoi(number); err != nil || counts[name] != n {
				t.Errorf("%s: %s %d times, want %s", c.text, name, counts[name], number)
			}
		}
	}
}

// Between two knots the weights are interpolated, outside they are constant.
func TestPhase(t *testing.T) {
	m := blank()
	m.Terms[discs].Weights = []float64{1, 2, 4, 8, 16}
	e := newEvaluator(t, m)
	for n, want := range map[int]int32{4: 4 * 100, 20: 20 * 100, 31: 31 * 200, 35: 35*200 + 35*200*4/11, 42: 42 * 400, 53: 53 * 800, 64: 64 * 1600} {
		p := read(t, strings.Repeat("X", n)+strings.Repeat("-", 64-n)+" X")
		if got := e.Value(p); got != want {
			t.Errorf("%d discs are worth %d, want %d", n, got, want)
		}
	}
	m.Terms[mobility].Weights[0] = -2 * maxWeight
	if _, err := New(m); err == nil {
		t.Error("a weight of -20000 is taken")
	}
}

func BenchmarkValue(b *testing.B) {
	e := newEvaluator(b, Default())
	all := positions()
	i := 0
	for b.Loop() {
		e.Value(all[i])
		if i++; i == len(all) {
			i = 0
		}
	}
}
