package main

import (
	"slices"
	"strings"
	"testing"
)

// TestGroups: every command stands under a heading.
func TestGroups(t *testing.T) {
	for _, cmd := range (&app{}).root().Commands() {
		if cmd.GroupID == "" && cmd.IsAvailableCommand() {
			t.Errorf("kifu %s stands under no heading of groups", cmd.Name())
		}
	}
}

// TestSuggest: words that people try lead to commands that there are.
func TestSuggest(t *testing.T) {
	root := (&app{}).root()
	for word, other := range otherWords {
		line := strings.Fields(other)
		cmd, rest, err := root.Find(line)
		if err != nil || cmd == root || len(rest) > 0 && cmd.Flags().Lookup(strings.TrimPrefix(rest[0], "--")) == nil {
			t.Errorf("%s leads to %s, which is none", word, other)
		}
		if cmd, _, err := root.Find([]string{word}); err == nil && cmd != root {
			t.Errorf("%s is a command itself", word)
		}
	}
	for word, want := range map[string]string{"lable": "label", "curve": "report curve", "Opening": "report opening", "sample": "datasets sample", "stats": "report database", "White": "player", "head": "show", "info": "report database", "frobnicate": ""} {
		if got := strings.Join(suggest(root, word), " or "); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	if report, _, err := root.Find([]string{"report"}); err != nil || !slices.Equal(suggest(report, "cruve"), []string{"curve"}) {
		t.Errorf("report cruve: %q, %v", suggest(report, "cruve"), err)
	}
}
