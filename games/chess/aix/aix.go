// Package aix is the binary form of the moves of a chess game in Aix databases: the column movedata of github.com/thomas-daniels/aix,
// in each of its three levels of compression. A game begins at the usual start.
//
//	Low     two bytes a move: its squares, with bits for a capture and for the man that a pawn becomes
//	Medium  the number of the man among the mover's, from a1 on, in as many bits as they need; then the
//	        move among those that a man of its kind could make on an empty board, in 2 to 5 bits
//	High    the rank of the move among the legal ones by score, in Huffman's code (rank.go)
//
// Bits fill bytes from the lowest on. The two upper bits of the last byte are the level; the six lower ones are how many bits the
// last word of 64 lacks, at level Low 0.
package aix

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"kifu/games"
	"kifu/games/chess"
)

// Level is a level of compression.
type Level uint8

const (
	Low Level = iota
	Medium
	High
)

var errDamaged = errors.New("no moves of Aix")

// Append appends the moves of a game from the usual start. It returns an error for a move that is not legal.
func Append(dst []byte, moves []games.Move, level Level) ([]byte, error) {
	p, w := chess.Start(), writer{data: dst, from: len(dst)}
	var legal []games.Move
	for ply, m := range moves {
		legal = p.AppendMoves(legal[:0])
		if !slices.Contains(legal, m) {
			return dst, fmt.Errorf("ply %d is not legal", ply+1)
		}
		switch level {
		case Low:
			w.data = append(w.data, lowOf(&p, m)...)
		case Medium:
			man, size := manOf(&p, chess.From(m))
			w.write(uint64(man), size)
			at, size := indexOf(&p, m)
			w.write(uint64(at), size)
		default:
			one := huffman().codes[rankOf(&p, m, legal)]
			w.write(one.bits, one.size)
		}
		p = p.Play(m)
	}
	return append(w.data, byte(level)<<6|byte(-w.bits&63)), nil
}

// Decode appends the moves of a game.
func Decode(dst []games.Move, data []byte) ([]games.Move, error) {
	if len(data) == 0 {
		return dst, errDamaged
	}
	body, last := data[:len(data)-1], data[len(data)-1]
	level, r := Level(last>>6), reader{data: body, bits: 8*len(body) - int(last&7)}
	if level > High || r.bits < 0 || level == Low && (last != 0 || len(body)%2 != 0) {
		return dst, errDamaged
	}
	p := chess.Start()
	var legal []games.Move
	for r.at < r.bits {
		legal = p.AppendMoves(legal[:0])
		var m games.Move
		switch level {
		case Low:
			m = lowMove(&p, r.read(8), r.read(8), legal)
		case Medium:
			m = mediumMove(&p, &r, legal)
		default:
			m = ranked(&p, r.symbol(), legal)
		}
		if m == 0 || r.at > r.bits {
			return dst, errDamaged
		}
		dst, p = append(dst, m), p.Play(m)
	}
	return dst, nil
}

// Bits of the two bytes of a move besides its squares.
const (
	captureBit   = 0x80
	promotionBit = 0x40
	squareBits   = 0x3f
)

// become are the men that a pawn becomes, in the order of their codes.
var become = [4]chess.Kind{chess.Queen, chess.Rook, chess.Bishop, chess.Knight}

// codeOf returns the code of the man that a pawn becomes.
func codeOf(k chess.Kind) byte {
	for code, other := range become {
		if k == other {
			return byte(code)
		}
	}
	return 0
}

func lowOf(p *chess.Position, m games.Move) []byte {
	from, to := byte(chess.From(m)), byte(chess.To(m))
	if p.IsCapture(m) {
		from |= captureBit
	}
	if k := chess.Promotion(m); k != chess.NoKind {
		from, to = from|promotionBit, to|codeOf(k)<<6
	}
	return []byte{from, to}
}

// lowMove returns the legal move with these two bytes, 0 if there is none.
func lowMove(p *chess.Position, from, to uint64, legal []games.Move) games.Move {
	for _, m := range legal {
		if b := lowOf(p, m); b[0]&^captureBit == byte(from)&^captureBit && b[1] == byte(to) {
			return m
		}
	}
	return 0
}

// manOf returns the number of the man on a square among the mover's, and the bits that numbers take.
func manOf(p *chess.Position, s chess.Square) (number, size int) {
	own := uint64(p.Side(p.ToMove()))
	return bits.OnesCount64(own & (1<<s - 1)), bits.Len(uint(bits.OnesCount64(own) - 1))
}

func mediumMove(p *chess.Position, r *reader, legal []games.Move) games.Move {
	_, size := manOf(p, 0)
	man := int(r.read(size))
	for i, m := range legal {
		if i > 0 && chess.From(m) == chess.From(legal[i-1]) {
			continue // the man has been asked
		}
		if n, _ := manOf(p, chess.From(m)); n != man {
			continue
		}
		_, size := indexOf(p, m)
		want := int(r.read(size))
		for _, m := range legal {
			if n, _ := manOf(p, chess.From(m)); n != man {
				continue
			}
			if at, _ := indexOf(p, m); at == want {
				return m
			}
		}
		return 0
	}
	return 0
}

// steps are the directions of kings and knights by number, as differences of squares.
var (
	kingSteps   = [8]int{1, 9, 8, 7, -1, -9, -8, -7}
	knightSteps = [8]int{6, 10, 15, 17, -6, -10, -15, -17}
)

// indexOf returns the number of a move among those of its man, and the bits that such numbers take.
func indexOf(p *chess.Position, m games.Move) (index, size int) {
	from, to := chess.From(m), chess.To(m)
	step := int(to) - int(from)
	white := p.ToMove() == games.First
	switch chess.KindOf(m) {
	case chess.Knight:
		return numberOf(knightSteps, step), 3
	case chess.King:
		if chess.IsCastling(m) { // as steps off the board
			step = map[bool]int{true: 9, false: 8}[step > 0]
			if white {
				step = -step
			}
		}
		return numberOf(kingSteps, step), 3
	case chess.Rook:
		return straight(from, to), 4
	case chess.Bishop:
		return diagonal(from, to), 4
	case chess.Queen:
		if from.File() == to.File() || from.Rank() == to.Rank() {
			return straight(from, to), 5
		}
		return diagonal(from, to) | 1<<4, 5
	}
	if k := chess.Promotion(m); k != chess.NoKind {
		side := [3]int{4, 0, 8}[to.File()-from.File()+1] // towards the a-file, straight on, towards the h-file
		return side + int(codeOf(k)), 4
	}
	return numberOf([4]int{8, 7, 9, 16}, max(step, -step)), 2
}

// numberOf returns the place of a step in a list; the number of steps if it is not there.
func numberOf[L [4]int | [8]int](list L, step int) int {
	for i := range len(list) {
		if list[i] == step {
			return i
		}
	}
	return len(list)
}

// straight numbers the moves of a rook: ranks on its file, then files on its rank.
func straight(from, to chess.Square) int {
	if from.File() == to.File() {
		return to.Rank()
	}
	return to.File() | 1<<3
}

// diagonal numbers the moves of a bishop: ranks on the diagonal that falls from the a-file, then on the one that rises.
func diagonal(from, to chess.Square) int {
	if (int(to)-int(from))%9 == 0 {
		return to.Rank() | 1<<3
	}
	return to.Rank()
}

// writer appends bits to bytes.
type writer struct {
	data []byte
	from int // length of data before
	bits int
}

func (w *writer) write(v uint64, size int) {
	for i := range size {
		if w.bits&7 == 0 {
			w.data = append(w.data, 0)
		}
		w.data[w.from+w.bits>>3] |= byte(v>>i&1) << (w.bits & 7)
		w.bits++
	}
}

// reader takes bits from bytes, zeros after their end.
type reader struct {
	data     []byte
	at, bits int
}

func (r *reader) read(size int) (v uint64) {
	for i := range size {
		if at := r.at >> 3; at < len(r.data) {
			v |= uint64(r.data[at]>>(r.at&7)&1) << i
		}
		r.at++
	}
	return v
}
