// Package multiple adjusts p-values for many tests.
//
// In: p-values in any order, NaN where there was no test. Out: the adjusted values in the same order, NaN where p is.
// It does not compute p-values.
package multiple

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns the least error rates of the family at which the procedure of Holm (1979) rejects each hypothesis.
func Holm(p []float64) []float64 {
	order, all := ascending(p)
	largest := 0.0
	for rank, i := range order {
		largest = max(largest, min(1, p[i]*float64(len(order)-rank)))
		all[i] = largest
	}
	return all
}

// FalseDiscovery returns the least false discovery rates at which the procedure of Benjamini and Hochberg (1995, section 3.1)
// rejects each hypothesis.
func FalseDiscovery(p []float64) []float64 {
	order, _ := ascending(p)
	return FalseDiscoveryOf(p, int64(len(order)))
}

// FalseDiscoveryOf is FalseDiscovery where p are the smallest of so many tests: those left out count as 1.
func FalseDiscoveryOf(p []float64, tests int64) []float64 {
	order, all := ascending(p)
	least := 1.0
	for rank, i := range slices.Backward(order) {
		least = min(least, p[i]*float64(tests)/float64(rank+1))
		all[i] = least
	}
	return all
}

// ascending returns the places of p in its order, without NaN, and as many NaN as there are p.
func ascending(p []float64) (order []int, all []float64) {
	for i, x := range p {
		all = append(all, math.NaN())
		if !math.IsNaN(x) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order, all
}
