package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"kifu/cmd/kifu/command"
)

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestFullOutput: a command whose text could not be written fails and says so.
func TestFullOutput(t *testing.T) {
	for _, line := range []string{"version", "--version", "--help", "learn --help", "perft 2", "show startpos", "completion bash", "completion zsh"} {
		var stderr bytes.Buffer
		if code := runMain(t.Context(), nil, full{}, &stderr, strings.Fields(line)); code != command.Failed {
			t.Errorf("kifu %s ended with %d", line, code)
		}
		if text := stderr.String(); !strings.Contains(text, "no space left on device") {
			t.Errorf("kifu %s: %q", line, text)
		}
	}
}

// TestOneOutlet: no code but main names the standard output and error, and what is below the outlet is for
// progress alone, so that all else goes through it.
func TestOneOutlet(t *testing.T) {
	past := regexp.MustCompile(`\bos\.(Stdout|Stderr)\b|\bfmt\.Print(f|ln)?\(|\blog\.(Print|Fatal|Panic)|AsOutlet\([^)]*\)\.To\b`)
	files := 0
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(path)
		if e.IsDir() && (slices.Contains([]string{"bench", "experiments", "kifu-iceberg", "s3test", ".git", "build", "openings"}, e.Name()) || strings.Contains(name, "kit/sample") || strings.Contains(name, "cmd/kifu/weakling")) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "cmd/kifu/main.go") || strings.HasSuffix(name, "cmd/kifu/command/outlet.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for i, line := range strings.Split(string(text), "\n") {
			if past.MatchString(line) && !strings.Contains(line, "progress.With(cmd.Context(), mode") && !strings.HasPrefix(strings.TrimSpace(line), "//") {
				t.Errorf("%s:%d goes past the outlet: %s", name, i+1, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil || files < 300 {
		t.Errorf("%d files: %v", files, err)
	}
}
