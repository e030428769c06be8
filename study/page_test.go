package study

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/internal/table"
)

// put writes files below dir.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// done are the outcomes of runs that are all done.
func done(runs []*Run) (all []Outcome) {
	for _, r := range runs {
		all = append(all, Outcome{Run: r, Status: Done})
	}
	return all
}

// TestPageOfWhatIsDone leaves out what is not, and names it.
func TestPageOfWhatIsDone(t *testing.T) {
	dir := t.TempDir()
	s, runs := planned(t, dir, "the-study.toml", `
[set]
group = ["b"]
[[step]]
name = "text"
run = "show"
stdout = "text.txt"
[[step]]
name = "swept"
run = "make"
n = "{group}"
[[step]]
name = "gone"
run = "show"
args = "{swept group=a}"
[[step]]
name = "after"
run = "show"
args = "{gone}"
[[step]]
name = "broken"
run = "show"
`)
	put(t, dir, map[string]string{"text.txt": "some words"})
	all := done(runs)
	last := &all[len(all)-1]
	last.Status, last.Err = Failed, errors.New("no <file>\nmore")
	name, err := s.WritePage(all, "kifu")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"some words", "<li>broken: failed, no &lt;file&gt;</li>", "<li>gone: left out, [set] group has no a</li>", "<li>after: left out, gone is left out</li>"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

func TestPage(t *testing.T) {
	dir := t.TempDir()
	s, runs := planned(t, dir, "dir/the-study.toml", `
title = "Kings & <men>"
about = """
First words
of it.

Second ones."""
[[step]]
name = "games"
run = "make"
[[step]]
name = "curve"
title = "Where it leaves"
about = "What a reader sees."
run = "make"
n = [1, 2]
args = "{games}"
[[step]]
name = "table"
run = "show"
stdout = "table.csv"
when = ["a > b"]
[[step]]
name = "text"
run = "show"
stdout = "text.txt"
`)
	curve := table.Document{Title: "The curve", Lead: "It *rises*.", Notes: []string{"a note"}, Tables: []table.Table{
		{Caption: "Gaps", Head: []table.Cell{table.Text("curve"), table.Number("gap")}, Rows: [][]string{{"a | b < c", "+3"}}}}}
	bins := table.Table{Caption: "Bins", Head: []table.Cell{table.Number("x")}}
	for i := range 13 {
		bins.Rows = append(bins.Rows, []string{fmt.Sprint(i)})
	}
	other := table.Document{Title: "The other", Tables: []table.Table{bins}}
	put(t, dir, map[string]string{
		"games/part-00000.parquet":  "rows",
		"curve/n=1/curve.json":      string(curve.JSON()),
		"curve/n=1/curve.md":        "for readers alone",
		"curve/n=1/curve.svg":       "<svg>one</svg>",
		"curve/n=1/curve-more.svg":  "<svg>more</svg>",
		"curve/n=1/curve.pdf":       "pdf",
		"curve/n=1/index.html":      "page",
		"curve/n=2/curve.json":      string(other.JSON()),
		"curve/n=2/curve.md":        "for readers alone",
		"curve/n=2/other-thing.svg": "<svg>of nothing</svg>",
		"table.csv":                 "name,share\n\"x, y\",0.5\nz,\n",
		"text.txt":                  "plain & text\n",
	})
	name, err := s.WritePage(done(runs), "kifu 1.2")
	if err != nil || name != filepath.Join(dir, "index.html") {
		t.Fatal(name, err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{
		"<title>Kings &amp; &lt;men&gt;</title>", "<p>First words of it.</p>", "<p>Second ones.</p>",
		`<a href="#curve">Where it leaves</a>`, `<a href="#table">table</a>`,
		`<h2>Where it leaves</h2>`, "What a reader sees.", "<h3>The curve</h3>", "n=1", "It *rises*.",
		"PHN2Zz5vbmU8L3N2Zz4=", "PHN2Zz5tb3JlPC9zdmc&#43;", // the two pictures, that of the name first
		"<caption>Gaps</caption>", `<th class="n">gap</th>`, "<td>a | b &lt; c</td>", "a note", `href="curve/n=1/index.html"`, `href="curve/n=1/curve.pdf"`,
		"<h3>The other</h3>", "n=2", "<summary>Bins (13 rows)</summary>",
		"<td>x, y</td>", `<td class="n">0.5</td>`, `href="table.csv"`,
		"plain &amp; text",
		"kifu run the-study.toml", "kifu make --out=" + dir + "/games", "kifu show &#39;--when=a &gt; b&#39;",
	} {
		i := strings.Index(string(text[at:]), want)
		if i < 0 {
			t.Fatalf("no %q after %q in\n%s", want, text[max(0, at-40):at], text)
		}
		at += i + len(want)
	}
	if n := strings.Count(string(text), "<img "); n != 2 {
		t.Errorf("%d pictures", n)
	}
	again, err := os.ReadFile(name)
	if _, e := s.WritePage(done(runs), "kifu 1.2"); e != nil || err != nil || string(again) != string(text) {
		t.Error("another page", e, err)
	}
	if strings.Contains(string(text), "for readers") {
		t.Error("the page has the Markdown of a report")
	}
	if err := os.Remove(filepath.Join(dir, "table.csv")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.WritePage(done(runs), ""); !os.IsNotExist(err) {
		t.Errorf("without table.csv: %v", err)
	}
}

// TestNoPage: datasets without anything to read make no page.
func TestNoPage(t *testing.T) {
	dir := t.TempDir()
	s, runs := planned(t, dir, "s.toml", "[[step]]\nname = \"a\"\nrun = \"make\"")
	if name, err := s.WritePage(done(runs), ""); name != "" || err != nil {
		t.Error(name, err)
	}
}

// TestPrintedTables: tables that a command hands over are shown as such, whatever the name of
// the file that has the printed text.
func TestPrintedTables(t *testing.T) {
	dir := t.TempDir()
	s, runs := planned(t, dir, "s.toml", "[[step]]\nname = \"a\"\nrun = \"show\"\nstdout = \"a.md\"")
	w := &fake{tables: []table.Table{{Head: []table.Cell{table.Text("name"), table.Number("games")}, Rows: [][]string{{"*x* | y", "12"}}}}}
	if _, err := Do(context.Background(), runs, 1, w, func(Outcome) {}); err != nil {
		t.Fatal(err)
	}
	name, err := s.WritePage(done(runs), "")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if want := `<tr><td>*x* | y</td><td class="n">12</td></tr>`; !strings.Contains(string(text), want) || strings.Contains(string(text), "ran show") {
		t.Errorf("no %s in\n%s", want, text)
	}
}

// TestReportWithoutData: a report that has no tables as data, or none that can be read, is an
// error that names the file.
func TestReportWithoutData(t *testing.T) {
	dir := t.TempDir()
	s, runs := planned(t, dir, "s.toml", "[[step]]\nname = \"a\"\nrun = \"make\"")
	put(t, dir, map[string]string{"a/curve.md": "# The curve\n"})
	for data, want := range map[string]string{
		"":                "remove it, and run the study again",
		"{\"tables\": 1}": "curve.json: json",
		`{"tables": [{"caption": "c", "head": [{"text": "x"}], "rows": [["1"], ["2", "3"]]}]}`: `curve.json: table "c": row 2 has 2 cells, the head 1`,
	} {
		if data != "" {
			put(t, dir, map[string]string{"a/curve.json": data})
		} else if err := os.RemoveAll(filepath.Join(dir, "a/curve.json")); err != nil {
			t.Fatal(err)
		}
		if _, err := s.WritePage(done(runs), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", data, err, want)
		}
	}
}
