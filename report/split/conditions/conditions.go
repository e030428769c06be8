// Package conditions makes the conditions that a search for splits tries.
//
// In: columns of numbers with a sample of their values, and conditions of the user's. Out: comparisons with thresholds at
// quantiles, alone and in pairs, and which conditions are the same with the colours exchanged. It does not read results,
// and tests nothing.
package conditions

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"kifu/internal/lists"
	"kifu/internal/panels"
	"kifu/query"
	"kifu/schemas"
)

// Condition is a condition that is tried: one atom, or two of different columns
// that hold together.
type Condition struct {
	SQL   string
	Name  string // for a reader: the given name
	Atoms [2]int // of Set.Atoms; the second is -1 for one alone
}

// Atom is a comparison of a column with a number, or a condition that was given.
type Atom struct {
	Column int // number of the column
	Given  int // number of the given condition; -1: a comparison
	Op     Comparison
	At     float64
	sql    string
	Name   string
	Flag   bool // the column has no other values than 0 and 1
}

// Comparison is of a value with a threshold.
type Comparison uint8

const (
	AtLeast Comparison = iota
	AtMost
	Equal
)

// Set holds the conditions that are tried.
type Set struct {
	Atoms []Atom
	All   []Condition
}

// Columns returns the columns that conditions are made of: the named ones, or all of the position, the
// game's own and the scores of the term groups. Values are left out, as the curve is over them, and
// ratings and clocks, which no evaluator sees.
func Columns(t schemas.Table, named []string) ([]string, error) {
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

// New makes the conditions to try: thresholds of columns, by their names in SQL, types and a sample of their
// values, and the given conditions. Thresholds never depend on results.
func New(names []string, types []schemas.Type, sample [][]float64, given []query.Named) *Set {
	set := &Set{}
	var pairs [][]int // atoms of a column that are combined with others'
	for i, name := range names {
		singles, two := cutColumn(i, name, sample[i], types[i])
		for _, a := range singles {
			set.All = append(set.All, set.single(a))
		}
		// What pairs are made of is tried alone too, for them to be compared with it.
		if !slices.ContainsFunc(singles, func(a Atom) bool { return a.Op == Equal }) {
			for _, a := range two {
				if !slices.Contains(singles, a) {
					set.All = append(set.All, set.single(a))
				}
			}
		}
		of := lists.Of(two, set.index)
		pairs = append(pairs, of)
	}
	for i, n := range given {
		one := set.single(Atom{Given: i, sql: "(" + n.SQL + "\n)", Name: n.Name})
		one.SQL = n.SQL
		set.All = append(set.All, one)
		pairs = append(pairs, []int{one.Atoms[0]})
	}
	for i, of := range pairs {
		for _, others := range pairs[i+1:] {
			for _, a := range of {
				for _, b := range others {
					set.All = append(set.All, set.pair(a, b))
				}
			}
		}
	}
	return set
}

// index is the place of a among the atoms.
func (s *Set) index(a Atom) int {
	i := slices.IndexFunc(s.Atoms, func(b Atom) bool { return a.sql == b.sql })
	if i < 0 {
		i = len(s.Atoms)
		s.Atoms = append(s.Atoms, a)
	}
	return i
}

func (s *Set) single(a Atom) Condition {
	return Condition{a.sql, a.Name, [2]int{s.index(a), -1}}
}

// pair is of the atoms with these numbers.
func (s *Set) pair(a, b int) Condition {
	x, y := s.Atoms[a], s.Atoms[b]
	return Condition{x.sql + " AND " + y.sql, x.Name + " AND " + y.Name, [2]int{a, b}}
}

// Of are the atoms of c.
func (s *Set) Of(c Condition) []Atom {
	if c.Atoms[1] < 0 {
		return []Atom{s.Atoms[c.Atoms[0]]}
	}
	return []Atom{s.Atoms[c.Atoms[0]], s.Atoms[c.Atoms[1]]}
}

// Only returns the set of these conditions of s.
func (s *Set) Only(conditions []Condition) *Set {
	return &Set{Atoms: s.Atoms, All: conditions}
}

// cutColumn are the conditions of one column alone, and those that are combined with other columns'.
// One of a condition and its opposite is enough alone: both have the same tests.
func cutColumn(column int, name string, sample []float64, of schemas.Type) (singles, two []Atom) {
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
	make := func(op Comparison, at float64) Atom {
		signs := map[Comparison]string{AtLeast: " >= ", AtMost: " <= ", Equal: " = "}
		text := name + signs[op] + strconv.FormatFloat(at, 'f', -1, bits)
		shown := text
		if short := strconv.FormatFloat(at, 'g', 4, 64); op == Equal && len(short) < len(text)-len(name+signs[op]) {
			shown = name + " ≈ " + short
		}
		return Atom{column, -1, op, at, text, shown, flag}
	}
	low, high := distinct[0], distinct[len(distinct)-1]
	switch {
	case of == schemas.Bool:
		yes, no := Atom{column, -1, Equal, 1, name, name, true}, Atom{column, -1, Equal, 0, "NOT " + name, "NOT " + name, true}
		return []Atom{yes}, []Atom{yes, no}
	case len(distinct) == 2:
		yes, no := make(Equal, high), make(Equal, low)
		return []Atom{yes}, []Atom{yes, no}
	case len(distinct) <= fewValues:
		for i, x := range distinct {
			singles = append(singles, make(Equal, x))
			if i > 1 && i < len(distinct)-1 {
				singles = append(singles, make(AtLeast, twoDigits(x, AtLeast)))
			}
		}
	default:
		singles = append(singles, lists.Of(tails, func(q float64) Atom { return make(cutAt(values, distinct, q)) })...)
	}
	two = lists.Of(pairTails, func(q float64) Atom { return make(cutAt(values, distinct, q)) })
	return uniqueAtoms(singles), uniqueAtoms(two)
}

func uniqueAtoms(all []Atom) []Atom {
	var out []Atom
	for _, a := range all {
		if !slices.ContainsFunc(out, func(b Atom) bool { return a.sql == b.sql }) {
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
func cutAt(values, distinct []float64, q float64) (Comparison, float64) {
	n := float64(len(values))
	t := values[min(len(values)-1, int(q*n))]
	at := sort.SearchFloat64s(distinct, t)
	if q < 0.5 {
		if holding := float64(sort.Search(len(values), func(i int) bool { return values[i] > t })) / n; holding > q+0.2 && at > 0 {
			at--
		}
		return AtMost, readable(distinct[at], values, AtMost)
	}
	if holding := 1 - float64(sort.SearchFloat64s(values, t))/n; holding > 1-q+0.2 && at < len(distinct)-1 {
		at++
	}
	return AtLeast, readable(distinct[at], values, AtLeast)
}

// readable rounds a threshold to a fiftieth of the spread or finer, but never over zero. Where
// nearly all values are equal, as zeros of a feature that rarely fires, it keeps two digits,
// towards where the condition still holds at t.
func readable(t float64, values []float64, op Comparison) float64 {
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
func twoDigits(t float64, op Comparison) float64 {
	if t == math.Trunc(t) {
		return t
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(t)))-1)
	if op == AtMost {
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

// Compare has the bit of every value, at most 64, that the comparison holds for. A value that is not a number
// fulfils none.
func Compare(values []float64, op Comparison, at float64) uint64 {
	low, high := at, at
	switch op {
	case AtLeast:
		high = math.Inf(1)
	case AtMost:
		low = math.Inf(-1)
	}
	return panels.Within(values, low, high)
}
