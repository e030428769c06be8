package board

import (
	"fmt"
	"slices"
	"strings"

	"kifu/games"
)

// Result is the kind of what a Function returns.
type Result uint8

// The kinds, with their form in Go.
const (
	Text  Result = iota // string
	Truth               // bool
	Int                 // int32
	Hash                // uint64
)

// Function is a function of a board and of texts, as conditions and SQL have it.
type Function struct {
	Name   string
	Params []string // the texts after the board, by what they are: "move", "piece", "target"
	Result Result
	Doc    string // what it returns, in a line
	// Prepare reads the texts for boards of the layout l. What it returns may be called with any
	// View of such a board, by many goroutines.
	Prepare func(l *games.Layout, texts []string) (func(v View) (any, error), error)
}

// Functions returns the functions of every game, and the relations of this one.
func (g *bound[P]) Functions() []Function {
	all := functionsOf(g)
	for i, r := range g.relations {
		all = append(all, Function{Name: r.Name, Params: r.Params, Result: Int, Doc: r.Doc,
			Prepare: func(l *games.Layout, texts []string) (func(View) (any, error), error) {
				selections, err := parseSelections(g, l, texts)
				return func(v View) (any, error) { return int32(v.Relate(i, selections)), nil }, err
			}})
	}
	return all
}

func parseSelections(g Game, l *games.Layout, texts []string) ([]games.Selection, error) {
	all := make([]games.Selection, len(texts))
	for i, text := range texts {
		var err error
		if all[i], err = parseSelection(g, l, text); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// functionsOf are the functions of every game.
func functionsOf(g Game) []Function {
	return []Function{
		{"fen", nil, Text, "the position's text, such as FEN", plain(func(v View) any { return string(v.AppendText(nil)) })},
		{"san", []string{"move"}, Text, "a move as records write it", ofMove(func(m Move) any { return string(m.AppendText(nil)) })},
		{"uci", []string{"move"}, Text, "a move in coordinates, as the column `move`", ofMove(func(m Move) any { return string(m.AppendCoordinates(nil)) })},
		{"hash_after", []string{"move"}, Hash, "the hash after the move", ofMove(func(m Move) any { return m.Play().Hash() })},
		{"drops", []string{"move"}, Truth, "whether the move puts down a piece from the hand (Shogi)", ofMove(func(m Move) any { return m.Drops() })},
		{"promotes", []string{"move"}, Truth, "whether the piece that moves becomes another one: promotes, is crowned", ofMove(func(m Move) any { return m.Promotes() })},
		{"canonical", nil, Hash, "one hash for mirror images and rotations where they are equivalent (Go, Othello, tic-tac-toe)",
			plain(func(v View) any { return Canonical(v) })},
		{"piece_at", []string{"square"}, Text, "the letter on the square, `''` if it is empty", ofSquare(g)},
		{"count_piece", []string{"men"}, Int, "how many of the men are on the board", ofSelections(g, func(v View, s []games.Selection) any {
			return int32(selected(v.Cells(), &s[0]))
		})},
		{"column_of", []string{"men"}, Int, "column from the left, from 1: the leftmost of several, 0 of none", least(g, func(l *games.Layout, cell int) int { return cell%l.Columns + 1 })},
		{"row_of", []string{"men"}, Int, "row from the bottom, from 1: the lowest of several, 0 of none", least(g, func(l *games.Layout, cell int) int { return l.Rows - cell/l.Columns })},
		{"distance", []string{"men", "men"}, Int, "king's steps between the nearest squares of the two; -1 if one has none", distance(g)},
		{"has_pieces", []string{"men"}, Truth, "whether there are men of every kind in a list: `'pf7 pg7 [p.]h7'`", ofKinds(g)},
		{"mobility", []string{"men"}, Int, "legal moves of these men, if their side is to move; a drop counts for the empty square", ofSelections(g, mobility)},
		{"checks", nil, Int, "legal moves that attack the king, in games that have one", plain(func(v View) any { return int32(v.Checks()) })},
		{"in_hand", []string{"piece"}, Int, "how many of these are in hand", ofPiece(g)},
		{"material", nil, Text, "all pieces, on the board and in hand", plain(func(v View) any { m := MaterialOf(v); return m.Text(g) })},
		{"ending", nil, Text, "the pieces left, side ahead first, the weakest kind of each side once: `'KRPkrp'`", plain(func(v View) any {
			m := MaterialOf(v)
			text, _, _ := m.Ending(g)
			return text
		})},
		{"ahead", nil, Text, "the side (`first`, `second`) that has more of the strongest kind of piece in which they differ, else `draw`", plain(func(v View) any {
			m := MaterialOf(v)
			_, side, even := m.Ending(g)
			if even {
				return games.Drawn.String()
			}
			return games.WinFor(side).String()
		})},
		{"has_material", []string{"pieces"}, Truth, "whether these are all pieces, in any order: `'KRPkr'`", prepared(g, ParseMaterial, hasMaterial)},
		{"board_like", []string{"pattern"}, Truth, "whether the pattern is on the board", prepared(g, ParsePattern, onBoard)},
		{"board_like_any", []string{"pattern"}, Truth, "the same for its mirror images, and with the sides exchanged", prepared(g, func(g Game, text string) (*Pattern, error) {
			p, err := ParsePattern(g, text)
			if err != nil {
				return nil, err
			}
			return p.Everywhere(g), nil
		}, onBoard)},
	}
}

// preparing is the type of Function.Prepare.
type preparing = func(l *games.Layout, texts []string) (func(v View) (any, error), error)

func plain(f func(v View) any) preparing {
	return func(*games.Layout, []string) (func(View) (any, error), error) {
		return func(v View) (any, error) { return f(v), nil }, nil
	}
}

func ofMove(f func(m Move) any) preparing {
	return func(_ *games.Layout, texts []string) (func(View) (any, error), error) {
		return func(v View) (any, error) {
			m, err := v.Find(texts[0])
			if err != nil {
				return nil, fmt.Errorf("%s: %w in %s", texts[0], err, v.AppendText(nil))
			}
			return f(m), nil
		}, nil
	}
}

func ofSelections(g Game, f func(v View, s []games.Selection) any) preparing {
	return func(l *games.Layout, texts []string) (func(View) (any, error), error) {
		s, err := parseSelections(g, l, texts)
		return func(v View) (any, error) { return f(v, s), nil }, err
	}
}

// ofKinds takes several selections in one text.
func ofKinds(g Game) preparing {
	return func(l *games.Layout, texts []string) (func(View) (any, error), error) {
		s, err := parseSelections(g, l, strings.Fields(texts[0]))
		if err == nil && len(s) == 0 {
			err = fmt.Errorf("no pieces: write 'pf7 Bh7'")
		}
		return func(v View) (any, error) {
			for i := range s {
				if !some(v.Cells(), &s[i]) {
					return false, nil
				}
			}
			return true, nil
		}, err
	}
}

func ofSquare(g Game) preparing {
	return func(l *games.Layout, texts []string) (func(View) (any, error), error) {
		cell := l.Cell(texts[0])
		if cell < 0 {
			names := slices.DeleteFunc(slices.Clone(l.Names), func(name string) bool { return name == "" })
			return nil, fmt.Errorf("no square %q on this board: it has %s to %s", texts[0], names[0], names[len(names)-1])
		}
		return func(v View) (any, error) { return g.Pieces()[v.Cells()[cell]].Letter, nil }, nil
	}
}

func ofPiece(g Game) preparing {
	return func(_ *games.Layout, texts []string) (func(View) (any, error), error) {
		pieces := g.Pieces()
		piece := slices.IndexFunc(pieces, func(p games.Piece) bool { return p.Letter == texts[0] && p.Letter != "" })
		if piece < 0 {
			return nil, fmt.Errorf("no piece %q; %s has %s", texts[0], g.Name(), strings.Join(letters(pieces), " "))
		}
		return func(v View) (any, error) {
			n := int32(0)
			for side := games.First; side <= games.Second; side++ {
				for _, held := range v.AppendHand(nil, side) {
					if int(held) == piece {
						n++
					}
				}
			}
			return n, nil
		}, nil
	}
}

// prepared makes a question of what a text means.
func prepared[T any](g Game, read func(g Game, text string) (T, error), holds func(v View, t T) bool) preparing {
	return func(_ *games.Layout, texts []string) (func(View) (any, error), error) {
		t, err := read(g, texts[0])
		return func(v View) (any, error) { return holds(v, t), nil }, err
	}
}

// hasMaterial reports whether the pieces that v shows are these.
func hasMaterial(v View, want Material) bool {
	if n := v.Count(); n >= 0 && n != want.Total() {
		return false
	}
	return MaterialOf(v) == want
}

// onBoard reports whether the pattern is on the board that v shows.
func onBoard(v View, p *Pattern) bool { return p.Match(v.Cells(), v.Layout().Columns) }

// some reports whether a selection has a piece.
func some(cells []uint8, s *games.Selection) bool {
	for cell, piece := range cells {
		if s.Has(cell, piece) {
			return true
		}
	}
	return false
}

// least prepares the least number of the selected cells, 0 of none.
func least(g Game, number func(l *games.Layout, cell int) int) preparing {
	return func(l *games.Layout, texts []string) (func(View) (any, error), error) {
		s, err := parseSelections(g, l, texts)
		return func(v View) (any, error) {
			low := 0
			for cell, piece := range v.Cells() {
				if s[0].Has(cell, piece) && (low == 0 || number(l, cell) < low) {
					low = number(l, cell)
				}
			}
			return int32(low), nil
		}, err
	}
}

// distance prepares the least distance of two selections: the larger difference of columns and of rows.
func distance(g Game) preparing {
	return func(l *games.Layout, texts []string) (func(View) (any, error), error) {
		s, err := parseSelections(g, l, texts)
		return func(v View) (any, error) {
			cells, low := v.Cells(), -1
			for a, piece := range cells {
				if !s[0].Has(a, piece) {
					continue
				}
				for b, other := range cells {
					if !s[1].Has(b, other) {
						continue
					}
					d := max(gap(a%l.Columns, b%l.Columns), gap(a/l.Columns, b/l.Columns))
					if low < 0 || d < low {
						low = d
					}
				}
			}
			return int32(low), nil
		}, err
	}
}

func gap(a, b int) int { return max(a-b, b-a) }

// mobility counts the legal moves of selected men.
func mobility(v View, s []games.Selection) any {
	cells, n := v.Cells(), int32(0)
	v.EachMark(func(first int) {
		if s[0].Has(first, cells[first]) {
			n++
		}
	})
	return n
}
