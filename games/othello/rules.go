package othello

import (
	"encoding/binary"
	"strings"

	"kifu/games"
)

// Rules is games.Rules for Othello.
type Rules struct{}

var (
	_ games.Rules[Position]  = Rules{}
	_ games.Passer[Position] = Rules{}
	_ games.BlackFirst       = Rules{}
	_ games.Scorer[Position] = Rules{}
	_ games.Solver[Position] = Rules{}
)

// Name returns "othello".
func (Rules) Name() string { return "othello" }

// BlackMovesFirst returns true.
func (Rules) BlackMovesFirst() bool { return true }

// Score returns Black's discs minus White's at the end, in hundredths of a disc. Empty squares
// count for the winner, as in WTHOR and on GGS.
func (Rules) Score(p Position) (score int32, ok bool) {
	if p.Outcome() == games.Undecided {
		return 0, false
	}
	return 100 * p.side.Sign() * int32(final(p.own, p.opp)), true
}

// Start plays Othello from the usual start or any other position; both are "standard". The
// variant is a name or a match type of the Generic Game Server:
//
//	s     two games played at once
//	8     the size of the board
//	r18   a random start with 18 discs
//	w, b  the colour asked for
//
// Other sizes, komi (k) and anti-Othello (a) are unknown.
func (Rules) Start(variant, position string) (Position, string, error) {
	if !playsVariant(variant) {
		return Position{}, "", games.UnknownVariant(strings.TrimSpace(variant))
	}
	if position == "" {
		return Start(), "standard", nil
	}
	p, err := Rules{}.ParsePosition(position)
	return p, "standard", err
}

func playsVariant(variant string) bool {
	name := strings.ToLower(strings.TrimSpace(variant))
	switch name {
	case "", "standard", "othello", "reversi", "normal", "xot":
		return true
	}
	name = strings.TrimPrefix(name, "s")
	rest, found := strings.CutPrefix(name, "8")
	if !found {
		return false
	}
	if random, found := strings.CutPrefix(rest, "r"); found {
		rest = strings.TrimLeft(random, "0123456789")
	}
	return rest == "" || rest == "w" || rest == "b"
}

// PackMove returns the square, or 64 for a pass.
func (Rules) PackMove(_ Position, m games.Move) uint16 { return uint16(m - 1) }

// UnpackMove is the inverse of PackMove. It checks that the square is empty, not that
// the move is legal.
func (Rules) UnpackMove(p Position, code uint16) (games.Move, error) {
	m := games.Move(code) + 1
	if m > Pass || m < Pass && !p.Empty().Has(To(m)) {
		return 0, games.IllegalMove
	}
	return m, nil
}

const boardSize = 17

// AppendBoard appends the occupied squares and Black's discs, little-endian, bit n for
// square n (a1, b1, …, h8), and the side to move: 0 for Black, 1 for White. A move adds
// one bit to the first number, and few bits of the second change.
func (Rules) AppendBoard(dst []byte, p Position) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(p.own|p.opp))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(p.Discs(Black)))
	return append(dst, byte(p.side))
}

// UnpackBoard is the inverse of AppendBoard.
func (Rules) UnpackBoard(b []byte) (Position, error) {
	if len(b) != boardSize || b[16] > 1 {
		return Position{}, unreadableBoard
	}
	occupied, black := Bitboard(binary.LittleEndian.Uint64(b)), Bitboard(binary.LittleEndian.Uint64(b[8:]))
	if black&^occupied != 0 {
		return Position{}, unreadableBoard
	}
	p := Position{own: black, opp: occupied &^ black}
	if p.side = games.Side(b[16]); p.side == White {
		p.own, p.opp = p.opp, p.own
	}
	return p, nil
}

// BoardSize returns 17.
func (Rules) BoardSize() int { return boardSize }

// NewReplay returns a replay at the usual start.
func (Rules) NewReplay() games.Replay[Position] { return &replay{Start()} }

// replay follows a game. Othello has no history: a position suffices.
type replay struct{ now Position }

func (r *replay) Reset(p Position)   { r.now = p }
func (r *replay) Play(m games.Move)  { r.now = r.now.Play(m) }
func (r *replay) Position() Position { return r.now }

func (r *replay) Outcome() (games.Outcome, string) {
	o := r.now.Outcome()
	if o == games.Undecided {
		return o, ""
	}
	return o, "no move left"
}
