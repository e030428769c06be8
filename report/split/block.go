package split

import "math/bits"

// A block's games are screened condition by condition: the counts of one condition, and the worth of a
// row, then stay in the processor's nearest memory, which is far too small for all conditions. A row's
// contribution depends on its part of the axis and its result alone, its key.

// worth is the contribution of a row to the scores of a condition: won - f, and the same times the slope's value.
type worth struct{ rest, slope float64 }

// readyGame is a game whose rows are made ready.
type readyGame struct {
	from, to int       // of words: 64 rows each, the last filled up
	t        []float64 // scores of the spline
}

// keys is the number of keys, three results a part. They fit 16 bits (mostParts).
func (x *axis) keys() int { return 3 * len(x.value) }

// worths returns what rows add on a side, by key.
func (x *axis) worths(side int) []worth {
	all := make([]worth, 0, x.keys())
	for part, chance := range x.chance[side] {
		for won := range 3 {
			rest := float64(won)/2 - chance
			all = append(all, worth{rest, rest * x.slope[part]})
		}
	}
	return all
}

// run returns the sums of the block's games of the side.
func (k *screener) run() *moments {
	k.ready()
	sum := newMoments(len(k.set.all), k.axis.knots)
	for c := range k.set.all {
		k.condition(c, sum)
	}
	for i := range k.games {
		sum.addGame(k.games[i].t)
	}
	return sum
}

// ready makes the rows of all games of the side ready.
func (k *screener) ready() {
	if k.worth == nil {
		k.worth, k.counts = k.axis.worths(k.side), make([]uint32, len(k.set.all)*k.axis.keys())
	}
	for a := range k.words {
		k.words[a] = k.words[a][:0]
	}
	k.games, k.keys = k.games[:0], k.keys[:0]
	for _, g := range k.block.games {
		if g.side != k.side {
			continue
		}
		one := readyGame{from: len(k.keys) / 64, t: make([]float64, k.axis.knots)}
		for row := g.from; row < g.to; row++ {
			part := k.axis.part(fineOf(k.block.value[row], k.axis.bin))
			key := 3*part + int(k.block.won[row])
			h, rest := k.axis.hats[part], k.worth[key].rest
			one.t[h.knot] += h.left * rest
			one.t[h.knot+1] += h.right * rest
			k.keys = append(k.keys, uint16(key))
		}
		for len(k.keys)%64 != 0 {
			k.keys = append(k.keys, 0)
		}
		one.to = len(k.keys) / 64
		for a := range k.set.atoms {
			k.words[a] = k.holds(k.words[a], &k.set.atoms[a], g)
		}
		k.games = append(k.games, one)
	}
}

// condition adds the scores of condition c in every game that has a position of it.
func (k *screener) condition(c int, to *moments) {
	first, second := k.bits(c)
	counts := k.counts[c*k.axis.keys() : (c+1)*k.axis.keys()]
	for i := range k.games {
		g := &k.games[i]
		s0, s1, n := 0.0, 0.0, 0
		for w := g.from; w < g.to; w++ {
			word := first[w] & second[w]
			n += bits.OnesCount64(word)
			for ; word != 0; word &= word - 1 {
				key := k.keys[w<<6+bits.TrailingZeros64(word)]
				x := &k.worth[key]
				s0 += x.rest
				s1 += x.slope
				counts[key]++
			}
		}
		if n > 0 {
			to.addCondition(c, s0, s1, int32(n), g.t)
		}
	}
}

// bits returns where the atoms of condition c hold, one atom twice.
func (k *screener) bits(c int) (first, second []uint64) {
	atoms := k.set.all[c].atoms
	first = k.words[atoms[0]]
	if atoms[1] < 0 {
		return first, first
	}
	return first, k.words[atoms[1]]
}

// outcomes returns the counts by condition and part.
func (k *screener) outcomes() []outcomes {
	all := make([]outcomes, len(k.set.all)*len(k.axis.value))
	if k.counts == nil {
		return all // it had no block
	}
	for i := range all {
		lost, drawn, won := k.counts[3*i], k.counts[3*i+1], k.counts[3*i+2]
		all[i] = outcomes{lost + drawn + won, drawn + 2*won}
	}
	return all
}
