package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kifu/study"
)

// TestTakeMoved: steps that a study has as 0.1 did become steps of today's commands, and others stay.
func TestTakeMoved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "study.toml")
	if err := os.WriteFile(file, []byte(`
[[step]]
name = "a"
run = "label"
args = "positions"
choices = true
alternatives = 3

[[step]]
name = "b"
run = "label"
args = "positions"
backward = "0,10"
backward-depth = 4

[[step]]
name = "c"
run = "label"
args = "positions"
search = "static"

[[step]]
name = "d"
run = "fit"
args = "{c}"
choices = "{a}"
method = "choice"
`), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := study.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	takeMoved(s)
	runs, err := s.Expand(newEnv(nil, nil, nil).Stages())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		line := r.Work.Stage
		for _, p := range r.Work.Parameters {
			if p.Name != "out" {
				line += " " + p.Name
			}
		}
		got = append(got, line)
	}
	if diff := cmp.Diff([]string{"choices alternatives", "backward phases depth", "label search", "fit choices method"}, got); diff != "" {
		t.Error(diff)
	}
}
