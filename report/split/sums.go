package split

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/internal/logit"
)

// scoreSums are the scores of conditions and of the null model's unknowns, summed over the
// games of a group: all positions of a game are in one. They are whole numbers of units, so
// that sums do not depend on the order in which they are made.
type scoreSums struct {
	groups, conditions, unknowns int
	shift                        []int64 // a line a group: of a condition
	null                         []int64 // of the unknowns
	counts                       []int32 // of the condition's positions; nil without groups of players
}

// unit is the unit of a score in sums.
const unit = 1 << 20

func newScoreSums(groups, conditions, unknowns int) *scoreSums {
	s := &scoreSums{groups: groups, conditions: conditions, unknowns: unknowns, shift: make([]int64, groups*conditions), null: make([]int64, groups*unknowns)}
	if groups > flipGroups {
		s.counts = make([]int32, groups*conditions)
	}
	return s
}

func (s *scoreSums) add(o *scoreSums) {
	addTo(s.shift, o.shift)
	addTo(s.null, o.null)
	addTo(s.counts, o.counts)
}

func addTo[T int32 | int64](to, from []T) {
	for i, x := range from {
		to[i] += x
	}
}

// occupied are the groups with a game.
func (s *scoreSums) occupied() (all []int) {
	for g := range s.groups {
		for _, x := range s.null[g*s.unknowns : (g+1)*s.unknowns] {
			if x != 0 {
				all = append(all, g)
				break
			}
		}
	}
	return all
}

// dense are the lines of these groups as numbers.
func dense(from []int64, width int, groups []int) *mat.Dense {
	m := mat.NewDense(len(groups), width, nil)
	for i, g := range groups {
		line := m.RawRowView(i)
		for j, x := range from[g*width : (g+1)*width] {
			line[j] = float64(x) / unit
		}
	}
	return m
}

// without are the scores less what the unknowns explain of them, a line of project a condition.
func (s *scoreSums) without(project *mat.Dense, way string) clustered {
	lines := s.occupied()
	k := clustered{scores: dense(s.shift, s.conditions, lines), lines: lines, way: way}
	var explained mat.Dense
	explained.Mul(dense(s.null, s.unknowns, lines), project.T())
	k.scores.Sub(k.scores, &explained)
	s.centre(k)
	return k
}

// centre subtracts from the scores of players and pairs half of their share, by positions, of the sum
// over all games: the players' sums come to twice that sum, and t is then at most the root of their
// number, as with drawn signs. Otherwise a real shift would be in the variances by player as the square
// of the sum over their number, which is small. The rest is divided by one less the share: so it is the
// shift of the sum without this player (the jackknife).
func (s *scoreSums) centre(k clustered) {
	if s.counts == nil {
		return
	}
	sums, all := k.sums(), make([]float64, s.conditions)
	for i, n := range s.counts[:flipGroups*s.conditions] {
		all[i%s.conditions] += float64(n)
	}
	for i, g := range k.lines {
		if g < flipGroups {
			continue
		}
		line := k.scores.RawRowView(i)
		for c, n := range s.counts[g*s.conditions : (g+1)*s.conditions] {
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
	set   *conditionSet
	side  int
	title string
}

// sum reads all rows once and returns the scores by groups of games.
func (r *reader) sum(ctx context.Context, what summing) (*scoreSums, error) {
	tasks := lists.N(r.workers(), func(int) *summer { return r.newSummer(what) })
	err := datasets.Each(ctx, r.dir, len(tasks), what.title, "positions", func(w int, g datasets.Group, _ func(struct{}) error) error {
		if err := tasks[w].screener.reader.read(g, tasks[w].screener.block); err != nil {
			return err
		}
		tasks[w].run()
		return nil
	}, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range tasks[1:] {
		tasks[0].sums.add(t.sums)
	}
	return tasks[0].sums, nil
}

// summer is one worker of sum.
type summer struct {
	summing
	screener *screener
	taken    []condition // by the screener's atoms
	words    [][]uint64  // of a split taken: which rows of the game it holds for
	rest     subsets     // of a row: won - P(win), in units
	own      []int64     // the game's scores of the unknowns
	sums     *scoreSums
}

func (r *reader) newSummer(what summing) *summer {
	set := *what.set
	set.atoms = append([]atom(nil), set.atoms...)
	taken := make([]condition, len(what.null.taken))
	for i, c := range what.null.taken {
		for j, a := range c.atoms {
			if a >= 0 {
				c.atoms[j] = set.index(what.set.atoms[a])
			}
		}
		taken[i] = c
	}
	return &summer{summing: what, taken: taken, words: make([][]uint64, len(taken)), screener: newScreener(r.reading(&set), what.null.axis, &set, what.side),
		sums: newScoreSums(r.clusters.count(), len(set.all), what.null.unknowns())}
}

// run adds the block's games.
func (k *summer) run() {
	for _, g := range k.screener.block.games {
		if k.side == both || g.side == k.side {
			k.game(g, k.screener.reader.clusters.groups(g.id))
		}
	}
}

// flipSeed sets the groups of games apart from the other uses of the seed.
const flipSeed = 0x5157

// game adds a game's scores to its groups' scores.
func (k *summer) game(g gameRows, groups [4]int16) {
	s := k.screener
	s.atoms(g)
	for i, c := range k.taken {
		k.words[i] = append(k.words[i][:0], s.words[c.atoms[0]]...)
		if c.atoms[1] >= 0 {
			for j, w := range s.words[c.atoms[1]] {
				k.words[i][j] &= w
			}
		}
	}
	k.rest.rows, k.own = k.rest.rows[:0], append(k.own[:0], make([]int64, k.sums.unknowns)...)
	for i := g.from; i < g.to; i++ {
		part, row := s.axis.part(fineOf(s.block.value[i], s.axis.bin)), i-g.from
		has := func(split int) bool { return k.words[split][row>>6]>>(row&63)&1 != 0 }
		eta := 0.0
		k.null.regressors(part, has, func(at int, x float64) { eta += x * k.null.theta[at] })
		rest := float64(s.block.won[i])/2 - logit.Probability(eta)
		k.null.regressors(part, has, func(at int, x float64) { k.own[at] += int64(x * rest * unit) })
		k.rest.rows = append(k.rest.rows, int32(rest*unit))
	}
	for _, group := range groups {
		if k.sums.has(group) {
			for i, x := range k.own {
				k.sums.null[int(group)*k.sums.unknowns+i] += x
			}
		}
	}
	k.conditions(groups)
}

// has reports whether scores are summed by a group.
func (s *scoreSums) has(group int16) bool { return group >= 0 && int(group) < s.groups }

// conditions adds the scores of the conditions of the game that was made ready.
func (k *summer) conditions(groups [4]int16) {
	var into []int // where the lines of its groups begin
	for _, group := range groups {
		if k.sums.has(group) {
			into = append(into, int(group)*k.sums.conditions)
		}
	}
	k.rest.make()
	for c := range k.screener.set.all {
		first, second := k.screener.bits(c)
		sum, n := int64(0), 0
		for w, word := range first {
			if word &= second[w]; word != 0 {
				n += bits.OnesCount64(word)
				sum += k.rest.sum(w, word)
			}
		}
		if n == 0 {
			continue
		}
		for _, line := range into {
			k.sums.shift[line+c] += sum
			if k.sums.counts != nil {
				k.sums.counts[line+c] += int32(n)
			}
		}
	}
}

// subsets has the sums of all subsets of each eight rows, so that the sum over any of 64 rows takes eight steps however many they are.
type subsets struct {
	rows []int32
	of   [][256]int32
}

// make makes the sums of the rows.
func (s *subsets) make() {
	for len(s.rows)%64 != 0 {
		s.rows = append(s.rows, 0)
	}
	s.of = slices.Grow(s.of[:0], len(s.rows)/8)[:len(s.rows)/8]
	for i := range s.of {
		of := &s.of[i]
		for bit, x := range s.rows[8*i : 8*i+8] {
			n := 1 << bit
			for j, sum := range of[:n] {
				of[n+j] = sum + x
			}
		}
	}
}

// sum returns the sum over the rows of word w whose bits are set.
func (s *subsets) sum(w int, word uint64) (sum int64) {
	of := s.of[8*w : 8*w+8]
	for i := range of {
		sum += int64(of[i][word>>(8*i)&255])
	}
	return sum
}
