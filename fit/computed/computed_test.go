package computed

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"kifu/datasets"
)

// counted are columns of which is noted how often each part was asked for.
type counted struct {
	mu    sync.Mutex
	asked map[int]int
	fails bool
}

func (c *counted) Part(_ context.Context, i int) ([][]float64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[i]++
	if c.fails {
		return nil, errors.New("the disk is full")
	}
	return [][]float64{{float64(i)}}, nil
}

func (c *counted) Close() error { return nil }

// TestComputedByPart: a part is worked out when it is read first, is there until its last reader is through, and two more
// are kept for others.
func TestComputedByPart(t *testing.T) {
	ctx, asked := context.Background(), &counted{asked: map[int]int{}}
	x, err := Open(ctx, Expressions{Target: Target("target", "y")}, &datasets.Dir{Path: "labels"}, func(context.Context, *datasets.Dir, []Feature) (Columns, error) { return asked, nil })
	if err != nil {
		t.Fatal(err)
	}
	read := func(i int) {
		t.Helper()
		p, err := x.Part(ctx, i)
		if err != nil || p.Target(0) != float64(i) {
			t.Fatalf("part %d: %v, %v", i, p, err)
		}
		x.Done(i)
	}
	for i := range 6 {
		x.Expect(i, 2)
	}
	// Two readers, of which one is a part ahead.
	for _, i := range []int{0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5} {
		read(i)
	}
	for i := range 6 {
		if asked.asked[i] != 1 {
			t.Errorf("part %d was worked out %d times", i, asked.asked[i])
		}
	}
	kept := func() (parts []int) {
		for i := range x.parts {
			parts = append(parts, i)
		}
		slices.Sort(parts)
		return parts
	}
	if got := kept(); !slices.Equal(got, []int{4, 5}) {
		t.Errorf("parts %v are kept, want the last two", got)
	}
	// A section that begins where another ended, while others are read far from it.
	x.Expect(5, 1)
	for _, i := range []int{1, 2} {
		x.Expect(i, 1)
		read(i)
	}
	read(5)
	asked.fails = true
	x.Expect(3, 1)
	if _, err := x.Part(ctx, 3); err == nil {
		t.Error("no error")
	}
	x.Done(3)
	asked.fails = false
	if got := kept(); !slices.Equal(got, []int{2, 5}) || asked.asked[5] != 1 || asked.asked[1] != 2 {
		t.Errorf("parts %v are kept, asked %v", got, asked.asked)
	}
	x.Expect(3, 1)
	read(3)
}
