package datasets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
)

func build(dir string, s Step, o Options) (fresh bool, err error) {
	_, fresh, err = Build(context.Background(), dir, s, o)
	return fresh, err
}

// files returns what is in dir, by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		if e.Name() == manifest.LockName {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}

// TestShards: shards that run at once, one of them twice, give the bytes of one run, and
// each makes its own parts alone.
func TestShards(t *testing.T) {
	var wrote []int
	whole, dir := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "shards")
	mustBuild(t, whole, count(1, 8, -1, &wrote))
	made := make([][]int, 4)
	var group sync.WaitGroup
	for k, shard := range []Shard{{1, 3}, {2, 3}, {3, 3}, {2, 3}} {
		group.Go(func() {
			if _, err := build(dir, count(1, 8, -1, &made[k]), Options{Shard: shard}); err != nil {
				t.Errorf("shard %v: %v", shard, err)
			}
		})
	}
	group.Wait()
	if !slices.Equal(made[0], []int{0, 3, 6}) || !slices.Equal(made[2], []int{2, 5}) {
		t.Errorf("shards 1 and 3 made parts %v and %v", made[0], made[2])
	}
	if _, err := Open(dir); err == nil {
		t.Error("the dataset is there before it is finished")
	}
	wrote = nil
	if fresh, err := build(dir, count(1, 8, -1, &wrote), Options{Finish: true}); err != nil || !fresh || wrote != nil {
		t.Fatalf("finish: fresh %v, made %v, %v", fresh, wrote, err)
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
	if fresh, err := build(dir, count(1, 8, -1, &wrote), Options{Shard: Shard{1, 3}}); err != nil || fresh || wrote != nil {
		t.Errorf("a shard of a finished dataset: fresh %v, made %v, %v", fresh, wrote, err)
	}
}

// TestFinishTooEarly: the parts that are missing are named, nothing is lost, and a run
// without shards makes them.
func TestFinishTooEarly(t *testing.T) {
	var wrote []int
	dir := filepath.Join(t.TempDir(), "d")
	if _, err := build(dir, count(1, 9, -1, &wrote), Options{Shard: Shard{2, 4}}); err != nil {
		t.Fatal(err)
	}
	_, err := build(dir, count(1, 9, -1, &wrote), Options{Finish: true})
	var gaps *Missing
	if !errors.As(err, &gaps) || gaps.Done != 2 || !slices.Equal(gaps.Parts, []int{0, 2, 3, 4, 6, 7, 8}) {
		t.Fatalf("finish: %v", err)
	}
	if !strings.Contains(err.Error(), "7 are missing (1, 3-5, 7-9)") {
		t.Errorf("finish says %v", err)
	}
	if _, err := build(dir, count(2, 9, -1, &wrote), Options{Finish: true}); err == nil || !strings.Contains(err.Error(), "other inputs") {
		t.Errorf("finish of another step: %v", err)
	}
	if _, err := build(dir, count(2, 9, -1, &wrote), Options{Shard: Shard{1, 4}}); err == nil || !strings.Contains(err.Error(), "other inputs") {
		t.Errorf("shard of another step: %v", err)
	}
	wrote = nil
	mustBuild(t, dir, count(1, 9, -1, &wrote))
	if !slices.Equal(wrote, []int{0, 2, 3, 4, 6, 7, 8}) {
		t.Errorf("a run without shards made %v", wrote)
	}
}

// TestShardKilledBeforeSidecar: a part without its sidecar is made again, and must be equal.
func TestShardKilledBeforeSidecar(t *testing.T) {
	var wrote []int
	dir := filepath.Join(t.TempDir(), "d")
	step := count(1, 2, -1, &wrote)
	if _, err := build(dir, step, Options{Shard: Shard{1, 1}}); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(dir, manifest.TmpName, manifest.PartName(1))
	if err := os.Remove(manifest.Sidecar(part)); err != nil {
		t.Fatal(err)
	}
	wrote = nil
	if _, err := build(dir, step, Options{Shard: Shard{2, 2}}); err != nil || !slices.Equal(wrote, []int{1}) {
		t.Fatalf("made %v, %v", wrote, err)
	}
	if err := os.Remove(manifest.Sidecar(part)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(part, []byte("of another build"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := build(dir, step, Options{Shard: Shard{2, 2}}); err == nil || !strings.Contains(err.Error(), "unequal bytes") {
		t.Errorf("an unequal part: %v", err)
	}
}

// TestShardsAndOthers: who builds the whole waits for nobody, and a step whose parts hang
// together has no shards.
func TestShardsAndOthers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var wrote []int
	inside := count(1, 2, -1, &wrote)
	run := inside.Run
	inside.Run = func(ctx context.Context, in []*Dir, out *Builder) error {
		for _, o := range []Options{{}, {Finish: true}} {
			if _, err := build(dir, count(1, 2, -1, &wrote), o); err == nil || !strings.Contains(err.Error(), "another kifu") {
				t.Errorf("%+v beside a shard: %v", o, err)
			}
		}
		if _, err := out.Spill("x"); !errors.Is(err, errWhole) {
			t.Errorf("spill: %v", err)
		}
		if _, err := out.AddTable("x.parquet", numbers); !errors.Is(err, errWhole) {
			t.Errorf("table beside: %v", err)
		}
		return run(ctx, in, out)
	}
	if _, err := build(dir, inside, Options{Shard: Shard{1, 2}}); err != nil {
		t.Fatal(err)
	}
}

// TestManyParts: parts with numbers of six digits are known again.
func TestManyParts(t *testing.T) {
	dir := t.TempDir()
	info := manifest.Part{File: checked.File{Name: manifest.PartName(123456)}}
	if err := manifest.WriteJSON(filepath.Join(dir, manifest.Sidecar(info.Name)), info); err != nil {
		t.Fatal(err)
	}
	if i, got, ok := manifest.ReadSidecar(dir, manifest.Sidecar(info.Name)); !ok || i != 123456 || got.Name != info.Name {
		t.Errorf("part %d, %+v, %v", i, got, ok)
	}
	for _, name := range []string{"part-1.parquet.json", "part-00001.parquet", "part-0000x.parquet.json"} {
		if _, _, ok := manifest.ReadSidecar(dir, name); ok {
			t.Errorf("%s is taken for a sidecar", name)
		}
	}
}

func TestParseShard(t *testing.T) {
	if s, err := ParseShard("3/100"); err != nil || s != (Shard{3, 100}) || s.String() != "3/100" {
		t.Errorf("%v, %v", s, err)
	}
	for _, text := range []string{"", "3", "0/4", "5/4", "1/x", "-1/2", "1/2/3"} {
		if _, err := ParseShard(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// TestShardsOfAnotherRun: what shards have made is not thrown away by a run of another key,
// but by force; one of the same key goes on from it.
func TestShardsOfAnotherRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shards")
	var wrote []int
	if _, err := build(dir, count(1, 4, -1, &wrote), Options{Shard: Shard{1, 2}}); err != nil {
		t.Fatal(err)
	}
	before := files(t, filepath.Join(dir, manifest.TmpName))
	if _, err := build(dir, count(2, 4, -1, &wrote), Options{}); err == nil || !strings.Contains(err.Error(), "parts of a run with other inputs") {
		t.Errorf("a run of another key: %v", err)
	}
	if after := files(t, filepath.Join(dir, manifest.TmpName)); len(after) != len(before) || len(before) < 4 {
		t.Errorf("%d files, before %d", len(after), len(before))
	}
	wrote = nil
	if _, err := build(dir, count(1, 4, -1, &wrote), Options{}); err != nil || !slices.Equal(wrote, []int{1, 3}) {
		t.Errorf("a run of the same key made %v, %v", wrote, err)
	}
	if _, err := build(dir, count(1, 5, -1, &wrote), Options{Shard: Shard{1, 2}}); err != nil {
		t.Fatal(err)
	}
	if _, err := build(dir, count(2, 4, -1, &wrote), Options{Force: true}); err != nil {
		t.Errorf("by force: %v", err)
	}
}
