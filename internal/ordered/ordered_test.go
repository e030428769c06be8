package ordered

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var got, want []int
		for task := range 50 {
			for piece := range task % 9 { // some make nothing, some more than may wait
				want = append(want, 100*task+piece)
			}
		}
		err := Run(context.Background(), 50, workers, func(_, task int, emit func(int) error) error {
			for piece := range task % 9 {
				if err := emit(100*task + piece); err != nil {
					return err
				}
			}
			return nil
		}, func(x int) error {
			got = append(got, x)
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d workers: error %v, pieces %v", workers, err, got)
		}
	}
}

func TestErrorsEndTheRun(t *testing.T) {
	bad := errors.New("bad")
	many := func(_, task int, emit func(int) error) error {
		for i := range 100 {
			if err := emit(i); err != nil {
				return err
			}
		}
		return nil
	}
	fails := func(worker, task int, emit func(int) error) error {
		if task == 5 {
			return bad
		}
		return many(worker, task, emit)
	}
	if err := Run(context.Background(), 50, 3, fails, func(int) error { return nil }); !errors.Is(err, bad) {
		t.Errorf("a task fails: %v", err)
	}
	if err := Run(context.Background(), 50, 3, many, func(int) error { return bad }); !errors.Is(err, bad) {
		t.Errorf("taking fails: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Run(ctx, 50, 3, many, func(int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
