package several

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets/manifest"
	"kifu/schemas"
)

// ofFiles returns games of record files.
func ofFiles(name, params string, files ...string) *Dataset {
	m := &manifest.Manifest{Stage: "ingest", Key: name, Params: json.RawMessage(params)}
	for _, f := range files {
		m.Inputs = append(m.Inputs, manifest.Input{Name: f, Key: "sha256 of " + f})
	}
	return &Dataset{Path: name, Manifest: m, Table: schemas.Table{Name: "games"}}
}

// TestDistinct: games of one record file in two datasets would count twice, unless a condition selected them.
func TestDistinct(t *testing.T) {
	may := ofFiles("may", `{"game":"chess"}`, "may.pgn")
	for _, c := range []struct {
		games *Dataset
		want  string
	}{
		{ofFiles("june", `{"game":"chess"}`, "june.pgn"), ""},
		{ofFiles("both", `{"game":"chess"}`, "june.pgn", "may.pgn"), "may and both both have the games of may.pgn"},
		{ofFiles("strong", `{"game":"chess","where":"elo > 2400"}`, "may.pgn"), ""},
		{ofFiles("may", `{"game":"chess"}`, "may.pgn"), "the games of may,"},
		{nil, ""},
	} {
		all, origins := []*Dataset{may, ofFiles("x", "{}")}, []Origin{{Games: may}, {Games: c.games}}
		if c.games != nil {
			all[1] = c.games
		}
		err := distinct(all, origins)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", all[1].Path, err, c.want)
		}
	}
}

// TestPaths: a list is divided at its separators, but a URL goes on until the next one.
func TestPaths(t *testing.T) {
	list := string(filepath.ListSeparator)
	for name, want := range map[string][]string{
		"a":                            {"a"},
		"a" + list + "b":               {"a", "b"},
		"s3://b/x:1/games":             {"s3://b/x:1/games"},
		"s3://b/x" + list + "s3://b/y": {"s3://b/x", "s3://b/y"},
	} {
		got, err := Paths(context.Background(), name)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
