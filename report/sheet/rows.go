package sheet

import "slices"

// Only returns the rows that keep accepts, in their order.
func Only[T any](all []T, keep func(T) bool) (some []T) {
	for _, row := range all {
		if keep(row) {
			some = append(some, row)
		}
	}
	return some
}

// Each returns what rows have, each once, in the order in which it comes.
func Each[T any, K comparable](all []T, of func(T) K) (values []K) {
	for _, row := range all {
		if v := of(row); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}
