// Package ordered runs numbered tasks on several workers and passes their results on in the
// order of the tasks. So the output does not depend on the number of workers. A worker that is
// ahead of its turn stops after a few pieces: memory does not depend on the number of tasks.
package ordered

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// ahead is how many pieces of one task wait for their turn.
const ahead = 4

// Workers returns n, or for 0 and less the number of processors that the process may use.
func Workers(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// Run runs tasks 0 to tasks-1 on a number of workers. work does one task as one of the workers, 0 to
// workers-1, emits its output piece by piece, and must return an error from emit. take gets the pieces of
// task 0, then of task 1 and so on, in one goroutine. The first error ends all and is returned.
func Run[T any](ctx context.Context, tasks, workers int, work func(worker, task int, emit func(T) error) error, take func(T) error) error {
	return Tasks(ctx, func(yield func(int) bool) {
		for i := range tasks {
			if !yield(i) {
				return
			}
		}
	}, workers, work, take)
}

// Tasks is Run with tasks that are looked for while others are done.
func Tasks[K, T any](ctx context.Context, tasks iter.Seq[K], workers int, work func(worker int, task K, emit func(T) error) error, take func(T) error) error {
	type job struct {
		task   K
		pieces chan T // closed after the last
	}
	jobs, order := make(chan job), make(chan job, workers)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(jobs)
		defer close(order)
		for task := range tasks {
			j := job{task, make(chan T, ahead)}
			for _, c := range []chan job{order, jobs} {
				select {
				case c <- j:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		return nil
	})
	for worker := range workers {
		g.Go(func() error {
			for j := range jobs {
				err := work(worker, j.task, func(piece T) error {
					select {
					case j.pieces <- piece:
						return nil
					case <-ctx.Done():
						return ctx.Err()
					}
				})
				if err != nil {
					return err
				}
				close(j.pieces)
			}
			return nil
		})
	}
	g.Go(func() error {
		for j := range order {
			for open := true; open; {
				var piece T
				select {
				case piece, open = <-j.pieces:
				case <-ctx.Done():
					return ctx.Err()
				}
				if !open {
					break
				}
				if err := take(piece); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return g.Wait()
}

// Each runs work(worker, i) for every i below n on the given number of goroutines, which have the numbers from 0.
func Each(workers, n int, work func(worker, i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range max(1, min(workers, n)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(w, i)
			}
		})
	}
	wg.Wait()
}

// Merge runs work(worker, i) for every i below n on the given number of goroutines. It runs
// merge for each i in ascending order, one at a time, on the worker that did its work. So sums
// made in merge are the same to the bit for any number of workers. A worker waits for its turn
// before it takes the next i, so its result can be in memory of its own.
func Merge(workers, n int, work, merge func(worker, i int)) {
	var mu sync.Mutex
	turn := 0
	moved := sync.NewCond(&mu)
	Each(workers, n, func(w, i int) {
		work(w, i)
		mu.Lock()
		defer mu.Unlock()
		for turn != i {
			moved.Wait()
		}
		merge(w, i)
		turn++
		moved.Broadcast()
	})
}
