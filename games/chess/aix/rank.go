package aix

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"kifu/games"
	"kifu/games/chess"
)

// rankOf returns the number of legal moves with a higher score than m.
func rankOf(p *chess.Position, m games.Move, legal []games.Move) (rank int) {
	own := scoreOf(p, m)
	for _, other := range legal {
		if scoreOf(p, other) > own {
			rank++
		}
	}
	return rank
}

// ranked returns the legal move of a rank, 0 if there is none.
func ranked(p *chess.Position, rank int, legal []games.Move) (m games.Move) {
	if rank < 0 || rank >= len(legal) {
		return 0
	}
	var scores [256]int // no position has as many moves
	for i, m := range legal {
		scores[i] = scoreOf(p, m)
	}
	below := math.MaxInt
	for range rank + 1 { // ranks are low
		best := -1
		for i, score := range scores[:len(legal)] {
			if score < below && (best < 0 || score > scores[best]) {
				best = i
			}
		}
		m, below = legal[best], scores[best]
	}
	return m
}

// scoreOf scores a legal move: by the man that a pawn becomes, whether it captures, whether a pawn could take on its square,
// the gain on the squares' table, and its squares. No two moves of a position have the same.
func scoreOf(p *chess.Position, m games.Move) int {
	from, to, kind := chess.From(m), chess.To(m), chess.KindOf(m)
	side := p.ToMove()
	promotion, capture, safety := 0, 0, 6
	if k := chess.Promotion(m); k != chess.NoKind {
		promotion = int(k - chess.Pawn)
	}
	if p.IsCapture(m) {
		capture = 1
	}
	if chess.PawnAttacks(side, to)&p.Pawns()&p.Side(side.Other()) != 0 {
		safety -= int(kind)
	}
	gain := 512 + onTable(side, kind, to) - onTable(side, kind, from)
	return promotion<<26 + capture<<25 + safety<<22 + gain<<12 + int(to)<<6 + int(from)
}

// onTable is the value of a man's square on Lichess's tables (lichess-org/compression), which begin at a8 for White.
func onTable(side games.Side, k chess.Kind, s chess.Square) int {
	if side == games.First {
		s ^= 56
	}
	return int(tables[k-chess.Pawn][s])
}

// code is a code of Huffman's: its bits from the lowest on.
type code struct {
	bits uint64
	size int
}

// coding is a code of Huffman's of the ranks.
type coding struct {
	codes [256]code
	open  []int // inner nodes of its tree at each depth from 1 on; they come first, then the leaves in the order of byWeight
}

var huffman = sync.OnceValue(newCoding)

// byWeight are the ranks in descending order of their weights.
var byWeight = func() (ranks [256]uint8) {
	for i := range ranks {
		ranks[i] = uint8(i)
	}
	slices.SortFunc(ranks[:], func(a, b uint8) int { return cmp.Compare(weights[b], weights[a]) })
	return ranks
}()

// newCoding makes the code of least length for the weights. Of a leaf and an inner node with equal weights the leaf is joined first,
// of inner nodes the one that was made first.
func newCoding() *coding {
	var inner [255]struct {
		weight uint64
		parent int
	}
	leaf := func(i int) uint64 { return weights[byWeight[255-i]] } // ascending
	leaves, first := 0, 0
	for next := range inner {
		for range 2 {
			if leaves == 256 || first < next && inner[first].weight < leaf(leaves) {
				inner[next].weight += inner[first].weight
				inner[first].parent = next
				first++
			} else {
				inner[next].weight += leaf(leaves)
				leaves++
			}
		}
	}
	c := &coding{}
	var depth [255]int
	for i := len(inner) - 2; i >= 0; i-- {
		depth[i] = depth[inner[i].parent] + 1
		for len(c.open) < depth[i] {
			c.open = append(c.open, 0)
		}
		c.open[depth[i]-1]++
	}
	c.open = append(c.open, 0)
	nodes, of := 2, 0
	for i, inside := range c.open {
		for at := inside; at < nodes; at++ {
			one := code{size: i + 1}
			for bit := range one.size { // the root's is the lowest
				one.bits |= uint64(at) >> (i - bit) & 1 << bit
			}
			c.codes[byWeight[of]] = one
			of++
		}
		nodes = 2 * inside
	}
	return c
}

// symbol reads the code of a rank; -1 where the bits end.
func (r *reader) symbol() int {
	nodes, before, at := 2, 0, 0
	for _, inside := range huffman().open {
		if r.at >= r.bits {
			return -1
		}
		if at += int(r.read(1)); at >= inside {
			return int(byWeight[before+at-inside])
		}
		before, nodes, at = before+nodes-inside, 2*inside, 2*at
	}
	return -1
}
