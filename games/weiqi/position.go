// Package weiqi holds the rules of Go on boards from 2×2 to 19×19. (go is a keyword; the
// game's name here and on the command line is "go".)
//
// In go moves (SGF's pd, GTP's Q16, passes) and positions as text; out come positions,
// legal moves, texts, packed boards, scores and condition columns. Position is a value of
// 120 bytes: Play returns a new one, and nothing allocates. Black moves first, or White
// after handicap stones.
//
// A Position handles captures, suicide by its set of rules, and the ko that was just
// opened; repetition of the whole board belongs to the replay. Suicide of a single stone is
// never legal: where suicide is allowed it would repeat the board, which is forbidden
// there.
//
// After both have passed the players agree on dead stones, and nothing here guesses them:
// under all rules except Tromp and Taylor's a position stays undecided after two passes,
// and play may go on. Count, Area and Territory count a board with its stones as they
// are; Settled reports whether that is likely to be the players' count.
package weiqi

import "kifu/games"

// Black and White are the sides by their names in Go.
const (
	Black = games.First
	White = games.Second
)

// Position is a position of Go. The zero Position is invalid: New makes the first one.
type Position struct {
	stones  [2]Bitboard
	board   uint64 // hash of the stones alone
	ko      Point  // that may not be retaken at once; noPoint if none
	komi    int16  // hundredths of a point
	taken   [2]uint16
	size    uint8
	ruleset Ruleset
	side    games.Side
	passes  uint8 // in a row, at most 2
}

const noPoint Point = -1

// New returns the empty board of size lines, from MinSize to MaxSize, Black to move. komi
// is in hundredths of a point for White.
func New(size int, r Ruleset, komi int) Position {
	return Position{size: uint8(size), ruleset: r, komi: int16(komi), ko: noPoint}
}

// Move returns the move that puts a stone on p.
func Move(p Point) games.Move { return games.Move(p) + 1 }

// Pass is the pass, legal in every position that has not ended.
const Pass games.Move = stride*MaxSize + 1

// To returns the point of a move that is not Pass.
func To(m games.Move) Point { return Point(m - 1) }

// ToMove returns the side whose turn it is.
func (p Position) ToMove() games.Side { return p.side }

// Size returns the number of lines of the board.
func (p *Position) Size() int { return int(p.size) }

// Stones returns the stones of a side.
func (p *Position) Stones(side games.Side) Bitboard { return p.stones[side&1] }

// Empty returns the points without a stone.
func (p *Position) Empty() Bitboard {
	b := boards[p.size]
	for i := range b {
		b[i] &^= p.stones[0][i] | p.stones[1][i]
	}
	return b
}

// Prisoners returns the number of stones that side has taken.
func (p *Position) Prisoners(side games.Side) int { return int(p.taken[side&1]) }

// Komi returns White's komi, in hundredths of a point.
func (p *Position) Komi() int { return int(p.komi) }

// Chain returns the chain of stones of side of which the stone on at is one, with its
// liberties.
func (p *Position) Chain(side games.Side, at Point) (chain, liberties Bitboard) {
	own, empty := &p.stones[side&1], p.Empty()
	chain = own.Fill(At(at))
	return chain, chain.Neighbours().And(&empty)
}

// EachChain calls f for every chain of side, by its first stone, with its liberties.
func (p *Position) EachChain(side games.Side, f func(chain, liberties Bitboard)) {
	empty := p.Empty()
	eachChain(p.stones[side&1], &empty, f)
}

func eachChain(stones Bitboard, empty *Bitboard, f func(chain, liberties Bitboard)) {
	for !stones.Empty() {
		chain := stones.Fill(At(stones.First()))
		stones = stones.Without(&chain)
		f(chain, chain.Neighbours().And(empty))
	}
}

// eachTight is EachChain without those chains that are easily seen to have more than most liberties,
// 1 or 2: one of their stones has. Few chains are left.
func (p *Position) eachTight(side games.Side, most int, f func(chain, liberties Bitboard)) {
	own, empty := &p.stones[side&1], p.Empty()
	east, west, south, north := empty.East(), empty.West(), empty.South(), empty.North()
	var free Bitboard // stones that have more
	for i := range free {
		x, xs, y, ys := east[i]&west[i], east[i]|west[i], north[i]&south[i], north[i]|south[i]
		if most == 1 {
			free[i] = (x | y | xs&ys) & own[i]
		} else {
			free[i] = (x&ys | y&xs) & own[i]
		}
	}
	free = own.Fill(free)
	eachChain(own.Without(&free), &empty, f)
}

// Play returns the position after m, which must be legal.
func (p Position) Play(m games.Move) Position {
	p.ko = noPoint
	if m == Pass {
		p.side ^= 1
		p.passes = min(p.passes+1, 2)
		return p
	}
	at, own, other := To(m), p.side, p.side^1
	p.passes = 0
	p.put(own, at)
	captured := p.capture(own, at)
	if captured == 0 {
		if empty := p.Empty(); !p.breathes(own, at, &empty) {
			p.remove(own, p.stones[own].Fill(At(at)))
		}
	}
	p.side = other
	return p
}

// capture takes the chains of the other side next to at that have no liberty, opens a ko,
// and returns the number of stones.
func (p *Position) capture(own games.Side, at Point) (captured int) {
	other := own ^ 1
	near := neighbours[at].And(&p.stones[other])
	if near.Empty() {
		return 0
	}
	empty := p.Empty()
	var last Point
	for {
		next, ok := near.Pop()
		if !ok {
			break
		}
		if p.breathes(other, next, &empty) {
			continue
		}
		chain := p.stones[other].Fill(At(next))
		near = near.Without(&chain)
		captured += p.remove(other, chain)
		last = next
	}
	if captured == 1 {
		friends := neighbours[at].And(&p.stones[own])
		open := p.Empty()
		liberties := neighbours[at].And(&open)
		if friends.Empty() && liberties.Count() == 1 {
			p.ko = last
		}
	}
	return captured
}

// put adds a stone.
func (p *Position) put(side games.Side, at Point) {
	p.stones[side].Add(at)
	p.board ^= stoneHash(side, at)
}

// remove takes a chain of side off, for the other side, and returns how many stones.
func (p *Position) remove(side games.Side, chain Bitboard) (n int) {
	p.stones[side] = p.stones[side].Without(&chain)
	for {
		at, ok := chain.Pop()
		if !ok {
			p.taken[side^1] += uint16(n)
			return n
		}
		p.board ^= stoneHash(side, at)
		n++
	}
}

// breathes reports whether the chain of side on at has a liberty among empty.
func (p *Position) breathes(side games.Side, at Point, empty *Bitboard) bool {
	if neighbours[at].Meets(empty) {
		return true
	}
	own := &p.stones[side]
	chain := At(at)
	for {
		next := chain.Neighbours()
		if next.Meets(empty) {
			return true
		}
		grown := false
		for i := range next {
			next[i] = next[i]&own[i] | chain[i]
			grown = grown || next[i] != chain[i]
		}
		if !grown {
			return false
		}
		chain = next
	}
}

// Outcome is decided by two passes under the rules of Tromp and Taylor alone: by area,
// all stones on the board being alive.
func (p Position) Outcome() games.Outcome {
	if !p.ended() {
		return games.Undecided
	}
	return p.counted()
}

func (p *Position) ended() bool { return p.passes == 2 && rulesets[p.ruleset].final }

// Hash mixes the stones, the size, the side to move, the ko, the passes, and what the set
// of rules prescribes for suicide and the end; not komi and prisoners. It is part of the
// datasets: it does not depend on the program's version and must never change.
func (p Position) Hash() uint64 {
	h := uint64(p.size)<<32 | uint64(p.ko+1)<<8 | uint64(p.passes)<<2 | uint64(p.side)
	if rulesets[p.ruleset].suicide {
		h |= 1 << 5
	}
	if p.ended() {
		h |= 1 << 6
	}
	return p.board ^ scramble(h+golden)
}

// stoneHash returns the share of one stone in the hash of a board.
func stoneHash(side games.Side, at Point) uint64 { return stoneHashes[side&1][at] }

var stoneHashes = func() (all [2][stride * MaxSize]uint64) {
	for side := range all {
		for at := range all[side] {
			all[side][at] = scramble(uint64(at+1)<<1 + uint64(side) + 0xd1b54a32d192ed03)
		}
	}
	return all
}()

// golden is the increment of SplitMix64.
const golden = 0x9e3779b97f4a7c15

// scramble is the finalizer of SplitMix64 (Steele, Lea, Flood, "Fast Splittable
// Pseudorandom Number Generators", 2014); no two numbers give the same.
func scramble(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
