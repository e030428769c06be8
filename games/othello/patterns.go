package othello

import (
	"math/bits"

	"kifu/games"
)

// Patterns of a move consist of the square itself, which is one of ten up to symmetry, and
// of its surroundings: each size contains the previous ones.
var patternNames = [...]string{"square", "square and 3×3", "and the discs it turns", "and 5×5", "and the lines through it", "all squares"}

// PatternSizes implements games.Patterns.
func (Rules) PatternSizes() []string { return patternNames[:] }

// EachPattern implements games.Patterns. All passes have the patterns of a pass.
func (Rules) EachPattern(p Position, moves []games.Move, f func(move int, key uint64) bool) {
	var own, opp [8]Bitboard
	for turn := range own {
		own[turn], opp[turn] = turnBoard(p.own, turn), turnBoard(p.opp, turn)
	}
	for i, m := range moves {
		if m == Pass {
			for size := range patternNames {
				if !f(i, scatter(1<<63|uint64(size))) {
					break
				}
			}
			continue
		}
		var at [8]Square
		var discs [8]uint64
		for turn := range at {
			at[turn] = turnBoard(To(m).Bit(), turn).First()
		}
		for size := range patternNames {
			if size == 2 {
				turned := flips(To(m), p.own, p.opp)
				for turn := range discs {
					discs[turn] = scatter(uint64(turnBoard(turned, turn)))
				}
			}
			key := ^uint64(0)
			for turn, s := range at {
				area := around[s][size]
				key = min(key, scatter(uint64(own[turn]&area)+uint64(s))^scatter(bits.RotateLeft64(uint64(opp[turn]&area), 1))+discs[turn])
			}
			if !f(i, scatter(key)+uint64(size)) {
				break
			}
		}
	}
}

// around are the squares that each size of pattern has for each square. Only their
// initialiser writes them.
var around = func() (all [64][len(patternNames)]Bitboard) {
	for s := range Square(64) {
		near := s.Bit().Neighbours() | s.Bit()
		wide := near.Neighbours() | near
		all[s] = [...]Bitboard{s.Bit(), near, near, wide, wide | lines[s], ^Bitboard(0)}
	}
	return all
}()

// lines are the row, the column and the diagonals through each square. Only their
// initialiser writes them.
var lines = func() (all [64]Bitboard) {
	for a := range Square(64) {
		for b := range Square(64) {
			dx, dy := a.Column()-b.Column(), a.Row()-b.Row()
			if dx == 0 || dy == 0 || dx == dy || dx == -dy {
				all[a] |= b.Bit()
			}
		}
	}
	return all
}()

// turnBoard returns the board turned and mirrored in one of eight ways.
func turnBoard(b Bitboard, turn int) Bitboard {
	if turn&1 != 0 { // top to bottom
		b = b>>56 | b>>40&0xff00 | b>>24&0xff0000 | b>>8&0xff000000 | b<<8&0xff00000000 | b<<24&0xff0000000000 | b<<40&0xff000000000000 | b<<56
	}
	if turn&2 != 0 { // left to right
		b = b>>1&0x5555555555555555 | b&0x5555555555555555<<1
		b = b>>2&0x3333333333333333 | b&0x3333333333333333<<2
		b = b>>4&0x0f0f0f0f0f0f0f0f | b&0x0f0f0f0f0f0f0f0f<<4
	}
	if turn&4 != 0 { // along the diagonal
		t := (b ^ b>>7) & 0x00aa00aa00aa00aa
		b ^= t ^ t<<7
		t = (b ^ b>>14) & 0x0000cccc0000cccc
		b ^= t ^ t<<14
		t = (b ^ b>>28) & 0x00000000f0f0f0f0
		b ^= t ^ t<<28
	}
	return b
}

// scatter applies scramble to small consecutive numbers, including 0.
func scatter(z uint64) uint64 { return scramble(z + golden) }
