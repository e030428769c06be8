package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kifu/study"
)

// TestExperiments: the studies of experiments/ name commands, flags and steps that there
// are. What they find is in the README beside each.
func TestExperiments(t *testing.T) {
	files, err := filepath.Glob("../../experiments/*/*.toml")
	if err != nil || len(files) < 10 {
		t.Fatal("no experiments", err)
	}
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "[[step]]") {
			continue // weights
		}
		s, err := study.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Expand(stages()); err != nil {
			t.Error(err)
		}
		if s.Title == "" {
			t.Errorf("%s has no title", file)
		}
		n++
	}
	if n < 10 {
		t.Errorf("%d studies", n)
	}
}

// TestCarmelTables: the script reads what kifu learn writes, the ranks with quiescence (rank_1q)
// beside the plain ones among it.
func TestCarmelTables(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	dir := t.TempDir()
	at := filepath.Join(dir, "depth", "planted")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"depths.csv":    "counter,posterior,train_in_best\n" + strings.Repeat("7,0.5,1\n", 3),
		"decisions.csv": "legal_moves,rank_1,rank_1q,rank_2,rank_2q,rank_3,rank_3q\n" + strings.Repeat("5,2,1,2,1,1,1\n", 200),
	} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(python, "../../experiments/carmel-1993/tables.py", dir).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "sessions of 25: 8 of 8 end with depth 3; wrong for 0.0") {
		t.Errorf("%v: %s", err, out)
	}
}
