package datasets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets/journal"
	"kifu/datasets/manifest"
)

// TestJournal: what a step had done of a part when it ended comes back in the next run of the same
// step, but for a record that was cut off.
func TestJournal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	ctx, cancel := context.WithCancel(context.Background())
	var got []string
	step := func(params string, add ...string) Step {
		s := count(params, 1, -1, new([]int))
		whole := s.Run
		s.Run = func(ctx context.Context, in []*Dir, out *Builder) error {
			j, err := out.Journal("numbers-0")
			if err != nil {
				return err
			}
			got = nil
			for _, r := range j.Records() {
				got = append(got, string(r))
			}
			for _, r := range add {
				if err := j.Add([]byte(r)); err != nil {
					return err
				}
			}
			if len(add) > 0 {
				return errors.Join(errCut, j.Close())
			}
			return errors.Join(whole(ctx, in, out), j.Drop())
		}
		return s
	}
	build := func(want []string, s Step) error {
		t.Helper()
		_, _, err := Build(ctx, dir, s, Options{})
		if !slices.Equal(got, want) {
			t.Errorf("records %q, want %q", got, want)
		}
		return err
	}
	build(nil, step("a", "one", ""))
	build([]string{"one", ""}, step("a", "three"))
	file := filepath.Join(dir, manifest.TmpName, journal.Prefix+"numbers-0")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text[:len(text)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	cancel()
	err = build([]string{"one", ""}, step("a", "four"))
	var kept *Interrupted
	if !errors.As(err, &kept) || kept.Records != 3 || !strings.Contains(err.Error(), "3 numbers of the next part kept; the same command continues") || !errors.Is(err, errCut) {
		t.Errorf("interrupted: %v", err)
	}
	ctx = context.Background()
	if err := build([]string{"one", "", "four"}, step("a")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, manifest.TmpName)); err == nil {
		t.Error("the journal is left")
	}
}

// TestJournalOfAnother run, with other parameters, is not taken.
func TestJournalOfAnother(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	for _, params := range []string{"a", "b"} {
		_, _, err := Build(context.Background(), dir, Step{Stage: "count", Output: numbers.ID(), Params: params, Run: func(_ context.Context, _ []*Dir, out *Builder) error {
			j, err := out.Journal("numbers-0")
			if err != nil || len(j.Records()) > 0 {
				t.Errorf("%s: %d records, %v", params, len(j.Records()), err)
				return err
			}
			return errors.Join(errCut, j.Add([]byte("x")), j.Close())
		}}, Options{})
		if !errors.Is(err, errCut) {
			t.Error(err)
		}
	}
}
