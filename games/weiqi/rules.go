package weiqi

import (
	"encoding/binary"

	"kifu/games"
)

// Rules is games.Rules for Go.
type Rules struct{}

var (
	_ games.Rules[Position]  = Rules{}
	_ games.BlackFirst       = Rules{}
	_ games.Unruled          = Rules{}
	_ games.Scorer[Position] = Rules{}
)

// Name returns "go".
func (Rules) Name() string { return "go" }

// BlackMovesFirst returns true.
func (Rules) BlackMovesFirst() bool { return true }

// Start plays on any size of board, by any set of rules, with any komi: see variant for
// how they are named. "" is the board of 19 lines, without rules and komi. A start position
// takes the place of handicap stones; what it leaves out is as the variant has it. The variant of
// black stones alone, White to move, is a handicap's, wherever they are.
func (Rules) Start(text, position string) (Position, string, error) {
	v, err := parseVariant(text)
	if err != nil {
		return Position{}, "", err
	}
	if position != "" {
		v.handicap = 0
	}
	p, err := v.start()
	if position == "" || err != nil {
		return p, v.String(), err
	}
	usual := p
	if p, err = parsePosition(position, usual); err != nil {
		return p, "", err
	}
	if text != "" && p.size != usual.size {
		return p, "", otherSize
	}
	return p, variant{size: int(p.size), ruleset: p.ruleset, komi: p.komi, handicap: p.handicap()}.String(), nil
}

// Unruled returns the variant and the position without their set of rules. Texts that cannot be read are returned unchanged.
func (r Rules) Unruled(text, position string) (v, p string) {
	start, v, err := r.Start(text, position)
	if err != nil {
		return text, position
	}
	if of, err := parseVariant(v); err == nil {
		of.ruleset = Unnamed
		v = of.String()
	}
	if position == "" {
		return v, ""
	}
	start.ruleset = Unnamed
	return v, string(r.AppendPosition(nil, start))
}

// PackMove counts the points of the board row by row from the top left, from 0; the pass
// follows the last.
func (Rules) PackMove(p Position, m games.Move) uint16 {
	size := int(p.size)
	if m == Pass {
		return uint16(size * size)
	}
	return uint16(To(m).Row()*size + To(m).Column())
}

// UnpackMove is the inverse of PackMove. It checks that the point is empty, not that
// the move is legal.
func (Rules) UnpackMove(p Position, code uint16) (games.Move, error) {
	size := int(p.size)
	switch n := int(code); {
	case n > size*size:
		return 0, games.IllegalMove
	case n == size*size:
		return Pass, nil
	default:
		at := PointAt(n%size, n/size)
		if p.stones[0].Has(at) || p.stones[1].Has(at) {
			return 0, games.IllegalMove
		}
		return Move(at), nil
	}
}

// A packed board has ten bytes, then two bits for each of 361 points, lowest bits
// first: 0 empty, 1 black, 2 white. A point is counted by 19 times its row from the top
// plus its column, whatever the size of the board.
const (
	headSize  = 10
	boardSize = headSize + (MaxSize*MaxSize+3)/4

	unreadableBoard games.Reason = "unreadable packed board"
)

// BoardSize returns 101.
func (Rules) BoardSize() int { return boardSize }

// AppendBoard appends p packed: its size; side to move (bit 0), passes (bits 1 and 2) and
// set of rules (from bit 3); then in two bytes each, little-endian, the point of the ko
// plus 1, 0 for none; the stones taken by Black and by White; the komi in hundredths plus
// 32,768; then the points.
func (Rules) AppendBoard(dst []byte, p Position) []byte {
	var b [boardSize]byte
	b[0] = p.size
	b[1] = byte(p.side) | p.passes<<1 | byte(p.ruleset)<<3
	if p.ko != noPoint {
		binary.LittleEndian.PutUint16(b[2:], uint16(p.ko.Row()*MaxSize+p.ko.Column()+1))
	}
	binary.LittleEndian.PutUint16(b[4:], p.taken[Black])
	binary.LittleEndian.PutUint16(b[6:], p.taken[White])
	binary.LittleEndian.PutUint16(b[8:], uint16(int(p.komi)+1<<15))
	// Row by row: what of the points so far does not fill a byte waits for the next row.
	rest, has, to := uint64(0), uint(0), b[headSize:]
	for row := range int(p.size) {
		at := uint(row * stride)
		codes := spread(p.stones[Black].bits(at)) | spread(p.stones[White].bits(at))<<1
		rest |= codes << has
		for has += 2 * MaxSize; has >= 8; has -= 8 {
			to[0] = byte(rest)
			rest, to = rest>>8, to[1:]
		}
	}
	if has > 0 {
		to[0] = byte(rest)
	}
	return append(dst, b[:]...)
}

// UnpackBoard is the inverse of AppendBoard.
func (Rules) UnpackBoard(b []byte) (Position, error) {
	if len(b) != boardSize || b[0] < MinSize || b[0] > MaxSize || b[1]>>1&3 > 2 || int(b[1]>>3) >= len(rulesets) {
		return Position{}, unreadableBoard
	}
	p := New(int(b[0]), Ruleset(b[1]>>3), int(binary.LittleEndian.Uint16(b[8:]))-1<<15)
	p.side, p.passes = games.Side(b[1]&1), b[1]>>1&3
	p.taken[Black], p.taken[White] = binary.LittleEndian.Uint16(b[4:]), binary.LittleEndian.Uint16(b[6:])
	board := &boards[p.size]
	for n := range MaxSize * MaxSize {
		code := b[headSize+n/4] >> (n % 4 * 2) & 3
		if code == 0 {
			continue
		}
		at := PointAt(n%MaxSize, n/MaxSize)
		if code == 3 || !board.Has(at) {
			return Position{}, unreadableBoard
		}
		p.put(games.Side(code-1), at)
	}
	if ko := int(binary.LittleEndian.Uint16(b[2:])); ko > 0 {
		p.ko = PointAt((ko-1)%MaxSize, (ko-1)/MaxSize)
		empty := p.Empty()
		if ko > MaxSize*MaxSize || !empty.Has(p.ko) {
			return Position{}, unreadableBoard
		}
	}
	return p, nil
}
