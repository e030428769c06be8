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
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"kifu/games"
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
				calls[g.Name()] = f.telling(f.of(g))
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

// telling has errors of c begin with the function's name.
func (f function) telling(c call) call {
	return func(args []driver.Value) (any, error) {
		v, err := c(args)
		if err != nil {
			err = fmt.Errorf("%s: %w", f.name, err)
		}
		return v, err
	}
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

// onView makes a function of the pieces of a packed board, its first argument.
func onView(f func(g board.Game, v *board.View, args []driver.Value) (any, error)) func(board.Game) call {
	return func(g board.Game) call {
		return func(args []driver.Value) (any, error) {
			v, err := look(g, args[0])
			if err != nil {
				return nil, err
			}
			defer views.Put(v)
			return f(g, v, args[1:])
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

// remembering makes a function of the pieces of a board and of a text. What the last texts
// mean is remembered: a statement has few, and asks for them in turn.
func remembering[T any](read func(g board.Game, text string) (T, error), f func(g board.Game, v *board.View, t T) (any, error)) func(board.Game) call {
	return func(g board.Game) call {
		var m memory[T]
		return func(args []driver.Value) (any, error) {
			t, err := m.get(args[1].(string), func(text string) (T, error) { return read(g, text) })
			if err != nil {
				return nil, err
			}
			v, err := look(g, args[0])
			if err != nil {
				return nil, err
			}
			defer views.Put(v)
			return f(g, v, t)
		}
	}
}

// memory has what the last texts mean. Goroutines may lose what others put in at the same
// time, and read it again.
type memory[T any] struct {
	last atomic.Pointer[[]known[T]]
}

type known[T any] struct {
	text string
	t    T
}

const remembered = 8

func (m *memory[T]) get(text string, read func(string) (T, error)) (T, error) {
	var all []known[T]
	if last := m.last.Load(); last != nil {
		all = *last
	}
	for i := range all {
		if all[i].text == text {
			return all[i].t, nil
		}
	}
	t, err := read(text)
	if err == nil {
		now := append([]known[T]{{text, t}}, all[:min(len(all), remembered-1)]...)
		m.last.Store(&now)
	}
	return t, err
}

func unpack(g board.Game, v driver.Value) (board.Board, error) {
	packed, err := packedOf(g, v)
	if err != nil {
		return nil, err
	}
	return g.Unpack(packed)
}

// views are those that no call uses now.
var views = sync.Pool{New: func() any { return new(board.View) }}

// look returns one of views, to be put back.
func look(g board.Game, v driver.Value) (*board.View, error) {
	packed, err := packedOf(g, v)
	if err != nil {
		return nil, err
	}
	view := views.Get().(*board.View)
	if err := g.Look(packed, view); err != nil {
		return nil, err
	}
	return view, nil
}

func packedOf(g board.Game, v driver.Value) ([]byte, error) {
	packed := v.([]byte)
	if len(packed) != g.BoardSize() {
		return nil, fmt.Errorf("a board of %s has %d bytes, not %d: the column board of positions and labels is one", g.Name(), g.BoardSize(), len(packed))
	}
	return packed, nil
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

func textOf(appendTo func([]byte) []byte) string {
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	*b = appendTo((*b)[:0])
	return string(*b)
}

// functions are all of them. A piece is named by its letter in texts of positions.
var functions = []function{
	{"fen", []query.FunctionType{query.Blob}, query.Text, onBoard(func(_ board.Game, b board.Board, _ []driver.Value) (any, error) {
		return textOf(b.AppendText), nil
	})},
	{"san", []query.FunctionType{query.Blob, query.Text}, query.Text, onMove(func(m board.Move) any { return textOf(m.AppendText) })},
	{"uci", []query.FunctionType{query.Blob, query.Text}, query.Text, onMove(func(m board.Move) any { return textOf(m.AppendCoordinates) })},
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
	{"piece_at", []query.FunctionType{query.Blob, query.Text}, query.Text, onView(func(g board.Game, v *board.View, args []driver.Value) (any, error) {
		cell := v.Layout.Cell(args[0].(string))
		if cell < 0 {
			names := slices.DeleteFunc(slices.Clone(v.Layout.Names), func(name string) bool { return name == "" })
			return nil, fmt.Errorf("no square %q on this board: it has %s to %s", args[0], names[0], names[len(names)-1])
		}
		return g.Pieces()[v.Cells[cell]].Letter, nil
	})},
	{"count_piece", []query.FunctionType{query.Blob, query.Text}, query.Int, remembering(pieceOf, func(_ board.Game, v *board.View, piece uint8) (any, error) {
		return count(v.Cells, piece), nil
	})},
	{"in_hand", []query.FunctionType{query.Blob, query.Text}, query.Int, remembering(pieceOf, func(_ board.Game, v *board.View, piece uint8) (any, error) {
		return count(v.Hands[games.First], piece) + count(v.Hands[games.Second], piece), nil
	})},
	{"material", []query.FunctionType{query.Blob}, query.Text, onView(func(g board.Game, v *board.View, _ []driver.Value) (any, error) {
		return v.Material().Text(g), nil
	})},
	{"has_material", []query.FunctionType{query.Blob, query.Text}, query.Truth, remembering(board.ParseMaterial, func(_ board.Game, v *board.View, want board.Material) (any, error) {
		return v.Material() == want, nil
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

func matches(_ board.Game, v *board.View, p *board.Pattern) (any, error) {
	return p.Match(v.Cells, v.Layout.Columns), nil
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
