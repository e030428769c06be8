package main

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/spf13/pflag"

	"kifu/report/page"
)

// paperFlags are the flags that all reports have: how tables and pictures are made for a paper.
type paperFlags struct {
	paper page.Paper
}

func (f *paperFlags) declare(flags *pflag.FlagSet) {
	f.paper = page.Paper{}
	flags.StringVar(&f.paper.Prefix, "label-prefix", "", "begin the labels of LaTeX with `P`: tab:P-bins (default: the name of the directory)")
	flags.IntVar(&f.paper.Columns, "tex-columns", 2, "the paper has `N` columns: in one of 2 wide tables are table*, over both")
	flags.BoolVar(&f.paper.Long, "longtable", false, "set tables of more than 40 rows as longtable, for --tex-columns 1")
}

// of returns what the flags say of a report of a kind that is written to out. Reports of a kind in two
// directories have labels that differ, so that one paper can have both.
func (f *paperFlags) of(kind, out string) (page.Paper, error) {
	p := f.paper
	switch {
	case p.Prefix != texLabel(p.Prefix):
		return p, usagef("--label-prefix %q: want letters, digits and hyphens", p.Prefix)
	case p.Columns < 1 || p.Columns > 2:
		return p, usagef("--tex-columns %d: want 1 or 2", p.Columns)
	case p.Long && p.Columns != 1:
		return p, usagef("--longtable: LaTeX has no longtable in papers of two columns; give --tex-columns 1")
	}
	if p.Columns == 2 {
		p.Columns = 0 // as ever
	}
	if p.Prefix == "" {
		p.Prefix = texLabel(strings.TrimRight(strings.ReplaceAll(out, `\`, "/"), "/"))
	}
	if p.Prefix == kind {
		p.Prefix = ""
	}
	return p, nil
}

// texLabel is the last part of a path as a label of LaTeX may have it.
func texLabel(name string) string {
	words := strings.FieldsFunc(path.Base(name), func(r rune) bool {
		return !(r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	})
	return strings.Join(words, "-")
}

// ofPaper are the parameters of a report with how it is made for a paper, if that is not as usual.
type ofPaper struct {
	report any
	paper  page.Paper
}

// MarshalJSON writes the report's own parameters, and "paper".
func (o ofPaper) MarshalJSON() ([]byte, error) {
	own, err := json.Marshal(o.report)
	if err != nil || o.paper == (page.Paper{}) {
		return own, err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(own, &all); err != nil {
		return nil, err
	}
	if all["paper"], err = json.Marshal(o.paper); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}
