package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	readmePath           = "../../README.md"
	shownFrom, shownUpTo = "<!-- shown -->\n```\n", "```\n<!-- /shown -->"
)

// elapsed is how long a command took, which differs from run to run.
var elapsed = regexp.MustCompile(`[\d.]+(µs|ms|s)(, [\d,]+/s)?`)

// TestDocsOfReadme runs what README shows and compares it with what is printed, but for
// the times.
func TestDocsOfReadme(t *testing.T) {
	text, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > 100 {
		t.Errorf("README has %d lines", n)
	}
	before, rest, found := strings.Cut(string(text), shownFrom)
	shown, after, closed := strings.Cut(rest, shownUpTo)
	if !found || !closed {
		t.Fatal("README shows nothing")
	}
	var printed strings.Builder
	dir := t.TempDir()
	for line := range strings.Lines(shown) {
		command, is := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ kifu ")
		if !is {
			continue
		}
		args, err := splitWords(command)
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, dir: dir, nested: true}
		if code := a.run(context.Background(), append(args, "--progress", "none")); code != ok {
			t.Fatalf("%s: exit %d\n%s", line, code, errs.String())
		}
		fmt.Fprintf(&printed, "$ kifu %s\n%s", command, out.String())
	}
	if *update {
		if err := os.WriteFile(readmePath, []byte(before+shownFrom+printed.String()+shownUpTo+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(elapsed.ReplaceAllString(shown, "…"), elapsed.ReplaceAllString(printed.String(), "…")); diff != "" {
		t.Errorf("README shows what is not printed (make docs):\n%s", diff)
	}
}
