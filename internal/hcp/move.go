package hcp

// Move is a move as written: it need not be legal.
type Move struct {
	From, To int // squares; From is -1 for a drop
	Drop     int // kind that is dropped, in Kinds
	Promotes bool
}

// dropped are the kinds in the order in which both codes number drops.
var dropped = [7]int{0, 1, 2, 3, 5, 6, 4}

// Move reads a move of 16 bits: to (7 bits), from (7 bits), promotion; a drop comes from 81
// plus the number of its kind with Apery, with YaneuraOu from that number, counted from 1,
// with a bit of its own. ok is false if it names no squares.
func (c *Code) Move(x uint16) (m Move, ok bool) {
	m = Move{From: int(x >> 7 & 127), To: int(x & 127), Promotes: x&c.promotion != 0}
	n := m.From - 81
	if c.drop != 0 {
		n = m.From - 1
	}
	if drops := c.drop != 0 && x&c.drop != 0 || c.drop == 0 && n >= 0; drops {
		if n < 0 || n >= len(dropped) || m.Promotes {
			return m, false
		}
		m.From, m.Drop = -1, dropped[n]
	}
	return m, m.To < 81 && m.From < 81 && x>>1 < c.promotion
}

// Pack is the inverse of Move.
func (c *Code) Pack(m Move) uint16 {
	x := uint16(m.To)
	if m.Promotes {
		x |= c.promotion
	}
	if m.From >= 0 {
		return x | uint16(m.From)<<7
	}
	n := uint16(0)
	for i, k := range dropped {
		if k == m.Drop {
			n = uint16(i)
		}
	}
	if c.drop != 0 {
		return x | (n+1)<<7 | c.drop
	}
	return x | (81+n)<<7
}

// Play plays m. ok is false if the side to move has no such piece, or if the target is its
// own, or a king.
func (p *Position) Play(m Move) (ok bool) {
	side := one(p.White)
	taken := p.Squares[m.To]
	if m.From < 0 {
		if taken != 0 || p.Hands[side][m.Drop] == 0 {
			return false
		}
		p.Hands[side][m.Drop]--
		p.Squares[m.To] = Kinds[m.Drop] | byte(side)<<5
		p.White = !p.White
		return true
	}
	piece := p.Squares[m.From]
	if piece == 0 || uint(piece>>5&1) != side || taken != 0 && (uint(taken>>5&1) == side || kind(taken) < 0) {
		return false
	}
	if m.Promotes {
		if k := kind(piece); k < 0 || k == gold || piece&Promoted != 0 {
			return false
		}
		piece |= Promoted
	}
	if taken != 0 {
		p.Hands[side][kind(taken)]++
	}
	p.Squares[m.From], p.Squares[m.To] = 0, piece
	p.White = !p.White
	return true
}

// AppendUSI appends m as 7g7f, 8h2b+ or P*5e.
func (m Move) AppendUSI(dst []byte) []byte {
	if m.From < 0 {
		return appendSquare(append(dst, Kinds[m.Drop], '*'), m.To)
	}
	dst = appendSquare(appendSquare(dst, m.From), m.To)
	if m.Promotes {
		dst = append(dst, '+')
	}
	return dst
}

func appendSquare(dst []byte, s int) []byte { return append(dst, byte('1'+s/9), byte('a'+s%9)) }

// ParseUSI is the inverse of AppendUSI.
func ParseUSI(text []byte) (m Move, ok bool) {
	if len(text) != 4 && (len(text) != 5 || text[4] != '+') {
		return m, false
	}
	if m.To, ok = square(text[2:]); !ok {
		return m, false
	}
	if text[1] == '*' {
		m.From, m.Drop = -1, kind(text[0])
		return m, len(text) == 4 && m.Drop >= 0
	}
	m.From, ok = square(text)
	m.Promotes = len(text) == 5
	return m, ok
}

func square(text []byte) (s int, ok bool) {
	file, rank := text[0]-'1', text[1]-'a'
	return 9*int(file) + int(rank), file < 9 && rank < 9
}
