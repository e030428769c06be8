package search

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/lists"
	"kifu/internal/logit"
	"kifu/report/split/conditions"
)

// scoreSums are the scores of conditions and of the null model's unknowns, summed over the
// games of a group: all positions of a game are in one. They are whole numbers of units, so
// that sums do not depend on the order in which they are made.
type scoreSums struct {
	mu     sync.Mutex
	groups int
	shift  [][]int64 // by condition and group
	null   [][]int64 // by unknown and group
	counts [][]int32 // of the condition's positions
}

// unit is the unit of a score in sums.
const unit = 1 << 20

func newScoreSums(groups, conditions, unknowns int) *scoreSums {
	return &scoreSums{groups: groups, shift: numbersOf[int64](conditions, groups), null: numbersOf[int64](unknowns, groups), counts: numbersOf[int32](conditions, groups)}
}

// numbersOf returns lines of as many zeros.
func numbersOf[T int32 | int64](lines, width int) [][]T {
	return lists.N(lines, func(int) []T { return make([]T, width) })
}

// occupied are the groups with a game.
func (s *scoreSums) occupied() (all []int) {
	for g := range s.groups {
		if slices.ContainsFunc(s.null, func(line []int64) bool { return line[g] != 0 }) {
			all = append(all, g)
		}
	}
	return all
}

// dense returns sums as numbers, a line for each of these groups.
func dense(from [][]int64, groups []int) *mat.Dense {
	m := mat.NewDense(len(groups), len(from), nil)
	for i, g := range groups {
		line := m.RawRowView(i)
		for j, of := range from {
			line[j] = float64(of[g]) / unit
		}
	}
	return m
}

// without are the scores less what the unknowns explain of them, a line of project a condition.
func (s *scoreSums) without(project *mat.Dense, way string) clustered {
	lines := s.occupied()
	k := clustered{scores: dense(s.shift, lines), lines: lines, way: way}
	var explained mat.Dense
	explained.Mul(dense(s.null, lines), project.T())
	k.scores.Sub(k.scores, &explained)
	s.centre(k)
	return k
}

// centre subtracts half of their share, by positions, of the sum over all games from the scores
// of players and pairs. The players' sums add up to twice that sum, so t is then at most the
// root of their number, as with drawn signs. Otherwise a real shift would enter the variances
// by player as the square of the sum over their number, which is small. The rest is divided by
// one minus the share: it is the shift of the sum without this player (the jackknife).
func (s *scoreSums) centre(k clustered) {
	sums, all := k.sums(), make([]float64, len(s.counts))
	for c, line := range s.counts {
		for _, n := range line[:FlipGroups] {
			all[c] += float64(n)
		}
	}
	for i, g := range k.lines {
		if g < FlipGroups {
			continue
		}
		line := k.scores.RawRowView(i)
		for c := range line {
			if n := s.counts[c][g]; n > 0 {
				share := float64(n) / all[c]
				line[c] = (line[c] - sums[c]*share/2) / math.Max(0.5, 1-share)
			}
		}
	}
}

// summing reports what is summed: the games of a side (both: all).
type summing struct {
	null  *nullModel
	set   *conditions.Set
	side  int
	title string
}

// sum returns the scores by groups of games.
func (s *stored) sum(ctx context.Context, what summing) (*scoreSums, error) {
	sums := newScoreSums(s.clusters.count(), len(what.set.All), what.null.unknowns())
	tasks := lists.N(s.workers(), func(int) *summer { return newSummer(what, s.clusters, sums) })
	err := eachBlock(ctx, s, what.title, slices.Concat(what.set.All, what.null.taken), func(w int, b *block) struct{} {
		tasks[w].run(b)
		return struct{}{}
	}, func(struct{}) {})
	return sums, err
}

// summer is one worker of sum.
type summer struct {
	summing
	clusters *clusters
	sums     *scoreSums
	own      []int64 // a game's scores of the unknowns
	rest     []int32 // of a row of the block: won - P(win), in units
	games    []summed
	shift    []int64 // of a condition by group, in this block
	counts   []int32
}

// summed is a game of a block, with its groups. The number of groups stands for none.
type summed struct {
	from, to int32 // of words
	groups   [4]int16
}

func newSummer(what summing, of *clusters, sums *scoreSums) *summer {
	return &summer{summing: what, clusters: of, sums: sums, own: make([]int64, what.null.unknowns()), shift: make([]int64, sums.groups+1), counts: make([]int32, sums.groups+1)}
}

// flipSeed sets the groups of games apart from the other uses of the seed.
const flipSeed = 0x5157

// Run adds the block's games.
func (k *summer) run(b *block) {
	k.games, k.rest = k.games[:0], slices.Grow(k.rest[:0], len(b.keys))[:len(b.keys)]
	for i := range b.games {
		g := &b.games[i]
		if k.side != both && g.side != k.side {
			continue
		}
		one := summed{from: int32(g.from), to: int32(g.to), groups: k.clusters.groups(g.id)}
		for i, group := range one.groups {
			if group < 0 || int(group) >= k.sums.groups {
				one.groups[i] = int16(k.sums.groups)
			}
		}
		k.games = append(k.games, one)
		k.scores(b, g)
		k.sums.mu.Lock()
		for i, x := range k.own {
			for _, group := range one.groups {
				if int(group) < k.sums.groups {
					k.sums.null[i][group] += x
				}
			}
		}
		k.sums.mu.Unlock()
	}
	for c := range k.set.All {
		k.condition(b, c)
	}
}

// scores computes what is left of a game's results, and the game's scores of the unknowns.
func (k *summer) scores(b *block, g *blockGame) {
	clear(k.own)
	for row := 64 * g.from; row < 64*g.from+g.rows; row++ {
		part, won := int(b.keys[row]/3), b.keys[row]%3
		has := func(split int) bool { return b.holds(k.null.taken[split], row) }
		eta := 0.0
		k.null.regressors(part, has, func(at int, x float64) { eta += x * k.null.theta[at] })
		rest := float64(won)/2 - logit.Probability(eta)
		k.null.regressors(part, has, func(at int, x float64) { k.own[at] += int64(x * rest * unit) })
		k.rest[row] = int32(rest * unit)
	}
}

// condition adds the scores of a condition in every game that has a position of it.
func (k *summer) condition(b *block, c int) {
	clear(k.shift)
	clear(k.counts)
	first, second := b.of(k.set.All[c])
	for i := range k.games {
		g := &k.games[i]
		sum, n := int64(0), 0
		for w := int(g.from); w < int(g.to); w++ {
			word := first[w] & second[w]
			n += bits.OnesCount64(word)
			for ; word != 0; word &= word - 1 {
				sum += int64(k.rest[w<<6+bits.TrailingZeros64(word)])
			}
		}
		if n == 0 {
			continue
		}
		for _, group := range g.groups {
			k.shift[group] += sum
			k.counts[group] += int32(n)
		}
	}
	k.sums.mu.Lock()
	defer k.sums.mu.Unlock()
	for group := range k.sums.groups {
		k.sums.shift[c][group] += k.shift[group]
		k.sums.counts[c][group] += k.counts[group]
	}
}
