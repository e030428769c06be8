package search

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/internal/lists"
	"kifu/internal/logit"
	"kifu/report/split/conditions"
)

// scoreSums are the scores of conditions and of the null model's unknowns, summed over the
// games of a group: all positions of a game are in one. They are whole numbers of units below 2^53, so
// that sums do not depend on the order in which they are made.
type scoreSums []groupSums

// groupSums are the sums of one group.
type groupSums struct {
	mu     sync.Mutex
	shift  []float64 // by condition
	null   []float64 // by unknown
	counts []int32   // of each condition's positions
}

// unit is the unit of a score in sums.
const unit = 1 << 20

func newScoreSums(groups, conditions, unknowns int) scoreSums {
	s := make(scoreSums, groups)
	for g := range s {
		s[g].shift, s[g].null, s[g].counts = make([]float64, conditions), make([]float64, unknowns), make([]int32, conditions)
	}
	return s
}

// occupied are the groups with a game.
func (s scoreSums) occupied() (all []int) {
	for g := range s {
		if slices.ContainsFunc(s[g].null, func(x float64) bool { return x != 0 }) {
			all = append(all, g)
		}
	}
	return all
}

// intoMatrix moves the sums of these groups, as numbers, into a matrix with a line for each: they are too large to have twice.
func intoMatrix(groups []int, sums func(group int) *[]float64) *mat.Dense {
	m := mat.NewDense(len(groups), len(*sums(groups[0])), nil)
	for i, g := range groups {
		floats.ScaleTo(m.RawRowView(i), 1.0/unit, *sums(g))
		*sums(g) = nil
	}
	return m
}

// without are the scores less what the unknowns explain of them, a line of project a condition.
func (s scoreSums) without(project *mat.Dense, way string) clustered {
	lines := s.occupied()
	k := clustered{scores: intoMatrix(lines, func(g int) *[]float64 { return &s[g].shift }), lines: lines, way: way}
	var explained mat.Dense
	explained.Mul(intoMatrix(lines, func(g int) *[]float64 { return &s[g].null }), project.T())
	k.scores.Sub(k.scores, &explained)
	s.centre(k)
	return k
}

// centre subtracts half of their share, by positions, of the sum over all games from the scores
// of players and pairs. The players' sums add up to twice that sum, so t is then at most the
// root of their number, as with drawn signs. Otherwise a real shift would enter the variances
// by player as the square of the sum over their number, which is small. The rest is divided by
// one minus the share: it is the shift of the sum without this player (the jackknife).
func (s scoreSums) centre(k clustered) {
	sums := k.sums()
	all := make([]float64, len(sums))
	for g := range s[:FlipGroups] {
		for c, n := range s[g].counts {
			all[c] += float64(n)
		}
	}
	for i, g := range k.lines {
		if g < FlipGroups {
			continue
		}
		line := k.scores.RawRowView(i)
		for c, n := range s[g].counts {
			if n > 0 {
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
func (s *stored) sum(ctx context.Context, what summing) (scoreSums, error) {
	sums := newScoreSums(s.clusters.count(), len(what.set.All), what.null.unknowns())
	tasks := lists.N(s.workers(), func(int) *summer { return newSummer(what, s.clusters, sums) })
	err := eachBlock(ctx, s, what.title, slices.Concat(what.set.All, what.null.taken), func(w int, b *block) struct{} {
		tasks[w].run(b)
		return struct{}{}
	}, func(struct{}) {})
	return sums, err
}

// summer is one worker of sum. Unlike other passes it goes through a block game by game.
type summer struct {
	summing
	clusters *clusters
	sums     scoreSums
	atoms    []int         // of the conditions
	pairs    [][2]int      // of the conditions: places in words
	words    []uint64      // of the atoms, where they hold in 64 rows; last all rows
	taken    [][2][]uint64 // of the block: where the null model's splits hold
	// Of the game:
	rest   []int32   // by row: won - P(win), in units
	own    []float64 // by unknown
	shift  []float64 // by condition
	counts []int32
	tables [8]restTable
	at     []int32 // regressors of a row
	x      []float64
}

// restTable has the sum of rest for every subset of eight rows.
type restTable [256]int32

func (t *restTable) fill(rest []int32) {
	for i, x := range rest {
		for j := range 1 << i {
			t[1<<i+j] = t[j] + x
		}
	}
}

func newSummer(what summing, of *clusters, sums scoreSums) *summer {
	k := &summer{summing: what, clusters: of, sums: sums, own: make([]float64, what.null.unknowns()), shift: make([]float64, len(what.set.All)), counts: make([]int32, len(what.set.All))}
	place := func(atom int) int {
		if atom < 0 {
			return len(what.set.Atoms)
		}
		if !slices.Contains(k.atoms, atom) {
			k.atoms = append(k.atoms, atom)
		}
		return atom
	}
	for _, c := range what.set.All {
		k.pairs = append(k.pairs, [2]int{place(c.Atoms[0]), place(c.Atoms[1])})
	}
	k.words = append(make([]uint64, len(what.set.Atoms)), math.MaxUint64)
	return k
}

// flipSeed sets the groups of games apart from the other uses of the seed.
const flipSeed = 0x5157

// Run adds the block's games.
func (k *summer) run(b *block) {
	k.taken = k.taken[:0]
	for _, c := range k.null.taken {
		first, second := b.holding(c)
		k.taken = append(k.taken, [2][]uint64{first, second})
	}
	for i := range b.games {
		g := &b.games[i]
		if k.side != both && g.side != k.side {
			continue
		}
		k.scores(b, g)
		k.conditions(b, g)
		for _, group := range k.clusters.groups(g.id) {
			if group >= 0 && int(group) < len(k.sums) {
				k.sums[group].add(k)
			}
		}
	}
}

// add adds a game.
func (s *groupSums) add(k *summer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	floats.Add(s.null, k.own)
	floats.Add(s.shift, k.shift)
	for c, n := range k.counts {
		s.counts[c] += n
	}
}

// scores computes what is left of a game's results, and the game's scores of the unknowns.
func (k *summer) scores(b *block, g *blockGame) {
	clear(k.own)
	k.rest = k.rest[:0]
	for row := 64 * g.from; row < 64*g.from+g.rows; row++ {
		part, won := int(b.keys[row]/3), b.keys[row]%3
		k.at, k.x = k.null.regressors(k.at[:0], k.x[:0], part, func(split int) bool {
			return inBoth(k.taken[split][0], k.taken[split][1], row)
		})
		eta := 0.0
		for j, at := range k.at {
			eta += k.x[j] * k.null.theta[at]
		}
		rest := float64(won)/2 - logit.Probability(eta)
		for j, at := range k.at {
			k.own[at] += math.Trunc(k.x[j] * rest * unit)
		}
		k.rest = append(k.rest, int32(rest*unit))
	}
	for len(k.rest)%64 != 0 {
		k.rest = append(k.rest, 0)
	}
}

// conditions computes a game's scores of all conditions.
func (k *summer) conditions(b *block, g *blockGame) {
	clear(k.shift)
	clear(k.counts)
	t := &k.tables
	for w := g.from; w < g.to; w++ {
		for i := range t {
			t[i].fill(k.rest[64*(w-g.from)+8*i:][:8])
		}
		for _, a := range k.atoms {
			k.words[a] = b.words[a][w]
		}
		for c, p := range k.pairs {
			word := k.words[p[0]] & k.words[p[1]]
			k.counts[c] += int32(bits.OnesCount64(word))
			k.shift[c] += float64(t[0][byte(word)] + t[1][byte(word>>8)] + t[2][byte(word>>16)] + t[3][byte(word>>24)] +
				t[4][byte(word>>32)] + t[5][byte(word>>40)] + t[6][byte(word>>48)] + t[7][byte(word>>56)])
		}
	}
}
