package shogi

import "kifu/games"

// patternNames are the sizes of patterns of a move: the move itself, mirrored left to right and
// seen by the side that makes it, with more and more of its surroundings.
var patternNames = [...]string{"move", "and the pieces there or attacking it", "and 3×3", "and 5×5", "and the hands", "all squares"}

// PatternSizes implements games.Patterns.
func (Rules) PatternSizes() []string { return patternNames[:] }

// EachPattern implements games.Patterns. Boards are turned to the side to move and reflected at
// the middle file; Shogi has no other symmetry.
func (Rules) EachPattern(p Position, moves []games.Move, f func(move int, key uint64) bool) {
	v := newView(&p)
	for i, m := range moves {
		var sums [2]uint64 // of the board and its reflection
		for size := range patternNames {
			for turn := range sums {
				sums[turn] += v.add(&p, m, turn, size)
			}
			if !f(i, scatter(min(scatter(sums[0]), scatter(sums[1]))+uint64(size))) {
				break
			}
		}
	}
}

// view is a board as the side to move sees it, and its reflection.
type view struct {
	squares [2][81]uint8 // kind, plus 16 for the opponent's pieces
	all     [2]uint64    // sums over all squares
	hands   uint64
}

func newView(p *Position) *view {
	v := &view{hands: scatter(uint64(p.hands[p.side&1])<<32 | uint64(p.hands[p.side&1^1]))}
	for s := range NoSquare {
		piece := uint8(p.KindAt(s))
		if piece == 0 {
			continue
		}
		if p.SideAt(s) != p.side {
			piece += 16
		}
		for turn := range v.squares {
			at := p.seen(s, turn)
			v.squares[turn][at] = piece
			v.all[turn] += scatter(uint64(piece)<<8 | uint64(at))
		}
	}
	return v
}

// seen returns s as the side to move sees it: reflected if turn is 1.
func (p *Position) seen(s Square, turn int) Square {
	if p.side == White {
		s = 80 - s
	}
	if turn == 1 {
		s = At(8-s.File(), s.Rank())
	}
	return s
}

// add returns what size adds to the pattern of m.
func (v *view) add(p *Position, m games.Move, turn, size int) uint64 {
	to := p.seen(To(m), turn)
	switch size {
	case 0:
		from := NoSquare
		if !IsDrop(m) {
			from = p.seen(From(m), turn)
		}
		return scatter(1<<60 | uint64(p.Moved(m))<<24 | uint64(from)<<16 | uint64(to)<<8 | uint64(m&1))
	case 1:
		occ := p.Occupied()
		mine := p.Attackers(p.side, To(m), occ).Count()
		theirs := p.Attackers(p.side^1, To(m), occ).Count()
		return scatter(2<<60 | uint64(v.squares[turn][to])<<16 | uint64(min(mine, 3))<<8 | uint64(min(theirs, 3)))
	case 2, 3:
		return v.around(turn, to, size-1)
	case 4:
		return v.hands
	}
	return v.all[turn]
}

// around sums the pieces within a king's distance of a square; what is beyond the board
// counts, too.
func (v *view) around(turn int, to Square, distance int) (sum uint64) {
	for file := to.File() - distance; file <= to.File()+distance; file++ {
		for rank := to.Rank() - distance; rank <= to.Rank()+distance; rank++ {
			piece := uint64(31)
			if file >= 0 && file < 9 && rank >= 0 && rank < 9 {
				piece = uint64(v.squares[turn][At(file, rank)])
			}
			place := uint64(9*(file-to.File()+4) + rank - to.Rank() + 4)
			sum += scatter(uint64(distance)<<56 | piece<<8 | place)
		}
	}
	return sum
}

// scatter makes the sums of small numbers, 0 among them, different.
func scatter(z uint64) uint64 { return scramble(z + 0x9e3779b97f4a7c15) }

// scramble is the finaliser of SplitMix64.
func scramble(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
