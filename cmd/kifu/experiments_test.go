package main

import (
	"os"
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
		if _, err := s.Expand(newEnv(nil, nil, nil).Stages()); err != nil {
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
