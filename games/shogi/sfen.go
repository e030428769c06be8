package shogi

import (
	"strconv"
	"strings"

	"kifu/games"
)

// StartSFEN is the usual start.
const StartSFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

// letters are the kinds' letters in SFEN and USI.
const letters = ".PLNSBRGK"

// What can be wrong with a position.
const (
	unreadableSFEN games.Reason = "unreadable SFEN"
	twoKings       games.Reason = "two kings of one side"
	noKings        games.Reason = "no king on the board"
	tooMany        games.Reason = "more pieces than a set has"
	otherInCheck   games.Reason = "the side not to move is in check"
)

// ParseSFEN reads a position: board, side to move, hands, and a move number that may be
// missing, as may everything after the board; "startpos" and a leading "sfen" are read,
// too. Kinds in hand may come in any order. Two pawns on a file are no fault, nor is a
// pawn that can never move, or a side without a king: problems have them.
func ParseSFEN(text string) (Position, error) {
	fields := strings.Fields(text)
	if len(fields) > 0 && (fields[0] == "position" || fields[0] == "sfen") {
		fields = fields[1:]
	}
	if len(fields) > 0 && fields[0] == "sfen" {
		fields = fields[1:]
	}
	if len(fields) == 1 && fields[0] == "startpos" {
		return start, nil
	}
	if len(fields) == 0 || len(fields) > 4 {
		return Position{}, unreadableSFEN
	}
	var p Position
	if !p.readBoard(fields[0]) {
		return Position{}, unreadableSFEN
	}
	if len(fields) > 1 {
		switch fields[1] {
		case "b":
		case "w":
			p.side = White
		default:
			return Position{}, unreadableSFEN
		}
	}
	if len(fields) > 2 && fields[2] != "-" {
		if err := p.readHands(fields[2]); err != nil {
			return Position{}, err
		}
	}
	if len(fields) > 3 {
		n, err := strconv.ParseUint(fields[3], 10, 16)
		if err != nil {
			return Position{}, unreadableSFEN
		}
		p.plies = uint16(max(n, 1) - 1)
	}
	return p, p.validate()
}

// readBoard reads nine ranks, each from file 9 to file 1.
func (p *Position) readBoard(text string) bool {
	file, rank, promoted := 8, 0, Kind(0)
	for i := 0; i < len(text); i++ {
		ch := text[i]
		if promoted != 0 && !isLetter(ch) {
			return false
		}
		switch {
		case ch == '/':
			if file != -1 || rank == 8 {
				return false
			}
			file, rank = 8, rank+1
		case ch == '+':
			promoted = Promoted
		case ch >= '1' && ch <= '9':
			if file -= int(ch - '0'); file < -1 {
				return false
			}
		default:
			k := kindOf(ch &^ 0x20)
			if k == NoKind || file < 0 || promoted != 0 && !k.CanPromote() {
				return false
			}
			side := Black
			if ch >= 'a' {
				side = White
			}
			p.put(k+promoted, side, At(file, rank).Bit())
			promoted = 0
			file--
		}
	}
	return file == -1 && rank == 8 && promoted == 0
}

func isLetter(ch byte) bool { return ch|0x20 >= 'a' && ch|0x20 <= 'z' }

// kindOf returns the unpromoted kind with that capital letter; NoKind for another byte.
func kindOf(letter byte) Kind {
	if letter < 'A' {
		return NoKind
	}
	return Kind(max(strings.IndexByte(letters, letter), 0))
}

func (p *Position) readHands(text string) error {
	count := 0
	for i := 0; i < len(text); i++ {
		ch := text[i]
		if ch >= '0' && ch <= '9' {
			if count = 10*count + int(ch-'0'); count > 99 {
				return tooMany
			}
			continue
		}
		k := kindOf(ch &^ 0x20)
		if k == NoKind || k == King || !isLetter(ch) {
			return unreadableSFEN
		}
		side := Black
		if ch >= 'a' {
			side = White
		}
		if err := p.give(side, k, max(count, 1)); err != nil {
			return err
		}
		count = 0
	}
	if count != 0 {
		return unreadableSFEN
	}
	return nil
}

// give puts n pieces into side's hand.
func (p *Position) give(side games.Side, k Kind, n int) error {
	if p.hands[side].Count(k)+n > total[k] {
		return tooMany
	}
	p.hands[side] += Hand(n) * one(k)
	return nil
}

// validate reports what keeps p from being a position of a game or a problem.
func (p *Position) validate() error {
	kings := p.Kings()
	if kings.And(p.white).Count() > 1 || kings.Without(p.white).Count() > 1 {
		return twoKings
	}
	if kings.Empty() {
		return noKings
	}
	for k := Pawn; k <= Gold; k++ {
		n := p.Kind(k).Count() + p.hands[Black].Count(k) + p.hands[White].Count(k)
		if k != Gold {
			n += p.Kind(k + Promoted).Count()
		}
		if n > total[k] {
			return tooMany
		}
	}
	if king := p.King(p.side ^ 1); king != NoSquare && !p.Attackers(p.side, king, p.Occupied()).Empty() {
		return otherInCheck
	}
	return nil
}

// AppendSFEN appends p with all four fields.
func (p *Position) AppendSFEN(dst []byte) []byte {
	for rank := range 9 {
		if rank > 0 {
			dst = append(dst, '/')
		}
		empty := 0
		for file := 8; file >= 0; file-- {
			s := At(file, rank)
			k := p.KindAt(s)
			if k == NoKind {
				empty++
				continue
			}
			if empty > 0 {
				dst = append(dst, byte('0'+empty))
				empty = 0
			}
			dst = appendPiece(dst, k, p.SideAt(s))
		}
		if empty > 0 {
			dst = append(dst, byte('0'+empty))
		}
	}
	dst = append(dst, ' ', "bw"[p.side&1], ' ')
	dst = p.appendHands(dst)
	dst = append(dst, ' ')
	return strconv.AppendUint(dst, uint64(p.plies)+1, 10)
}

func appendPiece(dst []byte, k Kind, side games.Side) []byte {
	if k > King {
		dst = append(dst, '+')
	}
	return append(dst, letters[k.Base()]|byte(side)<<5)
}

func (p *Position) appendHands(dst []byte) []byte {
	if p.hands == [2]Hand{} {
		return append(dst, '-')
	}
	for side := Black; side <= White; side++ {
		for _, k := range handOrder {
			n := p.hands[side].Count(k)
			if n == 0 {
				continue
			}
			if n > 1 {
				dst = strconv.AppendInt(dst, int64(n), 10)
			}
			dst = appendPiece(dst, k, side)
		}
	}
	return dst
}

// String returns the SFEN.
func (p Position) String() string { return string(p.AppendSFEN(nil)) }
