package fit

import (
	"context"
	"os"
	"slices"
	"testing"

	"kifu/internal/splitmix"
)

// TestSights: however much memory there is, sights come sorted, each once and those of a position in one call,
// and nothing stays on disk.
func TestSights(t *testing.T) {
	var want []sight
	for i := range 300_000 {
		key := splitmix.Mix(uint64(i % 100_000)) // each three times
		if i%5 == 0 {
			key = uint64(i % 7) // many in one bucket
		}
		want = append(want, sight{key, int64(i * 7919 % 300_000)})
	}
	sorted := slices.Clone(want)
	sortSights(sorted)
	for _, most := range []int64{1 << 40, 1 << 20, 0} {
		temp := t.TempDir()
		t.Setenv("TMPDIR", temp)
		s := newSights(most)
		for _, one := range want {
			s.add(one)
		}
		if s.file != nil != (most < 1<<40) {
			t.Errorf("most %d: spilled %v", most, s.file != nil)
		}
		seen, calls := map[uint64]int{}, 0
		var got []sight
		err := s.each(context.Background(), func(some []sight) {
			calls++
			for _, one := range some {
				if at, ok := seen[one.key]; ok && at != calls {
					t.Fatalf("most %d: position %x comes in two calls", most, one.key)
				}
				seen[one.key] = calls
			}
			got = append(got, some...)
		})
		if err != nil || !slices.Equal(got, sorted) {
			t.Errorf("most %d: %d sights of %d, %v", most, len(got), len(sorted), err)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(temp); len(left) > 0 {
			t.Errorf("most %d: left %v", most, left)
		}
	}
}
