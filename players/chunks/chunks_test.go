package chunks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/chess"
	"kifu/games/draughts"
	"kifu/games/weiqi"
)

// written returns for each window with a piece that m has placed what stands there after it, by
// cells alone: an oracle for the sums of hashes.
func written[P games.Position[P]](d games.Drawer[P], p P, m games.Move) (all []string) {
	l, side := d.Layout(p), p.ToMove()
	own := func(at P) []uint8 {
		cells := d.AppendCells(nil, at)
		for i, c := range cells {
			if c == 0 || d.Pieces()[c].Side != side {
				cells[i] = 0
			}
		}
		return cells
	}
	before, after := own(p), own(p.Play(m))
	squares := [][3]int{{max(l.Rows, l.Columns), 0, 0}}
	for _, n := range []int{3, 4, 5} {
		for r := 0; r+n <= l.Rows; r++ {
			for c := 0; c+n <= l.Columns; c++ {
				squares = append(squares, [3]int{n, r, c})
			}
		}
	}
	for _, s := range squares {
		text, n, placed := fmt.Sprintf("%v:", s), 0, false
		for r := s[1]; r < min(s[1]+s[0], l.Rows); r++ {
			for c := s[2]; c < min(s[2]+s[0], l.Columns); c++ {
				if i := r*l.Columns + c; after[i] != 0 {
					text, n, placed = text+fmt.Sprintf(" %d@%d", after[i], i), n+1, placed || before[i] != after[i]
				}
			}
		}
		if n >= 3 && placed {
			all = append(all, text)
		}
	}
	return all
}

// walk plays random games and compares: keys are equal exactly when side and contents are.
func walk[P games.Position[P]](t *testing.T, rules games.Rules[P], variant string, plies int) {
	t.Helper()
	d := any(rules).(games.Drawer[P])
	w := newWatcher(d)
	rng := rand.New(rand.NewPCG(1990, 11))
	texts, keys := map[uint64]string{}, map[string]uint64{}
	for range 2 {
		p, _, err := rules.Start(variant, "")
		if err != nil {
			t.Fatal(err)
		}
		for range plies {
			legal := p.AppendMoves(nil)
			if len(legal) == 0 {
				break
			}
			f := w.begin(p)
			for _, m := range legal[:min(len(legal), 4)] {
				want := written(d, p, m)
				got := w.completed(f, p, m)
				if len(got) != len(want) {
					t.Fatalf("%d chunks, want %d", len(got), len(want))
				}
				var pieces, counted []int
				for _, c := range got {
					pieces = append(pieces, int(c.pieces))
				}
				for _, text := range want {
					counted = append(counted, strings.Count(text, "@"))
				}
				slices.Sort(pieces)
				slices.Sort(counted)
				if !slices.Equal(pieces, counted) {
					t.Fatalf("chunks of %v pieces, want %v", pieces, counted)
				}
				for i, c := range order(w, f, got) {
					text := fmt.Sprint(p.ToMove(), order2(want)[i])
					if old, ok := texts[c.key]; ok && old != text {
						t.Fatalf("%q and %q have one key", old, text)
					}
					if old, ok := keys[text]; ok && old != c.key {
						t.Fatalf("%q has two keys", text)
					}
					texts[c.key], keys[text] = text, c.key
				}
			}
			p = p.Play(legal[rng.IntN(len(legal))])
		}
	}
}

// order sorts chunks by width, row and column of their windows, order2 the texts likewise.
func order[P games.Position[P]](w *watcher[P], f *frame, found []chunk) []chunk {
	found = slices.Clone(found)
	name := func(c chunk) string {
		x := f.windows[c.window]
		return fmt.Sprintf("[%02d %02d %02d]", max(x.rows, x.columns), x.row, x.column)
	}
	slices.SortFunc(found, func(a, b chunk) int { return strings.Compare(name(a), name(b)) })
	return found
}

func order2(texts []string) []string {
	texts = slices.Clone(texts)
	name := func(text string) string {
		var n, r, c int
		fmt.Sscanf(text, "[%d %d %d]", &n, &r, &c)
		return fmt.Sprintf("[%02d %02d %02d]", n, r, c)
	}
	slices.SortFunc(texts, func(a, b string) int { return strings.Compare(name(a), name(b)) })
	return texts
}

func TestCompletedEqualsCells(t *testing.T) {
	walk(t, chess.Rules{}, "", 16)
	walk(t, draughts.Checkers, "", 30)
	walk(t, weiqi.Rules{}, "9", 16)
}

// TestRate: the rate of a move is that of its chunks from the smallest to the largest, by hand.
func TestRate(t *testing.T) {
	m := &modeler[draughts.Position]{decisions: 10, legal: 80, chunks: map[uint64]*known{
		1: {played: 4, available: 8, pieces: 3}, 2: {played: 2, available: 2, pieces: 6}}}
	var q question[draughts.Position]
	m.judge(&q, []chunk{{key: 2}, {key: 9}, {key: 1}})
	m.judge(&q, []chunk{{key: 9}})
	small := (4 + 1.0/8) / 9
	if want := (2 + small) / 3; math.Abs(q.rate[0]-want) > 1e-15 || q.rate[1] != 1.0/8 {
		t.Errorf("%v, want %v and 0.125", q.rate, want)
	}
	if !slices.Equal(q.largest, []int32{6, 0}) || !slices.Equal(q.games, []int32{2, 0}) {
		t.Errorf("largest %v of %v games", q.largest, q.games)
	}
}

func TestFirst(t *testing.T) {
	values := []float64{1, 3, 3, 2}
	value := func(i int) float64 { return values[i] }
	for chosen, want := range []float64{0, 0.5, 0.5, 0} {
		if a := first(chosen, 4, value, true); a.right != want {
			t.Errorf("move %d: %v, want %v", chosen, a.right, want)
		}
	}
	if a := first(1, 4, value, false); a.says || a.right != 0 {
		t.Errorf("it says nothing: %+v", a)
	}
}

// TestListOrder: of chunks that read alike always the same one is listed, that which could return
// most often.
func TestListOrder(t *testing.T) {
	for range 50 {
		found := map[uint64]*known{}
		for i := range int32(6) {
			found[uint64(i)] = &known{pieces: 3, played: 7, available: 40 + i, text: "White: Pd4 Pe4 Nf3"}
		}
		found[9] = &known{pieces: 3, played: 7, available: 50, text: "White: Pd4 Nc3 Nf3"}
		var r Results
		r.list(found)
		if want := []Chunk{{3, 7, 50, "White: Pd4 Nc3 Nf3"}, {3, 7, 45, "White: Pd4 Pe4 Nf3"}}; !slices.Equal(r.Longest, want) {
			t.Fatalf("%v, want %v", r.Longest, want)
		}
	}
}
