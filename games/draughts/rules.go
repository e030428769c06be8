package draughts

import (
	"strings"

	"kifu/games"
)

// Name returns the word of --game.
func (r Rules) Name() string { return r.variant().name }

// BlackMovesFirst is true for English draughts and giveaway.
func (r Rules) BlackMovesFirst() bool { return r.variant().blackFirst }

// Start knows one variant, the game's own: records name it by the game, or by its number in
// PDN's GameType tag with or without the tag's description of the board. English draughts
// and giveaway share a number, as giveaway has none.
func (r Rules) Start(variant, position string) (Position, string, error) {
	v := r.variant()
	name, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(variant)), ",")
	if name != "" && name != "standard" && name != v.name && strings.TrimSpace(name) != v.gameType {
		return Position{}, "", games.UnknownVariant(strings.TrimSpace(variant))
	}
	if position == "" {
		return r.start(), "standard", nil
	}
	p, err := r.ParsePosition(position)
	return p, "standard", err
}

// PackMove returns the place of m in the list of legal moves.
func (r Rules) PackMove(p Position, m games.Move) uint16 {
	var buf [64]games.Move
	for i, legal := range p.AppendMoves(buf[:0]) {
		if legal == m {
			return uint16(i)
		}
	}
	return 0xffff
}

// UnpackMove is the inverse of PackMove.
func (r Rules) UnpackMove(p Position, code uint16) (games.Move, error) {
	var buf [64]games.Move
	if moves := p.AppendMoves(buf[:0]); int(code) < len(moves) {
		return moves[code], nil
	}
	return 0, games.IllegalMove
}

const unreadableBoard games.Reason = "unreadable packed board"

// A packed board has a byte with the side to move (0 the first player). Then come four bits a
// square in the order of the numbers, the lower number in the low half:
//
//	0      empty
//	1, 2   a man, a king of the first player
//	3, 4   a man, a king of the second
//	5–7    a king of the first player that has moved once to three times in a row
//	8–10   the same of the second
const (
	manCode    = 1
	kingCode   = 2
	secondCode = 2 // to be added
	runCode    = 4 // with the number of moves
)

// BoardSize returns 26 on 100 squares, 17 on 64.
func (r Rules) BoardSize() int { return 1 + r.variant().count/2 }

// AppendBoard appends p packed.
func (r Rules) AppendBoard(dst []byte, p Position) []byte {
	v := r.variant()
	dst = append(dst, byte(p.side))
	second := p.Side(games.Second)
	for n := 1; n < v.count; n += 2 {
		dst = append(dst, code(p, second, v.squareOf[n])|code(p, second, v.squareOf[n+1])<<4)
	}
	return dst
}

func code(p Position, second Bitboard, s Square) byte {
	at := s.Bit()
	if (p.own|p.opp)&at == 0 {
		return 0
	}
	c := byte(manCode)
	if p.kings&at != 0 {
		c = kingCode
	}
	side := games.First
	if second&at != 0 {
		side = games.Second
		c += secondCode
	}
	if r := p.runs.ofSide(side); r.moves > 0 && r.at == s {
		c = runCode + longest*byte(side) + r.moves
	}
	return c
}

// UnpackBoard is the inverse of AppendBoard.
func (r Rules) UnpackBoard(b []byte) (Position, error) {
	v := r.variant()
	if len(b) != r.BoardSize() || b[0] > byte(games.Second) {
		return Position{}, unreadableBoard
	}
	var men setup
	var moved runs
	for n := 1; n <= v.count; n++ {
		c := b[1+(n-1)/2] >> ((n - 1) % 2 * 4) & 15
		if c == 0 {
			continue
		}
		if c > runCode {
			side := games.Side((c - runCode - 1) / longest)
			if !v.threeMoves || side > games.Second || moved.ofSide(side).moves > 0 {
				return Position{}, unreadableBoard
			}
			moved = moved.with(side, run{v.squareOf[n], (c-runCode-1)%longest + 1})
			men.put(side, v.squareOf[n], true)
			continue
		}
		side := games.Side((c - manCode) / secondCode)
		men.put(side, v.squareOf[n], (c-manCode)%secondCode != 0)
	}
	p, err := men.position(r, games.Side(b[0]))
	if err != nil {
		return Position{}, unreadableBoard
	}
	for _, side := range []games.Side{games.First, games.Second} {
		if moved.ofSide(side).moves > 0 && p.Side(side)&^p.kings == 0 {
			return Position{}, unreadableBoard
		}
	}
	p.runs = moved
	return p, nil
}
