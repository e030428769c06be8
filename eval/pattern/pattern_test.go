package pattern

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/eval"
	"kifu/games"
	"kifu/games/chess"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/games/shogi"
	"kifu/games/tictactoe"
	"kifu/kit/evaltest"
	"kifu/kit/gametest"
)

// rules are what the tests need of a game.
type rules[P games.Position[P]] interface {
	games.Rules[P]
	games.Drawer[P]
}

func plan[P games.Position[P]](t *testing.T, r rules[P], word string) *Plan {
	t.Helper()
	start, _, err := r.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(word)
	if !strings.Contains(word, "\n") {
		var known bool
		if text, known, err = Preset(word, r.Name(), "discs", r.Layout(start), r.Pieces()); err != nil || !known {
			t.Fatal(known, err)
		}
	}
	f, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(f, r.Name(), r.Layout(start), r.Pieces())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// random returns tables with random weights.
func random(t *testing.T, p *Plan) *Tables {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 4))
	w := make([]float64, p.Weights)
	for i := range w {
		w[i] = r.NormFloat64()
	}
	tables, _, err := p.NewTables(w)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// TestLinear: values are the weights times the counts, whatever was valued before, and exchanging
// the sides negates them.
func TestLinear(t *testing.T) {
	t.Run("othello", func(t *testing.T) { linear(t, othello.Rules{}, "logistello", nil) })
	t.Run("checkers", func(t *testing.T) { linear(t, draughts.Checkers, "scan", nil) })
	t.Run("international", func(t *testing.T) { linear(t, draughts.International, "scan:3", nil) })
	t.Run("tictactoe", func(t *testing.T) { linear(t, tictactoe.Rules{}, "tuples:3x4:7", nil) })
	t.Run("chess", func(t *testing.T) { linear(t, chess.Rules{}, "tuples:4x3:1", exchangeChess) })
	t.Run("shogi", func(t *testing.T) { linear(t, shogi.Rules{}, "tuples:4x2:1", nil) })
}

func linear[P games.Position[P]](t *testing.T, r rules[P], word string, flip func(P) P) {
	tables := random(t, plan(t, r, word))
	e, err := New[P](tables.Model(), r)
	if err != nil {
		t.Fatal(err)
	}
	start, _, _ := r.Start("", "")
	all := evaltest.RandomPlay(start, 5, 150, 3)
	evaltest.Linear(t, e, all)
	for i := len(all) - 1; i >= 0; i-- {
		fresh, _ := New[P](tables.Model(), r)
		if a, b := e.Value(all[i]), fresh.Value(all[i]); a != b {
			t.Fatalf("position %d: %d, by an evaluator that has seen no other %d", i, a, b)
		}
	}
	if flip != nil {
		evaltest.Antisymmetric(t, e, all, flip)
	}
}

// exchangeChess turns a board upside down and exchanges the colours, by the text.
func exchangeChess(p chess.Position) chess.Position {
	fields := strings.Fields(string(chess.Rules{}.AppendPosition(nil, p)))
	ranks := strings.Split(fields[0], "/")
	slices.Reverse(ranks)
	swap := func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		} else if r >= 'A' && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}
	side := "w"
	if fields[1] == "w" {
		side = "b"
	}
	text := strings.Map(swap, strings.Join(ranks, "/")) + " " + side + " - - 0 1"
	q, err := chess.Rules{}.ParsePosition(text)
	if err != nil {
		panic(err)
	}
	return q
}

// othelloText returns the board as 64 letters and the side to move.
func othelloText(p othello.Position) (string, byte) {
	text := string(othello.Rules{}.AppendPosition(nil, p))
	return text[:64], text[len(text)-1]
}

// TestSymmetric: with random weights a position of Othello and its eight images, made of their
// texts, have one value, and with the colours exchanged the opposite.
func TestSymmetric(t *testing.T) {
	tables := random(t, plan(t, othello.Rules{}, "logistello"))
	e, err := New[othello.Position](tables.Model(), othello.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	parse := func(cells string, side byte) othello.Position {
		q, err := othello.Rules{}.ParsePosition(cells + " " + string(side))
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	for _, p := range evaltest.RandomPlay(othello.Start(), 4, 60, 5) {
		text, side := othelloText(p)
		want := e.Value(p)
		for _, cells := range gametest.Images(text, 8) {
			if got := e.Value(parse(cells, side)); got != want {
				t.Fatalf("%s %c has the value %d, its image %s %d", text, side, want, cells, got)
			}
		}
		swapped := strings.NewReplacer("X", "O", "O", "X").Replace(text + string(side))
		if got := e.Value(parse(swapped[:64], swapped[64])); got != -want {
			t.Fatalf("%s %c has the value %d, with the colours exchanged %d", text, side, want, got)
		}
	}
}

// TestLogistello holds the preset to what Buro describes: 46 places, and the classes of entries
// that remain of 3^n by the pattern's own reflection, (3^n + 3^fixed)/2.
func TestLogistello(t *testing.T) {
	p := plan(t, othello.Rules{}, "logistello")
	want := map[string][2]int{ // places, classes
		"corner_3x3": {4, (19683 + 729) / 2}, "corner_2x5": {8, 59049}, "edge_2x": {4, (59049 + 243) / 2},
		"row_2": {4, (6561 + 81) / 2}, "row_3": {4, (6561 + 81) / 2}, "row_4": {4, (6561 + 81) / 2},
		"diagonal_8": {2, (6561 + 81) / 2}, "diagonal_7": {4, (2187 + 81) / 2}, "diagonal_6": {4, (729 + 27) / 2},
		"diagonal_5": {4, (243 + 27) / 2}, "diagonal_4": {4, (81 + 9) / 2}, "turn": {1, 1},
	}
	places := 0
	for _, of := range p.tables {
		if got := [2]int{of.Places, of.Classes}; got != want[of.Name] {
			t.Errorf("%s has places and classes %v, want %v", of.Name, got, want[of.Name])
		}
		if of.Name != "turn" {
			places += of.Places
		}
	}
	if places != 46 || len(p.tables) != len(want) {
		t.Errorf("%d places of %d patterns, want 46 and %d", places, len(p.tables), len(want))
	}
}

// TestEntries: the entries of a small plan are those read off the board by eye.
func TestEntries(t *testing.T) {
	p := plan(t, tictactoe.Rules{}, `game = "tictactoe"
name = "n"
unit = "lines"
phases = [0, 2]
[[pattern]]
name = "row"
squares = ["a1 b1 c1", "a2 b2 c2"]
symmetries = "none"
[[pattern]]
name = "corner"
squares = "a3"
symmetries = "none"
both = true
`)
	pos := tictactoe.Position{}
	for _, text := range []string{"b1", "c1", "a3"} { // X, O, X; O is to move
		m, err := tictactoe.Rules{}.ParseMove(pos, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		pos = pos.Play(m)
	}
	e, err := NewIndexer[tictactoe.Position](p, tictactoe.Rules{}).Of(nil, nil, pos)
	if err != nil {
		t.Fatal(err)
	}
	// Own is 1, the other's 2; the first square counts 1, the next 3, then 9. Phase 1 follows 27
	// entries of the first, and the corner's weights the 54 of the rows.
	if got, want := fmt.Sprint(e), fmt.Sprint(Entries{At: []uint32{27 + 2*3 + 1*9, 27, 54 + 3 + 2, 54 + 3 + 1}, X: []float32{1, 1, 1, -1}, ToMove: games.Second, Pieces: 3}); got != want {
		t.Errorf("entries %s, want %s", got, want)
	}
}

// TestFile: weights come back, and are refused when they are damaged or of other patterns.
func TestFile(t *testing.T) {
	p := plan(t, othello.Rules{}, "tuples:5x4:3")
	tables := random(t, p)
	data, err := tables.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.Decode(data)
	if err != nil || again.Checksum() != tables.Checksum() || !slices.Equal(again.weights, tables.weights) {
		t.Fatalf("weights are not those that were written: %v", err)
	}
	if same, err := again.Encode(); err != nil || !bytes.Equal(same, data) || again.file == nil {
		t.Errorf("a file that was read is not written as it was: %v", err)
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 0x41
		got, err := p.Decode(bad)
		if err == nil && got.Checksum() != tables.Checksum() {
			t.Errorf("byte %d of %d is damaged, and other weights are read", i, len(data))
		}
		if err != nil {
			continue
		}
		if text, err := got.Encode(); err != nil || !bytes.Equal(text, data) {
			t.Errorf("byte %d of %d is damaged, and is handed on", i, len(data))
		}
	}
	if _, err := p.Decode(append(bytes.Clone(data), 0)); err == nil {
		t.Error("a byte more is read as weights")
	}
	for n := range len(data) {
		if _, err := p.Decode(data[:n]); err == nil {
			t.Errorf("%d of %d bytes are read as weights", n, len(data))
		}
	}
	other := plan(t, othello.Rules{}, "tuples:5x4:4")
	if _, err := other.Decode(data); err == nil || !strings.Contains(err.Error(), "do not fit") {
		t.Errorf("weights of other patterns: %v", err)
	}
	if _, err := plan(t, tictactoe.Rules{}, "tuples:5x4:3").Decode(data); err == nil || !strings.Contains(err.Error(), "weights of othello") {
		t.Errorf("weights of another game: %v", err)
	}
	if _, err := New[othello.Position](&eval.Model{Tables: eval.Elsewhere("sha256:1")}, othello.Rules{}); err == nil {
		t.Error("an evaluator without its tables")
	}
}

// TestShipped: the bundled tables are whole, below 2 MB, and tell who is ahead.
func TestShipped(t *testing.T) {
	text, weights, ok := ReadShipped("othello")
	if !ok || len(weights) > 2<<20 {
		t.Fatalf("tables of othello: there %t, %d bytes", ok, len(weights))
	}
	tables, err := Read(text, weights, "othello", othello.Rules{}.Layout(othello.Start()), othello.Rules{}.Pieces())
	if err != nil {
		t.Fatal(err)
	}
	e, err := New[othello.Position](tables.Model(), othello.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	right, n := 0, 0
	for _, p := range evaltest.RandomPlay(othello.Start(), 200, 70, 8) {
		if o := p.Outcome(); o == games.FirstWins || o == games.SecondWins {
			if n++; e.Value(p) > 0 == (o == games.FirstWins) {
				right++
			}
		}
	}
	if right*10 < n*9 {
		t.Errorf("%d of %d ends of games have the sign of their winner", right, n)
	}
	if _, _, ok := ReadShipped("chess"); ok {
		t.Error("tables of chess are bundled")
	}
}

// TestRefusals: errors of pattern files name the line and what is wrong.
func TestRefusals(t *testing.T) {
	const head = "game = \"othello\"\nname = \"n\"\nunit = \"discs\"\n"
	layout, pieces := othello.Rules{}.Layout(othello.Start()), othello.Rules{}.Pieces()
	for text, want := range map[string]string{
		head + "[[pattern]]\nname = \"p\"\nsquares = \"a1 b1 a1\"\n":              "line 4: pattern p: square a1 occurs twice",
		head + "[[pattern]]\nname = \"p\"\nsquares = \"a1 i9\"\n":                 `no square "i9"`,
		head + "[[pattern]]\nname = \"p\"\nsquares = [\"a1 a2\", \"b1\"]\n":       "cannot share a table",
		head + "[[pattern]]\nname = \"p\"\n":                                      "pattern p has no squares",
		head + "[[pattern]]\nsquares = \"a1\"\n":                                  "no name",
		head:                                                                      "needs a [[pattern]]",
		head + "stages = 3\n":                                                     `line 4: unknown key "stages"`,
		head + "[[pattern]]\nname = \"p\"\nsquare = \"a1\"\n":                     `line 6: unknown key "square"`,
		head + "[[pattern]]\nname = \"p\"\nsquares = \"a1\"\nkinds = [\"man\"]\n": `no kind of pieces "man": there are disc`,
		head + "[[pattern]]\nname = \"p\"\nsquares = \"a1\"\n[[pattern]]\nname = \"p\"\nsquares = \"b1\"\n": "pattern p occurs twice",
		head + "[[pattern]]\nname = \"p\"\nsquares = \"a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2\"\n": "a table has at most",
		head + "phases = [10, 5]\n[[pattern]]\nname = \"p\"\nsquares = \"a1\"\n":                            "line 4: phases: ",
		head + "grain = 0.001\n[[pattern]]\nname = \"p\"\nsquares = \"a1\"\n":                               "a multiple of 0.01",
		strings.Replace(head, "othello", "chess", 1) + "[[pattern]]\nname = \"p\"\nsquares = \"a1\"\n":      "a pattern file of chess, not of othello",
	} {
		f, err := Parse([]byte(text))
		if err == nil {
			_, err = NewPlan(f, "othello", layout, pieces)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
