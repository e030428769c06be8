package board_test

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kifu/games/board"
)

func parse(t *testing.T, g board.Game, text string) *board.Pattern {
	t.Helper()
	p, err := board.ParsePattern(g, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func position(t *testing.T, g board.Game, text string) board.Board {
	t.Helper()
	b, err := g.Start("", text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func match(b board.Board, p *board.Pattern) bool {
	return p.Match(b.AppendCells(nil), b.Layout().Columns)
}

var chessGame, goGame, shogiGame = all[0], all[6], all[7]

// TestPattern: what patterns of the whole board and parts of it match.
func TestPattern(t *testing.T) {
	const italian = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
	for _, c := range []struct {
		game          board.Game
		text, pattern string
		want          bool
	}{
		{chessGame, italian, "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R", true},
		{chessGame, italian, "*/*/*/*/??B*/*/*/*", true},
		{chessGame, italian, "*/*/*/*/?B*/*/*/*", false},
		{chessGame, italian, "PPPP", true},
		{chessGame, italian, "PPPPP", false},
		{chessGame, italian, "R#/##", true},
		{chessGame, italian, "R#/?#", false},
		{chessGame, italian, "?R#/###", true},
		{chessGame, italian, "#R./###", false},
		{chessGame, italian, "#RN/###", true},
		{chessGame, italian, "b[.p]p/B[^p]P", true},
		{chessGame, italian, "b?p/B.p", false},
		{chessGame, italian, "aa/aa", true},
		{chessGame, italian, "*/*/*/*/*/AAAAAAAA/*/*", false},
		{shogiGame, "9/4+P4/9/9/9/9/9/9/K7k b - 1", "?????/??+P??", true},
		{shogiGame, "9/4+P4/9/9/9/9/9/9/K7k b - 1", "..P", false},
		{goGame, "9/2X6/9/9/9/9/6O2/9/9 b", "####/#.../#.../#..X", false},
		{goGame, "9/2X6/9/9/9/9/6O2/9/9 b", "####/#.../#..X", true},
		{goGame, "9/2X6/9/9/9/9/6O2/9/9 b", "?????????/..X*/*/*/*/*/*/*/*", true},
		{goGame, "9/2X6/9/9/9/9/6O2/9/9 b", "?????????/.X*/*/*/*/*/*/*/*", false},
		{goGame, "9/2X6/9/9/9/9/6O2/9/9 b", "*/..X*/*/*/*/*/*/*/*", false}, // 19 points wide
	} {
		if got := match(position(t, c.game, c.text), parse(t, c.game, c.pattern)); got != c.want {
			t.Errorf("%s on %s: %v", c.pattern, c.text, got)
		}
	}
}

// TestPatternSeesWhatRegexpSees: a row of a pattern finds the rows that a regular expression
// finds in the board's letters.
func TestPatternSeesWhatRegexpSees(t *testing.T) {
	found := 0
	for pattern, expression := range map[string]string{
		"P.p":         `P\.p`,
		"[Nn]?[^.]":   `[Nn].[^.]`,
		"A2a":         `[A-Z]\.\.[a-z]`,
		"#[.p]p?#":    `^$`, // no row has three cells
		"#????[Rr]..": `^....[Rr]\.\.`,
	} {
		p, re := parse(t, chessGame, pattern), regexp.MustCompile(expression)
		random(t, chessGame, "", 150, func(b board.Board, _ board.Move) {
			letters, want := cellsOf(chessGame, b), false
			for row := range 8 {
				want = want || re.MatchString(letters[8*row:8*row+8])
			}
			if match(b, p) != want {
				t.Fatalf("%s on %s: %v", pattern, b.AppendText(nil), !want)
			}
			if want {
				found++
			}
		})
	}
	if found < 20 {
		t.Errorf("only %d matches: the test tells little", found)
	}
}

// TestEverywhere: a rectangle of a board is found on the board turned, mirrored and with the
// stones exchanged.
func TestEverywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	b := random(t, goGame, "9x9", 50, func(board.Board, board.Move) {})
	rows := strings.Split(strings.Fields(string(b.AppendText(nil)))[0], "/")
	for i, row := range rows {
		rows[i] = ""
		for _, c := range row {
			if c >= '1' && c <= '9' {
				rows[i] += strings.Repeat(".", int(c-'0'))
			} else {
				rows[i] += string(c)
			}
		}
	}
	for range 50 {
		left, top, width, height := r.IntN(4), r.IntN(4), 3+r.IntN(3), 3+r.IntN(3)
		var cut []string
		for _, row := range rows[top : top+height] {
			cut = append(cut, row[left:left+width])
		}
		turned := make([]string, width)
		for column := range width {
			for row := range height {
				turned[column] += cut[height-1-row][column : column+1]
			}
		}
		slices.Reverse(turned) // mirrored as well
		exchanged := strings.NewReplacer("X", "O", "O", "X").Replace(strings.Join(turned, "/"))
		p := parse(t, goGame, exchanged)
		if !match(b, p.Everywhere(goGame)) {
			t.Fatalf("%s is not found on %s", exchanged, b.AppendText(nil))
		}
	}
	// In chess the sides change places across the board, and left stays left.
	p := parse(t, chessGame, "*/*/*/*/*/??N*/*/*").Everywhere(chessGame)
	for text, want := range map[string]bool{"4k3/8/2n5/8/8/8/8/4K3 w - - 0 1": true, "4k3/8/5n2/8/8/8/8/4K3 w - - 0 1": false} {
		if match(position(t, chessGame, text), p) != want {
			t.Errorf("a knight of either side on %s: %v", text, !want)
		}
	}
}

// TestPatternsOverEdges: patterns with cells beside the board are found where one that slides over a board with
// a frame of such cells finds them.
func TestPatternsOverEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	b := random(t, goGame, "9x9", 60, func(board.Board, board.Move) {})
	const size, framed = 9, 11
	frame := bytes.Repeat([]byte("#"), framed*framed)
	for i, c := range b.AppendCells(nil) {
		frame[(i/size+1)*framed+i%size+1] = ".XO"[c]
	}
	finds := func(columns, rows int, cells []string) bool {
		for top := range max(0, framed-rows+1) {
		next:
			for left := range max(0, framed-columns+1) {
				for i, c := range cells {
					at := frame[(top+i/columns)*framed+left+i%columns]
					if !strings.ContainsRune(c, rune(at)) && (c != "?" || at == '#') {
						continue next
					}
				}
				return true
			}
		}
		return false
	}
	found := map[bool]int{}
	for n := range 20_000 {
		columns, rows := 1+r.IntN(4), 1+r.IntN(4)
		if n%10 == 0 { // as large as the frame, or larger
			columns, rows = framed-1+r.IntN(3), 1+r.IntN(2)
		}
		cells := make([]string, columns*rows)
		var text strings.Builder
		for i := range cells {
			cells[i] = []string{"?", "X", "O", ".", "[#X]", "#", "?"}[r.IntN(7)]
			if edge := i%columns == 0 || i < columns; n%2 == 0 && edge {
				cells[i] = "#"
			}
			if i > 0 && i%columns == 0 {
				text.WriteByte('/')
			}
			text.WriteString(cells[i])
		}
		want := finds(columns, rows, cells)
		found[want]++
		if match(b, parse(t, goGame, text.String())) != want {
			t.Fatalf("%s on %s: %v", &text, b.AppendText(nil), !want)
		}
	}
	if min(found[true], found[false]) < 2000 {
		t.Errorf("found and not found %v: the test tells little", found)
	}
}

// TestMaterial: letters count pieces, in any order, in hand as on the board.
func TestMaterial(t *testing.T) {
	for _, c := range []struct {
		game       board.Game
		text, want string
	}{
		{chessGame, "4k3/4r3/8/8/8/4P3/4R3/4K3 w - - 0 1", "KRPkr"},
		{shogiGame, "9/4+P4/9/9/9/9/9/9/K7k b 2Pr 1", "+PKPPkr"},
	} {
		b := position(t, c.game, c.text)
		if got := board.MaterialOf(b).Text(c.game); got != c.want {
			t.Errorf("%s has %s, want %s", c.text, got, c.want)
		}
		want, err := board.ParseMaterial(c.game, c.want)
		if err != nil || want != board.MaterialOf(b) {
			t.Errorf("%s is read as another material: %v", c.want, err)
		}
	}
}

// TestPatternErrors: what is wrong is named, with the row.
func TestPatternErrors(t *testing.T) {
	for pattern, want := range map[string]string{
		" ":      "an empty pattern",
		"PP/P":   "row 2 has 1 cells, another 2; * at its end fills it",
		"P/x":    `row 2: no piece 'x'`,
		"[PN":    "[ without ]",
		"P*P":    "after *",
		"[P*]":   `no piece '*'`,
		"????/?": "row 2",
	} {
		if _, err := board.ParsePattern(chessGame, pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", pattern, err, want)
		}
	}
	if _, err := board.ParseMaterial(chessGame, "KR?"); err == nil || !strings.Contains(err.Error(), `"?" is no piece`) {
		t.Error(err)
	}
}

// FuzzPattern: no pattern breaks the match, and forms of a pattern match what it matches.
func FuzzPattern(f *testing.F) {
	f.Add("#[Nn^]/?3/*")
	b, err := chessGame.Start("", "")
	if err != nil {
		f.Fatal(err)
	}
	cells := b.AppendCells(nil)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := board.ParsePattern(chessGame, text)
		if err != nil || len(text) > 200 {
			return
		}
		if p.Match(cells, 8) && !p.Everywhere(chessGame).Match(cells, 8) {
			t.Fatalf("%q matches, and not with its mirror images", text)
		}
	})
}
