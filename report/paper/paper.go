// Package paper checks the numbers of a paper in LaTeX against the reports that it loads. In: the paper, which
// inputs NAME-numbers.tex and other files of reports. Out: each number that is out of date or in no report.
package paper

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/internal/pattern"
	"kifu/report/numbers"
)

// Finding is a number of the paper that is out of date, or that no report has.
type Finding struct {
	File string
	Line int    // from 1; 0: of the whole file
	What string // as the text has it: "\kifu{curve/curves/total/at-0}", "53.6 %"
	Why  string
}

// Result has the findings of Check.
type Result struct {
	Macros, Typed int // numbers by \kifu, and typed ones that could be of a report
	Findings      []Finding
	Reports       []string // directories of the reports that the paper loads
}

// source is a report that the paper loads.
type source struct {
	stale string // why it is out of date; "": it is not
	texts map[string]string
}

// Check checks the paper in a file. The inputs of its reports are looked for around them and among given.
func Check(file string, given []*datasets.Dir) (*Result, error) {
	p, err := read(file)
	if err != nil {
		return nil, err
	}
	c := &checker{ages: ages{given: map[string]*datasets.Dir{}, known: map[string]string{}}, ids: map[string]*source{}}
	for _, d := range given {
		c.ages.given[d.Manifest.Key] = d
	}
	for _, name := range p.missing {
		c.Findings = append(c.Findings, Finding{file, 0, `\input{` + name + "}", "no such file, seen from the directory of the paper"})
	}
	for _, path := range p.loaded {
		if err := c.load(file, path); err != nil {
			return nil, err
		}
	}
	for _, l := range p.lines {
		c.macros(l)
		if !l.skipped {
			c.typed(l)
		}
	}
	return &c.Result, nil
}

// checker goes through a paper.
type checker struct {
	Result
	ages ages
	ids  map[string]*source
	all  []printed // numbers of the reports
}

// isNumbers reports whether a file is named as the numbers of a report.
func isNumbers(path string) bool { return strings.HasSuffix(path, numbers.FileEnd+".tex") }

// load takes a file of a report that the paper loads.
func (c *checker) load(paper, path string) error {
	dir := filepath.Dir(path)
	s := &source{}
	at := c.home(path)
	if at != "" {
		var err error
		if s.stale, err = c.ages.Of(at); err != nil {
			return err
		}
		if !slices.Contains(c.Reports, at) {
			c.Reports = append(c.Reports, at)
		}
	}
	if !isNumbers(path) {
		if s.stale != "" {
			c.Findings = append(c.Findings, Finding{paper, 0, path, s.stale})
		}
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	key, texts, err := numbers.ParseMacros(text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch now, err := keyAt(at); {
	case err != nil:
		return err
	case at == "":
		s.stale = fmt.Sprintf("%s has no report next to it: name the report's directory after the paper", dir)
	case now != key:
		s.stale = fmt.Sprintf("its report had the key %.10s; %s has %.10s: copy %s again", key, at, now, filepath.Base(path))
	}
	s.texts = texts
	for id, text := range texts {
		c.ids[id] = s
		c.all = append(c.all, printedIn(text, id, s)...)
	}
	return nil
}

// home returns the directory of the report that a file belongs to: its own, or of a copied file that of a given report
// that has one of the name; "": none.
func (c *checker) home(path string) string {
	if isFile(filepath.Join(filepath.Dir(path), "manifest.json")) {
		return filepath.Dir(path)
	}
	for _, d := range c.ages.given {
		if isFile(filepath.Join(d.Path, filepath.Base(path))) {
			return d.Path
		}
	}
	return ""
}

// keyAt returns the key of the dataset in a directory; "" of none.
func keyAt(dir string) (string, error) {
	if dir == "" {
		return "", nil
	}
	d, err := datasets.Open(dir)
	if err != nil {
		return "", err
	}
	return d.Manifest.Key, nil
}

var macro = pattern.Of(`\\kifu\{([^{}]*)\}`)

// macros checks the \kifu of a line.
func (c *checker) macros(l line) {
	for _, m := range macro().FindAllStringSubmatch(l.text, -1) {
		c.Macros++
		s, found := c.ids[m[1]]
		switch {
		case !found:
			c.add(l, m[0], "no report that the paper loads has it")
		case s.stale != "":
			c.add(l, m[0], s.stale)
		}
	}
}

func (c *checker) add(l line, what, why string) {
	c.Findings = append(c.Findings, Finding{l.file, l.number, what, why})
}
