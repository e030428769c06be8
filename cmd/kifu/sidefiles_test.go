package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/kit/datasettest"
	"kifu/kit/slow"
)

// besideCommands are the commands that read the files beside the parts of a dataset, which is x; "| " begins a page
// of the explorer.
var besideCommands = map[string][]string{
	"w":  {"report weights --out o x", "label --out o --eval x/weights.toml p", "| results?on=x"},
	"lr": {"report opponent --out o x", "player --out o Anand g x", "match --out o --games 2 --player model=x/model.toml --player random --max-plies 4", "| results?on=x"},
	"m":  {"| results?on=x"},
}

// bent returns texts like one of JSON or of lines: cut, empty, and with each value of JSON changed in turn to others.
func bent(name, text string) (all []string) {
	all = []string{"", text[:len(text)/2], strings.Repeat("[", 1<<16), "null", "[]", "{}", "\xff\xfe", strings.ReplaceAll(text, ",", ",,"), strings.ReplaceAll(text, "\n", "\n\n")}
	var v any
	if !strings.HasSuffix(name, ".json") || json.Unmarshal([]byte(text), &v) != nil {
		for i, line := range strings.SplitAfter(text, "\n") {
			if i < 12 {
				all = append(all, strings.Replace(text, line, "", 1), strings.Replace(text, line, strings.Map(digits, line), 1))
			}
		}
		return all
	}
	change(&v, func() {
		if changed, err := json.Marshal(v); err == nil {
			all = append(all, string(changed))
		}
	})
	return all
}

func digits(r rune) rune {
	if r >= '0' && r <= '9' {
		return '9'
	}
	return r
}

// change calls f with each value within v, up to some of a list, changed in turn.
func change(v *any, f func()) {
	was := *v
	for _, other := range []any{nil, []any{}, -1.0, "\x1b[2J"} {
		*v = other
		f()
	}
	*v = was
	switch w := was.(type) {
	case map[string]any:
		for k, x := range w {
			change(&x, func() { w[k] = x; f() })
			w[k] = x
		}
	case []any:
		for i := range w[:min(len(w), 2)] {
			change(&w[i], f)
		}
	}
}

// beside makes a copy of a dataset with another text in a file beside its parts, with right checksums.
func beside(t *testing.T, from *datasets.Dir, to, name, text string) {
	t.Helper()
	var rows *columns.Batch
	if from.NumParts() > 0 {
		rows = firstRows(t, from)
	}
	writeRows(t, to, from.Table, datasets.Step{Stage: from.Manifest.Stage, Output: from.Table.ID(), Params: name}, rows, withFiles(from, func(file string, old []byte) []byte {
		if file == name {
			return []byte(text)
		}
		return old
	}))
}

// TestSideFiles: whatever the files beside the parts of a dataset say, with right checksums, commands and pages
// that read them end with an error of a line, or do what they do. With KIFU_LONG=1 all changes are tried by all of
// them, else a third of those of the whole text and one in ninety of the others, by one of them.
func TestSideFiles(t *testing.T) {
	slow.Test(t, "runs commands for dozens of texts")
	dir := columnKitchen(t)
	for _, line := range []string{"learn --out lr --player Anand --max-depth 2 g", "match --out m --player random --player depth=1 --games 4 --max-plies 6"} {
		if code, said := inDir(t.Context(), dir, append(strings.Fields(line), "--progress", "none")...); code != command.OK {
			t.Fatalf("%s: %s", line, said)
		}
	}
	texts, runs := 0, 0
	for name, lines := range besideCommands {
		from := datasettest.Open(t, filepath.Join(dir, name))
		for k, f := range from.Manifest.Files {
			text, err := from.ReadFile(f.Name)
			if err != nil {
				t.Fatal(err)
			}
			for i, other := range bent(f.Name, string(text)) {
				if whole := i < 9; os.Getenv("KIFU_LONG") == "" && (whole && (i+k)%3 != 0 || !whole && i%90 != 0) {
					continue
				}
				texts++
				x := filepath.Join(dir, "x")
				os.RemoveAll(x)
				beside(t, from, x, f.Name, other)
				for j, line := range lines {
					if os.Getenv("KIFU_LONG") == "" && (i+j)%len(lines) != 0 {
						continue
					}
					os.RemoveAll(filepath.Join(dir, "o"))
					runs++
					said := tried(t, dir, line)
					if !strings.HasPrefix(line, "| ") && strings.ContainsAny(said, "\x1b\u202e") || panicked.MatchString(said) {
						t.Errorf("%s/%s = %.200q: %s: %.600q", name, f.Name, other, line, said)
					}
				}
			}
		}
	}
	t.Logf("%d texts, %d runs", texts, runs)
}

// tried returns what a line of besideCommands says.
func tried(t *testing.T, dir, line string) (said string) {
	defer func() {
		if r := recover(); r != nil {
			said = fmt.Sprintf("goroutine 0: panic: %v", r)
		}
	}()
	page, is := strings.CutPrefix(line, "| ")
	if !is {
		args := strings.Fields(line)
		if strings.Contains(line, "|") {
			args = strings.Split(line, "|")
		}
		_, said = inDir(t.Context(), dir, slices.Concat(args, []string{"--progress", "none"})...)
		return said
	}
	address, stop, err := exploring(dir, "x")
	if err != nil {
		return err.Error()
	}
	defer stop()
	r, err := http.Get(address + page)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
