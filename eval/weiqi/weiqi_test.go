package weiqi

import (
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/eval"
	"kifu/games/weiqi"
	"kifu/kit/evaltest"
	"kifu/kit/gametest"
)

func newEvaluator(t testing.TB, m *eval.Model) eval.Evaluator[weiqi.Position] {
	t.Helper()
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// positions returns positions of random games on boards of several sizes.
func positions() (all []weiqi.Position) {
	for size, plies := range map[int]int{2: 30, 5: 60, 9: 120} {
		all = append(all, evaltest.RandomPlay(weiqi.New(size, weiqi.Ing, 0), 5, plies, int64(size))...)
	}
	for i, p := range evaltest.RandomPlay(weiqi.New(19, weiqi.Unnamed, 650), 3, 330, 19) {
		if i%10 == 0 {
			all = append(all, p)
		}
	}
	return all
}

func read(t testing.TB, text string) weiqi.Position {
	t.Helper()
	p, err := weiqi.Rules{}.ParsePosition(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p
}

func text(p weiqi.Position) string { return string(weiqi.Rules{}.AppendPosition(nil, p)) }

// evaluators returns one with the default weights and some with random ones.
func evaluators(t *testing.T) []eval.Evaluator[weiqi.Position] {
	all := []eval.Evaluator[weiqi.Position]{newEvaluator(t, Default())}
	for seed := range int64(2) {
		all = append(all, newEvaluator(t, evaltest.Randomized(Default(), 20, seed)))
	}
	return all
}

func TestLinear(t *testing.T) {
	for _, e := range evaluators(t) {
		evaltest.Linear(t, e, positions())
	}
}

func TestAntisymmetric(t *testing.T) {
	stones := strings.NewReplacer("X", "O", "O", "X")
	sides := strings.NewReplacer("b", "w", "w", "b")
	flip := func(p weiqi.Position) weiqi.Position {
		f := strings.Fields(text(p))
		return read(t, stones.Replace(f[0])+" "+sides.Replace(f[1])+" "+strings.Join(f[2:], " "))
	}
	for _, e := range evaluators(t) {
		evaltest.Antisymmetric(t, e, positions(), flip)
	}
}

// Rotating and reflecting the board changes no count.
func TestBoardSymmetry(t *testing.T) {
	e := newEvaluator(t, Default())
	for _, p := range positions() {
		want, _ := e.Trace(p, nil)
		size := p.Size()
		black, white := p.Stones(weiqi.Black), p.Stones(weiqi.White)
		for k := range 8 {
			var rows []string
			for y := range size {
				row := ""
				for x := range size {
					turned := gametest.Turn(y*size+x, size, k)
					switch at := weiqi.PointAt(turned%size, turned/size); {
					case black.Has(at):
						row += "X"
					case white.Has(at):
						row += "O"
					default:
						row += "."
					}
				}
				rows = append(rows, row)
			}
			image := read(t, strings.Join(rows, "/")+" "+"bw"[p.ToMove():][:1])
			if got, _ := e.Trace(image, nil); !slices.Equal(got, want) {
				t.Fatalf("%s has features %v, its image %s %v", text(p), want, text(image), got)
			}
		}
	}
}

// Every term of the model fires somewhere, or it could not be fitted.
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
}

// TestTerms counts terms in positions where they can be counted by hand.
func TestTerms(t *testing.T) {
	const walls, wallsBelow = "4XO3/4XO3/4XO3/4XO3/", "/4XO3/4XO3/4XO3/4XO3"
	e := newEvaluator(t, Default())
	for _, c := range []struct{ position, want string }{
		{"9/9/9/9/9/9/9/9/9 b", "stones=0 to_move=1 influence=0 enclosed=0"},
		{"9/9/9/9/4X4/9/9/9/9 w", "stones=1 to_move=-1 influence=57 liberties=0 chains=0 nearer=0 territory=0 enclosed=0"},
		{"9/9/9/9/4X4/9/9/9/8O w", "stones=0 liberties=2 chains=0 stones_line_1=-1 territory=0 enclosed=0"},
		{"X8/9/9/9/9/9/9/8O/9 b", "stones=0 stones_line_1=0 liberties=-1 stones_two_liberties=1 stones_three_liberties=-1"},
		{"9/1X7/2X6/3X5/9/9/9/9/8O b", "stones_line_1=-1 stones_line_2=1 stones_line_3=1 stones_line_4=1 chains=2 groups=0"},
		{"OX7/9/9/9/9/9/9/9/9 b", "stones_capturable=-1 stones_atari=0"},
		{"OX7/9/9/9/9/9/9/9/9 w", "stones_capturable=0 stones_atari=-1"},
		{".X.X5/XXXX5/9/9/9/9/9/9/8O b", "eyes=2 false_eyes=0 stones_two_eyed=6 groups=0 enclosed=2"},
		{".X.O5/XOXO5/1O1O5/9/9/9/9/9/9 b", "eyes=0 false_eyes=1 enclosed=1"},
		{".XO6/XO7/O8/9/9/9/9/9/9 b", "eyes=0 false_eyes=1"},
		{"9/3X5/2X.X4/3X5/9/9/9/9/8O b", "eyes=1 false_eyes=0 chains=3 groups=0 lone_stones=-1 enclosed=1"},
		{"9/2OXO4/2X.X4/3X5/9/9/9/9/9 b", "eyes=0 false_eyes=1 chains=2"},
		// Two eyes, one of them with a stone of the other side in it; one; two that are one.
		{".X.X5/XXXX5/9/9/9/9/9/9/8O b", "area_alive=8"},
		{".OX.X4/XXXXX4/9/9/9/9/9/9/9 b", "area_alive=10"},
		{".X7/XX7/9/9/9/9/9/9/8O b", "area_alive=0"},
		{"..X6/XXX6/9/9/9/9/9/9/8O b", "area_alive=0"},
		// A chain with one eye beside one with another; two that share their two eyes.
		{".X.X.4/XX.XX4/3X5/XXXX5/9/9/9/9/8O b", "area_alive=0"},
		{".X.O.4/X1XOO4/XXXO5/9/9/9/9/9/9 b", "area_alive=8"},
		// The first eye is also that of a stone which has no other.
		{"X.X.X4/OXXXX4/O8/9/9/9/9/9/9 b", "area_alive=0"},
		// A stone within the other side's wall, and who is to move.
		{walls + "O3XO3" + wallsBelow + " b", "dead=-1 dead_to_move=0 stones_room_5=-1"},
		{walls + "O3XO3" + wallsBelow + " w", "dead=0 dead_to_move=-1"},
		{walls + "4XO3" + wallsBelow + " b", "dead=0 nearer=9 cleared_moyo=9 cleared_territory=9"},
		{"X8/9/9/9/9/9/9/9/8O b", "nearer=0"},
		// The corner has 10 points; 5 are as near to both, and 8 behind these, though no nearer
		// to White, are reached by him alone.
		{"X8/9/9/9/4O4/9/9/9/9 b", "nearer=-56"},
		{"9/2X6/9/2X6/2O6/2O6/9/9/9 b", "groups=0 chains=1 stones=0 lone_stones=0"},
	} {
		p := read(t, c.position)
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
				t.Errorf("%s: %s %d times, want %s", c.position, name, counts[name], number)
			}
		}
	}
}

// TestAlone: stones of one side alone are worth something to it, wherever they are and whoever
// moves. Boards of less than five lines are left out: a stone or two fill a fifth of them, and have
// the weights of a game half played.
func TestAlone(t *testing.T) {
	e := newEvaluator(t, Default())
	r := rand.New(rand.NewSource(1))
	for range 5_000 {
		size := 5 + r.Intn(15)
		points := make([]byte, size*size)
		stone, sign := byte('X'), int32(1)
		if r.Intn(2) == 1 {
			stone, sign = 'O', -1
		}
		for i := range points {
			points[i] = '.'
		}
		for _, at := range r.Perm(len(points))[:1+r.Intn(1+r.Intn(len(points)-1))] {
			points[at] = stone
		}
		var rows []string
		for y := range size {
			rows = append(rows, string(points[y*size:(y+1)*size]))
		}
		p := read(t, strings.Join(rows, "/")+" "+"bw"[r.Intn(2):][:1])
		if v := e.Value(p) * sign; v <= 0 {
			t.Errorf("%s: %d", text(p), v)
		}
	}
}

// Between two knots the weights are interpolated, outside they are constant.
func TestPhase(t *testing.T) {
	m := blank()
	m.Terms[stones].Weights = []float64{1, 2, 4, 8}
	e := newEvaluator(t, m)
	for n, want := range map[int]int32{0: 0, 10: 10 * 150, 20: 20 * 200, 25: 25 * 250, 60: 60 * 800, 80: 80 * 800} {
		board := strings.Repeat("X", n) + strings.Repeat(".", 100-n)
		var rows []string
		for i := range 10 {
			rows = append(rows, board[10*i:10*i+10])
		}
		if got := e.Value(read(t, strings.Join(rows, "/")+" b")); got != want {
			t.Errorf("%d stones of a hundred points are worth %d, want %d", n, got, want)
		}
	}
	m.Terms[eyes].Weights[0] = -2 * maxWeight
	if _, err := New(m); err == nil {
		t.Error("a weight of -4000 is taken")
	}
}

func BenchmarkValue(b *testing.B) {
	e := newEvaluator(b, Default())
	all := evaltest.RandomPlay(weiqi.New(19, weiqi.Unnamed, 0), 2, 300, 1)
	i := 0
	for b.Loop() {
		e.Value(all[i])
		if i++; i == len(all) {
			i = 0
		}
	}
}
