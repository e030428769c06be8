package reporttest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/datasets"
)

// SameInAnyOrder fails t where of makes other numbers, in any bit, of the same rows and games
// between players with these names in another order: where a report sums decimals its numbers
// depend neither on the order of rows nor on how threads share them.
func SameInAnyOrder[T any](t *testing.T, names [][2]string, rows []T, of func(rows []T, games *datasets.Dir) any) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(len(rows))))
	rows = slices.Clone(rows)
	var want string
	for i := range 4 {
		got := fmt.Sprintf("%+v", of(rows, writeNames(t, names, rng.Perm(len(names)))))
		if i == 0 {
			want = got
		} else if got != want {
			t.Fatalf("order %d: %s, want %s", i, got, want)
		}
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
}
