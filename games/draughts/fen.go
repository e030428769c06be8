package draughts

import (
	"fmt"
	"strings"

	"kifu/games"
)

const unreadableFEN games.Reason = "unreadable FEN"

// setup collects the men of a position.
type setup struct {
	men      [2]Bitboard // with the kings
	kings    Bitboard
	repeated bool // a square was given twice
}

func (s *setup) put(side games.Side, at Square, king bool) {
	if (s.men[0]|s.men[1])&at.Bit() != 0 {
		s.repeated = true
	}
	s.men[side] |= at.Bit()
	if king {
		s.kings |= at.Bit()
	}
}

// position returns the position of these men, if the rules allow it.
func (s *setup) position(r Rules, toMove games.Side) (Position, error) {
	v := r.variant()
	for side, men := range s.men {
		if men&^s.kings&v.crown[side] != 0 {
			return Position{}, games.Reason("FEN with a man on its last row")
		}
	}
	if s.repeated {
		return Position{}, games.Reason("FEN with two men on a square")
	}
	return Position{own: s.men[toMove], opp: s.men[toMove.Other()], kings: s.kings, turn: turn{side: toMove, rules: r & mask}}, nil
}

// ParsePosition reads the FEN of draughts: the side to move, then the squares of each
// colour in any order,
//
//	W:W31-50:B1-20      ranges
//	B:WK3,25,30:BK6.    kings, a full stop at the end
//	B:W50:B             a side without men
//	W:Wa1,c1:BKb8       squares as in chess, in any variant
//	?:WW29,W13:BB22     side to move unknown: the first player; colours repeated
//	W:WK46,31:BK5:+2+0  Frisian: the moves in a row of a king of White, and of Black
//
// Where a side has several kings the square of the one that moved follows its number, as in +2(46)+0; without
// it the number is not known of any. Fields that begin with H or F, the move counters of some sites, are passed over.
func (r Rules) ParsePosition(text string) (Position, error) {
	v := r.variant()
	fail := func(what string) (Position, error) {
		return Position{}, fmt.Errorf("%w: %s; want as in %s", unreadableFEN, what, r.AppendPosition(nil, r.start()))
	}
	text = strings.TrimSuffix(strings.TrimSpace(text), ".")
	fields := strings.Split(text, ":")
	toMove, ok := v.colour(fields[0])
	if strings.TrimSpace(fields[0]) == "?" {
		toMove, ok = games.First, true
	}
	if !ok {
		return fail(fmt.Sprintf("side to move %.10q", fields[0]))
	}
	var men setup
	sides, moved := 0, ""
	for _, field := range fields[1:] {
		field = strings.TrimSpace(field)
		if v.threeMoves && field != "" && field[0] == '+' {
			moved = field
			continue
		}
		if field == "" || field[0] == 'H' || field[0] == 'F' {
			continue
		}
		side, ok := v.colour(field[:1])
		if !ok {
			return fail(fmt.Sprintf("colour in %.10q", field))
		}
		if sides++; sides > 2 {
			return fail("more than two colours")
		}
		if bad, ok := v.putAll(&men, side, field); !ok {
			return fail(fmt.Sprintf("square %.10q", bad))
		}
	}
	if sides == 0 {
		return fail("no colour")
	}
	p, err := men.position(r, toMove)
	if err == nil && moved != "" && !v.putRuns(&p, moved) {
		return fail(fmt.Sprintf("moves of kings %.20q", moved))
	}
	return p, err
}

// putRuns gives p the runs of its kings as text has them: White's, then Black's.
func (v *variant) putRuns(p *Position, text string) bool {
	numbers := strings.Split(text, "+")
	if len(numbers) != 3 {
		return false
	}
	for i, number := range numbers[1:] {
		side := v.sideOf(i == 0)
		kings, men := p.Side(side)&p.kings, p.Side(side)&^p.kings
		count, square, one := strings.Cut(number, "(")
		if len(count) != 1 || count[0] < '0' || count[0] > '0'+longest {
			return false
		}
		if one {
			at, n := v.square([]byte(square))
			if at == 0 || square[n:] != ")" || kings&v.squareOf[at].Bit() == 0 {
				return false
			}
			kings = v.squareOf[at].Bit()
		}
		if moves := count[0] - '0'; moves > 0 && men != 0 && kings.Count() == 1 {
			p.runs = p.runs.with(side, run{kings.First(), moves})
		}
	}
	return true
}

// colour returns the side of W or B.
func (v *variant) colour(letter string) (games.Side, bool) {
	switch strings.TrimSpace(letter) {
	case "W", "w":
		return v.sideOf(true), true
	case "B", "b":
		return v.sideOf(false), true
	}
	return 0, false
}

func (v *variant) sideOf(white bool) games.Side {
	if white == v.blackFirst {
		return games.Second
	}
	return games.First
}

// putAll puts the squares of one colour's field, which begins with the colour, and returns
// the first one that cannot be read, if any.
func (v *variant) putAll(men *setup, side games.Side, field string) (bad string, ok bool) {
	colour := field[0]
	if len(field) == 1 {
		return "", true
	}
	for _, item := range strings.Split(field[1:], ",") {
		text := strings.TrimSpace(item)
		// The colour may be repeated before every square; b is also a file.
		if len(text) > 1 && text[0] == colour && !(v.letters && colour|0x20 == 'b' && isDigit(text[1])) {
			text = text[1:]
		}
		king := len(text) > 0 && (text[0] == 'K' || text[0] == 'k')
		if king {
			text = text[1:]
		}
		first, n := v.square([]byte(text))
		last := first
		if n > 0 && n < len(text) && text[n] == '-' {
			var m int
			last, m = v.square([]byte(text[n+1:]))
			n += 1 + m
		}
		if n == 0 || n != len(text) || first == 0 || last < first {
			return item, false
		}
		for ; first <= last; first++ {
			men.put(side, v.squareOf[first], king)
		}
	}
	return "", true
}

// AppendPosition appends the FEN, White's men first, each side's in the order of the
// numbers.
func (r Rules) AppendPosition(dst []byte, p Position) []byte {
	v := r.variant()
	letter := [2]byte{'B', 'W'}
	bit := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	dst = append(dst, letter[bit(v.white(p.side))])
	for _, white := range []bool{true, false} {
		dst = append(dst, ':', letter[bit(white)])
		men, separate := p.Side(v.sideOf(white)), false
		for _, s := range v.squareOf[1 : v.count+1] {
			if men&s.Bit() == 0 {
				continue
			}
			if separate {
				dst = append(dst, ',')
			}
			separate = true
			if p.kings&s.Bit() != 0 {
				dst = append(dst, 'K')
			}
			dst = v.appendSquare(dst, s)
		}
	}
	if p.runs != 0 {
		dst = append(dst, ':')
		for _, white := range []bool{true, false} {
			side := v.sideOf(white)
			r := p.runs.ofSide(side)
			dst = append(dst, '+', '0'+r.moves)
			if r.moves > 0 && (p.Side(side)&p.kings).Count() > 1 {
				dst = append(v.appendSquare(append(dst, '('), r.at), ')')
			}
		}
	}
	return dst
}
