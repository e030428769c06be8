package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kifu/cmd/kifu/command"
	"kifu/kit/slow"
)

// shownBlock is what a page shows between marks: commands and what they print (no words in the mark), or
// what a step of a study printed (STUDY [NAME=VALUE…] STEP).
var shownBlock = regexp.MustCompile("(?s)<!-- shown(.*?) -->\n(.*?)<!-- /shown -->")

// shownPages are the pages that show what the program prints, and how many lines they may
// have (0: any number).
var shownPages = []struct {
	path  string
	lines int
}{{"README.md", 100}, {"docs/tutorial.md", 0}}

// elapsed is how long a command took, which differs from run to run.
var elapsed = regexp.MustCompile(`(\d+h)?(\d+m)?[\d.]+(µs|ms|s)(, [\d,.]+/s)?`)

// served is the address of kifu explore, whose port and token are new at each start.
var served = regexp.MustCompile(`(?m)^http://127\.0\.0\.1:\d+/[^/\s]+/`)

// pagesSize is the size of a report, which changes with every word on its page.
var pagesSize = regexp.MustCompile(`(wrote \d+ files) \([\d.]+ [kM]?B\)`)

// alike is what is printed without what differs from run to run.
func alike(text string) string {
	return elapsed.ReplaceAllString(pagesSize.ReplaceAllString(served.ReplaceAllString(text, "http://…/"), "$1 (…)"), "…")
}

// TestDocsOfPages runs the commands that README and the tutorial show, each page in a
// directory of its own, and compares the pages with what is printed, but for the times, the
// sizes of reports and the address of the explorer. With -update a page of which more than these differs is written.
func TestDocsOfPages(t *testing.T) {
	slow.Test(t, "runs README and the tutorial")
	for _, page := range shownPages {
		t.Run(page.path, func(t *testing.T) {
			path := filepath.Join("..", "..", filepath.FromSlash(page.path))
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(text, []byte("\n")); page.lines > 0 && n > page.lines {
				t.Errorf("%s has %d lines, more than %d", page.path, n, page.lines)
			}
			printed := reprint(t, string(text))
			diff := cmp.Diff(alike(string(text)), alike(printed))
			switch {
			case diff == "":
			case !*update:
				t.Errorf("%s shows what is not printed (make docs):\n%s", page.path, diff)
			default:
				if err := os.WriteFile(path, []byte(printed), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// reprint returns a page with all that it shows as it is printed now. Its commands run in
// their order in one directory.
func reprint(t *testing.T, page string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir) // where no file changes the defaults of flags
	if !shownBlock.MatchString(page) {
		t.Fatal("nothing is shown")
	}
	return shownBlock.ReplaceAllStringFunc(page, func(block string) string {
		var out strings.Builder
		for part := range strings.SplitSeq("\n"+shownBlock.FindStringSubmatch(block)[2], "\n$ kifu ") {
			if command, shown, _ := strings.Cut(part, "\n"); command != "" {
				fmt.Fprintf(&out, "$ kifu %s\n%s", command, abridge(printedBy(t, dir, command), shown))
			}
		}
		return "<!-- shown -->\n```\n" + out.String() + "```\n<!-- /shown -->"
	})
}

// abridge returns printed with the lines left out that a page leaves out by a line of "…".
func abridge(printed, shown string) string {
	before, after, is := strings.Cut(shown, "\n…\n")
	after, _, _ = strings.Cut(after, "```")
	lines := strings.SplitAfter(printed, "\n")
	head, tail := 1+strings.Count(before, "\n"), len(lines)-1-strings.Count(after, "\n")
	if !is || head > tail {
		return printed
	}
	return strings.Join(lines[:head], "") + "…\n" + strings.Join(lines[tail:], "")
}

// printedBy runs a command line in dir and returns what a terminal would show of it.
func printedBy(t *testing.T, dir, line string) string {
	t.Helper()
	args, err := splitWords(line)
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	screen := &visitor{interrupt: interrupt, visited: make(chan error, 1)}
	a := newEnv(strings.NewReader(""), screen, screen)
	a.Dir = dir
	if code := a.Run(ctx, append(args, "--progress", "none")); code != command.OK {
		t.Fatalf("kifu %s: exit %d\n%s", line, code, screen.String())
	}
	if screen.found {
		if err := <-screen.visited; err != nil {
			t.Fatalf("kifu %s: %v", line, err)
		}
	}
	return screen.String()
}

// visitor keeps what is printed. When an address is, it opens the page there, and ends the
// command as Ctrl-C would.
type visitor struct {
	bytes.Buffer
	found     bool
	interrupt func()
	visited   chan error
}

func (v *visitor) Write(p []byte) (int, error) {
	if address := served.FindString(string(p)); address != "" && !v.found {
		v.found = true
		go func() {
			defer v.interrupt()
			v.visited <- visit(address)
		}()
	}
	return v.Buffer.Write(p)
}

// visit opens a page and returns an error unless it comes whole.
func visit(address string) error {
	r, err := http.Get(address)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r.Body)
	if r.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("%s: %s", address, r.Status))
	}
	return errors.Join(err, r.Body.Close())
}
