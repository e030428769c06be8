package study

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
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

func TestPage(t *testing.T) {
	dir := t.TempDir()
	s, err := parse("dir/the-study.toml", []byte(`
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
`))
	if err != nil {
		t.Fatal(err)
	}
	s.Out = dir
	runs, err := s.Expand(&fake{})
	if err != nil {
		t.Fatal(err)
	}
	long := "\n**Bins**\n\n| x |\n|---:|\n"
	for i := range 13 {
		long += fmt.Sprintf("| %d |\n", i)
	}
	put(t, dir, map[string]string{
		"games/part-00000.parquet":  "rows",
		"curve/n=1/curve.md":        "# The curve\n\nIt *rises*.\n\n**Gaps**\n\n| curve | gap |\n| --- | ---: |\n| a \\| b < c | +3 |\n\n- a note\n",
		"curve/n=1/curve.svg":       "<svg>one</svg>",
		"curve/n=1/curve-more.svg":  "<svg>more</svg>",
		"curve/n=1/curve.pdf":       "pdf",
		"curve/n=1/index.html":      "page",
		"curve/n=2/curve.md":        "# The other\n" + long,
		"curve/n=2/other-thing.svg": "<svg>of nothing</svg>",
		"table.csv":                 "name,share\n\"x, y\",0.5\nz,\n",
		"text.txt":                  "plain & text\n",
	})
	name, err := s.WritePage(runs, "kifu 1.2")
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
	if _, e := s.WritePage(runs, "kifu 1.2"); e != nil || err != nil || string(again) != string(text) {
		t.Error("another page", e, err)
	}
	if err := os.Remove(filepath.Join(dir, "table.csv")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.WritePage(runs, ""); !os.IsNotExist(err) {
		t.Errorf("without table.csv: %v", err)
	}
}

// TestNoPage: datasets without anything to read make no page.
func TestNoPage(t *testing.T) {
	dir := t.TempDir()
	s, err := parse("s.toml", []byte("[[step]]\nname = \"a\"\nrun = \"make\""))
	if err != nil {
		t.Fatal(err)
	}
	s.Out = dir
	runs, err := s.Expand(&fake{})
	if err != nil {
		t.Fatal(err)
	}
	if name, err := s.WritePage(runs, ""); name != "" || err != nil {
		t.Error(name, err)
	}
}

func TestParseMarkdown(t *testing.T) {
	got := parseMarkdown("# T\\_1\n\nLead.\nMore.\n\n**C**\n\n| a | b |\n|---|---:|\n| x\\|y |\n| 1 | 2 | 3 |\n\n| alone |\n|---|\n\n- n \\<1\\>\nlast")
	want := document{Title: "T_1", Lead: []string{"Lead.", "More.", "last"}, Notes: []string{"n <1>"}, Tables: []table{
		{Caption: "C", Head: []string{"a", "b"}, Right: []bool{false, true}, Rows: [][]string{{"x|y", ""}, {"1", "2"}}},
		{Head: []string{"alone"}, Right: []bool{false}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, text := range []string{"", "|", "# ", "| |\n|", "**", "\\", "| a\\"} {
		parseMarkdown(text) // no panic
	}
}
