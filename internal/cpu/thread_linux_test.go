package cpu

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestTook: what other goroutines do meanwhile does not count.
func TestTook(t *testing.T) {
	var stop atomic.Bool
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for !stop.Load() {
			}
		})
	}
	begun := Time()
	took := Took(func() { time.Sleep(200 * time.Millisecond) })
	all := Time() - begun
	stop.Store(true)
	group.Wait()
	if took > all/4 {
		t.Errorf("asleep for %v of processor time; the others took %v", took, all)
	}
}
