package weiqi

import (
	"cmp"
	"slices"

	"kifu/games"
)

// A pattern is the content of all points around a point within a distance dx + dy + max(dx,
// dy), which gives nearly round shapes: 3 is the square of 3×3. Points beyond the edge are part
// of it. Every size includes the line of the point, up to the sixth, and the atari around it:
// liberties of the chain that the stone makes and of the weakest neighbouring enemy chain, and
// whether an own chain is in atari. (These are the features of Stern, Herbrich and Graepel
// 2006, section 2, except for ko.)
var patternDistances = []int{3, 4, 5, 6, 7, 8, 10, 12, 14}

var patternNames = []string{"3×3", "13 points", "21 points", "29 points", "37 points", "49 points", "73 points", "105 points", "141 points"}

const (
	patternReach = 7 // in lines, of the largest
	patternWidth = MaxSize + 2*patternReach
)

// The content of a point; an empty one needs no code.
const (
	ownStone = iota
	otherStone
	beyondEdge
	contents
)

// spot is a point of a pattern.
type spot struct {
	step   int // to it in a grid of patternWidth columns
	size   int // the smallest that has it
	random [contents][8]uint64
}

// spots are the points of the largest pattern, the smallest sizes first. Only their
// initialiser writes them.
var spots = func() (all []spot) {
	for dy := -patternReach; dy <= patternReach; dy++ {
		for dx := -patternReach; dx <= patternReach; dx++ {
			ax, ay := max(dx, -dx), max(dy, -dy)
			size := slices.IndexFunc(patternDistances, func(d int) bool { return ax+ay+max(ax, ay) <= d })
			if size < 0 || dx == 0 && dy == 0 {
				continue
			}
			s := spot{step: dy*patternWidth + dx, size: size}
			for content := range contents {
				x, y := dx, dy
				for turn := range 8 {
					s.random[content][turn] = scatter(uint64(content<<16 | (y+patternReach)<<8 | (x + patternReach)))
					if x, y = -y, x; turn == 3 {
						x = -x
					}
				}
			}
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b spot) int { return cmp.Compare(a.size, b.size) })
	return all
}()

// spotsOf is the number of spots of each size. Only its initialiser writes it.
var spotsOf = func() (n []int) {
	for size := range patternDistances {
		n = append(n, slices.IndexFunc(spots, func(s spot) bool { return s.size > size }))
	}
	n[len(n)-1] = len(spots)
	return n
}()

// scatter applies scramble to small consecutive numbers, including 0.
func scatter(z uint64) uint64 { return scramble(z + golden) }

// PatternSizes implements games.Patterns.
func (Rules) PatternSizes() []string { return patternNames }

// EachPattern implements games.Patterns. All passes have the patterns of a pass.
func (Rules) EachPattern(p Position, moves []games.Move, f func(move int, key uint64) bool) {
	var s surroundings
	s.read(&p)
	for i, m := range moves {
		if m != Pass {
			s.eachKey(&p, To(m), func(key uint64) bool { return f(i, key) })
			continue
		}
		for size := range patternDistances {
			if !f(i, scatter(uint64(p.passes)<<8|uint64(size)|1<<63)) {
				break
			}
		}
	}
}

// surroundings hold what the patterns of a position depend on.
type surroundings struct {
	grid      [patternWidth * patternWidth]uint8 // content + 1, 0 where empty
	chain     [stride * MaxSize]int16            // of the stones
	liberties []Bitboard                         // of the chains
	count     []int
}

func (s *surroundings) read(p *Position) {
	for i := range s.grid {
		s.grid[i] = beyondEdge + 1
	}
	for row := range p.Size() {
		start := (row+patternReach)*patternWidth + patternReach
		clear(s.grid[start : start+p.Size()])
	}
	for side := range games.Side(2) {
		content := uint8(ownStone + 1)
		if side != p.side {
			content = otherStone + 1
		}
		p.EachChain(side, func(chain, liberties Bitboard) {
			for {
				at, ok := chain.Pop()
				if !ok {
					break
				}
				s.grid[place(at)], s.chain[at] = content, int16(len(s.liberties))
			}
			s.liberties, s.count = append(s.liberties, liberties), append(s.count, liberties.Count())
		})
	}
}

// place returns the index of a point in the grid.
func place(at Point) int {
	return (at.Row()+patternReach)*patternWidth + at.Column() + patternReach
}

// eachKey calls f with the keys of a stone on at until it returns false.
func (s *surroundings) eachKey(p *Position, at Point, f func(key uint64) bool) {
	var turned [8]uint64
	centre, extra := place(at), s.extra(p, at)
	from := 0
	for size, to := range spotsOf {
		for i := range spots[from:to] {
			k := &spots[from+i]
			content := s.grid[centre+k.step]
			if content == 0 {
				continue
			}
			for turn, r := range &k.random[content-1] {
				turned[turn] ^= r
			}
		}
		if !f(scatter(slices.Min(turned[:])^extra) + uint64(size)) {
			return
		}
		from = to
	}
}

// extra returns the lines of at and the atari around it.
func (s *surroundings) extra(p *Position, at Point) uint64 {
	last := p.Size() - 1
	column, row := min(at.Column(), last-at.Column(), 5), min(at.Row(), last-at.Row(), 5)
	around, empty := neighbours[at], p.Empty()
	made := around.And(&empty)
	weakest, escapes := 3, 0
	for own := around.And(&p.stones[p.side]); ; {
		next, ok := own.Pop()
		if !ok {
			break
		}
		c := s.chain[next]
		if s.count[c] == 1 {
			escapes = 1
		}
		for i := range made {
			made[i] |= s.liberties[c][i]
		}
	}
	for other := around.And(&p.stones[p.side^1]); ; {
		next, ok := other.Pop()
		if !ok {
			break
		}
		n := s.count[s.chain[next]]
		if n == 1 {
			made.Add(next) // it is taken
		}
		weakest = min(weakest, n)
	}
	made.Remove(at)
	return scatter(uint64(min(column, row)) | uint64(max(column, row))<<4 | uint64(min(made.Count(), 3))<<8 | uint64(weakest)<<12 | uint64(escapes)<<16)
}
