package cite

import (
	"strings"
	"testing"
)

// TestLiterature: each entry of the file is read whole, and selected by the stages that it is the source of.
func TestLiterature(t *testing.T) {
	all := Literature(nil)
	if n := strings.Count(literature, "\n@"); len(all) != n {
		t.Fatalf("%d entries of %d", len(all), n)
	}
	for _, e := range all {
		named := e.String()
		for _, field := range []string{"author = {", "title = {", "year = {"} {
			if !strings.Contains(named, field) {
				t.Errorf("%s has no %s", e.Key, field)
			}
		}
		if strings.Contains(named, "kifu = ") || strings.Count(named, "{") != strings.Count(named, "}") {
			t.Errorf("%s is printed as\n%s", e.Key, named)
		}
	}
	for stage, want := range map[string]string{"fit mlm": "takeuchi2007 aronow2015", "fit td": "baxter1998 aronow2015", "tune": "spall1992", "conjunctions": "buro1999 miwa2007 fleuret2004", "ingest": ""} {
		var keys []string
		for _, e := range Literature([]string{stage}) {
			keys = append(keys, e.Key)
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("%s is of %q, want %q", stage, got, want)
		}
	}
}

// TestProgram: of CITATION.cff the fields of the program are read, and none of its references.
func TestProgram(t *testing.T) {
	got := Program("title: \"kifu: a\"\nauthors:\n  - name: the authors\nversion: 9\nlicense: MIT\nreferences:\n  - type: x\n    title: other\n", "1.0").String()
	if want := "@misc{kifu,\n  title = {kifu: a},\n  author = {{the authors}},\n  note = {Version 1.0, licence MIT},\n}\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
