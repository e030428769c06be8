package split

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"kifu/internal/lists"
	"kifu/schemas"
)

// condition is a condition that is tried: one atom, or two of different columns
// that hold together.
type condition struct {
	sql   string
	name  string // for a reader: the given name
	atoms [2]int // of conditionSet.atoms; the second is -1 for one alone
}

// atom is a comparison of a column with a number, or a condition that was given.
type atom struct {
	column int // of the reader's
	given  int // of the reader's; -1: a comparison
	op     comparison
	at     float64
	sql    string
	name   string
	flag   bool // the column has no other values than 0 and 1
}

type comparison uint8

const (
	atLeast comparison = iota
	atMost
	equal
)

// conditionSet holds the conditions that are tried.
type conditionSet struct {
	atoms []atom
	all   []condition
}

// columnsOf are the columns that conditions are made of: the named ones, or all of the position, the
// game's own and the scores of the term groups. Values are left out, as the curve is over them, and
// ratings and clocks, which no evaluator sees.
func columnsOf(t schemas.Table, named []string) ([]string, error) {
	var names []string
	for _, c := range t.Columns {
		if splittable(c.Type) {
			names = append(names, c.Name)
		}
	}
	if len(named) > 0 {
		for _, name := range named {
			if !slices.Contains(names, name) {
				return nil, fmt.Errorf("no column %s of numbers or truth values: there are %s", name, strings.Join(names, ", "))
			}
		}
		return named, nil
	}
	game := t.Index("phase") >= 0
	return slices.DeleteFunc(names, func(name string) bool {
		return strings.HasSuffix(name, "_value") || slices.Contains(aside, name) || name == "leaf_phase" && game
	}), nil
}

var aside = []string{"game_id", "value", "clock_ms", "first_elo", "second_elo"}

// Columns returns the columns of labels that conditions are made of if none is named.
func Columns(t schemas.Table) []string {
	names, _ := columnsOf(t, nil)
	return names
}

func splittable(t schemas.Type) bool {
	switch t {
	case schemas.Bool, schemas.Int16, schemas.Int32, schemas.Int64, schemas.Float32, schemas.Float64:
		return true
	}
	return false
}

// tails are the quantiles at which columns are cut; pairTails those whose two tails are
// combined with others'.
var (
	tails     = []float64{0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}
	pairTails = []float64{0.2, 0.8}
)

// fewValues is the number of different values up to which a column is cut at each.
const fewValues = 6

// conditions makes what is tried of the sample of rows: thresholds depend on the
// columns alone and never on results.
func (v *survey) conditions(names []string, p Params) *conditionSet {
	set := &conditionSet{}
	var pairs [][]int // atoms of a column that are combined with others'
	for i, name := range names {
		singles, two := cutColumn(i, name, v.sample[i], v.types[i])
		for _, a := range singles {
			set.all = append(set.all, set.single(a))
		}
		// What pairs are made of is tried alone too, for them to be compared with it.
		if !slices.ContainsFunc(singles, func(a atom) bool { return a.op == equal }) {
			for _, a := range two {
				if !slices.Contains(singles, a) {
					set.all = append(set.all, set.single(a))
				}
			}
		}
		of := lists.Of(two, set.index)
		pairs = append(pairs, of)
	}
	for i, n := range p.Conditions {
		one := set.single(atom{given: i, sql: "(" + n.SQL + "\n)", name: n.Name})
		one.sql = n.SQL
		set.all = append(set.all, one)
		pairs = append(pairs, []int{one.atoms[0]})
	}
	for i, of := range pairs {
		for _, others := range pairs[i+1:] {
			for _, a := range of {
				for _, b := range others {
					set.all = append(set.all, set.pair(a, b))
				}
			}
		}
	}
	return set
}

// index is the place of a among the atoms.
func (s *conditionSet) index(a atom) int {
	i := slices.IndexFunc(s.atoms, func(b atom) bool { return a.sql == b.sql })
	if i < 0 {
		i = len(s.atoms)
		s.atoms = append(s.atoms, a)
	}
	return i
}

func (s *conditionSet) single(a atom) condition {
	return condition{a.sql, a.name, [2]int{s.index(a), -1}}
}

// pair is of the atoms with these numbers.
func (s *conditionSet) pair(a, b int) condition {
	x, y := s.atoms[a], s.atoms[b]
	return condition{x.sql + " AND " + y.sql, x.name + " AND " + y.name, [2]int{a, b}}
}

// of are the atoms of c.
func (s *conditionSet) of(c condition) []atom {
	if c.atoms[1] < 0 {
		return []atom{s.atoms[c.atoms[0]]}
	}
	return []atom{s.atoms[c.atoms[0]], s.atoms[c.atoms[1]]}
}

// only returns the set of these conditions of s.
func (s *conditionSet) only(conditions []condition) *conditionSet {
	return &conditionSet{atoms: s.atoms, all: conditions}
}

// cutColumn are the conditions of one column alone, and those that are combined with other columns'.
// One of a condition and its opposite is enough alone: both have the same tests.
func cutColumn(column int, name string, sample []float64, of schemas.Type) (singles, two []atom) {
	values := sortedValues(sample)
	distinct := slices.Compact(slices.Clone(values))
	if len(distinct) < 2 {
		return nil, nil
	}
	bits := 64
	if of == schemas.Float32 {
		bits = 32 // else 0.3 reads 0.30000001192092896
	}
	flag := len(distinct) == 2 && distinct[0] == 0 && distinct[1] == 1
	make := func(op comparison, at float64) atom {
		signs := map[comparison]string{atLeast: " >= ", atMost: " <= ", equal: " = "}
		text := name + signs[op] + strconv.FormatFloat(at, 'f', -1, bits)
		shown := text
		if short := strconv.FormatFloat(at, 'g', 4, 64); op == equal && len(short) < len(text)-len(name+signs[op]) {
			shown = name + " ≈ " + short
		}
		return atom{column, -1, op, at, text, shown, flag}
	}
	low, high := distinct[0], distinct[len(distinct)-1]
	switch {
	case of == schemas.Bool:
		yes, no := atom{column, -1, equal, 1, name, name, true}, atom{column, -1, equal, 0, "NOT " + name, "NOT " + name, true}
		return []atom{yes}, []atom{yes, no}
	case len(distinct) == 2:
		yes, no := make(equal, high), make(equal, low)
		return []atom{yes}, []atom{yes, no}
	case len(distinct) <= fewValues:
		for i, x := range distinct {
			singles = append(singles, make(equal, x))
			if i > 1 && i < len(distinct)-1 {
				singles = append(singles, make(atLeast, twoDigits(x, atLeast)))
			}
		}
	default:
		singles = append(singles, lists.Of(tails, func(q float64) atom { return make(cutAt(values, distinct, q)) })...)
	}
	two = lists.Of(pairTails, func(q float64) atom { return make(cutAt(values, distinct, q)) })
	return uniqueAtoms(singles), uniqueAtoms(two)
}

func uniqueAtoms(all []atom) []atom {
	var out []atom
	for _, a := range all {
		if !slices.ContainsFunc(out, func(b atom) bool { return a.sql == b.sql }) {
			out = append(out, a)
		}
	}
	return out
}

func sortedValues(sample []float64) []float64 {
	values := slices.DeleteFunc(slices.Clone(sample), math.IsNaN)
	slices.Sort(values)
	return values
}

// cutAt is the tail of about the share q, below the median the lower one. Where many
// rows have the value of the quantile itself, as zeros of a feature that rarely fires,
// the tail begins after it.
func cutAt(values, distinct []float64, q float64) (comparison, float64) {
	n := float64(len(values))
	t := values[min(len(values)-1, int(q*n))]
	at := sort.SearchFloat64s(distinct, t)
	if q < 0.5 {
		if holding := float64(sort.Search(len(values), func(i int) bool { return values[i] > t })) / n; holding > q+0.2 && at > 0 {
			at--
		}
		return atMost, readable(distinct[at], values, atMost)
	}
	if holding := 1 - float64(sort.SearchFloat64s(values, t))/n; holding > 1-q+0.2 && at < len(distinct)-1 {
		at++
	}
	return atLeast, readable(distinct[at], values, atLeast)
}

// readable rounds a threshold to a fiftieth of the spread or finer, but never over zero. Where
// nearly all values are equal, as zeros of a feature that rarely fires, it keeps two digits,
// towards where the condition still holds at t.
func readable(t float64, values []float64, op comparison) float64 {
	n := len(values)
	spread := values[n-1-n/20] - values[n/20]
	if t == math.Trunc(t) && spread < 50 {
		return t
	}
	if spread <= 0 {
		return twoDigits(t, op)
	}
	rounded := roundTo(t, math.Pow(10, math.Floor(math.Log10(spread/50))))
	if math.Signbit(rounded) != math.Signbit(t) || (rounded == 0) != (t == 0) {
		return t
	}
	return rounded
}

// twoDigits keeps two digits of t, rounded so that the comparison still holds for t itself.
func twoDigits(t float64, op comparison) float64 {
	if t == math.Trunc(t) {
		return t
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(t)))-1)
	if op == atMost {
		return roundTo(math.Ceil(t/unit)*unit, unit)
	}
	return roundTo(math.Floor(t/unit)*unit, unit)
}

// roundTo rounds x to a power of ten; it divides by powers that are whole, so that 0.41 is
// the nearest number to 0.41.
func roundTo(x, unit float64) float64 {
	if unit < 1 {
		by := math.Round(1 / unit)
		return math.Round(x*by) / by
	}
	return math.Round(x/unit) * unit
}
