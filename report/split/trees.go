package split

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/human"
	"kifu/internal/logit"
	"kifu/internal/splitmix"
)

// binned is the sample of rows with every column in few bins: what trees are grown of.
type binned struct {
	names []string    // of the columns that have no null, the value last
	cuts  [][]float64 // of a column: bin b is up to cuts[b], the last one open
	bin   [][]uint8   // by column and row
	won   []float64
	odds  []float64 // by the total curve of the games of the search
	held  []bool
	group []uint8 // of the jackknife
	ridge float64
}

const (
	mostBins = 16
	treeRows = 1 << 16 // of the sample, are used at most
)

// bins puts the sample into bins of about equal numbers of rows.
func (v *survey) bins(x *axis, columns []string, seed uint64) *binned {
	every := 1 + (len(v.rows)-1)/treeRows
	b := &binned{}
	var rows []int
	for i := 0; i < len(v.rows); i += every {
		rows = append(rows, i)
		h := x.hats[x.part(v.at[i])]
		b.odds = append(b.odds, h.left*x.theta[train][h.knot]+h.right*x.theta[train][h.knot+1])
		b.won, b.held = append(b.won, float64(v.won[i])/2), append(b.held, v.held[i])
		b.group = append(b.group, uint8(splitmix.Hash(^seed, v.game[i])%groupsOfGames))
	}
	games := map[int64]bool{}
	for _, i := range rows {
		games[v.game[i]] = true
	}
	b.ridge = ridge * float64(len(rows)) / float64(len(games))
	add := func(name string, at func(i int) float64) {
		values := make([]float64, len(rows))
		for k, i := range rows {
			if values[k] = at(i); math.IsNaN(values[k]) {
				return
			}
		}
		sorted := slices.Clone(values)
		slices.Sort(sorted)
		var cuts []float64
		for k := range mostBins - 1 {
			cuts = append(cuts, sorted[(k+1)*len(sorted)/mostBins])
		}
		cuts = slices.DeleteFunc(slices.Compact(cuts), func(c float64) bool { return c == sorted[len(sorted)-1] })
		bins := make([]uint8, len(rows))
		for k, value := range values {
			n, _ := slices.BinarySearch(cuts, value)
			bins[k] = uint8(n)
		}
		b.names, b.cuts, b.bin = append(b.names, name), append(b.cuts, cuts), append(b.bin, bins)
	}
	for c, name := range columns {
		add(name, func(i int) float64 { return v.sample[c][i] })
	}
	add("", func(i int) float64 { return x.value[x.part(v.at[i])] })
	return b
}

// sum is the gradient of the log-likelihood in log-odds, and its curvature.
type sum struct{ g, h float64 }

func (s sum) plus(o sum) sum  { return sum{s.g + o.g, s.h + o.h} }
func (s sum) minus(o sum) sum { return sum{s.g - o.g, s.h - o.h} }

// ridge keeps the step of a leaf with few rows small, in rows for each game of the mean: rows of a
// game say nearly the same.
const ridge = 15

// gain is twice what a step in a leaf adds to the log-likelihood.
func (b *binned) gain(s sum) float64 { return s.g * s.g / (s.h + b.ridge) }

// node is one of a tree, a leaf if it has no children.
type node struct {
	column, cut int // to the low child go bins up to cut
	low, high   *node
	step        float64 // in log-odds
}

// at is the leaf of a row.
func (n *node) at(b *binned, row int) *node {
	for n.low != nil {
		if int(b.bin[n.column][row]) <= n.cut {
			n = n.low
		} else {
			n = n.high
		}
	}
	return n
}

// grow makes a tree that is so deep of rows with the gradient and curvature of each, by
// Newton's boosting (Friedman 2001; Chen and Guestrin 2016, equations 5 to 7). No leaf has
// fewer than least rows.
func (b *binned) grow(rows []int32, of []sum, columns, depth, least int) *node {
	total := sum{}
	for _, i := range rows {
		total = total.plus(of[i])
	}
	n := &node{step: total.g / (total.h + b.ridge)}
	if depth == 0 || len(rows) < 2*least {
		return n
	}
	best := 0.0
	for c := range columns {
		var cells [mostBins]sum
		var counts [mostBins]int
		for _, i := range rows {
			k := b.bin[c][i] & (mostBins - 1)
			cells[k].g += of[i].g
			cells[k].h += of[i].h
			counts[k]++
		}
		low, below := sum{}, 0
		for cut := range b.cuts[c] {
			low, below = low.plus(cells[cut]), below+counts[cut]
			if below < least || len(rows)-below < least {
				continue
			}
			if gain := b.gain(low) + b.gain(total.minus(low)) - b.gain(total); gain > best {
				best, n.column, n.cut = gain, c, cut
			}
		}
	}
	if best == 0 {
		return n
	}
	var low, high []int32
	for _, i := range rows {
		if int(b.bin[n.column][i]) <= n.cut {
			low = append(low, i)
		} else {
			high = append(high, i)
		}
	}
	n.low, n.high = b.grow(low, of, columns, depth-1, least), b.grow(high, of, columns, depth-1, least)
	return n
}

const (
	boostRounds = 150
	boostDepth  = 3
	boostRate   = 0.1
	patience    = 20 // rounds without a better validation
)

// boost returns the log-odds of all rows by gradient boosting over the columns and the value,
// from log-odds on. It learns from the games of the search: a quarter of them says after how
// many trees to stop, and so many are grown of all.
func (b *binned) boost(from []float64, least int) []float64 {
	var learn, validate, all []int32
	for i, held := range b.held {
		if held {
			continue
		}
		all = append(all, int32(i))
		if b.group[i]%4 == 0 {
			validate = append(validate, int32(i))
		} else {
			learn = append(learn, int32(i))
		}
	}
	odds, best, lowest := slices.Clone(from), 0, math.Inf(1)
	for round := 0; round <= boostRounds && round <= best+patience; round++ {
		loss := 0.0
		for _, i := range validate {
			loss += lossOf(odds[i], b.won[i])
		}
		if loss < lowest {
			best, lowest = round, loss
		}
		b.boostOnce(odds, learn, least)
	}
	odds = slices.Clone(from)
	for range best {
		b.boostOnce(odds, all, least)
	}
	return odds
}

// boostOnce adds a tree, grown of some rows, to the log-odds of all.
func (b *binned) boostOnce(odds []float64, learn []int32, least int) {
	of := make([]sum, len(odds))
	for _, i := range learn {
		p := logit.Probability(odds[i])
		of[i] = sum{b.won[i] - p, p * (1 - p)}
	}
	tree := b.grow(learn, of, len(b.names), boostDepth, least)
	for i := range odds {
		odds[i] += boostRate * tree.at(b, i).step
	}
}

// lossOf is the log-loss of a result by log-odds.
func lossOf(odds, won float64) float64 {
	return math.Max(odds, 0) - won*odds + math.Log1p(math.Exp(-math.Abs(odds)))
}

// leaf is a leaf of a small tree as a condition, judged on the held-out games.
type leaf struct {
	Condition string
	Positions int     // of the sample, held out
	Shift     float64 // of the log-odds there
	P         float64 // adjusted for the leaves of all trees shown
}

// leaves are those of a tree, tested on held-out rows.
func (b *binned) leaves(x *axis, v *survey, tree *node) (all []leaf) {
	var walk func(n *node, path []string)
	walk = func(n *node, path []string) {
		if n.low != nil {
			t := human.Number(b.cuts[n.column][n.cut])
			walk(n.low, append(slices.Clone(path), b.names[n.column]+" ≤ "+t))
			walk(n.high, append(slices.Clone(path), b.names[n.column]+" > "+t))
			return
		}
		one := leaf{Condition: strings.Join(path, " AND "), P: math.NaN()}
		one.Positions, one.Shift, one.P = b.score(x, v, func(row int) bool { return tree.at(b, row) == n })
		all = append(all, one)
	}
	walk(tree, nil)
	return all
}

// score is the test of a shift of the rows inside, on the held-out rows: beside the total
// curve of the held-out games, by groups of games.
func (b *binned) score(x *axis, v *survey, inside func(row int) bool) (n int, shift, p float64) {
	every := 1 + (len(v.rows)-1)/treeRows
	k := x.knots
	cross, own := make([]float64, k), 0.0
	common := mat.NewSymDense(k, nil)
	var score [groupsOfGames]float64
	spline := mat.NewDense(groupsOfGames, k, nil)
	for row, held0 := range b.held {
		if !held0 {
			continue
		}
		part := x.part(v.at[row*every])
		h, chance := x.hats[part], x.chance[held][part]
		w, rest := chance*(1-chance), b.won[row]-chance
		group := int(b.group[row])
		in := inside(row)
		if in {
			n++
			own += w
			score[group] += rest
		}
		for _, a := range [2]struct {
			at int
			x  float64
		}{{h.knot, h.left}, {h.knot + 1, h.right}} {
			if in {
				cross[a.at] += w * a.x
			}
			spline.Set(group, a.at, spline.At(group, a.at)+a.x*rest)
			common.SetSym(a.at, a.at, common.At(a.at, a.at)+w*a.x*a.x)
		}
		common.SetSym(h.knot, h.knot+1, common.At(h.knot, h.knot+1)+w*h.left*h.right)
	}
	for i := range k {
		common.SetSym(i, i, common.At(i, i)+0.25)
	}
	var solved mat.VecDense
	var cholesky mat.Cholesky
	if !cholesky.Factorize(common) || cholesky.SolveVecTo(&solved, mat.NewVecDense(k, cross)) != nil {
		return n, math.NaN(), math.NaN()
	}
	u, squares := 0.0, 0.0
	for g := range groupsOfGames {
		one := score[g] - mat.Dot(spline.RowView(g), &solved)
		u, squares = u+one, squares+one*one
	}
	info := own - mat.Dot(mat.NewVecDense(k, cross), &solved)
	if !(info > 0.02*own) || !(squares > 0) {
		return n, math.NaN(), math.NaN()
	}
	// Groups of games have a mean that is no more than their sum.
	variance := (squares - u*u/groupsOfGames) * groupsOfGames / (groupsOfGames - 1)
	t := u / math.Sqrt(variance)
	return n, u / info, 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: groupsOfGames - 1}.Survival(math.Abs(t))
}

// pairTree is the best tree of two columns that is two deep and monotone: each column pushes to
// the same side wherever it is cut.
func (b *binned) pairTree(cells *[mostBins * mostBins]sum, counts *[mostBins * mostBins]int, one, other, least int) (best *node, gain float64) {
	na, nb := len(b.cuts[one])+1, len(b.cuts[other])+1
	total := sum{}
	for i := range na {
		for j := range nb {
			total = total.plus(cells[i*mostBins+j])
		}
	}
	for cut := range na - 1 {
		var halves [2][mostBins]sum
		var sizes [2][mostBins]int
		for i := range na {
			side := 0
			if i > cut {
				side = 1
			}
			for j := range nb {
				halves[side][j] = halves[side][j].plus(cells[i*mostBins+j])
				sizes[side][j] += counts[i*mostBins+j]
			}
		}
		for _, direction := range [2]float64{1, -1} {
			root := &node{column: one, cut: cut}
			worth, ok := -b.gain(total), true
			for side, child := range [2]**node{&root.low, &root.high} {
				cutOf, more := b.bestCut(halves[side][:nb], sizes[side][:nb], direction, least)
				if cutOf < 0 {
					ok = false
					break
				}
				*child = &node{column: other, cut: cutOf, low: &node{}, high: &node{}}
				worth += more
			}
			if ok && worth > gain {
				best, gain = root, worth
			}
		}
	}
	return best, gain
}

// bestCut cuts cells in two where the gain is largest and the upper side is higher, or with
// direction -1 lower.
func (b *binned) bestCut(cells []sum, sizes []int, direction float64, least int) (at int, gain float64) {
	at = -1
	total, all := sum{}, 0
	for j, c := range cells {
		total, all = total.plus(c), all+sizes[j]
	}
	low, below := sum{}, 0
	for j, c := range cells[:len(cells)-1] {
		low, below = low.plus(c), below+sizes[j]
		high := total.minus(low)
		if below < least || all-below < least || direction*(high.g/(high.h+b.ridge)-low.g/(low.h+b.ridge)) <= 0 {
			continue
		}
		if worth := b.gain(low) + b.gain(high); worth > gain {
			at, gain = j, worth
		}
	}
	return at, gain
}

// bestPair searches all pairs of columns for the best monotone tree two deep, in the rows.
func (b *binned) bestPair(rows []int32, of []sum, least int) (best *node) {
	most := 0.0
	columns := len(b.names) - 1 // without the value
	for one := range columns {
		for other := range columns {
			if one == other || len(b.cuts[one]) == 0 || len(b.cuts[other]) == 0 {
				continue
			}
			var cells [mostBins * mostBins]sum
			var counts [mostBins * mostBins]int
			for _, i := range rows {
				k := int(b.bin[one][i])*mostBins + int(b.bin[other][i])
				cells[k].g += of[i].g
				cells[k].h += of[i].h
				counts[k]++
			}
			if tree, gain := b.pairTree(&cells, &counts, one, other, least); gain > most {
				best, most = tree, gain
			}
		}
	}
	return best
}

// forest has what is above single conditions: a small tree, the best pair of columns, and
// how much of what boosting finds the named splits explain.
type forest struct {
	Tree, Pair    []leaf
	Rows, Columns int
	// Falls of the held-out log-loss, in nats a position of the sample: by the splits shown, by
	// boosting, and by boosting after the splits.
	Named, Boost, Further interval
	Share                 interval // of the splits' in the larger of the other two
}

const treeDepth = 3

// above makes the forest of a search whose splits are shown.
func (s *report) above(x *axis, v *survey, set *conditionSet) *forest {
	b := v.bins(x, s.Columns, s.Params.Seed)
	f := &forest{Rows: len(b.won), Columns: len(b.names) - 1}
	if f.Columns < 1 {
		return nil
	}
	of := make([]sum, len(b.won))
	var learn []int32
	for i, held := range b.held {
		p := logit.Probability(b.odds[i])
		of[i] = sum{b.won[i] - p, p * (1 - p)}
		if !held {
			learn = append(learn, int32(i))
		}
	}
	least := max(50, int(float64(s.Params.MinCount)*float64(len(b.won))/float64(s.Sides[train].Positions+s.Sides[held].Positions)))
	f.Tree = b.leaves(x, v, b.grow(learn, of, f.Columns, treeDepth, least))
	if pair := b.bestPair(learn, of, least); pair != nil {
		f.Pair = b.leaves(x, v, pair)
	}
	var p []float64
	for _, l := range slices.Concat(f.Tree, f.Pair) {
		p = append(p, l.P)
	}
	for i, adjusted := range holm(p) {
		if i < len(f.Tree) {
			f.Tree[i].P = adjusted
		} else {
			f.Pair[i-len(f.Tree)].P = adjusted
		}
	}
	named := s.named(b, x, v, set)
	boosted, further := b.boost(b.odds, least), b.boost(named, least)
	fall := func(odds []float64) func(without int) float64 {
		var falls, counts [groupsOfGames]float64
		for i, held := range b.held {
			if held {
				falls[b.group[i]] += lossOf(b.odds[i], b.won[i]) - lossOf(odds[i], b.won[i])
				counts[b.group[i]]++
			}
		}
		return func(without int) float64 {
			total, n := 0.0, 0.0
			for g := range groupsOfGames {
				if g != without {
					total, n = total+falls[g], n+counts[g]
				}
			}
			return total / n
		}
	}
	ofNamed, ofBoost, ofFurther := fall(named), fall(boosted), fall(further)
	f.Named, f.Boost, f.Further = jackknife(ofNamed), jackknife(ofBoost), jackknife(ofFurther)
	if attainable := ofBoost; f.Boost.Value > 0 || f.Further.Value > 0 {
		if f.Further.Value > f.Boost.Value {
			attainable = ofFurther
		}
		f.Share = jackknife(func(without int) float64 { return ofNamed(without) / attainable(without) })
	} else {
		f.Share = interval{math.NaN(), math.NaN(), math.NaN()}
	}
	return f
}

// named returns the log-odds of the rows by the total curve and the splits shown, a shift and a
// slope each, fitted to the rows of the search.
func (s *report) named(b *binned, x *axis, v *survey, set *conditionSet) []float64 {
	var taken []condition
	for _, k := range listed(s.shown()) {
		taken = append(taken, k.Condition)
	}
	if len(taken) == 0 {
		return slices.Clone(b.odds)
	}
	every := 1 + (len(v.rows)-1)/treeRows
	holding := v.holding(set)
	rows := make([]bitset, len(taken))
	for i, c := range taken {
		rows[i] = v.rowsOf(c, holding)
	}
	searched := &survey{}
	var at []int
	for i, held := range v.held {
		if !held {
			at = append(at, i)
			searched.rows, searched.at, searched.won = append(searched.rows, v.rows[i]), append(searched.at, v.at[i]), append(searched.won, v.won[i])
		}
	}
	inSearch := make([]bitset, len(taken))
	for k := range taken {
		inSearch[k] = newBitset(len(at))
		for j, i := range at {
			if rows[k].has(i) {
				inSearch[k].add(j)
			}
		}
	}
	null := newNull(x, searched, taken, inSearch)
	odds := make([]float64, len(b.odds))
	for row := range odds {
		null.regressors(x.part(v.at[row*every]), func(k int) bool { return rows[k].has(row * every) }, func(unknown int, z float64) { odds[row] += z * null.theta[unknown] })
	}
	return odds
}

// shareText is "61 % (52 to 70)".
func shareText(x interval) string {
	if math.IsNaN(x.Value) {
		return "–"
	}
	percent := func(y float64) string { return strconv.Itoa(int(math.Round(100 * y))) }
	return percent(x.Value) + "\u00a0% (" + percent(x.Low) + " to " + percent(x.High) + ")"
}
