package main

import (
	"strings"
	"testing"
)

// TestVersionCommit: what the Makefile says of the commit is shown; tests are built without one.
func TestVersionCommit(t *testing.T) {
	if line := versionLine(); strings.Contains(line, "0123456789") {
		t.Fatal(line)
	}
	commit = "0123456789abcdef"
	defer func() { commit = "" }()
	if line := versionLine(); !strings.Contains(line, " 0123456789 (") {
		t.Error(line)
	}
}
