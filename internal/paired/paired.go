// Package paired compares estimates that come from the same games: from each estimate's shifts by
// groups of games it computes differences with their errors.
//
// Two fits to the same games err together, so their difference is more certain, or less, than their own
// intervals suggest. To first order an estimate differs from its truth by the sum over games of each
// game's shift (A⁻¹u, Liang & Zeger 1986); two estimates' sums differ game by game. They are kept by
// groups of games, by a hash: the squares of the groups' differences add up to the variance of the
// difference. The excess of a fit's own error over its groups' (players that games share, leverage of
// few games) widens the error of the difference by the same factor.
package paired

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/lists"
	"kifu/internal/splitmix"
)

// Groups is the number of groups of games.
const Groups = 128

// File is the name of the file of a fit that has the groups.
const File = "groups.csv"

// Group returns the group of a game.
func Group(game int64) int { return int(splitmix.Hash(0x9a17ed, game) % Groups) }

// Moved is by how much each group of games moves a weight; nil when it is not known.
type Moved []float64

// Key names a weight.
type Key struct{ Group, Term, Stage string }

// Table returns the rows of the file.
func Table(of func(i int) Key, moved []Moved) [][]string {
	head := []string{"term_group", "term", "stage"}
	for g := range Groups {
		head = append(head, fmt.Sprintf("moved_%d", g))
	}
	rows := [][]string{head}
	for i, m := range moved {
		if m == nil {
			continue
		}
		k := of(i)
		row := []string{k.Group, k.Term, k.Stage}
		row = append(row, lists.Of(m, func(x float64) string { return strconv.FormatFloat(x, 'g', 7, 64) })...)
		rows = append(rows, row)
	}
	return rows
}

// Fit holds the parts of a fit that comparisons need.
type Fit struct {
	labels string // key of what it was fitted to
	moved  map[Key]Moved
}

// Parse returns what a fit to the labels of that key has in the text of its file.
func Parse(labels string, text []byte) (f Fit, err error) {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return f, fmt.Errorf("%s: %w", File, err)
	}
	f = Fit{labels, map[Key]Moved{}}
	for i, row := range rows[min(1, len(rows)):] {
		if len(row) != 3+Groups {
			return f, fmt.Errorf("%s:%d: %d fields, want %d", File, i+2, len(row), 3+Groups)
		}
		m := make(Moved, Groups)
		for g := range m {
			if m[g], err = strconv.ParseFloat(row[3+g], 64); err != nil {
				return f, fmt.Errorf("%s:%d: %w", File, i+2, err)
			}
		}
		f.moved[Key{row[0], row[1], row[2]}] = m
	}
	return f, nil
}

// Difference is b - a, with its standard error and 95 % interval.
type Difference struct{ Value, SE, Low, High float64 }

// Differ returns the difference of the weight of fit g, which is b with the error seB, less f's, which is a with
// seA; false if the fits are not of the same labels, or groups are not known.
func (f Fit) Differ(g Fit, k Key, a, seA, b, seB float64) (d Difference, ok bool) {
	x, y := f.moved[k], g.moved[k]
	if x == nil || y == nil || f.labels == "" || f.labels != g.labels {
		return d, false
	}
	own, other, both := variance(x, nil), variance(y, nil), variance(x, y)
	if own == 0 || other == 0 {
		return d, false
	}
	wider := math.Sqrt(max(1, seA*seA/own, seB*seB/other))
	filled := 0
	for i := range x {
		if x[i] != 0 || y[i] != 0 {
			filled++
		}
	}
	if filled < 2 {
		return d, false
	}
	d.Value, d.SE = b-a, wider*math.Sqrt(both)
	half := d.SE * distuv.StudentsT{Sigma: 1, Nu: float64(filled - 1)}.Quantile(0.975)
	d.Low, d.High = d.Value-half, d.Value+half
	return d, true
}

// variance returns the variance of the sum over groups of y less x, or of x alone.
func variance(x, y Moved) (v float64) {
	for i, m := range x {
		if y != nil {
			m -= y[i]
		}
		v += m * m
	}
	return v * Groups / (Groups - 1)
}
