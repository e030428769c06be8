package split

import (
	"math"
	"slices"
	"strconv"

	"kifu/internal/multiple"
	"kifu/internal/splitmix"
	"kifu/internal/trees"
)

// binned is the sample of rows with every column in few bins: what trees are grown of.
type binned struct {
	trees.Sample // the columns that have no null, the value last
	won          []float64
	odds         []float64 // by the total curve of the games of the search
	held         []bool
	group        []uint8 // of the jackknife
}

// treeRows of the sample are used at most.
const treeRows = 1 << 18

// bins puts the sample into bins of about equal numbers of rows.
func (v *survey) bins(x *axis, columns []string, seed uint64) *binned {
	every := 1 + (len(v.rows)-1)/treeRows
	b := &binned{}
	var rows []int
	games := map[int64]bool{}
	for i := 0; i < len(v.rows); i += every {
		rows = append(rows, i)
		games[v.game[i]] = true
		h := x.hats[x.part(v.at[i])]
		b.odds = append(b.odds, h.left*x.theta[train][h.knot]+h.right*x.theta[train][h.knot+1])
		b.won, b.held = append(b.won, float64(v.won[i])/2), append(b.held, v.held[i])
		b.group = append(b.group, uint8(splitmix.Hash(^seed, v.game[i])%groupsOfGames))
	}
	b.Ridge = ridge * float64(len(rows)) / float64(len(games))
	values := make([]float64, len(rows))
	for c, name := range columns {
		for k, i := range rows {
			values[k] = v.sample[c][i]
		}
		b.Add(name, values)
	}
	for k, i := range rows {
		values[k] = x.value[x.part(v.at[i])]
	}
	b.Add("", values)
	return b
}

// ridge keeps the step of a leaf with few rows small, in rows for each game of the mean: rows of a
// game say nearly the same.
const ridge = 15

// forest has what is above single conditions: a small tree, the best pair of columns, and
// how much of what boosting finds the named splits explain.
type forest struct {
	Tree, Pair    []leaf
	Rows, Columns int
	// Falls of the held-out log-loss, in nats a position of the sample: by the splits shown, by
	// boosting, and by boosting after the splits.
	Named, Boost, Further interval
	Share                 interval // of the splits' in the larger of the other two; NaN where that may be 0
}

const treeDepth = 3

// above makes the forest of a search whose splits are shown.
func (s *report) above(x *axis, v *survey, set *conditionSet) *forest {
	b := v.bins(x, s.Columns, s.Params.Seed)
	f := &forest{Rows: len(b.won), Columns: len(b.Names) - 1}
	if f.Columns < 1 {
		return nil
	}
	of := make([]trees.Sum, len(b.won))
	var search, learn, validate []int32
	for i, held := range b.held {
		of[i] = trees.SumOf(b.odds[i], b.won[i])
		switch {
		case held:
			continue
		case b.group[i]%4 == 0:
			validate = append(validate, int32(i))
		default:
			learn = append(learn, int32(i))
		}
		search = append(search, int32(i))
	}
	least := max(50, int(float64(s.Params.MinCount)*float64(len(b.won))/float64(s.Sides[train].Positions+s.Sides[held].Positions)))
	f.Tree = b.leaves(x, v, b.Grow(search, of, f.Columns, treeDepth, least))
	if pair := b.BestPair(search, of, f.Columns, least); pair != nil {
		f.Pair = b.leaves(x, v, pair)
	}
	var p []float64
	for _, l := range slices.Concat(f.Tree, f.Pair) {
		p = append(p, l.P)
	}
	for i, adjusted := range multiple.Holm(p) {
		if i < len(f.Tree) {
			f.Tree[i].P = adjusted
		} else {
			f.Pair[i-len(f.Tree)].P = adjusted
		}
	}
	named := s.named(b, x, v, set)
	boosted, further := b.Boost(b.odds, b.won, learn, validate, least), b.Boost(named, b.won, learn, validate, least)
	fall := func(odds []float64) func(without int) float64 {
		var falls, counts [groupsOfGames]float64
		for i, held := range b.held {
			if held {
				falls[b.group[i]] += trees.Loss(b.odds[i], b.won[i]) - trees.Loss(odds[i], b.won[i])
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
	attainable, most := ofBoost, f.Boost
	if f.Further.Value > f.Boost.Value {
		attainable, most = ofFurther, f.Further
	}
	f.Share = interval{math.NaN(), math.NaN(), math.NaN()}
	if most.Low > 0 { // else chance may be all that boosting found, and a share in it says nothing
		f.Share = jackknife(func(without int) float64 { return ofNamed(without) / attainable(without) })
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
