package board_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/games/shogi"
	"kifu/games/tictactoe"
	"kifu/games/weiqi"
	"kifu/kit/golden"
)

var all = []board.Game{
	board.Of(chess.Rules{}), board.Of(draughts.Checkers), board.Of(draughts.International), board.Of(draughts.Russian),
	board.Of(draughts.Giveaway), board.Of(othello.Rules{}), board.Of(weiqi.Rules{}), board.Of(shogi.Rules{}), board.Of(tictactoe.Rules{}),
}

// random plays n moves at random and calls visit with each move.
func random(t *testing.T, g board.Game, variant string, n int, visit func(b board.Board, m board.Move)) board.Board {
	t.Helper()
	b, err := g.Start(variant, "")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(17, uint64(n)))
	for range n {
		moves := b.Moves()
		if len(moves) == 0 {
			return b
		}
		m := moves[r.IntN(len(moves))]
		visit(b, m)
		b = m.Play()
	}
	return b
}

// TestEndings: the side with the king is ahead, whichever side moves first, and its pieces come first.
func TestEndings(t *testing.T) {
	for _, c := range []struct {
		g         board.Game
		fen, text string
		side      games.Side
	}{
		{board.Of(draughts.Checkers), "B:WK1,21:B12,16,20", "Wwb", games.Second},
		{board.Of(draughts.Checkers), "W:W21,22,23:BK1,12", "Wwb", games.First},
		{board.Of(draughts.International), "W:WK1,21:B12,16,20", "Wwb", games.First},
		{board.Of(draughts.International), "B:W41,42,43:BK1,12", "Wwb", games.Second},
		{board.Of(chess.Rules{}), "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", "KRPk", games.First},
		{board.Of(chess.Rules{}), "r3k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "KRPk", games.Second},
	} {
		b, err := c.g.Start("", c.fen)
		if err != nil {
			t.Fatal(err)
		}
		m := board.MaterialOf(b)
		if text, side, even := m.Ending(c.g); text != c.text || side != c.side || even {
			t.Errorf("%s, %s: %s, %v ahead, even %v; want %s, %v", c.g.Name(), c.fen, text, side, even, c.text, c.side)
		}
	}
}

// TestDropsAndPromotions compares both with what coordinates show, and in draughts with the kings before and after.
func TestDropsAndPromotions(t *testing.T) {
	for _, g := range all {
		drops, promotions := 0, 0
		for n := range 6 {
			random(t, g, "", 200+n, func(b board.Board, m board.Move) {
				text := string(m.AppendCoordinates(nil))
				drop, promotes := strings.Contains(text, "*"), strings.HasSuffix(text, "+") || g.Name() == "chess" && len(text) == 5
				if pieces := g.Pieces(); len(pieces) == 5 { // draughts
					kings := func(b board.Board) (count [2]int) {
						for _, piece := range b.AppendCells(nil) {
							if piece == 2 || piece == 4 {
								count[pieces[piece].Side]++
							}
						}
						return count
					}
					promotes = kings(m.Play())[b.ToMove()] > kings(b)[b.ToMove()]
				}
				if m.Drops() != drop || m.Promotes() != promotes {
					t.Fatalf("%s, %s: drops %v, promotes %v", g.Name(), text, m.Drops(), m.Promotes())
				}
				if drop {
					drops++
				}
				if promotes {
					promotions++
				}
			})
		}
		if g.Name() == "shogi" && (drops < 20 || promotions < 20) || g.Name() == "checkers" && promotions < 5 || g.Name() == "chess" && promotions < 3 {
			t.Errorf("%s: %d drops and %d promotions", g.Name(), drops, promotions)
		}
	}
}

// TestCellsAgreeWithTexts: the letters of the cells are those of the position's text, which
// each game's own tests hold against what others write.
func TestCellsAgreeWithTexts(t *testing.T) {
	for _, g := range all {
		random(t, g, "", 120, func(b board.Board, _ board.Move) {
			text := string(b.AppendText(nil))
			if got, want := cellsOf(g, b), expand(g, b, text); got != want {
				t.Fatalf("%s: the cells of %s are\n%s, want\n%s", g.Name(), text, got, want)
			}
		})
	}
}

func cellsOf(g board.Game, b board.Board) string {
	var out strings.Builder
	for _, piece := range b.AppendCells(nil) {
		if piece == 0 {
			out.WriteString(".")
		}
		out.WriteString(g.Pieces()[piece].Letter)
	}
	return out.String()
}

// expand writes the board of a position's text as cellsOf does.
func expand(g board.Game, b board.Board, text string) string {
	first, _, _ := strings.Cut(text, " ")
	if !strings.ContainsAny(first, "/") { // Othello, or draughts
		if !strings.Contains(first, ":") {
			return strings.ReplaceAll(first, "-", ".")
		}
		return expandSquares(b.Layout(), first)
	}
	var out strings.Builder
	for i := 0; i < len(first); i++ {
		switch c := first[i]; {
		case c == '-':
			out.WriteByte('.')
		case c >= '0' && c <= '9':
			n := int(c - '0')
			if i+1 < len(first) && first[i+1] >= '0' && first[i+1] <= '9' {
				i++
				n = 10*n + int(first[i]-'0')
			}
			out.WriteString(strings.Repeat(".", n))
		case c != '/':
			out.WriteByte(c)
		}
	}
	return out.String()
}

func expandSquares(l *games.Layout, text string) string {
	cells := bytes.Repeat([]byte("."), l.Columns*l.Rows)
	for _, field := range strings.Split(text, ":")[1:] {
		for _, square := range strings.Split(field[1:], ",") {
			letter := field[0] | 0x20
			if king, ok := strings.CutPrefix(square, "K"); ok {
				square, letter = king, field[0]
			}
			if square != "" {
				cells[l.Cell(square)] = letter
			}
		}
	}
	return string(cells)
}

// TestMarks: a move ends on its last mark with a piece of the mover, and where it has
// several, begins on its first, which it leaves unless it ends there.
func TestMarks(t *testing.T) {
	for _, g := range all {
		random(t, g, "", 200, func(b board.Board, m board.Move) {
			marks, text := m.Marks(), m.AppendCoordinates(nil)
			if len(marks) == 0 {
				if string(text) != "pass" {
					t.Fatalf("%s: %s has no marks", g.Name(), text)
				}
				return
			}
			before, after := b.AppendCells(nil), m.Play().AppendCells(nil)
			first, last := marks[0], marks[len(marks)-1]
			if p := after[last]; p == 0 || g.Pieces()[p].Side != b.ToMove() {
				t.Fatalf("%s: after %s there is no piece of the mover on its target", g.Name(), text)
			}
			if len(marks) > 1 && first != last && (g.Pieces()[before[first]].Side != b.ToMove() || after[first] != 0) {
				t.Fatalf("%s: %s does not leave its first cell", g.Name(), text)
			}
		})
	}
}

// TestCastlingMarks: castling goes to the rook's square in code, on the board to the king's.
func TestCastlingMarks(t *testing.T) {
	b, err := all[0].Start("", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"O-O": "g1", "O-O-O": "c1"} {
		m, err := b.Find(text)
		if err != nil {
			t.Fatal(err)
		}
		if marks := m.Marks(); b.Layout().Names[marks[0]] != "e1" || b.Layout().Names[marks[1]] != want {
			t.Errorf("%s is marked on %v", text, marks)
		}
	}
}

// TestPackedBoards: a board goes through its packed form, which also shows what stands on it, and
// moves through their texts.
func TestPackedBoards(t *testing.T) {
	for _, g := range all {
		v := g.View() // used again, so that nothing of the board before may stay
		random(t, g, "", 60, func(b board.Board, m board.Move) {
			packed := b.Pack(nil)
			if len(packed) != g.BoardSize() {
				t.Fatalf("%s: %d bytes, want %d", g.Name(), len(packed), g.BoardSize())
			}
			again, err := g.Unpack(packed)
			if err != nil || again.Hash() != b.Hash() || again.ToMove() != b.ToMove() {
				t.Fatalf("%s: %s is unpacked as another position: %v", g.Name(), b.AppendText(nil), err)
			}
			if err := v.Show(packed); err != nil || v.Layout() != b.Layout() || !slices.Equal(v.Cells(), b.AppendCells(nil)) || board.MaterialOf(v) != board.MaterialOf(b) {
				t.Fatalf("%s: %s is shown as %s: %v", g.Name(), b.AppendText(nil), v.AppendText(nil), err)
			}
			for _, text := range []string{string(m.AppendText(nil)), string(m.AppendCoordinates(nil))} {
				found, err := b.Find(text)
				if err != nil || found.Play().Hash() != m.Play().Hash() {
					t.Fatalf("%s: %q is found as another move: %v", g.Name(), text, err)
				}
			}
		})
	}
}

// TestPlace: a position of a game is among those of its pieces, whatever a board does not show,
// and is the first of them where there is nothing that it does not; all show the same pieces.
func TestPlace(t *testing.T) {
	for _, g := range all {
		first, of := 0, 0
		random(t, g, "", 200, func(_ board.Board, m board.Move) {
			b := m.Play()
			hands := [2][]uint8{b.AppendHand(nil, games.First), b.AppendHand(nil, games.Second)}
			cells := b.AppendCells(nil)
			found, err := g.Place(b, cells, hands, b.ToMove())
			if err != nil {
				t.Fatalf("%s: %s cannot be set up: %v", g.Name(), b.AppendText(nil), err)
			}
			at := slices.IndexFunc(found, func(f board.Board) bool { return f.Hash() == b.Hash() })
			if at < 0 {
				t.Fatalf("%s: %s is not among the %d positions of its pieces", g.Name(), b.AppendText(nil), len(found))
			}
			if of++; at == 0 {
				first++
			}
			for _, f := range found {
				if !slices.Equal(f.AppendCells(nil), cells) || !slices.Equal(f.AppendHand(nil, games.First), hands[0]) || f.ToMove() != b.ToMove() {
					t.Fatalf("%s: %s is set up as %s", g.Name(), b.AppendText(nil), f.AppendText(nil))
				}
			}
		})
		if name := g.Name(); first < of && name != "chess" && name != "go" || first < of/3 {
			t.Errorf("%s: the first position set up is the one of the game %d times of %d", name, first, of)
		}
	}
}

// TestPlaceUnseen: what boards do not show, of positions written by hand.
func TestPlaceUnseen(t *testing.T) {
	for _, c := range []struct {
		game, text string
		first      string // of the positions with these pieces; "": text
		number     int
	}{
		{"chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "", 16},
		{"chess", "r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", 16},
		{"chess", "1k6/8/8/3pP3/8/8/8/K7 w - d6 0 1", "1k6/8/8/3pP3/8/8/8/K7 w - - 0 1", 2},
		{"chess", "1r3k1r/8/8/8/8/8/8/4K3 w hb - 0 1", "1r3k1r/8/8/8/8/8/8/4K3 w - - 0 1", 4}, // Chess960
		{"go", "5/1XO2/XO1O1/1XO2/5 b C3 0 0:0 0 chinese", "5/1XO2/XO1O1/1XO2/5 b - 0 0:0 0 chinese", 9},
	} {
		g := all[slices.IndexFunc(all, func(g board.Game) bool { return g.Name() == c.game })]
		b, err := g.Start("", c.text)
		if err != nil {
			t.Fatal(c.text, err)
		}
		found, err := g.Place(b, b.AppendCells(nil), [2][]uint8{}, b.ToMove())
		if err != nil {
			t.Fatal(c.text, err)
		}
		want := c.first
		if want == "" {
			want = c.text
		}
		if got := string(found[0].AppendText(nil)); got != want {
			t.Errorf("%s: the first position is %s, want %s", c.text, got, want)
		}
		hashes := map[uint64]bool{}
		for _, f := range found {
			hashes[f.Hash()] = true
		}
		if !hashes[b.Hash()] || len(hashes) != c.number {
			t.Errorf("%s: %d positions, want %d, itself among them: %v", c.text, len(hashes), c.number, hashes[b.Hash()])
		}
	}
}

// TestPlaceRefused: what is no position is refused, and never panics.
func TestPlaceRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, g := range all {
		b, err := g.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		cells := b.AppendCells(nil)
		for range 300 {
			wrong := slices.Clone(cells)
			for range 1 + r.IntN(6) {
				wrong[r.IntN(len(wrong))] = uint8(r.IntN(32))
			}
			found, err := g.Place(b, wrong, [2][]uint8{{uint8(r.IntN(40))}, {uint8(r.IntN(40))}}, games.Side(r.IntN(2)))
			if err == nil && (len(found) == 0 || !slices.Equal(found[0].AppendCells(nil), wrong)) {
				t.Fatalf("%s: %v is set up as %v", g.Name(), wrong, found)
			}
		}
		if _, err := g.Place(b, cells[1:], [2][]uint8{}, games.First); err == nil {
			t.Errorf("%s: a board of %d cells is taken", g.Name(), len(cells)-1)
		}
	}
}

// TestSVG: drawings are whole XML, with one use for each piece, whatever is set.
func TestSVG(t *testing.T) {
	for _, g := range all {
		random(t, g, "", 40, func(b board.Board, m board.Move) {
			d := board.Draw(g, m.Play())
			d.Last, d.Marked = m.Marks(), []int{0}
			for i := range 8 {
				d.Flipped, d.Western, d.Plain = i&1 != 0, i&2 != 0, i&4 != 0
				svg := d.AppendSVG(nil, false)
				want := 0
				for _, piece := range d.Cells {
					if piece != 0 {
						want++
					}
				}
				if d.Hands[0] == nil && d.Hands[1] == nil {
					if got := bytes.Count(svg, []byte("<use ")); got != want {
						t.Fatalf("%s: %d pieces are drawn, want %d", g.Name(), got, want)
					}
				}
				wellFormed(t, svg)
			}
			wellFormed(t, board.Symbols(g.Pieces(), true))
		})
	}
}

func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := decoder.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
	}
}

// TestTerminal draws a position of each game.
func TestTerminal(t *testing.T) {
	var out []byte
	for _, g := range all {
		variant := ""
		if g.Layout().Columns > 10 {
			variant = "9x9"
		}
		var last board.Move
		b := random(t, g, variant, 37, func(_ board.Board, m board.Move) { last = m })
		d := board.Draw(g, b)
		d.Last, d.Marked = last.Marks(), []int{d.Layout.Cell("b2")}
		out = append(append(append(out, g.Name()...), '\n'), d.AppendTerminal(nil)...)
		d.Flipped, d.Western = true, true
		out = append(d.AppendTerminal(out), '\n')
	}
	golden.Equal(t, "testdata/terminal.txt", out)
}
