package main

import (
	"bytes"
	"strings"
	"syscall"
	"testing"
)

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestFullOutput: a command whose text could not be written fails and says so.
func TestFullOutput(t *testing.T) {
	for _, line := range []string{"version", "--version", "--help", "learn --help", "perft 2", "show startpos", "completion bash", "completion zsh"} {
		var stderr bytes.Buffer
		if code := run(t.Context(), nil, full{}, &stderr, strings.Fields(line)); code != failed {
			t.Errorf("kifu %s ended with %d", line, code)
		}
		if text := stderr.String(); !strings.Contains(text, "no space left on device") {
			t.Errorf("kifu %s: %q", line, text)
		}
	}
}
