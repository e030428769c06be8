package datasets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
)

// words returns a step that writes one part of one row an input; it fails before input cut.
func words(params any, cut string, inputs ...string) Step {
	s := Step{Stage: "words", Output: numbers.ID(), Params: params}
	for _, in := range inputs {
		s.InputKeys = append(s.InputKeys, manifest.Input{Name: "file of " + in, Key: in})
	}
	s.Run = func(_ context.Context, _ []*Dir, out *Builder) error {
		out.SetTable(numbers)
		i := out.Taken()
		for k, in := range inputs {
			if out.Known(k) {
				continue
			}
			if in == cut {
				return errCut
			}
			if _, done := out.Done(i); !done {
				w, err := out.Part(i)
				if err != nil {
					return err
				}
				b := columns.NewBatch(numbers)
				b.Rows = 1
				b.Cols[0].AppendInt64(int64(in[0]))
				g, err := w.Encode(b)
				if err == nil {
					err = w.Append(g)
				}
				if err == nil {
					err = w.Close(manifest.Counts{Read: 1, Written: 1}, nil)
				}
				if err != nil {
					return err
				}
			}
			i++
		}
		return nil
	}
	return s
}

// letters returns the rows of the dataset.
func letters(t *testing.T, dir string) string {
	t.Helper()
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(context.Background()); err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	for i := range d.Manifest.Parts {
		p, err := d.OpenPart(i)
		if err != nil {
			t.Fatal(err)
		}
		b := columns.NewBatch(numbers)
		if err := p.Read(0, b); err != nil {
			t.Fatal(err)
		}
		s.WriteByte(byte(b.Cols[0].Int64[0]))
		p.Close()
	}
	if int(d.Manifest.Counts.Written) != s.Len() {
		t.Errorf("counts %+v for %d rows", d.Manifest.Counts, s.Len())
	}
	return s.String()
}

func TestAppendAddsWhatIsNew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	add := Options{Append: true}
	keys := map[string]bool{}
	for _, c := range []struct {
		inputs string
		want   string
		fresh  bool
	}{
		{"a b", "ab", true}, // nothing is there yet
		{"b", "ab", false},
		{"b c a", "abc", true},
		{"a b c", "abc", false},
		{"d d", "abcd", true}, // once, though it is named twice
	} {
		_, fresh, err := Build(context.Background(), dir, words(1, "", strings.Fields(c.inputs)...), add)
		if err != nil {
			t.Fatal(err)
		}
		if got := letters(t, dir); got != c.want || fresh != c.fresh {
			t.Errorf("append %s: %s, fresh %v", c.inputs, got, fresh)
		}
		d, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if keys[d.Manifest.Key] == fresh {
			t.Errorf("append %s: key %s", c.inputs, d.Manifest.Key)
		}
		keys[d.Manifest.Key] = true
	}
}

func TestInterruptedAppendGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	add := Options{Append: true}
	if _, _, err := Build(context.Background(), dir, words(1, "", "a"), add); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Build(context.Background(), dir, words(1, "c", "b", "c"), add); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	if got := letters(t, dir); got != "a" {
		t.Errorf("after the interruption: %s", got)
	}
	if _, err := os.Stat(filepath.Join(dir, manifest.TmpName, manifest.PartName(1))); err != nil {
		t.Errorf("the part that was whole is gone: %v", err)
	}
	if _, _, err := Build(context.Background(), dir, words(1, "", "b", "c"), add); err != nil {
		t.Fatal(err)
	}
	if got := letters(t, dir); got != "abc" {
		t.Errorf("in the end: %s", got)
	}
}

func TestAppendIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	if _, _, err := Build(context.Background(), dir, words(1, "", "a"), Options{}); err != nil {
		t.Fatal(err)
	}
	other := words(1, "", "b")
	other.Stage = "songs"
	for want, s := range map[string]Step{"made with parameters": words(2, "", "b"), "made by kifu words": other} {
		if _, _, err := Build(context.Background(), dir, s, Options{Append: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, manifest.PartName(0))); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Build(context.Background(), dir, words(1, "", "b"), Options{Append: true}); err == nil || !strings.Contains(err.Error(), manifest.PartName(0)) {
		t.Errorf("a part is missing: %v", err)
	}
}

func TestPlanSaysWhatBuildWouldDo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	type params struct{ L2, Seed int }
	plan := func(s Step, want string, wantCurrent bool) {
		t.Helper()
		current, why, err := Plan(context.Background(), dir, s)
		if err != nil || current != wantCurrent || why != want {
			t.Errorf("%v %q %v, want %v %q", current, why, err, wantCurrent, want)
		}
	}
	first := words(params{0, 1}, "", "a", "b")
	plan(first, "not made yet", false)
	if _, _, err := Build(context.Background(), dir, words(params{0, 1}, "b", "a", "b"), Options{}); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	plan(first, "not made yet; 1 parts are done", false)
	if _, _, err := Build(context.Background(), dir, first, Options{}); err != nil {
		t.Fatal(err)
	}
	plan(first, "up to date", true)
	plan(words(params{3, 1}, "", "a", "b"), "other l2 (0 → 3)", false)
	plan(words(params{3, 2}, "", "a"), "other l2 (0 → 3), seed (1 → 2); without input file of b", false)
	if err := os.Remove(filepath.Join(dir, manifest.PartName(1))); err != nil {
		t.Fatal(err)
	}
	plan(first, "parts are missing", false)
}

// copied returns a step that makes part i from part i of the dataset in; it fails before part cut.
func copied(in string, cut int, wrote *[]int) Step {
	return Step{Stage: "copied", Output: numbers.ID(), Inputs: []string{in}, Apart: true, Run: func(ctx context.Context, in []*Dir, out *Builder) error {
		out.SetTable(numbers)
		return Map(ctx, in[0], out, MapOptions{Workers: 1}, func() MapFunc {
			return func(in, out *columns.Batch) (manifest.Counts, error) {
				n := int(in.Cols[0].Int64[0] - 'a')
				if n == cut {
					return manifest.Counts{}, errCut
				}
				*wrote = append(*wrote, n)
				out.Cols[0].AppendInt64(int64(n))
				out.Rows = 1
				return manifest.Counts{Read: 1, Written: 1}, nil
			}
		})
	}}
}

// TestGrownInputReusesParts: after an input was appended to only its new parts are made, an interruption
// in between included; the bytes are those of a dataset made at once.
func TestGrownInputReusesParts(t *testing.T) {
	root, ctx := t.TempDir(), context.Background()
	in, dir := filepath.Join(root, "in"), filepath.Join(root, "d")
	var wrote []int
	grow := func(inputs ...string) {
		if _, _, err := Build(ctx, in, words(nil, "", inputs...), Options{Append: true}); err != nil {
			t.Fatal(err)
		}
	}
	grow("a", "b")
	mustBuild(t, dir, copied(in, -1, &wrote))
	grow("c")
	grow("d", "e")
	wrote = nil
	if _, _, err := Build(ctx, dir, copied(in, 3, &wrote), Options{}); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	if d, err := Open(dir); err != nil || d.NumParts() != 2 {
		t.Fatalf("after an interruption: %v, want the dataset of before", err)
	}
	m, _, err := Build(ctx, dir, copied(in, -1, &wrote), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{2, 3, 4}; !slices.Equal(wrote, want) {
		t.Errorf("made parts %v, want %v", wrote, want)
	}
	if m.Reused != 2 {
		t.Errorf("%d parts reused, want 2 of the dataset of before", m.Reused)
	}
	mustBuild(t, filepath.Join(root, "whole"), copied(in, -1, &wrote))
	same(t, contents(t, dir), contents(t, filepath.Join(root, "whole")))

	// A part that was damaged meanwhile is made again.
	grow("f")
	path := filepath.Join(dir, manifest.PartName(1))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2]++
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	wrote = nil
	mustBuild(t, dir, copied(in, -1, &wrote))
	if want := []int{1, 5}; !slices.Equal(wrote, want) {
		t.Errorf("made parts %v, want %v: part 1 is damaged", wrote, want)
	}
}
