package datasets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kifu/datasets/columns"
)

// Every row group comes once, with its number and first row; what is emitted comes in
// their order, whoever made it.
func TestEach(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var wrote []int
	mustBuild(t, dir, count(1, 3, -1, &wrote)) // 3 parts of 10 groups of 100 numbers
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for workers := 1; workers < 4; workers++ {
		next := 0
		err := Each(context.Background(), d, workers, "", "", func(worker int, g Group, emit func(int64) error) error {
			b := columns.NewBatch(numbers)
			if err := g.Read(b); err != nil {
				return err
			}
			n := b.Cols[0].Int64
			if worker >= workers || len(n) != int(g.Rows) || n[0] != g.First || g.First != int64(100*g.Number) {
				t.Errorf("worker %d, group %+v: %d numbers from %d", worker, g, len(n), n[0])
			}
			return emit(n[0])
		}, func(n int64) error {
			if n != int64(100*next) {
				t.Errorf("%d came as number %d", n, next)
			}
			next++
			return nil
		})
		if err != nil || next != 30 {
			t.Errorf("%d workers: %d groups, %v", workers, next, err)
		}
		broken := errors.New("broken")
		err = Each(context.Background(), d, workers, "", "", func(_ int, g Group, _ func(int64) error) error {
			if g.Number == 17 {
				return broken
			}
			return nil
		}, nil)
		if !errors.Is(err, broken) {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// TestGroups: the groups of all parts, and those of some, which count from the first of them.
func TestGroups(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var wrote []int
	mustBuild(t, dir, count(1, 3, -1, &wrote))
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	b := columns.NewBatch(numbers)
	for first, parts := range map[int64][]int{0: nil, 1000: {1, 2}} {
		n := 0
		for g, err := range d.Groups(b, parts...) {
			if err != nil || g.Number != n || g.First != int64(100*n) || g.At != 100*g.Index || b.Cols[0].Int64[0] != first+g.First {
				t.Errorf("group %d of parts %v: %+v of %d, %v", n, parts, g, b.Cols[0].Int64[0], err)
			}
			n++
		}
		if n != 30-int(first)/100 {
			t.Errorf("%d groups of parts %v", n, parts)
		}
	}
	if err := os.Remove(d.PartPaths()[1]); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range d.Groups(b) {
		if n++; (err != nil) != (n == 11) {
			t.Errorf("step %d: %v", n, err)
		}
	}
	if n != 11 {
		t.Errorf("%d steps with the second part missing, want 11", n)
	}
}

// An error in a part comes after all of the parts before it, though their work ends later.
func TestErrorsKeepTheirOrder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var wrote []int
	mustBuild(t, dir, count(1, 2, -1, &wrote)) // 2 parts of 10 groups
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	broken, failed := errors.New("broken"), make(chan struct{})
	var taken, ended []int
	w := Walk[int]{In: d, Work: func(_ int, g Group, emit func(int) error) error {
		switch g.Number {
		case 9: // of the first part
			<-failed
		case 10:
			close(failed)
			return broken
		}
		return emit(g.Number)
	}, Take: func(number int) error {
		taken = append(taken, number)
		return nil
	}, End: func(part int) error {
		ended = append(ended, part)
		return nil
	}}
	if err := w.Run(context.Background(), 2, nil); !errors.Is(err, broken) || len(taken) != 10 || !slices.Equal(ended, []int{0}) {
		t.Errorf("%v after groups %v and the ends of parts %v", err, taken, ended)
	}
}
