// Package boards gives statements of SQL the functions of boards, for any game: fen, san, uci,
// piece_at, count_piece, in_hand, material, has_material, board_like, board_like_any, hash_of,
// hash_after, canonical and move_as.
//
// They take packed boards, as the board column of positions and labels has them. Where the
// datasets of a database are of several games, the game's name comes as one argument more.
package boards

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"sync/atomic"

	"kifu/games/board"
	"kifu/query"
)

// Of returns the functions for these games.
func Of(all []board.Game) query.Functions {
	return func(attached func() []string) []query.Function {
		var list []query.Function
		for _, f := range functions {
			calls := map[string]call{}
			for _, g := range all {
				calls[g.Name()] = f.of(g)
			}
			params := append(append([]query.FunctionType{}, f.params...), query.Text)
			list = append(list,
				query.Function{Name: f.name, Params: f.params, Result: f.result, Call: f.alone(calls, attached)},
				query.Function{Name: f.name, Params: params, Result: f.result, Call: f.named(calls, attached)})
		}
		return list
	}
}

// call is a function of a game.
type call = func(args []driver.Value) (any, error)

// function is a function before its game is known.
type function struct {
	name   string
	params []query.FunctionType
	result query.FunctionType
	of     func(g board.Game) call
}

// alone is the function without a game's name.
func (f function) alone(calls map[string]call, attached func() []string) call {
	return func(args []driver.Value) (any, error) {
		names := attached()
		switch {
		case len(names) == 1 && calls[names[0]] != nil:
			return calls[names[0]](args)
		case len(names) > 1:
			return nil, fmt.Errorf("%s: the datasets are of %s: add the game's name as the last argument", f.name, strings.Join(names, ", "))
		}
		return nil, fmt.Errorf("%s: no dataset of a game is named with the query", f.name)
	}
}

// named is the function with the game's name as its last argument.
func (f function) named(calls map[string]call, attached func() []string) call {
	return func(args []driver.Value) (any, error) {
		name := args[len(args)-1].(string)
		c := calls[name]
		if c == nil {
			return nil, fmt.Errorf("%s: no game %q; the datasets are of %s", f.name, name, strings.Join(attached(), ", "))
		}
		return c(args[:len(args)-1])
	}
}

// onBoard makes a function whose first argument is a packed board.
func onBoard(f func(g board.Game, b board.Board, args []driver.Value) (any, error)) func(board.Game) call {
	return func(g board.Game) call {
		return func(args []driver.Value) (any, error) {
			b, err := unpack(g, args[0])
			if err != nil {
				return nil, err
			}
			return f(g, b, args[1:])
		}
	}
}

// onMove makes a function of a board and a move on it.
func onMove(f func(m board.Move) any) func(board.Game) call {
	return onBoard(func(_ board.Game, b board.Board, args []driver.Value) (any, error) {
		m, err := b.Find(args[0].(string))
		if err != nil {
			return nil, fmt.Errorf("%s: %w in %s", args[0], err, b.AppendText(nil))
		}
		return f(m), nil
	})
}

// remembering makes a function of a board and a text, which is read once as long as it stays
// the same.
func remembering[T any](read func(g board.Game, text string) (T, error), f func(g board.Game, b board.Board, t T) (any, error)) func(board.Game) call {
	type known struct {
		text string
		t    T
	}
	return func(g board.Game) call {
		var last atomic.Pointer[known]
		return func(args []driver.Value) (any, error) {
			text := args[1].(string)
			k := last.Load()
			if k == nil || k.text != text {
				t, err := read(g, text)
				if err != nil {
					return nil, err
				}
				k = &known{text, t}
				last.Store(k)
			}
			b, err := unpack(g, args[0])
			if err != nil {
				return nil, err
			}
			return f(g, b, k.t)
		}
	}
}

func unpack(g board.Game, v driver.Value) (board.Board, error) {
	packed := v.([]byte)
	if len(packed) != g.BoardSize() {
		return nil, fmt.Errorf("a board of %s has %d bytes, not %d: the column board of positions and labels is one", g.Name(), g.BoardSize(), len(packed))
	}
	return g.Unpack(packed)
}

// functions are all of them. A piece is named by its letter in texts of positions.
var functions = []function{
	{"fen", []query.FunctionType{query.Blob}, query.Text, onBoard(func(_ board.Game, b board.Board, _ []driver.Value) (any, error) {
		return string(b.AppendText(nil)), nil
	})},
	{"san", []query.FunctionType{query.Blob, query.Text}, query.Text, onMove(func(m board.Move) any { return string(m.AppendText(nil)) })},
	{"uci", []query.FunctionType{query.Blob, query.Text}, query.Text, onMove(func(m board.Move) any { return string(m.AppendCoordinates(nil)) })},
	{"hash_after", []query.FunctionType{query.Blob, query.Text}, query.Hash, onMove(func(m board.Move) any { return m.Play().Hash() })},
	{"canonical", []query.FunctionType{query.Blob}, query.Hash, onBoard(func(_ board.Game, b board.Board, _ []driver.Value) (any, error) {
		return board.Canonical(b), nil
	})},
	{"move_as", []query.FunctionType{query.Blob, query.Text, query.Blob}, query.Text, onBoard(func(g board.Game, b board.Board, args []driver.Value) (any, error) {
		m, err := b.Find(args[0].(string))
		if err != nil {
			return nil, fmt.Errorf("%s: %w in %s", args[0], err, b.AppendText(nil))
		}
		to, err := unpack(g, args[1])
		if err != nil {
			return nil, err
		}
		return board.MoveAs(m, b, to), nil
	})},
	{"hash_of", []query.FunctionType{query.Text}, query.Hash, func(g board.Game) call {
		return func(args []driver.Value) (any, error) {
			b, err := g.Start("", args[0].(string))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", args[0], err)
			}
			return b.Hash(), nil
		}
	}},
	{"piece_at", []query.FunctionType{query.Blob, query.Text}, query.Text, onBoard(func(g board.Game, b board.Board, args []driver.Value) (any, error) {
		cell := b.Layout().Cell(args[0].(string))
		if cell < 0 {
			return nil, fmt.Errorf("piece_at: no square %q on this board", args[0])
		}
		var cells [384]uint8
		return g.Pieces()[b.AppendCells(cells[:0])[cell]].Letter, nil
	})},
	{"count_piece", []query.FunctionType{query.Blob, query.Text}, query.Int, onBoard(func(g board.Game, b board.Board, args []driver.Value) (any, error) {
		piece, err := pieceOf(g, args[0].(string))
		if err != nil {
			return nil, err
		}
		var cells [384]uint8
		return count(b.AppendCells(cells[:0]), piece), nil
	})},
	{"in_hand", []query.FunctionType{query.Blob, query.Text}, query.Int, onBoard(func(g board.Game, b board.Board, args []driver.Value) (any, error) {
		piece, err := pieceOf(g, args[0].(string))
		if err != nil {
			return nil, err
		}
		var hand [40]uint8
		return count(b.AppendHand(hand[:0], g.Pieces()[piece].Side), piece), nil
	})},
	{"material", []query.FunctionType{query.Blob}, query.Text, onBoard(func(g board.Game, b board.Board, _ []driver.Value) (any, error) {
		return board.MaterialOf(b).Text(g), nil
	})},
	{"has_material", []query.FunctionType{query.Blob, query.Text}, query.Truth, remembering(board.ParseMaterial, func(_ board.Game, b board.Board, want board.Material) (any, error) {
		return board.MaterialOf(b) == want, nil
	})},
	{"board_like", []query.FunctionType{query.Blob, query.Text}, query.Truth, remembering(board.ParsePattern, matches)},
	{"board_like_any", []query.FunctionType{query.Blob, query.Text}, query.Truth, remembering(func(g board.Game, text string) (*board.Pattern, error) {
		p, err := board.ParsePattern(g, text)
		if err != nil {
			return nil, err
		}
		return p.Everywhere(g), nil
	}, matches)},
}

func matches(_ board.Game, b board.Board, p *board.Pattern) (any, error) {
	var cells [384]uint8
	return p.Match(b.AppendCells(cells[:0]), b.Layout().Columns), nil
}

func pieceOf(g board.Game, letter string) (uint8, error) {
	for i, p := range g.Pieces() {
		if i > 0 && p.Letter == letter {
			return uint8(i), nil
		}
	}
	var all []string
	for _, p := range g.Pieces()[1:] {
		all = append(all, p.Letter)
	}
	return 0, fmt.Errorf("no piece %q; %s has %s", letter, g.Name(), strings.Join(all, " "))
}

func count(pieces []uint8, piece uint8) int32 {
	n := int32(0)
	for _, p := range pieces {
		if p == piece {
			n++
		}
	}
	return n
}
