package board

import (
	"fmt"
	"math/bits"
	"strings"

	"kifu/games"
)

// Material counts pieces by their index in Game.Pieces, those in hand with those on the
// board.
type Material [32]uint8

// MaterialOf counts the pieces of b.
func MaterialOf(b Board) (m Material) {
	var cells [384]uint8
	m.Count(b.AppendCells(cells[:0]))
	for _, side := range [2]games.Side{games.First, games.Second} {
		m.Count(b.AppendHand(cells[:0], side))
	}
	return m
}

// Count adds pieces by their index; empty cells count nothing.
func (m *Material) Count(pieces []uint8) {
	for _, piece := range pieces {
		m[piece&31]++
	}
	m[0] = 0
}

// Total returns the number of pieces.
func (m *Material) Total() (n int) {
	for _, count := range m {
		n += int(count)
	}
	return n
}

// ParseMaterial reads the letters of all pieces: KRPkr. The order does not matter.
func ParseMaterial(g Game, text string) (m Material, err error) {
	r := patternRow{game: g, rest: text}
	for r.rest != "" {
		at := r.rest
		s, err := r.one()
		if err != nil {
			return m, fmt.Errorf("material %q: %w", text, err)
		}
		piece := bits.TrailingZeros32(uint32(s))
		if bits.OnesCount32(uint32(s)) != 1 || piece == 0 || s == outside {
			return m, fmt.Errorf("material %q: %q is no piece", text, at[:1])
		}
		m[piece]++
	}
	return m, nil
}

// Text returns the letters of g's pieces, each side's from the last kind in Pieces, which puts
// the king first: KRPkr.
func (m Material) Text(g Game) string {
	var out strings.Builder
	pieces := g.Pieces()
	kinds := (len(pieces) - 1) / 2
	for side := range 2 {
		for i := kinds; i > 0; i-- {
			piece := i + side*kinds
			out.WriteString(strings.Repeat(pieces[piece].Letter, int(m[piece])))
		}
	}
	return out.String()
}

// Ending returns what is left, seen from the side that is ahead: its pieces as those that come first in Pieces, the weakest kind
// of either side once, however many there are. Ahead is who has more of the strongest kind in which the sides differ;
// even reports that they do not.
func (m Material) Ending(g Game) (text string, ahead games.Side, even bool) {
	pieces, even := g.Pieces(), true
	kinds := (len(pieces) - 1) / 2
	ahead = pieces[1].Side // White's pieces come first, also where Black is the first player
	for i := kinds; i > 0 && even; i-- {
		if own, other := m[i], m[i+kinds]; own != other {
			even = false
			if own < other {
				ahead = pieces[1+kinds].Side
			}
		}
	}
	if ahead != pieces[1].Side {
		for i := 1; i <= kinds; i++ {
			m[i], m[i+kinds] = m[i+kinds], m[i]
		}
	}
	for _, weakest := range []int{1, 1 + kinds} {
		m[weakest] = min(m[weakest], 1)
	}
	return m.Text(g), ahead, even
}
