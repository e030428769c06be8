package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"kifu/datasets"
	"kifu/datasets/checked"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/kit/slow"
	"kifu/kit/storetest"
	"kifu/schemas"
)

var numbers = schemas.Table{Name: "numbers", Version: 1, Columns: []schemas.Column{{Name: "n", Type: schemas.Int64, Doc: "n"}}}

var errCut = errors.New("cut off")

// count returns a step that writes so many parts of 100 numbers. It fails before part cut,
// and notes the parts that it writes.
func count(params any, parts, cut int, wrote *[]int) datasets.Step {
	return datasets.Step{Stage: "count", Output: numbers.ID(), Params: params, Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
		out.SetTable(numbers)
		for i := range parts {
			if i == cut {
				return errCut
			}
			if _, done := out.Done(i); done {
				continue
			}
			*wrote = append(*wrote, i)
			if err := writePart(out, i, 0); err != nil {
				return err
			}
		}
		if out.Shard().Count > 0 {
			return nil
		}
		return out.AddFile("note.txt", []byte("counted\n"))
	}}
}

func writePart(out *datasets.Builder, i, plus int) error {
	w, err := out.Part(i)
	if err != nil {
		return err
	}
	b := columns.NewBatch(numbers)
	b.Rows = 100
	for n := range 100 {
		b.Cols[0].AppendInt64(int64(i*100 + n + plus))
	}
	g, err := w.Encode(b)
	if err == nil {
		err = w.Append(g)
	}
	if err != nil {
		return err
	}
	return w.Close(manifest.Counts{Read: 200, Written: 100}, map[string]int{"part": i})
}

// start runs a server, and returns a context with a store of its own.
func start(t *testing.T) (*storetest.Server, context.Context) {
	return storetest.Start(t), connected(t)
}

func connected(t *testing.T) context.Context {
	ctx, done := With(context.Background())
	t.Cleanup(done)
	return checked.WithMemory(ctx, t.TempDir())
}

func build(t *testing.T, ctx context.Context, url string, s datasets.Step, o datasets.Options) (*manifest.Manifest, bool) {
	t.Helper()
	m, fresh, err := datasets.Build(ctx, url, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return m, fresh
}

// says fails unless err has all texts in it.
func says(t *testing.T, err error, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("got the error %v, want one with %q", err, text)
		}
	}
}

const place = "s3://bucket/some/numbers"

// TestBytesAreThoseOfADirectory: what is in the store is what would be in a directory.
func TestBytesAreThoseOfADirectory(t *testing.T) {
	server, ctx := start(t)
	dir := filepath.Join(t.TempDir(), "numbers")
	var wrote []int
	build(t, ctx, dir, count("p", 5, -1, &wrote), datasets.Options{})
	m, fresh := build(t, ctx, place, count("p", 5, -1, &wrote), datasets.Options{})
	if !fresh || m.Counts.Written != 500 || m.Counts.Read != 1000 {
		t.Errorf("fresh %v, counts %+v", fresh, m.Counts)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 7 { // and no lock
		t.Fatal(err, entries)
	}
	for _, e := range entries {
		want, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		server.Change(t, "some/numbers/gen-"+m.Key+"/"+e.Name(), func(got []byte) []byte {
			if !bytes.Equal(got, want) {
				t.Errorf("%s: other bytes in the store", e.Name())
			}
			return got
		}, 0)
	}

	d, err := datasets.OpenAt(ctx, place+"/")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(ctx); err != nil {
		t.Fatal(err)
	}
	for i, path := range d.PartPaths() {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
		p, err := d.OpenPart(i)
		if err != nil {
			t.Fatal(err)
		}
		b := columns.NewBatch(numbers)
		if err := p.Read(0, b); err != nil || b.Cols[0].Int64[7] != int64(i*100+7) {
			t.Errorf("part %d: %v %v", i, err, b.Cols[0].Int64)
		}
		p.Close()
	}
	if text, err := d.ReadFile("note.txt"); err != nil || string(text) != "counted\n" {
		t.Errorf("note.txt: %q %v", text, err)
	}

	before := len(server.Keys())
	if _, fresh := build(t, ctx, place, count("p", 5, -1, &wrote), datasets.Options{}); fresh || len(server.Keys()) != before {
		t.Error("the second run did something")
	}
	if current, why, err := datasets.Plan(ctx, place, count("q", 5, -1, &wrote)); current || !strings.Contains(why, "other") || err != nil {
		t.Error(current, why, err)
	}
	if current, _, err := datasets.Plan(ctx, place, count("p", 5, -1, &wrote)); !current || err != nil {
		t.Error(err)
	}
}

// TestKilledRunResumes: nothing is to be seen of half a dataset, and the parts that are
// there with their counts are not made again.
func TestKilledRunResumes(t *testing.T) {
	server, ctx := start(t)
	var wrote []int
	_, _, err := datasets.Build(ctx, place, count("p", 5, 3, &wrote), datasets.Options{})
	if !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	_, err = datasets.OpenAt(ctx, place)
	says(t, err, place, "unfinished")
	if _, why, _ := datasets.Plan(ctx, place, count("p", 5, -1, &wrote)); !strings.Contains(why, "3 parts are done") {
		t.Error(why)
	}
	// Of part 2 the sidecar was not written before the end, of part 1 the object is gone.
	var key string
	for _, k := range server.Keys() {
		if key, _, _ = strings.Cut(k, "/part-"); strings.Contains(k, "/part-") {
			break
		}
	}
	server.Delete(key + "/part-00002.parquet.json")
	server.Delete(key + "/part-00001.parquet")
	wrote = nil
	m, _ := build(t, connected(t), place, count("p", 5, -1, &wrote), datasets.Options{})
	if !slices.Equal(wrote, []int{1, 2, 3, 4}) || m.Counts.Written != 500 {
		t.Errorf("wrote parts %v, counts %+v", wrote, m.Counts)
	}
	if n := server.Writes(key + "/part-00002.parquet"); n != 1 {
		t.Errorf("part 2 was written %d times", n)
	}
}

// TestUnequalBytes: the second of two parts with other bytes is refused, with both sums.
func TestUnequalBytes(t *testing.T) {
	server, ctx := start(t)
	step := count("p", 3, -1, new([]int))
	once := step.Run
	step.Run = func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
		out.SetTable(numbers)
		other := datasets.Step{Stage: step.Stage, Output: step.Output, Params: step.Params, Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(numbers)
			if err := writePart(out, 1, 7); err != nil {
				return err
			}
			return errCut
		}}
		if _, _, err := datasets.Build(ctx, place, other, datasets.Options{}); !errors.Is(err, errCut) {
			return err
		}
		return once(ctx, in, out)
	}
	_, _, err := datasets.Build(ctx, place, step, datasets.Options{})
	says(t, err, "part-00001.parquet", "made twice, with unequal bytes: ", " there")
	// By force it is made in a generation of its own, which then is the dataset.
	step.Run = once
	m, _ := build(t, ctx, place, step, datasets.Options{Force: true})
	d, err := datasets.OpenAt(ctx, place)
	if err != nil || d.Verify(ctx) != nil || !slices.Contains(server.Keys(), "some/numbers/gen-"+m.Key+"-2/manifest.json") {
		t.Error(err, server.Keys())
	}
}

// TestEightWriters: of eight who make the same dataset each part is written once, and all
// have it; of eight who make others, one has the place and the rest are told.
func TestEightWriters(t *testing.T) {
	server, _ := start(t)
	race := func(url string, params func(i int) any) (won int, errs []error) {
		var begun, done sync.WaitGroup
		begun.Add(8)
		var mu sync.Mutex
		for i := range 8 {
			ctx := connected(t)
			done.Add(1)
			go func() {
				defer done.Done()
				arrive := sync.OnceFunc(begun.Done)
				step := count(params(i), 4, -1, new([]int))
				run := step.Run
				step.Run = func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
					arrive()
					begun.Wait()
					return run(ctx, in, out)
				}
				_, _, err := datasets.Build(ctx, url, step, datasets.Options{})
				arrive() // of one that failed before: the others do not wait for it
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won++
				} else {
					errs = append(errs, err)
				}
			}()
		}
		done.Wait()
		return won, errs
	}
	if won, errs := race(place, func(int) any { return "same" }); won != 8 {
		t.Errorf("%d of 8 equal writers have their dataset: %v", won, errs)
	}
	for _, key := range server.Keys() {
		if n := server.Writes(key); n != 1 {
			t.Errorf("%s was written %d times", key, n)
		}
	}
	won, errs := race("s3://bucket/others", func(i int) any { return i })
	if won != 1 || len(errs) != 7 {
		t.Errorf("%d of 8 unequal writers have the place", won)
	}
	for _, err := range errs {
		says(t, err, "s3://bucket/others/CURRENT was changed by another run")
	}
}

// TestFlippedByte: a damaged object is named, whatever reads it.
func TestFlippedByte(t *testing.T) {
	server, ctx := start(t)
	m, _ := build(t, ctx, place, count("p", 3, -1, new([]int)), datasets.Options{})
	key := "some/numbers/gen-" + m.Key + "/"
	flip := func(data []byte) []byte { data[len(data)/2] ^= 4; return data }
	for _, name := range []string{"part-00001.parquet", "note.txt"} {
		t.Setenv("KIFU_CACHE", t.TempDir()) // copies made before are whole
		d, err := datasets.OpenAt(connected(t), place)
		if err != nil {
			t.Fatal(err)
		}
		server.Change(t, key+name, flip, 0)
		want := "s3://bucket/" + key + name + ": damaged: its checksum"
		says(t, d.Verify(context.Background()), want)
		if name == "note.txt" {
			_, err = d.ReadFile(name)
		} else {
			_, err = d.OpenPart(1)
		}
		says(t, err, want)
		server.Change(t, key+name, flip, 0)
	}
	server.Change(t, key+"manifest.json", func(data []byte) []byte { return bytes.Replace(data, []byte("100"), []byte("101"), 1) }, 0)
	_, err := datasets.OpenAt(ctx, place)
	says(t, err, "manifest.json: damaged")
	if _, fresh := build(t, ctx, place, count("p", 3, -1, new([]int)), datasets.Options{Force: true}); !fresh {
		t.Error("not made again")
	}
}

// TestShards: machines make parts of one dataset; it appears when all are there.
func TestShards(t *testing.T) {
	server, ctx := start(t)
	var wrote []int
	for _, index := range []int{2, 3} {
		m, fresh := build(t, ctx, place, count("p", 7, -1, &wrote), datasets.Options{Shard: datasets.Shard{Index: index, Count: 3}})
		if !fresh || m.Counts.Written != 200 {
			t.Errorf("shard %d: fresh %v, %+v", index, fresh, m.Counts)
		}
	}
	_, _, err := datasets.Build(ctx, place, count("p", 7, -1, &wrote), datasets.Options{Finish: true})
	says(t, err, "4 parts are done, 3 are missing (1, 4, 7)")
	if _, err := datasets.OpenAt(ctx, place); err == nil {
		t.Error("half a dataset was opened")
	}
	build(t, ctx, place, count("p", 7, -1, &wrote), datasets.Options{Shard: datasets.Shard{Index: 1, Count: 3}})
	if _, fresh := build(t, ctx, place, count("p", 7, -1, &wrote), datasets.Options{Shard: datasets.Shard{Index: 1, Count: 3}}); fresh {
		t.Error("a shard was made twice")
	}
	if m, _ := build(t, ctx, place, count("p", 7, -1, &wrote), datasets.Options{Finish: true}); m.Counts.Written != 700 {
		t.Errorf("%+v", m.Counts)
	}
	slices.Sort(wrote)
	if !slices.Equal(wrote, []int{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("parts were made: %v", wrote)
	}
	for _, key := range server.Keys() {
		if n := server.Writes(key); n != 1 {
			t.Errorf("%s was written %d times", key, n)
		}
	}
}

// TestOldGenerations: what was replaced stays for its readers for a day.
func TestOldGenerations(t *testing.T) {
	server, ctx := start(t)
	old, _ := build(t, ctx, place, count("old", 2, -1, new([]int)), datasets.Options{})
	reader, err := datasets.OpenAt(ctx, place)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = datasets.Build(ctx, place, count("new", 2, -1, new([]int)), datasets.Options{})
	if err == nil || !strings.Contains(err.Error(), `other parameters ("old" → "new")`) {
		t.Errorf("another dataset in its place: %v", err)
	}
	build(t, ctx, place, count("new", 2, -1, new([]int)), datasets.Options{Replace: true})
	if err := reader.Verify(context.Background()); err != nil {
		t.Errorf("who read the old generation: %v", err)
	}
	for _, key := range server.Keys() {
		if strings.Contains(key, old.Key) {
			server.Change(t, key, func(data []byte) []byte { return data }, 25*time.Hour)
		}
	}
	server.Put("some/numbers/mine.txt", []byte("of another"), "")
	build(t, ctx, place, count("newer", 2, -1, new([]int)), datasets.Options{Replace: true})
	for _, key := range server.Keys() {
		if strings.Contains(key, old.Key) {
			t.Errorf("%s is left", key)
		}
	}
	if !slices.Contains(server.Keys(), "some/numbers/mine.txt") {
		t.Error("a file of another was removed")
	}
}

// TestAppendAndLateKeys: an appended dataset keeps its parts, and an input whose key only
// reading can tell is uploaded at the end.
func TestAppendAndLateKeys(t *testing.T) {
	_, ctx := start(t)
	step := func(parts int, inputs ...string) datasets.Step {
		s := count("p", parts, -1, new([]int))
		for _, in := range inputs {
			s.InputKeys = append(s.InputKeys, manifest.Input{Name: in, Key: in})
		}
		return s
	}
	for _, url := range []string{place, filepath.Join(t.TempDir(), "numbers")} {
		build(t, ctx, url, step(2, "a"), datasets.Options{})
		m, _ := build(t, ctx, url, step(3, "b"), datasets.Options{Append: true})
		if len(m.Parts) != 3 || len(m.Inputs) != 2 || m.Counts.Written != 300 {
			t.Errorf("%s: %d parts, %v, %+v", url, len(m.Parts), m.Inputs, m.Counts)
		}
		if d, err := datasets.OpenAt(ctx, url); err != nil || d.Verify(ctx) != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	late := step(2, "")
	run := late.Run
	late.Run = func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
		if err := run(ctx, in, out); err != nil {
			return err
		}
		return out.SetInputKey(0, "told")
	}
	m, _ := build(t, ctx, "s3://bucket/late", late, datasets.Options{})
	d, err := datasets.OpenAt(ctx, "s3://bucket/late")
	if err != nil || d.Manifest.Key != m.Key || d.Verify(ctx) != nil {
		t.Error(err)
	}
}

// TestAncestor finds what a dataset was made of beside it.
func TestAncestor(t *testing.T) {
	_, ctx := start(t)
	build(t, ctx, "s3://bucket/study/numbers", count("p", 1, -1, new([]int)), datasets.Options{})
	for _, url := range []string{"s3://bucket/study/next", "s3://bucket/study/next2/k=1"} {
		s := count("next", 1, -1, new([]int))
		s.Stage, s.Output, s.Inputs = "other", "others/v1", []string{"s3://bucket/study/numbers"}
		build(t, ctx, url, s, datasets.Options{})
		d, err := datasets.OpenAt(ctx, url)
		if err != nil {
			t.Fatal(err)
		}
		if from := d.Ancestor("numbers"); from == nil || from.Path != "s3://bucket/study/numbers" || from.Verify(ctx) != nil {
			t.Errorf("%s comes from %+v", url, from)
		}
	}
	s := count("p", 1, -1, new([]int))
	s.Inputs = []string{"s3://bucket/study/numbers"}
	_, _, err := datasets.Build(ctx, "s3://bucket/study/numbers/", s, datasets.Options{})
	says(t, err, "is an input")
	_, _, err = datasets.Build(ctx, "s3://bucket/study", s, datasets.Options{})
	says(t, err, "is not a dataset")
}

// TestCopiedDataset: the files of a directory, copied by another program, are a dataset.
func TestCopiedDataset(t *testing.T) {
	server, ctx := start(t)
	dir := filepath.Join(t.TempDir(), "numbers")
	build(t, ctx, dir, count("p", 3, -1, new([]int)), datasets.Options{})
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		server.Put("copied/"+filepath.Base(f), text, "")
	}
	d, err := datasets.OpenAt(ctx, "s3://bucket/copied")
	if err != nil || d.Verify(ctx) != nil || d.Rows() != 300 {
		t.Error(err)
	}
	if _, fresh := build(t, ctx, "s3://bucket/copied", count("p", 3, -1, new([]int)), datasets.Options{}); fresh {
		t.Error("made again")
	}
}

// TestServerWithoutConditions is refused before it loses anything.
func TestServerWithoutConditions(t *testing.T) {
	server, ctx := start(t)
	server.Fault(func(_ http.ResponseWriter, r *http.Request) bool { r.Header.Del("If-None-Match"); return false })
	_, _, err := datasets.Build(ctx, place, count("p", 3, -1, new([]int)), datasets.Options{})
	says(t, err, "ignores If-None-Match")
	server.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("If-None-Match") == "" {
			return false
		}
		storetest.Refuse(w, http.StatusNotImplemented, "NotImplemented")
		return true
	})
	_, _, err = datasets.Build(ctx, place, count("p", 3, -1, new([]int)), datasets.Options{})
	says(t, err, "no conditional writes")
	if keys := fmt.Sprint(server.Keys()); strings.Contains(keys, "part-") {
		t.Error(keys)
	}
}

// few is a lease of some parts.
type few struct{ want, made []int }

func (f *few) Next(part int) bool { return slices.Contains(f.want, part) }
func (f *few) Made(part int)      { f.made = append(f.made, part) }

// TestLeases: parts are handed out one by one; those that are there are not made again.
func TestLeases(t *testing.T) {
	_, ctx := start(t)
	var wrote []int
	step := count("p", 6, -1, &wrote)
	lease := func(parts ...int) (f few, m *manifest.Manifest) {
		f.want = parts
		m, _ = build(t, ctx, place, step, datasets.Options{Lease: &f})
		return f, m
	}
	lease(1, 4)
	f, m := lease(4, 5)
	if !slices.Equal(wrote, []int{1, 4, 5}) || !slices.Equal(f.made, []int{4, 5}) {
		t.Errorf("wrote %v, made %v", wrote, f.made)
	}
	if parts, whole, err := datasets.Made(ctx, place, m.Key); err != nil || whole || len(parts) != 3 || !parts[5] {
		t.Error(parts, whole, err)
	}
	lease(0, 2, 3)
	build(t, ctx, place, step, datasets.Options{Finish: true, Concurrent: true})
	if _, whole, err := datasets.Made(ctx, place, m.Key); err != nil || !whole {
		t.Error(whole, err)
	}
	if f, m := lease(0, 1); !slices.Equal(f.made, []int{0, 1}) || m.Counts.Written != 600 || len(wrote) != 6 {
		t.Error(f.made, m.Counts, wrote)
	}
}

// TestManyParts: of more parts than one manifest names, lists are read from the store.
func TestManyParts(t *testing.T) {
	slow.Test(t, "4,100 parts")
	_, ctx := start(t)
	const parts = 4100
	build(t, ctx, place, count("p", parts, -1, new([]int)), datasets.Options{})
	d, err := datasets.OpenAt(ctx, place)
	if err != nil || d.NumParts() != parts || len(d.Manifest.Lists) != 2 {
		t.Fatal(err)
	}
	if info, err := d.Info(4098); err != nil || info.Name != "part-04098.parquet" {
		t.Error(info, err)
	}
	if _, fresh := build(t, ctx, place, count("p", parts, -1, new([]int)), datasets.Options{}); fresh {
		t.Error("made again")
	}
}

// TestManyBegin: processes that begin at once take one another for none that is gone.
func TestManyBegin(t *testing.T) {
	t.Setenv("KIFU_CACHE", t.TempDir())
	var group errgroup.Group
	for range 8 {
		group.Go(func() error {
			for range 100 {
				c, err := openCache()
				if err != nil {
					return err
				}
				dir, err := c.scratch()
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o666); err != nil {
					return err
				}
				c.close()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}
