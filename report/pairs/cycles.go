package pairs

import (
	"cmp"
	"math"
	"slices"

	"kifu/internal/multiple"
)

// rank puts the pairings in order, the surest first, and marks which stand out, unless there are too
// few.
func rank(pairs []*pairing, rate float64, names []string) {
	slices.SortStableFunc(pairs, func(a, b *pairing) int {
		return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(math.Abs(b.Z), math.Abs(a.Z)), cmp.Compare(names[a.A], names[b.A]), cmp.Compare(names[a.B], names[b.B]))
	})
	p := make([]float64, len(pairs))
	for i, k := range pairs {
		p[i] = k.P
	}
	for i, q := range multiple.FalseDiscovery(p) {
		if len(pairs) < leastJudged {
			q = math.NaN()
		}
		pairs[i].Q, pairs[i].StandsOut = q, q <= rate
	}
}

// cycles are triples of players each of whom scored more than half against the next.
type cycles struct {
	Triples int64 // whose three pairs are tested
	Found   []*cycle
	Sure    int // of Found, those in which each is stronger than the next at the false discovery rate
	Beyond  int // and those in which each scores more than expected
}

// cycle is A beats B beats C beats A. A triple is tested by its least sure pair
// (intersection-union: all three have to hold), in both directions.
type cycle struct {
	Players [3]int
	Pairs   [3]*pairing // of each with the next
	// P is of the test that each scores more than half against the next, first moves
	// allowed for; Q the same adjusted for all triples and directions.
	P, Q float64
	// Beyond is of the stronger claim that each scores more than is expected of the two.
	Beyond, BeyondQ float64
}

// score returns the score of player i in the pairing.
func (p *pairing) score(i int) float64 {
	if i == p.A {
		return p.Score()
	}
	return 1 - p.Score()
}

// threeCycles looks at all triples of the pairings.
func threeCycles(pairs []*pairing, rate float64) cycles {
	of := map[[2]int]*pairing{}
	met, beats := map[int][]int{}, map[int][]int{}
	for _, p := range pairs {
		a, b := min(p.A, p.B), max(p.A, p.B)
		of[[2]int{a, b}] = p
		met[a] = append(met[a], b)
		for _, i := range []int{p.A, p.B} {
			if p.score(i) > 0.5 {
				beats[i] = append(beats[i], p.A+p.B-i)
			}
		}
	}
	with := func(a, b int) *pairing { return of[[2]int{min(a, b), max(a, b)}] }
	var c cycles
	for _, a := range sortedKeys(met) {
		for i, b := range met[a] {
			for _, third := range met[a][i+1:] {
				if with(b, third) != nil {
					c.Triples++
				}
			}
		}
	}
	for _, a := range sortedKeys(beats) {
		for _, b := range beats[a] {
			for _, third := range beats[b] {
				if a < b && a < third && slices.Contains(beats[third], a) {
					c.Found = append(c.Found, newCycle([3]int{a, b, third}, [3]*pairing{with(a, b), with(b, third), with(third, a)}))
				}
			}
		}
	}
	c.adjust(rate, len(pairs) >= leastJudged)
	return c
}

func sortedKeys(m map[int][]int) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func newCycle(players [3]int, pairs [3]*pairing) *cycle {
	c := &cycle{Players: players, Pairs: pairs}
	for i, p := range pairs {
		side := 0
		if p.A != players[i] {
			side = 1
		}
		c.P, c.Beyond = max(c.P, p.Stronger[side]), max(c.Beyond, p.Beyond[side])
	}
	return c
}

// adjust fills in the false discovery rates; those triples that are no cycle have p
// values near 1 and count among the tests. Where the spread of the pairs is not known they are withheld.
func (c *cycles) adjust(rate float64, known bool) {
	for _, by := range []struct {
		p     func(*cycle) float64
		put   func(*cycle, float64)
		count *int
	}{
		{func(x *cycle) float64 { return x.Beyond }, func(x *cycle, q float64) { x.BeyondQ = q }, &c.Beyond},
		{func(x *cycle) float64 { return x.P }, func(x *cycle, q float64) { x.Q = q }, &c.Sure},
	} {
		slices.SortStableFunc(c.Found, func(a, b *cycle) int {
			return cmp.Or(cmp.Compare(by.p(a), by.p(b)), slices.Compare(a.Players[:], b.Players[:]))
		})
		var p []float64
		for _, x := range c.Found {
			p = append(p, by.p(x))
		}
		for i, q := range multiple.FalseDiscoveryOf(p, 2*c.Triples) {
			if !known {
				q = math.NaN()
			}
			by.put(c.Found[i], q)
			if q <= rate {
				*by.count++
			}
		}
	}
}
