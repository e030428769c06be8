package chess

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"strconv"

	"kifu/games"
	"kifu/games/chess/written"
)

// Errors in a FEN.
const (
	UnreadablePosition games.Reason = "unreadable FEN"
	WrongKings         games.Reason = "FEN without exactly one king a side"
	PawnOnEdge         games.Reason = "FEN with a pawn on the first or last rank"
	KingExposed        games.Reason = "FEN in which the king could be taken"
)

// StartFEN is the usual start.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

const kindLetters = "?PNBRQK"

// letters holds what the letters of a FEN do: the squares that they advance by, and with letterEnds the
// end of a rank; from codeShift on the code of a man, side<<3 | kind, 0 for none. What is in
// no FEN has letterWrong.
var letters = func() (t [256]uint32) {
	for i := range t {
		t[i] = letterWrong
	}
	for k := Pawn; k <= King; k++ {
		t[kindLetters[k]] = uint32(k)<<codeShift | 1
		t[kindLetters[k]|0x20] = uint32(8|k)<<codeShift | 1
	}
	for n := range uint32(8) {
		t['1'+n] = n + 1
	}
	t['/'] = letterEnds
	return t
}()

const (
	letterSquares = 15
	letterEnds    = 1 << endShift
	letterWrong   = 1 << 5
	endShift      = 4
	codeShift     = 8
)

// ParseFEN reads a FEN, X-FEN or Shredder-FEN. Fields may be missing from the end:
// White to move, no castling, no en passant, counters 0 and 1.
//
// Impossible rights are dropped, since programs write them: castling without the king on
// its first rank or a rook to castle with, en passant where no such capture is legal.
func ParseFEN(text string) (Position, error) { return readFEN([]byte(text)) }

var usualFields = [6][]byte{nil, []byte("w"), []byte("-"), []byte("-"), []byte("0"), []byte("1")}

// readFEN is ParseFEN of bytes, which it does not keep.
func readFEN(text []byte) (Position, error) {
	var p Position
	field := usualFields
	// The men up to the first blank; if they are missing, word by word.
	men := max(bytes.IndexByte(text, ' '), 0)
	words := 1 + written.Words(field[1:], text[men:])
	if !p.parseMen(text[:men]) {
		field = usualFields
		if words = written.Words(field[:], text); !p.parseMen(field[0]) {
			words = len(field) + 1
		}
	}
	if words > len(field) || !p.parseSide(field[1]) || !p.parseCastling(field[2]) || !p.parseCounters(field[4], field[5]) {
		return Position{}, fmt.Errorf("%w %q", UnreadablePosition, text)
	}
	if err := p.validate(); err != nil {
		return Position{}, fmt.Errorf("%w: %q", err, text)
	}
	for rooks := p.castle; rooks != 0; rooks = rooks.Rest() {
		p.hash ^= castleKeys[rooks.First()&63]
	}
	if p.side == Black {
		p.hash ^= blackToMove
	}
	if string(field[3]) != "-" {
		s, ok := parseSquare(field[3])
		if !ok {
			return Position{}, fmt.Errorf("%w %q", UnreadablePosition, text)
		}
		p.parsePassing(s)
	}
	return p, nil
}

// parseMen sets the men and their part of the hash. What a letter does is looked up, not asked:
// which comes next cannot be predicted.
func (p *Position) parseMen(text []byte) bool {
	var codes [64]byte // from a8 on
	var hash uint64
	squares, ranks, wrong := uint32(0), uint32(0), uint32(0) // so far, and ranks that are ended
	for _, ch := range text {
		l := letters[ch]
		code, ends := l>>codeShift&15, l>>endShift&1
		codes[squares&63] = byte(code)
		hash ^= menKeys[code<<6|squares&63^56]
		squares += l & letterSquares
		ranks += ends
		wrong |= l&letterWrong | -ends&(squares^ranks<<3)
	}
	var b0, b1, b2, second Bitboard
	for i := 0; i < len(codes); i += 8 {
		rank := binary.LittleEndian.Uint64(codes[i:])
		b0 = b0<<8 | lowest(rank)
		b1 = b1<<8 | lowest(rank>>1)
		b2 = b2<<8 | lowest(rank>>2)
		second = second<<8 | lowest(rank>>3)
	}
	p.b0, p.b1, p.b2, p.second, p.hash = b0, b1, b2, second, hash
	return wrong == 0 && squares == 64 && ranks == 7
}

// lowest gathers the lowest bits of eight bytes.
func lowest(x uint64) Bitboard { return Bitboard(x & 0x0101010101010101 * 0x0102040810204080 >> 56) }

func (p *Position) parseSide(text []byte) bool {
	switch string(text) {
	case "w", "W":
		p.side = White
	case "b", "B":
		p.side = Black
	default:
		return false
	}
	return true
}

func (p *Position) parseCastling(text []byte) bool {
	if string(text) == "-" {
		return true
	}
	var wings [4]Bitboard // at most one rook a wing
	for i := 0; i < len(text); i++ {
		ch, side := text[i]&^0x20, games.Side(text[i]>>5&1)
		back := backRank(side)
		king := p.Kings() & p.Side(side) & back
		rooks := p.Rooks() & p.Side(side) & back
		east := rooks &^ (king - 1) // squares above the king's, on its rank
		west := rooks & (king - 1)
		switch {
		case ch == 'K':
			if east != 0 {
				east = east.Last().Bit()
			}
			west = 0
		case ch == 'Q':
			west, east = west&-west, 0
		case ch >= 'A' && ch <= 'H':
			east &= FileOf(int(ch - 'A'))
			west &= FileOf(int(ch - 'A'))
		default:
			return false
		}
		if king == 0 {
			continue
		}
		wings[side*2] = cmp.Or(wings[side*2], east)
		wings[side*2+1] = cmp.Or(wings[side*2+1], west)
	}
	p.castle = wings[0] | wings[1] | wings[2] | wings[3]
	return true
}

func (p *Position) parseCounters(clock, number []byte) bool {
	c, ok := written.Number(clock)
	n, too := written.Number(number)
	if !ok || !too || c < 0 || n < 0 {
		return false
	}
	p.clock = uint16(min(c, 0xffff))
	p.plies = uint16(min(max(n-1, 0)*2+int(p.side), 0xffff))
	return true
}

// validate refuses positions that the move generator cannot handle.
func (p *Position) validate() error {
	white, black := p.Kings()&^p.second, p.Kings()&p.second
	switch {
	case white.Count() != 1 || black.Count() != 1:
		return WrongKings
	case p.Pawns()&(Rank1|Rank8) != 0:
		return PawnOnEdge
	case p.attacked(p.side^1) || kingAttacks[white.First()&63]&black != 0:
		return KingExposed
	}
	return nil
}

// parsePassing keeps the en passant square when a pawn has just passed it and can be
// taken there.
func (p *Position) parsePassing(s Square) {
	if s.Rank() != 5-3*int(p.side) {
		return
	}
	pawn, origin := s^8, (s^8)^16
	if p.KindAt(pawn) == Pawn && p.SideAt(pawn) != p.side && (s.Bit()|origin.Bit())&p.Occupied() == 0 {
		p.offerPassing(s)
	}
}

func parseSquare(text []byte) (Square, bool) {
	if len(text) != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8' {
		return NoSquare, false
	}
	return SquareAt(int(text[0]-'a'), int(text[1]-'1')), true
}

// AppendFEN appends p as an X-FEN: a plain FEN except that a castling rook that is not
// the outermost one is named by its file. An en passant square is written only when
// such a capture is legal.
func (p *Position) AppendFEN(dst []byte) []byte {
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for file := 0; file < 8; file++ {
			s := SquareAt(file, rank)
			k := p.KindAt(s)
			if k == NoKind {
				empty++
				continue
			}
			if empty > 0 {
				dst = append(dst, '0'+empty)
				empty = 0
			}
			dst = append(dst, kindLetters[k]|byte(p.SideAt(s))<<5)
		}
		if empty > 0 {
			dst = append(dst, '0'+empty)
		}
		if rank > 0 {
			dst = append(dst, '/')
		}
	}
	dst = append(dst, ' ', "wb"[p.side&1], ' ')
	dst = p.appendCastlingRights(dst)
	dst = append(dst, ' ')
	dst = append(dst, p.EnPassant().String()...)
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, int64(p.clock), 10)
	dst = append(dst, ' ')
	return strconv.AppendInt(dst, int64(p.plies/2+1), 10)
}

func (p *Position) appendCastlingRights(dst []byte) []byte {
	if p.castle == 0 {
		return append(dst, '-')
	}
	for side := White; side <= Black; side++ {
		king := p.King(side).Bit()
		rooks := p.Rooks() & p.Side(side) & backRank(side)
		if east := p.castle & rooks &^ (king - 1); east != 0 {
			dst = append(dst, castlingLetter(east.First(), (rooks&^(king-1)).Last(), 'K')|byte(side)<<5)
		}
		if west := p.castle & rooks & (king - 1); west != 0 {
			dst = append(dst, castlingLetter(west.First(), rooks.First(), 'Q')|byte(side)<<5)
		}
	}
	return dst
}

func castlingLetter(rook, outermost Square, usual byte) byte {
	if rook == outermost {
		return usual
	}
	return 'A' + byte(rook.File())
}

// String returns p as an X-FEN.
func (p Position) String() string { return string(p.AppendFEN(nil)) }
