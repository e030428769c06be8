package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"kifu/query"
)

// exampleLine is a line of kifu as a reader would copy it.
type exampleLine struct {
	where string
	part  int // of a page: the number of its heading
	line  string
}

// TestExamplesAreRead: every line of kifu in the help, README and docs names a command, flags
// and as many arguments as it has, and conditions that are NAME=SQL. A name stands for the
// same side of a column wherever it is used.
func TestExamplesAreRead(t *testing.T) {
	all := exampleLines(t, false)
	if len(all) < 150 {
		t.Fatalf("%d examples found: the search is broken", len(all))
	}
	sides := map[string]exampleLine{}
	for _, e := range all {
		words, err := splitWords(e.line)
		if err != nil || words[0] != "kifu" || notRead.MatchString(unquoted(e.line)) {
			continue // for a shell; TestExamplesRun has one
		}
		named, err := readExample(words[1:])
		if err != nil {
			t.Errorf("%s: %s: %v", e.where, e.line, err)
		}
		for _, n := range named {
			for _, m := range comparison.FindAllStringSubmatch(n.SQL, -1) {
				side, other := n.Name+" "+m[1]+" "+m[2], n.Name+" "+m[1]+" "+opposite[m[2]]
				sides[side] = e
				if o, known := sides[other]; known {
					t.Errorf("%s: %s\nis the other way round in %s: %s", e.where, e.line, o.where, o.line)
				}
			}
		}
	}
}

var (
	comparison = regexp.MustCompile(`(\w+) *([<>])`)
	opposite   = map[string]string{"<": ">", ">": "<"}
)

// readExample reads a line as the program would, without doing what it says. It returns the
// conditions and columns that the line names.
func readExample(words []string) (named []query.Named, err error) {
	cmd, rest, err := newEnv(nil, nil, nil).Stages().Root.Find(words)
	if err != nil {
		return nil, err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return nil, err
	}
	if cmd.HasSubCommands() || cmd.Flags().Changed("help") || cmd.Flags().Changed("version") {
		return nil, nil
	}
	args := cmd.Flags().Args()
	if err := cmd.ValidateArgs(args); err != nil {
		return nil, err
	}
	for _, flag := range []string{"when", "condition", "by", "pattern", "add"} {
		if texts, err := cmd.Flags().GetStringArray(flag); err == nil {
			more, err := query.ParseNamed(texts)
			if err != nil {
				return nil, err
			}
			named = append(named, more...)
		}
	}
	return named, nil
}

// exampleLines returns the lines of the help and of the code in README and docs; those to run
// without the pages of docs/commands, which repeat the help, and without what TestDocsOfPages runs.
func exampleLines(t *testing.T, toRun bool) (all []exampleLine) {
	err := eachCommand(newEnv(nil, nil, nil).Stages().Root, func(cmd *cobra.Command) error {
		all = append(all, linesOf("kifu help "+cmd.CommandPath(), cmd.Example)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"../../README.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/*/*.md"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		if toRun && filepath.Base(filepath.Dir(file)) == "commands" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if toRun {
			text = shownBlock.ReplaceAll(text, nil) // what TestDocsOfPages and TestStudyPages run
		}
		all = append(all, linesOf(file, string(text))...)
	}
	return all
}

var (
	// codeLine is a line of code that runs kifu, as its first command or a later one.
	codeLine = regexp.MustCompile(`^(?:    |  )?(?:\$ )?((?:.*(?:\| *|\bdo |-- |<\(|[a-z] '|^ssh .*))?(?:bin/)?kifu +[a-z].*)$`)
	// notRead is what a shell reads.
	notRead = regexp.MustCompile(`[|$<>\[\];]`)
)

// linesOf returns the lines of code that run kifu. One whose quotes are open goes on in the next
// line; a placeholder is no line to run.
func linesOf(where, text string) (all []exampleLine) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	fenced, open, part := false, "", 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced, open = !fenced, ""
			continue
		}
		if !fenced && !strings.HasPrefix(line, "  ") {
			if open = ""; strings.HasPrefix(line, "## ") {
				part++
			}
			continue
		}
		if open != "" {
			line = open + " " + strings.TrimSpace(line)
		}
		m := codeLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if open = ""; strings.Count(line, `"`)%2 != 0 {
			open = line
			continue
		}
		code, _, _ := strings.Cut(m[1], " #")
		if !strings.ContainsAny(unquoted(code), "…[") && !strings.Contains(unquoted(code), "...") {
			all = append(all, exampleLine{where, part, strings.TrimSpace(code)})
		}
	}
	return all
}

// unquoted is the line without its quoted texts.
func unquoted(line string) string {
	return regexp.MustCompile(`'[^']*'|"[^"]*"`).ReplaceAllString(line, "")
}

// splitWords splits a line at spaces outside of quotes, as a shell does.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inside := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inside = r, true
		case quote == 0 && r == ' ':
			if inside {
				words = append(words, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if inside {
		words = append(words, word.String())
	}
	if quote != 0 {
		return nil, os.ErrInvalid
	}
	return words, nil
}
