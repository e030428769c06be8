package parts

import (
	"cmp"
	"encoding/hex"
	"strconv"
	"strings"

	"kifu/games"
	"kifu/games/board"
	"kifu/internal/lists"
)

// Look is how the address wants boards to be drawn: flip, western.
type Look struct{ flipped, Western bool }

func (h Here) Look() Look { return Look{h.Get("flip") != "", h.Get("western") != ""} }

// LookLinks are the addresses of the same view with its boards drawn otherwise.
type LookLinks struct {
	Flip     string
	Western  string // "" where pieces bear no letters that could be Latin
	Westerly bool
}

func (h Here) Looks(g board.Game) LookLinks {
	other := func(name string, now bool) string {
		return h.With(name, map[bool]string{true: "", false: "1"}[now])
	}
	is := h.Look()
	l := LookLinks{Flip: other("flip", is.flipped), Westerly: is.Western}
	if pieces := g.Pieces(); len(pieces) > 1 && pieces[1].Western != "" {
		l.Western = other("western", is.Western)
	}
	return l
}

// BoardLink is the address of the picture of a packed board, with the cells of the move that
// led to it.
func BoardLink(game string, packed []byte, last []int, as Look) string {
	cells := lists.Of(last, strconv.Itoa)
	set := map[bool]string{true: "1"}
	return To("board", "of", game, "b", hex.EncodeToString(packed), "last", strings.Join(cells, ","), "flip", set[as.flipped], "western", set[as.Western])
}

// Step is a position of a game or a variation.
type Step struct {
	Ply    int
	First  bool   // the first player made the move that led here
	Number string // before the move in a line: "12."; may be empty
	Move   string // as players write it; "" at the start
	Text   string // of the position
	Board  string // address of its picture
	Packed []byte
	Name   string // of the opening so far; may be empty
	Hash   uint64
	Shown  map[string]string // next to the board
}

// StepsOf plays moves, each found by next, from b on. It ends at the first that cannot be
// played, whose error is returned with the steps before it.
func StepsOf(game string, b board.Board, moves int, as Look, next func(b board.Board, i int) (board.Move, error)) ([]Step, error) {
	all := []Step{StepAt(game, b, nil, as)}
	for i := range moves {
		m, err := next(b, i)
		if err != nil {
			return all, err
		}
		first, number := b.ToMove() == games.First, board.NumberInLine(b, i, i == 0)
		text := string(m.AppendShown(nil, as.Western))
		b = m.Play()
		s := StepAt(game, b, m.Marks(), as)
		s.Ply, s.First, s.Number, s.Move, s.Name = i+1, first, number, text, cmp.Or(b.Opening(""), all[i].Name)
		all = append(all, s)
	}
	return all, nil
}

func StepAt(game string, b board.Board, last []int, as Look) Step {
	packed := b.Pack(nil)
	return Step{Text: string(b.AppendText(nil)), Name: b.Opening(""), Board: BoardLink(game, packed, last, as), Packed: packed, Hash: b.Hash(), Shown: map[string]string{}}
}

// ResultText is a result in words: "White won".
func ResultText(result string, sides [2]string) string {
	switch result {
	case games.FirstWins.String():
		return sides[games.First] + " won"
	case games.SecondWins.String():
		return sides[games.Second] + " won"
	case "":
		return "no result"
	}
	return result
}

// MoveText is a move of the column move as players write it, after its number.
func MoveText(b board.Board, ply int, move string, western bool) string {
	m, err := b.Find(move)
	if err != nil {
		return move
	}
	return board.Numbered(b, m, ply, western)
}
