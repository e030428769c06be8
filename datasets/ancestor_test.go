package datasets

import (
	"context"
	"path/filepath"
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
