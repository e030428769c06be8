package datasets

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

var numbers = schemas.Table{Name: "numbers", Version: 1, Columns: []schemas.Column{{Name: "n", Type: schemas.Int64, Doc: "n"}}}

var errCut = errors.New("cut off")

// count returns a step of `parts` parts of ten row groups of 100 numbers; it fails before
// part cut, and tells which parts it wrote.
func count(params any, parts, cut int, wrote *[]int) Step {
	return Step{Stage: "count", Output: numbers.ID(), Params: params, Run: func(_ context.Context, _ []*Dir, out *Builder) error {
		out.SetTable(numbers)
		for i := range parts {
			if i == cut {
				return errCut
			}
			if _, done := out.Done(i); done {
				continue
			}
			*wrote = append(*wrote, i)
			w, err := out.Part(i)
			if err != nil {
				return err
			}
			b := columns.NewBatch(numbers)
			for g := range 10 {
				b.Reset()
				b.Rows = 100
				for n := range 100 {
					b.Cols[0].AppendInt64(int64(i*1000 + g*100 + n))
				}
				group, err := w.Encode(b)
				if err != nil {
					return err
				}
				if err := w.Append(group); err != nil {
					return err
				}
			}
			if err := w.Close(manifest.Counts{Written: 1000}, map[string]int{"part": i}); err != nil {
				return err
			}
		}
		return out.AddFile("note.txt", []byte("counted\n"))
	}}
}

func mustBuild(t *testing.T, dir string, s Step) bool {
	t.Helper()
	_, fresh, err := Build(context.Background(), dir, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fresh
}

// contents is everything in a directory, by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s should not be there", name)
		}
	}
}

func TestRerunDoesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var wrote []int
	if !mustBuild(t, dir, count(1, 2, -1, &wrote)) {
		t.Error("the first build found its work done")
	}
	before := contents(t, dir)
	wrote = nil
	if mustBuild(t, dir, count(1, 2, -1, &wrote)) || wrote != nil {
		t.Errorf("the second build wrote parts %v", wrote)
	}
	same(t, contents(t, dir), before)
}

// TestNothingIsSilentlyReplaced: a dataset of other parameters is named with what differs, and stays
// but by force, or where replacing is what is wanted.
func TestNothingIsSilentlyReplaced(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var wrote []int
	mustBuild(t, dir, count(1, 3, -1, &wrote))
	before := contents(t, dir)
	_, _, err := Build(context.Background(), dir, count(2, 1, -1, &wrote), Options{})
	if err == nil || !strings.Contains(err.Error(), "of 3,000 rows: other parameters (1 → 2)") || !strings.Contains(err.Error(), "--force") {
		t.Errorf("other parameters: %v", err)
	}
	same(t, contents(t, dir), before)
	for params, o := range map[int]Options{2: {Force: true}, 3: {Replace: true}} {
		if _, fresh, err := Build(context.Background(), dir, count(params, 1, -1, &wrote), o); err != nil || !fresh {
			t.Errorf("%+v: %v, made %v", o, err, fresh)
		}
	}
	if got := contents(t, dir); len(got) != 3 || got["part-00000.parquet"] == "" {
		t.Errorf("the directory holds %d files, want one part, the note and the manifest", len(got))
	}
}

func TestInterruptedBuildResumes(t *testing.T) {
	root := t.TempDir()
	var wrote []int
	mustBuild(t, filepath.Join(root, "whole"), count(1, 4, -1, &wrote))

	dir := filepath.Join(root, "cut")
	if _, _, err := Build(context.Background(), dir, count(1, 4, 2, &wrote), Options{}); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "unfinished") {
		t.Errorf("opening an unfinished dataset: %v", err)
	}
	// What a kill leaves behind besides: a half-written part.
	if err := os.WriteFile(filepath.Join(dir, manifest.TmpName, "part-00002.parquet.tmp"), []byte("PAR1"), 0o666); err != nil {
		t.Fatal(err)
	}
	wrote = nil
	mustBuild(t, dir, count(1, 4, -1, &wrote))
	if len(wrote) != 2 || wrote[0] != 2 {
		t.Errorf("the resumed build wrote parts %v, want 2 and 3", wrote)
	}
	same(t, contents(t, dir), contents(t, filepath.Join(root, "whole")))
}

func TestFailedBuildKeepsTheOldDataset(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var wrote []int
	mustBuild(t, dir, count(1, 2, -1, &wrote))
	if _, _, err := Build(context.Background(), dir, count(2, 2, 1, &wrote), Options{Force: true}); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(d.Manifest.Params, []byte("1")) {
		t.Errorf("the dataset is of parameters %s, want those of the build that ended", d.Manifest.Params)
	}
}

func TestCutOffSwapIsFinished(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var wrote []int
	mustBuild(t, dir, count(1, 2, -1, &wrote))
	want := contents(t, dir)
	// The state between two renames: manifest and one part still to move.
	tmp := filepath.Join(dir, manifest.TmpName)
	if err := os.Mkdir(tmp, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{manifest.Name, "part-00001.parquet"} {
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(tmp, name)); err != nil {
			t.Fatal(err)
		}
	}
	wrote = nil
	if mustBuild(t, dir, count(1, 2, -1, &wrote)) {
		t.Errorf("built again: parts %v", wrote)
	}
	same(t, contents(t, dir), want)
}

func TestFlippedBitIsNamed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var wrote []int
	mustBuild(t, dir, count(1, 2, -1, &wrote))
	path := filepath.Join(dir, "part-00001.parquet")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 4
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(context.Background()); err == nil || !strings.Contains(err.Error(), "part-00001.parquet: damaged") {
		t.Errorf("error %v, want one that names the part", err)
	}
}

func TestForeignDirectoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "thesis.tex"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var wrote []int
	_, _, err := Build(context.Background(), dir, count(1, 1, -1, &wrote), Options{})
	if err == nil || !strings.Contains(err.Error(), "thesis.tex") {
		t.Errorf("error %v, want a refusal that names the file", err)
	}
}

func TestMapBytesDoNotDependOnWorkers(t *testing.T) {
	root := t.TempDir()
	var wrote []int
	in := filepath.Join(root, "in")
	mustBuild(t, in, count(1, 3, -1, &wrote))
	var want map[string]string
	for _, workers := range []int{1, 2, 7} {
		dir := filepath.Join(root, string(rune('a'+workers)))
		mustBuild(t, dir, Step{Stage: "odd", Output: numbers.ID(), Inputs: []string{in}, Run: func(ctx context.Context, in []*Dir, out *Builder) error {
			out.SetTable(numbers)
			return Map(ctx, in[0], out, MapOptions{Workers: workers}, func() MapFunc {
				return func(in, out *columns.Batch) (c manifest.Counts, err error) {
					c.Read = int64(in.Rows)
					for _, n := range in.Cols[0].Int64 {
						if n%2 == 1 {
							out.Cols[0].AppendInt64(n)
							out.Rows++
						} else {
							c.Reject("even", 1)
						}
					}
					c.Written = int64(out.Rows)
					return c, nil
				}
			})
		}})
		if got := contents(t, dir); want == nil {
			want = got
		} else {
			same(t, got, want)
		}
		d, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if c := d.Manifest.Counts; c.Read != 3000 || c.Written != 1500 || c.Rejected["even"] != 1500 || d.Rows() != 1500 {
			t.Errorf("%d workers: counts %+v, %d rows", workers, c, d.Rows())
		}
	}
}

func TestFailedBuildWithoutPartsLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var wrote []int
	if _, _, err := Build(context.Background(), dir, count(1, 2, 0, &wrote), Options{}); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	if exists(dir) {
		t.Errorf("%v is left", contents(t, filepath.Dir(dir)))
	}
}
