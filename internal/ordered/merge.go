package ordered

import (
	"sync"
	"sync/atomic"
)

// Merge runs work(worker, i) for every i below n on the given number of goroutines, and
// merge for each i in ascending order, one at a time, on the worker that did its work.
// Sums accumulated in merge are therefore the same to the bit for any number of workers.
// A worker waits for its turn before it takes the next i, so that what it made of one can
// are in memory of its own.
func Merge(workers, n int, work, merge func(worker, i int)) {
	workers = max(1, min(workers, n))
	var next atomic.Int64
	var mu sync.Mutex
	turn := 0
	moved := sync.NewCond(&mu)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(w, i)
				mu.Lock()
				for turn != i {
					moved.Wait()
				}
				merge(w, i)
				turn++
				moved.Broadcast()
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
