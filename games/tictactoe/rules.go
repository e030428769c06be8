package tictactoe

import (
	"strings"

	"kifu/games"
)

// Rules is games.Rules for tic-tac-toe.
type Rules struct{}

var _ games.Rules[Position] = Rules{}

const (
	unreadableText  games.Reason = "unreadable position: want three rows of x, o and -, the third first: x--/-o-/---"
	unreadableBoard games.Reason = "unreadable packed board"
	uneven          games.Reason = "X must have as many marks as O, or one more"
	wonTwice        games.Reason = "both sides have a full line"
)

// Name returns "tictactoe".
func (Rules) Name() string { return "tictactoe" }

// Start plays "standard" from the empty board or any other position.
func (Rules) Start(variant, position string) (Position, string, error) {
	switch name := strings.ToLower(strings.TrimSpace(variant)); name {
	case "", "standard", "tictactoe", "tic-tac-toe":
	default:
		return Position{}, "", games.UnknownVariant(strings.TrimSpace(variant))
	}
	if position == "" {
		return Position{}, "standard", nil
	}
	p, err := Rules{}.ParsePosition(position)
	return p, "standard", err
}

// ParseMove resolves a square, as in b2 or B2. The error is a games.Reason.
func (Rules) ParseMove(p Position, text []byte) (games.Move, error) {
	if len(text) != 2 {
		return 0, games.UnreadableMove
	}
	column, row := text[0]|0x20-'a', text[1]-'1'
	if column > 2 || row > 2 {
		return 0, games.UnreadableMove
	}
	m := games.Move(3*row + column + 1)
	if p.Outcome() != games.Undecided || p.Empty()&square(m) == 0 {
		return 0, games.IllegalMove
	}
	return m, nil
}

// AppendMove appends the square.
func (r Rules) AppendMove(dst []byte, p Position, m games.Move) []byte {
	return r.AppendCoordinates(dst, p, m)
}

// AppendCoordinates appends the square.
func (Rules) AppendCoordinates(dst []byte, _ Position, m games.Move) []byte {
	s := byte(m - 1)
	return append(dst, 'a'+s%3, '1'+s/3)
}

// ParsePosition reads three rows of x, o and - in either case, the third row first:
// x--/-o-/---.
func (Rules) ParsePosition(text string) (Position, error) {
	var p Position
	rows := strings.Split(strings.TrimSpace(text), "/")
	if len(rows) != 3 {
		return Position{}, unreadableText
	}
	for i, row := range rows {
		if len(row) != 3 {
			return Position{}, unreadableText
		}
		for j := range 3 {
			s := Squares(1) << (3*(2-i) + j)
			switch row[j] {
			case 'x', 'X':
				p.marks[X] |= s
			case 'o', 'O':
				p.marks[O] |= s
			case '-', '.':
			default:
				return Position{}, unreadableText
			}
		}
	}
	return p, p.validate()
}

// validate reports positions that no game can lead to.
func (p Position) validate() error {
	if n := p.marks[X].Count() - p.marks[O].Count(); n != 0 && n != 1 {
		return uneven
	}
	if won(p.marks[X]) && won(p.marks[O]) {
		return wonTwice
	}
	return nil
}

// AppendPosition appends the text that ParsePosition reads.
func (Rules) AppendPosition(dst []byte, p Position) []byte {
	for i := range 9 {
		if i == 3 || i == 6 {
			dst = append(dst, '/')
		}
		switch s := Squares(1) << (3*(2-i/3) + i%3); {
		case p.marks[X]&s != 0:
			dst = append(dst, 'x')
		case p.marks[O]&s != 0:
			dst = append(dst, 'o')
		default:
			dst = append(dst, '-')
		}
	}
	return dst
}

// PackMove returns the square.
func (Rules) PackMove(_ Position, m games.Move) uint16 { return uint16(m - 1) }

// UnpackMove is the inverse of PackMove. It checks that the square is empty.
func (Rules) UnpackMove(p Position, code uint16) (games.Move, error) {
	m := games.Move(code) + 1
	if code > 8 || p.Empty()&square(m) == 0 {
		return 0, games.IllegalMove
	}
	return m, nil
}

const boardSize = 3

// AppendBoard appends the marks of X and, nine bits further, of O, little-endian.
func (Rules) AppendBoard(dst []byte, p Position) []byte {
	b := uint32(p.marks[X]) | uint32(p.marks[O])<<9
	return append(dst, byte(b), byte(b>>8), byte(b>>16))
}

// UnpackBoard is the inverse of AppendBoard.
func (Rules) UnpackBoard(b []byte) (Position, error) {
	if len(b) != boardSize || b[2] > 3 {
		return Position{}, unreadableBoard
	}
	x := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
	p := Position{[2]Squares{Squares(x) & Board, Squares(x>>9) & Board}}
	if p.marks[X]&p.marks[O] != 0 || p.validate() != nil {
		return Position{}, unreadableBoard
	}
	return p, nil
}

// BoardSize returns 3.
func (Rules) BoardSize() int { return boardSize }

var columns = []games.Column{
	{Name: "phase", Doc: "marks on the board, from 0 to 9"},
	{Name: "x_open_lines", Doc: "lines without a mark of O"},
	{Name: "o_open_lines", Doc: "lines without a mark of X"},
	{Name: "x_threats", Doc: "empty squares where X would complete a line"},
	{Name: "o_threats", Doc: "empty squares where O would complete a line"},
}

// Columns returns the condition columns of tic-tac-toe.
func (Rules) Columns() []games.Column { return columns }

// AppendColumns appends their values.
func (Rules) AppendColumns(dst []int16, p Position) []int16 {
	var open [2]int16
	for _, line := range Lines() {
		for side := range open {
			if line&p.marks[side^1] == 0 {
				open[side]++
			}
		}
	}
	return append(dst, int16(9-p.Empty().Count()), open[X], open[O],
		int16(p.Threats(X).Count()), int16(p.Threats(O).Count()))
}

// NewReplay returns a replay at the start.
func (Rules) NewReplay() games.Replay[Position] { return &replay{} }

// replay follows a game. Tic-tac-toe has no history: a position suffices.
type replay struct{ now Position }

func (r *replay) Reset(p Position)   { r.now = p }
func (r *replay) Play(m games.Move)  { r.now = r.now.Play(m) }
func (r *replay) Position() Position { return r.now }

func (r *replay) Outcome() (games.Outcome, string) {
	switch o := r.now.Outcome(); o {
	case games.Undecided:
		return o, ""
	case games.Drawn:
		return o, "full board"
	default:
		return o, "three in a line"
	}
}
