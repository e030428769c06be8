package datasets

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/datasets/several"
	"kifu/schemas"
)

// played is a table of games.
func played(name string) schemas.Table {
	return schemas.Table{Name: name, Version: 1, Columns: []schemas.Column{{Name: "game_id", Type: schemas.Int64, Doc: "g"}}}
}

// month builds a dataset of the games 0 to games-1, in as many parts.
func month(t *testing.T, dir, table, seed string, games int, inputs ...string) {
	t.Helper()
	s := Step{Stage: "test", Output: table + "/v1", Params: map[string]string{"every": seed}, Inputs: inputs, Run: func(_ context.Context, _ []*Dir, out *Builder) error {
		out.SetTable(played(table))
		out.SetMeta("game", "chess")
		if err := out.AddFile("alike", nil); err != nil {
			return err
		}
		if err := out.AddFile("other", []byte(dir)); err != nil {
			return err
		}
		for i := range games {
			w, err := out.Part(i)
			if err != nil {
				return err
			}
			b := columns.NewBatch(out.Table())
			b.Rows = 1
			b.Cols[0].AppendInt64(int64(i))
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
		return nil
	}}
	if len(inputs) == 0 {
		s.InputKeys = []manifest.Input{{Name: "file", Key: dir}}
	}
	if _, _, err := Build(context.Background(), dir, s, Options{}); err != nil {
		t.Fatal(err)
	}
}

// TestSeveralAsOne: parts and games of several datasets follow one another, ids stay apart, and the games
// of several labels are those of each.
func TestSeveralAsOne(t *testing.T) {
	ctx, root := context.Background(), t.TempDir()
	in := func(name string) string { return filepath.Join(root, name) }
	for i, name := range []string{"1", "2", "3"} {
		month(t, in("games-"+name), "games", "", i+1)
		month(t, in("labels-"+name), "labels", "4", i+1, in("games-"+name))
	}
	d, err := OpenAt(ctx, in("labels-*"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(ctx); err != nil {
		t.Fatal(err)
	}
	want := []int64{0, several.GamesApart, several.GamesApart + 1, 2 * several.GamesApart, 2*several.GamesApart + 1, 2*several.GamesApart + 2}
	if d.NumParts() != len(want) || d.Rows() != 6 || d.Manifest.Counts.Written != 6 || len(d.PartPaths()) != len(want) {
		t.Fatalf("%d parts, %d rows, %+v", d.NumParts(), d.Rows(), d.Manifest.Counts)
	}
	for i, id := range want {
		p, err := d.OpenPart(i)
		if err != nil {
			t.Fatal(err)
		}
		b := columns.NewBatch(d.Table)
		if err := p.Read(0, b); err != nil || b.Cols[0].Int64[0] != id {
			t.Errorf("part %d: %v, %v, want %d", i, b.Cols[0].Int64, err, id)
		}
		if least, greatest, ok := p.Bounds(0, "game_id"); !ok || least != uint64(id) || greatest != uint64(id) {
			t.Errorf("part %d: bounds %d to %d", i, least, greatest)
		}
		if from := d.GamesFrom(i); from != id/several.GamesApart*several.GamesApart {
			t.Errorf("part %d: games from %d", i, from)
		}
		p.Close()
	}
	if !d.HasFile("alike") || d.HasFile("other") {
		t.Errorf("files %v: want those that all have", d.Manifest.Files)
	}
	games := d.Ancestor("games")
	if games == nil || games.Rows() != 6 || games.Manifest.Key != d.Manifest.FirstInput() {
		t.Fatalf("the games of the labels: %v", games)
	}
	if again, err := OpenAt(ctx, games.Path); err != nil || again.Manifest.Key != games.Manifest.Key {
		t.Errorf("%s is the name of the games: %v", games.Path, err)
	}
}

// TestSeveralThatDiffer: the one that differs from most is named, with what differs.
func TestSeveralThatDiffer(t *testing.T) {
	root := t.TempDir()
	in := func(name string) string { return filepath.Join(root, name) }
	month(t, in("labels-1"), "labels", "8", 1)
	month(t, in("labels-2"), "labels", "4", 1)
	month(t, in("labels-3"), "labels", "4", 1)
	month(t, in("games-1"), "games", "4", 1)
	month(t, in("games-2"), "games", "8", 1)
	month(t, in("weights-1"), "weights", "", 1)
	month(t, in("duplicates-1"), "duplicates", "", 1)
	month(t, in("duplicates-2"), "duplicates", "", 1)
	for pattern, want := range map[string]string{
		"labels-*":     "labels-1 differs from " + in("labels-2") + ": other every (\"4\" → \"8\")",
		"*-1":          "only games, positions",
		"labels-4*":    "no dataset matches",
		"duplicates-*": "duplicates-1 has duplicates",
		"games-*":      "", // of records: each its own options
		"labels-2*":    "",
		"games-1" + string(filepath.ListSeparator) + in("games-1"): "are the same dataset",
	} {
		_, err := OpenAt(context.Background(), in(pattern))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", pattern, err, want)
		}
	}
}
