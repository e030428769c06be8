package datasets

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/schemas"
)

// TestAncestor: games are found beside what was made from them, and in sweeps, by key, not by
// name; not elsewhere.
func TestAncestor(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a [study]")
	build := func(path, table string, seed int, inputs ...string) string {
		dir := filepath.Join(root, path)
		s := Step{Stage: "test", Output: table + "/v1", Params: seed, Inputs: inputs, Run: func(_ context.Context, _ []*Dir, out *Builder) error {
			out.SetTable(schemas.Games)
			return nil
		}}
		if _, _, err := Build(context.Background(), dir, s, Options{}); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	games := build("g", "games", 1)
	build("games", "games", 2)
	positions := build("p/every=4", "positions", 1, games)
	labels := build("labels", "labels", 1, positions)
	swept := build("labels2/depth=3", "labels", 2, positions)
	far := build("far/off/labels", "labels", 3, positions)
	for path, want := range map[string]string{labels: games, swept: games, far: "", games: ""} {
		d, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		got := d.Ancestor("games")
		if (got == nil) != (want == "") || got != nil && got.Path != want {
			t.Errorf("%s: %v, want %q", path, got, want)
		}
	}
}

// TestAncestorOfSeveral: of several inputs the first that is found is what a dataset was made from. So months cleaned of
// the games of one database, or without its duplicates, are read as one: their games are the months', not the database's.
func TestAncestorOfSeveral(t *testing.T) {
	root := t.TempDir()
	in := func(name string) string { return filepath.Join(root, name) }
	month(t, in("base"), "games", "", 1)
	for _, n := range []string{"1", "2"} {
		month(t, in("games-"+n), "games", "", 1)
		month(t, in("clean-"+n), "games", "", 1, in("games-"+n), in("base"))
		month(t, in("positions-"+n), "positions", "4", 1, in("clean-"+n), in("base"))
	}
	d, err := OpenAt(context.Background(), in("positions-*"))
	if err != nil {
		t.Fatal(err)
	}
	if from := d.of[1].Ancestor("games"); from == nil || from.Path != in("clean-2") {
		t.Errorf("the games of positions-2: %v", from)
	}
	if err := os.RemoveAll(in("clean-2")); err != nil {
		t.Fatal(err)
	}
	if from := d.of[1].Ancestor("games"); from == nil || from.Path != in("base") {
		t.Errorf("with the games elsewhere: %v", from)
	}
}

// TestDistinct: datasets from the same games, or from positions that were selected otherwise, are not read as one,
// however many steps were between.
func TestDistinct(t *testing.T) {
	root := t.TempDir()
	in := func(name string) string { return filepath.Join(root, name) }
	for name, every := range map[string]string{"1": "4", "2": "8", "3": "4"} {
		month(t, in("games-"+name), "games", "", 1)
		month(t, in("positions-"+name), "positions", every, 1, in("games-"+name))
		month(t, in("labels-"+name), "labels", "", 1, in("positions-"+name))
		month(t, in("sorted-"+name), "labels", "", 1, in("labels-"+name))
	}
	month(t, in("again"), "labels", "", 1, in("games-1"))
	for names, want := range map[[2]string]string{
		{"sorted-1", "sorted-3"}: "",
		{"sorted-1", "sorted-2"}: "sorted-2 differs from " + in("sorted-1") + ": its positions have other every",
		{"sorted-1", "again"}:    "both have the games of " + in("games-1"),
	} {
		_, err := OpenAt(context.Background(), in(names[0])+string(filepath.ListSeparator)+in(names[1]))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", names, err, want)
		}
	}
}
