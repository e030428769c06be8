package lock

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
)

// TestTake: one has the lock, and when it lets go another can.
func TestTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	release, err := Take(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Take(path); !errors.Is(err, ErrTaken) {
		t.Errorf("a second one: %v", err)
	}
	release()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
	if release, err = Take(path); err != nil {
		t.Fatal(err)
	}
	release()
}

// TestShare: those who share it and let go at the same moments never keep each other out.
func TestShare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	var group errgroup.Group
	for range 8 {
		group.Go(func() error {
			for range 300 {
				release, err := Share(path)
				if err != nil {
					return err
				}
				release()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
}

// TestOneAtATime: many that take and release never have it together.
func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	var inside, most, taken atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 300 {
				release, err := Take(path)
				if err != nil {
					continue
				}
				most.Store(max(most.Load(), inside.Add(1)))
				taken.Add(1)
				inside.Add(-1)
				release()
			}
		})
	}
	group.Wait()
	if most.Load() != 1 || taken.Load() < 10 {
		t.Errorf("%d had it at once, %d in all", most.Load(), taken.Load())
	}
}
