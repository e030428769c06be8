package bygame

import (
	"context"
	"os"
	"slices"
	"testing"

	"kifu/internal/splitmix"
)

// TestVisits: however much memory there is, visits come sorted, each once and those of a position in one call,
// and nothing stays on disk.
func TestVisits(t *testing.T) {
	var want []visit
	for i := range 300_000 {
		key := splitmix.Mix(uint64(i % 100_000)) // each three times
		if i%5 == 0 {
			key = uint64(i % 7) // many in one bucket
		}
		want = append(want, visit{key, int64(i * 7919 % 300_000)})
	}
	sorted := slices.Clone(want)
	sortVisits(sorted)
	for _, most := range []int64{1 << 40, 1 << 20, 0} {
		temp := t.TempDir()
		t.Setenv("TMPDIR", temp)
		s := newVisits(most)
		for _, one := range want {
			s.add(one)
		}
		if s.file != nil != (most < 1<<40) {
			t.Errorf("most %d: spilled %v", most, s.file != nil)
		}
		seen, calls := map[uint64]int{}, 0
		var got []visit
		err := s.eachRun(context.Background(), func(some []visit) {
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
			t.Errorf("most %d: %d visits of %d, %v", most, len(got), len(sorted), err)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(temp); len(left) > 0 {
			t.Errorf("most %d: left %v", most, left)
		}
	}
}
