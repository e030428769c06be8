//go:build unix

// Cluster measures the cost of distributing parts, with a server, a coordinator and workers in this
// process: 2,000 empty parts, 200 parts of 50 ms compared with a pool of goroutines, and the queueing
// of 600,000 parts (or as many as its argument names); and the passes of a fit that four workers sum.
// Verdicts are by processor time, which other load on the machine hardly changes. bench/cluster.sh runs
// it.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"kifu/study/cluster"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "kifu-cluster-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	token := "a token for measurements"
	file := filepath.Join(dir, "token")
	if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
		return err
	}
	o := cluster.Options{TokenFile: file, Times: cluster.Usual, Build: "bench"}
	c, url, stop, err := cluster.Here("127.0.0.1:0", dir, token, o)
	if err != nil {
		return err
	}
	defer stop()
	defer c.Close()
	dial := func() (*cluster.Cluster, error) { return cluster.Dial(url, o) }
	for _, m := range []func(context.Context, string, func() (*cluster.Cluster, error)) error{sums, queueing, empty, pool} {
		if err := m(ctx, dir, dial); err != nil {
			return err
		}
	}
	return nil
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "NOT MET"
}

// processor is the time that this process has worked, with all that is in it.
func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// do has n tasks done by workers that sleep for each and write a file.
func do(ctx context.Context, dir string, dial func() (*cluster.Cluster, error), n, slots int, sleep time.Duration) (took time.Duration, err error) {
	theirs, err := dial()
	if err != nil {
		return 0, err
	}
	defer theirs.Close()
	mine, err := dial()
	if err != nil {
		return 0, err
	}
	defer mine.Close()
	step := cluster.Step{Key: fmt.Sprintf("do%d", n), Name: "measured", Base: dir}
	ctx, cancel := context.WithCancel(ctx)
	w := &cluster.Worker{Slots: slots, Log: func(string, ...any) {}, Do: func(_ context.Context, s cluster.Step, session *cluster.Session) error {
		for i := range n {
			if session.Next(i) {
				if err := part(dir, s.Key, i, sleep); err != nil {
					return err
				}
				session.Made(i)
			}
		}
		return nil
	}}
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx, theirs) }()
	defer func() { cancel(); <-ended }()
	begun := time.Now()
	err = mine.Do(ctx, step, cluster.Work{Tasks: numbers(n), Done: func(int) error { return nil }})
	return time.Since(begun), err
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// part writes a file as parts are written: synced, under a name that the first one has.
func part(dir, key string, i int, sleep time.Duration) error {
	time.Sleep(sleep)
	f, err := os.CreateTemp(dir, "attempt")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	f.WriteString(strconv.Itoa(i))
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Link(f.Name(), filepath.Join(dir, fmt.Sprintf("%s-%d", key, i)))
}

func empty(ctx context.Context, dir string, dial func() (*cluster.Cluster, error)) error {
	const n = 2000
	before := processor()
	took, err := do(ctx, dir, dial, n, 2, 0)
	if err != nil {
		return err
	}
	each, work := took/n, (processor()-before)/n
	fmt.Printf("%d empty parts, 2 slots: %v of processor each (at most 4ms), %v wall-clock: %s\n", n, work.Round(10*time.Microsecond), each.Round(10*time.Microsecond), verdict(work <= 4*time.Millisecond))
	return nil
}

func pool(ctx context.Context, dir string, dial func() (*cluster.Cluster, error)) error {
	const n, slots, sleep = 200, 2, 50 * time.Millisecond
	begun, before := time.Now(), processor()
	var group sync.WaitGroup
	next := make(chan int)
	var fault error
	for range slots {
		group.Go(func() {
			for i := range next {
				if err := part(dir, "pool", i, sleep); err != nil {
					fault = err
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
	if fault != nil {
		return fault
	}
	alone, floor := time.Since(begun), processor()-before
	before = processor()
	took, err := do(ctx, dir, dial, n, slots, sleep)
	if err != nil {
		return err
	}
	more := (processor() - before - floor).Seconds() / (n * sleep.Seconds())
	fmt.Printf("%d parts of %v, %d slots: %.1f %% more processor than a pool (at most 5); %v wall-clock, the pool %v: %s\n", n, sleep, slots, 100*more, took.Round(time.Millisecond), alone.Round(time.Millisecond), verdict(more <= 0.05))
	return nil
}

func queueing(ctx context.Context, dir string, dial func() (*cluster.Cluster, error)) error {
	n := 600_000
	if len(os.Args) > 1 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	c, err := dial()
	if err != nil {
		return err
	}
	defer c.Close()
	step := cluster.Step{Key: "queueing", Name: "measured", Base: dir}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	begun, before := time.Now(), processor()
	go c.Do(ctx, step, cluster.Work{Tasks: numbers(n)})
	for queued := 0; queued < n; {
		time.Sleep(50 * time.Millisecond)
		s, err := c.Status(ctx)
		if err != nil {
			return err
		}
		for _, s := range s.Steps {
			queued = s.Queued
		}
		if time.Since(begun) > 10*time.Minute {
			return fmt.Errorf("%d of %d queued", queued, n)
		}
	}
	took, work := time.Since(begun), processor()-before
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return err
	}
	mb := u.Maxrss >> 10
	fmt.Printf("%d parts queued: %v of processor (at most 10s), %v wall-clock; %d MB, server and client (at most 300): %s\n", n, work.Round(100*time.Millisecond), took.Round(100*time.Millisecond), mb, verdict(work <= 10*time.Second && mb <= 300))
	return c.Drain()
}
