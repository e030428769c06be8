package datasets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kifu/datasets/manifest"
)

// queue is a Lease of parts in the order of a list; a part before the last one asked for
// waits for the next Build.
type queue struct{ parts, made []int }

func (q *queue) Next(i int) bool { return len(q.parts) > 0 && q.parts[0] == i }

func (q *queue) Made(i int) { q.parts, q.made = q.parts[1:], append(q.made, i) }

func finishConcurrently(dir string, s Step) ([]int, error) {
	_, err := build(dir, s, Options{Finish: true, Concurrent: true})
	if gaps, ok := errors.AsType[*Missing](err); ok {
		return gaps.Parts, nil
	}
	return nil, err
}

// TestLease: parts that are handed out one by one, some twice and in disorder, give the
// bytes of one run; a damaged one is found in the end and made again, while another who
// holds a part is at work.
func TestLease(t *testing.T) {
	var wrote, made []int
	whole, dir := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "leased")
	mustBuild(t, whole, count(1, 6, -1, &wrote))
	step := count(1, 6, -1, &made)
	if gaps, err := finishConcurrently(dir, step); err != nil || !slices.Equal(gaps, []int{0, 1, 2, 3, 4, 5}) {
		t.Fatalf("nothing is there: missing %v, %v", gaps, err)
	}
	q := &queue{parts: []int{0, 2, 3, 1, 2, 5}}
	for len(q.parts) > 0 {
		if _, err := build(dir, step, Options{Lease: q}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(made, []int{0, 2, 3, 1, 5}) || !slices.Equal(q.made, []int{0, 2, 3, 1, 2, 5}) {
		t.Errorf("made %v, told of %v", made, q.made)
	}
	gaps, err := finishConcurrently(dir, step)
	if err != nil || !slices.Equal(gaps, []int{4}) {
		t.Errorf("missing %v, %v", gaps, err)
	}
	if parts, whole, err := Made(context.Background(), dir, keyOf(t, step)); err != nil || whole || len(parts) != 5 || parts[4] {
		t.Errorf("made: %v, %v, %v", parts, whole, err)
	}
	damaged := filepath.Join(dir, manifest.TmpName, manifest.PartName(2))
	text, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2]++
	if err := os.WriteFile(damaged, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if gaps, err := finishConcurrently(dir, step); err != nil || !slices.Equal(gaps, []int{2, 4}) {
		t.Errorf("a damaged part: missing %v, %v", gaps, err)
	}
	late := &late{queue: queue{parts: []int{2, 4}}, finish: func() {
		// Others make the rest and finish, while this one is at part 2.
		if _, err := build(dir, step, Options{Lease: &queue{parts: []int{2, 4}}}); err != nil {
			t.Error(err)
		}
		if gaps, err := finishConcurrently(dir, step); err != nil || gaps != nil {
			t.Errorf("finish: missing %v, %v", gaps, err)
		}
	}}
	if _, err := build(dir, step, Options{Lease: late}); err != nil || !slices.Equal(late.made, []int{2, 4}) {
		t.Errorf("one who came late: %v, told of %v", err, late.made)
	}
	want, got := files(t, whole), files(t, dir)
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs from that of one run", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	if parts, whole, err := Made(context.Background(), dir, keyOf(t, step)); err != nil || !whole {
		t.Errorf("the dataset is there: %v, %v, %v", parts, whole, err)
	}
}

// late is a queue of one who is asleep after the first part was handed out.
type late struct {
	queue
	finish func()
}

func (l *late) Next(i int) bool {
	mine := l.queue.Next(i)
	if mine && l.finish != nil {
		finish := l.finish
		l.finish = nil
		finish()
	}
	return mine
}

func keyOf(t *testing.T, s Step) string {
	t.Helper()
	key, err := KeyOf(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestLockOfTheKilled: the lock that a killed process leaves in a dataset goes with the next run,
// whatever way that builds, also if nothing is left to be done.
func TestLockOfTheKilled(t *testing.T) {
	var made []int
	step := count(1, 3, -1, &made)
	for name, o := range map[string]Options{
		"alone": {}, "shard": {Shard: Shard{1, 1}}, "finish": {Finish: true}, "gather": {Finish: true, Concurrent: true}, "lease": {Lease: &queue{parts: []int{0, 1, 2}}},
	} {
		for _, whole := range []bool{false, true} {
			dir := filepath.Join(t.TempDir(), "out")
			if whole {
				mustBuild(t, dir, step)
			} else if _, err := build(dir, step, Options{Shard: Shard{1, 1}}); err != nil {
				t.Fatal(err)
			}
			left := filepath.Join(dir, manifest.LockName)
			if err := os.WriteFile(left, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := build(dir, step, o); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if exists(left) {
				t.Errorf("%s, whole %v: the lock is still there", name, whole)
			}
		}
	}
}
