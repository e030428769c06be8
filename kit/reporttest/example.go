// Package reporttest is shared by the tests of reports: small datasets, the examples of which
// bytes, pages and LaTeX are checked, and a browser to look at pages.
package reporttest

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kifu/internal/table"
	"kifu/kit/latextest"
	"kifu/report/page"
)

// Example is a report as a user makes it, of data that are committed.
type Example struct {
	Name string // of its files; with more after a hyphen where a report has two
	Make func(t *testing.T, workers int, out page.Output) error
	Page Numbers
	made map[string][]byte
}

// Numbers selects the numbers of a report's CSV that its page must show: of a column, in the rows that
// have a text in another column, as the page writes them.
type Numbers struct {
	Column, Where, Is string
	Write             func(float64) string
}

// Files returns the files of the example, made on two threads by the first test that asks.
func (e *Example) Files(t *testing.T) map[string][]byte {
	t.Helper()
	if e.made == nil {
		e.made = Build(t, func(out page.Output) error { return e.Make(t, 2, out) })
	}
	return e.made
}

// Check makes the example and looks at what every report promises: equal bytes on any
// number of threads, whole pictures, a page without faults, LaTeX that compiles, tables as data.
func (e *Example) Check(t *testing.T) {
	t.Run(e.Name+" bytes", e.sameBytes)
	t.Run(e.Name+" pictures", e.pictures)
	t.Run(e.Name+" sql", e.sql)
	t.Run(e.Name+" page", e.page)
	t.Run(e.Name+" latex", e.latex)
	t.Run(e.Name+" data", e.data)
}

// data: every Markdown file is next to the same document as JSON, and states what its intervals allow for (sheet.Pointwise).
func (e *Example) data(t *testing.T) {
	files, n := e.Files(t), 0
	for name, text := range files {
		base, is := strings.CutSuffix(name, ".md")
		if !is {
			continue
		}
		n++
		d, err := table.ParseDocument(files[base+".json"])
		if err != nil || d.Markdown() != string(text) {
			t.Errorf("%s.json is not %s: %v", base, name, err)
		}
		if strings.Count(string(text), "interval is pointwise") != 1 {
			t.Errorf("%s lacks the one note on what its intervals allow for", name)
		}
	}
	if n == 0 {
		t.Error("no Markdown")
	}
}

func (e *Example) sameBytes(t *testing.T) {
	once := e.Files(t)
	again := Build(t, func(out page.Output) error { return e.Make(t, 1, out) })
	if len(again) != len(once) {
		t.Errorf("%d files, and %d at the second run", len(once), len(again))
	}
	for name := range again {
		if name != "manifest.json" && !bytes.Equal(once[name], again[name]) {
			t.Errorf("%s differs at the second run", name)
		}
	}
}

func (e *Example) pictures(t *testing.T) {
	for name := range e.Files(t) {
		if picture, is := strings.CutSuffix(name, ".png"); is {
			CheckPicture(t, e.Files(t), picture)
		}
	}
}

// bareView is a dataset named without its schema: a table of WITH by the user's name would
// be taken for it.
var bareView = regexp.MustCompile(`(?i)\b(from|join)\s+"`)

func (e *Example) sql(t *testing.T) {
	for name, text := range e.Files(t) {
		if at := bareView.FindIndex(text); filepath.Ext(name) == ".sql" && at != nil {
			t.Errorf("%s: %.40q without main.", name, text[at[0]:])
		}
	}
}

func (e *Example) latex(t *testing.T) {
	files := map[string][]byte{}
	for name, text := range e.Files(t) {
		if end := filepath.Ext(name); end == ".tex" || end == ".pdf" {
			files[name] = text
		}
	}
	latextest.Compile(t, latextest.Article("twocolumn"), files)
}
