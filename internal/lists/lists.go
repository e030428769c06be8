// Package lists makes lists, sums and sets of the items of a list, where a loop of three lines would have
// one expression. In: a list, a function of an item. Out: a value; the list itself is not changed.
package lists

import "slices"

// Number is a type whose values can be added.
type Number interface{ ~int | ~int64 | ~float64 }

// Of returns f of every item; nil if there are none.
func Of[T, U any](items []T, f func(T) U) []U {
	if len(items) == 0 {
		return nil
	}
	all := make([]U, len(items))
	for i, item := range items {
		all[i] = f(item)
	}
	return all
}

// Try returns f of the items, up to the first error.
func Try[T, U any](items []T, f func(T) (U, error)) (all []U, err error) {
	for _, item := range items {
		x, err := f(item)
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// Where returns the items for which f is true; nil if there are none.
func Where[T any](items []T, f func(T) bool) (all []T) {
	for _, item := range items {
		if f(item) {
			all = append(all, item)
		}
	}
	return all
}

// Sum adds up f of the items, in their order.
func Sum[T any, N Number](items []T, f func(T) N) (sum N) {
	for _, item := range items {
		sum += f(item)
	}
	return sum
}

// By returns the items by their keys; the last of several items with one key wins.
func By[T any, K comparable](items []T, key func(T) K) map[K]T {
	all := make(map[K]T, len(items))
	for _, item := range items {
		all[key(item)] = item
	}
	return all
}

// Set returns the items as keys whose values are true.
func Set[K comparable](items []K) map[K]bool {
	all := make(map[K]bool, len(items))
	for _, item := range items {
		all[item] = true
	}
	return all
}

// Distinct returns f of the items, each value once, in the order in which they come.
func Distinct[T any, K comparable](items []T, f func(T) K) (values []K) {
	for _, item := range items {
		if v := f(item); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// N returns f of the numbers from 0 to n-1.
func N[T any](n int, f func(i int) T) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = f(i)
	}
	return all
}
