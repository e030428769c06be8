// Package trees grows regression trees on log-odds over columns put into few bins, singly, in
// pairs and boosted: what gradient boosting finds bounds what named conditions can explain.
package trees

import (
	"math"
	"slices"

	"kifu/internal/logit"
)

// MostBins is the largest number of bins of a column.
const MostBins = 16

// Sample has rows with every column in at most MostBins bins of about equal numbers of rows.
type Sample struct {
	Names []string    // of the columns
	Cuts  [][]float64 // by column: bin k has the values up to Cuts[k], the last one the rest
	Ridge float64     // added to the curvature of every leaf: keeps the step of one with few rows small
	bin   [][]uint8   // by column and row
}

// Add adds a column of a value a row, or says that it cannot: a value is NaN.
func (s *Sample) Add(name string, values []float64) bool {
	if slices.ContainsFunc(values, math.IsNaN) {
		return false
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	var cuts []float64
	for k := range MostBins - 1 {
		cuts = append(cuts, sorted[(k+1)*len(sorted)/MostBins])
	}
	cuts = slices.DeleteFunc(slices.Compact(cuts), func(c float64) bool { return c == sorted[len(sorted)-1] })
	bins := make([]uint8, len(values))
	for row, value := range values {
		n, _ := slices.BinarySearch(cuts, value)
		bins[row] = uint8(n)
	}
	s.Names, s.Cuts, s.bin = append(s.Names, name), append(s.Cuts, cuts), append(s.bin, bins)
	return true
}

// Sum is a sum over rows of the gradient of the log-likelihood in log-odds, G, and of its
// curvature, H.
type Sum struct{ G, H float64 }

func (a Sum) plus(b Sum) Sum  { return Sum{a.G + b.G, a.H + b.H} }
func (a Sum) minus(b Sum) Sum { return Sum{a.G - b.G, a.H - b.H} }

// SumOf returns the sum of one row, by its log-odds and result (1 won, 0 lost).
func SumOf(odds, won float64) Sum {
	p := logit.Probability(odds)
	return Sum{won - p, p * (1 - p)}
}

// Loss is the log-loss of a result, in nats, by log-odds.
func Loss(odds, won float64) float64 {
	return math.Max(odds, 0) - won*odds + math.Log1p(math.Exp(-math.Abs(odds)))
}

// gain is twice what a step in a leaf adds to the log-likelihood.
func (s *Sample) gain(of Sum) float64 { return of.G * of.G / (of.H + s.Ridge) }
