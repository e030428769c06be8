package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"kifu/internal/step"
	"kifu/internal/table"
)

// fake knows the commands make, which builds a dataset, and show, which prints.
type fake struct {
	mu      sync.Mutex
	lines   []string
	fail    string // lines that contain it fail
	current string // lines that contain it are up to date
	running int
	most    int
	begun   chan bool // if not nil, Do says that it has begun,
	gate    chan bool // and waits until it may go on
	tables  []table.Table
}

func (f *fake) Flag(command, flag string) (step.Kind, error) {
	kinds := map[string]step.Kind{"n": step.Single, "m": step.Single, "fast": step.Switch, "when": step.Repeated, "free": step.Listed}
	kind, ok := kinds[flag]
	if !ok {
		return 0, fmt.Errorf("%s has no flag --%s", command, flag)
	}
	return kind, nil
}

func (f *fake) Builds(command string) (bool, error) {
	if command != "make" && command != "show" {
		return false, fmt.Errorf("no command %s", command)
	}
	return command == "make", nil
}

func (f *fake) Plan(_ context.Context, r *Run) (bool, string, error) {
	if f.current != "" && strings.Contains(strings.Join(r.Work.Words(), " "), f.current) {
		return true, "", nil
	}
	return false, "not made yet", nil
}

func (f *fake) Do(_ context.Context, r *Run, stdout io.Writer) (Answer, error) {
	line := r.Work.Words()
	text := strings.Join(line, " ")
	f.mu.Lock()
	f.lines = append(f.lines, text)
	f.running++
	f.most = max(f.most, f.running)
	f.mu.Unlock()
	if f.gate != nil {
		f.begun <- true
		<-f.gate
	}
	f.mu.Lock()
	f.running--
	f.mu.Unlock()
	if f.fail != "" && strings.Contains(text, f.fail) {
		return Answer{}, errors.New("it broke")
	}
	fmt.Fprintf(stdout, "first line\nran %s\n", text)
	return Answer{Said: "made", Tables: f.tables}, nil
}

func lines(t *testing.T, text string) []string {
	t.Helper()
	s, err := parse("dir/the-study.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := s.Expand(&fake{})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range runs {
		needs := ""
		for _, n := range r.Needs {
			needs += " <" + n.Name() + ">"
		}
		all = append(all, r.Name()+": "+strings.Join(r.Work.Words(), " ")+needs)
	}
	return all
}

// TestExpandChosen has one run of a swept step, or those with one value, named.
func TestExpandChosen(t *testing.T) {
	got := lines(t, `
out = "{where}/{n}x"
[set]
where = "there"
n = 3
[[step]]
name = "f"
run = "make"
n = [1, 2]
m = ["p", "q"]
[[step]]
name = "both"
run = "show"
stdout = "both.txt"
args = ["{f n=1,m=p}/file", "{f n=2,m=q}"]
[[step]]
name = "each"
run = "make"
m = "{m}"
args = ["{f n=1}", "{f n=2}", "{f* n=1}"]
[[step]]
name = "all"
run = "show"
stdout = "all.txt"
args = ["{m}={f* n=2}", "{each m=q}"]
[[step]]
name = "plain"
run = "make"
when = [["a,b", "c"], ["d"]]
[[step]]
name = "comma"
run = "make"
args = "{plain when=a,b+c}"
[[step]]
name = "listed"
run = "make"
free = ["a,b", "c"]
args = "{both}"
`)
	want := []string{
		"both: show there/3x/f/n=1,m=p/file there/3x/f/n=2,m=q <f n=1,m=p> <f n=2,m=q>",
		"each m=p: make --m=p --out=there/3x/each/m=p there/3x/f/n=1,m=p there/3x/f/n=2,m=p there/3x/f/n=1,m=p <f n=1,m=p> <f n=2,m=p>",
		"each m=q: make --m=q --out=there/3x/each/m=q there/3x/f/n=1,m=q there/3x/f/n=2,m=q there/3x/f/n=1,m=q <f n=1,m=q> <f n=2,m=q>",
		"all: show p=there/3x/f/n=2,m=p q=there/3x/f/n=2,m=q there/3x/each/m=q <f n=2,m=p> <f n=2,m=q> <each m=q>",
		"plain when=a,b+c: make --when=a,b --when=c --out=there/3x/plain/when=a,b+c",
		"plain when=d: make --when=d --out=there/3x/plain/when=d",
		"comma: make --out=there/3x/comma there/3x/plain/when=a,b+c <plain when=a,b+c>",
		"listed: make --free=a --free=b --free=c --out=there/3x/listed there/3x/both.txt <both>",
	}
	if len(got) != 12 || !slices.Equal(got[4:], want) {
		t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestExpand(t *testing.T) {
	got := lines(t, `
[set]
src = ["a.pgn", "b.pgn"]
seed = 7
[[step]]
name = "g"
run = "make"
args = "{src}"
m = "{seed}"
[[step]]
name = "f"
run = "make"
when = ["x>1", "y>2"]
n = [1, 2]
fast = true
args = ["{g}", "plain"]
[[step]]
name = "w"
run = "make"
fast = false
args = ["{f*}", "n{n}_{src}={f*}"]
when = [["p", "q"], ["r"]]
[[step]]
name = "of-g"
run = "make"
args = ["{n}={f*}", "{g}/file"]
`)
	// w uses {n} and {src} only inside {f*}: one run for each of its own sweep.
	want := []string{
		"g src=a.pgn: make --m=7 --out=the-study/g/src=a.pgn a.pgn",
		"g src=b.pgn: make --m=7 --out=the-study/g/src=b.pgn b.pgn",
		"f src=a.pgn,n=1: make --when=x>1 --when=y>2 --n=1 --fast --out=the-study/f/src=a.pgn,n=1 the-study/g/src=a.pgn plain <g src=a.pgn>",
		"f src=a.pgn,n=2: make --when=x>1 --when=y>2 --n=2 --fast --out=the-study/f/src=a.pgn,n=2 the-study/g/src=a.pgn plain <g src=a.pgn>",
		"f src=b.pgn,n=1: make --when=x>1 --when=y>2 --n=1 --fast --out=the-study/f/src=b.pgn,n=1 the-study/g/src=b.pgn plain <g src=b.pgn>",
		"f src=b.pgn,n=2: make --when=x>1 --when=y>2 --n=2 --fast --out=the-study/f/src=b.pgn,n=2 the-study/g/src=b.pgn plain <g src=b.pgn>",
	}
	if len(got) != 10 || !slices.Equal(got[:6], want) {
		t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	all := "the-study/f/src=a.pgn,n=1 the-study/f/src=a.pgn,n=2 the-study/f/src=b.pgn,n=1 the-study/f/src=b.pgn,n=2"
	if !strings.HasPrefix(got[6], "w when=p+q: make --fast=false --when=p --when=q --out=the-study/w/when=p+q "+all+" n1_a.pgn=the-study/f/src=a.pgn,n=1") {
		t.Error(got[6])
	}
	if !strings.HasPrefix(got[7], "w when=r: make --fast=false --when=r ") {
		t.Error(got[7])
	}
	if want := "of-g src=b.pgn: make --out=the-study/of-g/src=b.pgn 1=the-study/f/src=b.pgn,n=1 2=the-study/f/src=b.pgn,n=2 the-study/g/src=b.pgn/file <f src=b.pgn,n=1> <f src=b.pgn,n=2> <g src=b.pgn>"; got[9] != want {
		t.Errorf("got  %s\nwant %s", got[9], want)
	}
}

func TestErrorsOfAFile(t *testing.T) {
	for text, want := range map[string]string{
		"[[step]]\nname = \"a\"\nrun = \"make\"\nargs = \"{b}\"":                                     "{b}: no step",
		"[[step]]\nname = \"a\"\nrun = \"make\"\nargs = \"{b}\"\n[[step]]\nname=\"b\"\nrun=\"make\"": "only to earlier steps",
		"[[step]]\nname = \"a\"\nrun = \"make\"\nspeed = 1":                                          "no flag --speed",
		"[[step]]\nname = \"a\"\nrun = \"bake\"":                                                     "no command bake",
		"[[step]]\nname = \"a\"":                                                                     "no run",
		"[[step]]\nrun = \"make\"":                                                                   "no name",
		"[[step]]\nname = \"a b\"\nrun = \"make\"":                                                   "letters",
		"[[step]]\nname = \"a\"\nrun = \"make\"\nn = []":                                             "empty list",
		"[[step]]\nname = \"a\"\nrun = \"make\"\nn = {x = 1}":                                        "n: want a text",
		"[[step]]\nname = \"a\"\nrun = \"make\"\nfast = \"often\"":                                   "true or false",
		"[[step]]\nname = \"a\"\nrun = \"make\"\n[[step]]\nname = \"a\"\nrun = \"make\"":             "two steps",
		"[[step]]\nname = \"a\"\nrun = \"make\"\n[set]\nx = 1":                                       "before the first",
		"[[step]]\nname = \"a\nrun":                                                                  "line 2",
		"oot = \"x\"\n[[step]]\nname = \"a\"\nrun = \"make\"":                                        "line 1: oot",
		"":                                     "no [[step]]",
		"[step]\nname = \"a\"\nrun = \"make\"": "two pairs of brackets",
		"step = [{name = \"a\", run = \"make\"}]":                                                                                                              "two pairs of brackets",
		"[[step]]\nname=\"a\"\nrun=\"make\"\nn=[1,2]\n[[step]]\nname=\"b\"\nrun=\"make\"\nn=[3]\nargs=\"{a}\"":                                                 "swept by a step",
		"out=\"{x}\"\n[[step]]\nname=\"a\"\nrun=\"make\"":                                                                                                      "out: {x}: no step",
		"out=\"{x}\"\n[set]\nx=[1,2]\n[[step]]\nname=\"a\"\nrun=\"make\"":                                                                                      "out: {x}: it has several values",
		"[[step]]\nname=\"a\"\nrun=\"make\"\nn=[1,2]\n[[step]]\nname=\"b\"\nrun=\"make\"\nargs=\"{a n=3}\"":                                                    "{a n=3}: no such run of a: it has n=1; n=2",
		"[[step]]\nname=\"a\"\nrun=\"make\"\n[[step]]\nname=\"b\"\nrun=\"make\"\nargs=\"{a n=3}\"":                                                             "{a n=3}: a is not swept",
		"[[step]]\nname=\"a\"\nrun=\"make\"\nn=[1,2]\n[[step]]\nname=\"b\"\nrun=\"make\"\nargs=\"{a 3}\"":                                                      "{a 3}: want {a KEY=VALUE",
		"[[step]]\nname=\"a\"\nrun=\"make\"\nn=[1,2]\n[[step]]\nname=\"b\"\nrun=\"make\"\nargs=\"{a}\"\n[[step]]\nname=\"c\"\nrun=\"make\"\nargs=\"{a*}{b*}\"": "only one such",
		"[[step]]\nname=\"a\"\nrun=\"show\"\n[[step]]\nname=\"b\"\nrun=\"make\"\nargs=\"{a}\"":                                                                 "builds no dataset",
		"[[step]]\nname=\"a\"\nrun=\"make\"\nn=[\"x y\",\"x/y\"]\n[[step]]\nname=\"b\"\nrun=\"make\"\nargs=\"{n}\"":                                            "{n}: no step",
	} {
		s, err := parse("s.toml", []byte(text))
		if err == nil {
			_, err = s.Expand(&fake{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

const diamond = `
[[step]]
name = "a"
run = "make"
n = [1, 2]
[[step]]
name = "b"
run = "make"
args = "{a}"
[[step]]
name = "c"
run = "show"
args = "{b*}"
stdout = "c.txt"
[[step]]
name = "d"
run = "make"
`

// expand returns the runs of a study whose outputs go to out.
func expand(t *testing.T, out, text string) []*Run {
	t.Helper()
	_, runs := planned(t, out, "s.toml", text)
	return runs
}

// planned reads a study whose results go to out, and its runs.
func planned(t *testing.T, out, name, text string) (*Study, []*Run) {
	t.Helper()
	s, err := parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s.Out, s.given = out, map[string]bool{"out": true}
	runs, err := s.Expand(&fake{})
	if err != nil {
		t.Fatal(err)
	}
	return s, runs
}

func TestFailureStopsWhatNeedsIt(t *testing.T) {
	dir := t.TempDir()
	f := &fake{fail: "a/n=1"}
	all, err := Do(context.Background(), expand(t, dir, diamond), 2, f, func(Outcome) {})
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for _, o := range all {
		fmt.Fprintf(&got, "%s: %s %v; ", o.Run.Name(), o.Status, o.Err)
	}
	if want := "a n=1: failed it broke; a n=2: done <nil>; b n=1: not run <nil>; b n=2: done <nil>; c: not run <nil>; d: done <nil>; "; got.String() != want {
		t.Errorf("got  %s\nwant %s", got.String(), want)
	}
	if all[1].Said != "made" {
		t.Errorf("said %q", all[1].Said)
	}
	if _, err := os.Stat(filepath.Join(dir, "c.txt")); !os.IsNotExist(err) {
		t.Errorf("c.txt: %v", err)
	}

	// Run again, nothing fails: what is printed goes to its file.
	if _, err := Do(context.Background(), expand(t, dir, diamond), 2, &fake{}, func(Outcome) {}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "c.txt"))
	if err != nil || string(text) != fmt.Sprintf("first line\nran show %[1]s/b/n=1 %[1]s/b/n=2\n", dir) {
		t.Errorf("c.txt: %q, %v", text, err)
	}
	// A command that fails leaves the file as it was.
	if _, err := Do(context.Background(), expand(t, dir, diamond), 2, &fake{fail: "show"}, func(Outcome) {}); err != nil {
		t.Fatal(err)
	}
	if again, _ := os.ReadFile(filepath.Join(dir, "c.txt")); !bytes.Equal(again, text) {
		t.Errorf("c.txt is now %q", again)
	}
}

func TestSideBySide(t *testing.T) {
	f := &fake{begun: make(chan bool), gate: make(chan bool)}
	go func() {
		for range 3 { // a n=1, a n=2 and d need nothing
			<-f.begun
		}
		for range 3 {
			f.gate <- true
		}
		for range 3 {
			<-f.begun
			f.gate <- true
		}
	}()
	if _, err := Do(context.Background(), expand(t, t.TempDir(), diamond), 3, f, func(Outcome) {}); err != nil {
		t.Fatal(err)
	}
	if f.most != 3 {
		t.Errorf("%d at once", f.most)
	}
	at := func(text string) int {
		return slices.IndexFunc(f.lines, func(l string) bool { return strings.Contains(l, text) })
	}
	if at("/b/n=1") < at("a/n=1") || at("show") < at("/b/n=2") {
		t.Errorf("out of order: %q", f.lines)
	}
}

func TestDryRun(t *testing.T) {
	f := &fake{current: "n=2"}
	all, err := DryRun(context.Background(), expand(t, "o", diamond), f)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range all {
		got = append(got, fmt.Sprintf("%s: %s %s", o.Run.Name(), o.Status, o.Said))
	}
	want := []string{"a n=1: would run not made yet", "a n=2: up to date ", "b n=1: would run a n=1 is made before", "b n=2: up to date ", "c: would run b n=1 is made before", "d: would run not made yet"}
	if !slices.Equal(got, want) || len(f.lines) > 0 {
		t.Errorf("got %q; ran %q", got, f.lines)
	}
}

func TestSetValue(t *testing.T) {
	s, err := parse("s.toml", []byte("[set]\nx = [\"a\", \"b\"]\n[[step]]\nname=\"s\"\nrun=\"make\"\nargs=\"{x}\""))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetValue("y", "c"); err == nil || !strings.Contains(err.Error(), "no y; its names: ") {
		t.Error(err)
	}
	if err := s.SetValue("out", ""); err == nil || !strings.Contains(err.Error(), "out is empty") {
		t.Errorf("an empty out: %v", err)
	}
	if err := s.SetValue("x", "c"); err != nil {
		t.Fatal(err)
	}
	runs, err := s.Expand(&fake{})
	if err != nil || len(runs) != 1 || runs[0].Name() != "s x=c" || !slices.Equal(runs[0].Work.Words(), []string{"make", "--out=s/s/x=c", "c"}) {
		t.Errorf("%+v, %v", runs[0], err)
	}
}

// TestLiteralStar: {{name*}} is a text beside {name*}, too.
func TestLiteralStar(t *testing.T) {
	got := lines(t, "[[step]]\nname = \"f\"\nrun = \"make\"\nn = [1, 2]\n[[step]]\nname = \"g\"\nrun = \"make\"\nargs = [\"{{f*}}={f*}\"]\n")
	if want := "g: make --out=the-study/g {f*}=the-study/f/n=1 {f*}=the-study/f/n=2 <f n=1> <f n=2>"; len(got) != 3 || got[2] != want {
		t.Errorf("got\n%s\nwant at the end\n%s", strings.Join(got, "\n"), want)
	}
}

// TestLiteral: a text in doubled braces is no reference, and whatever is written as Literal
// comes out as it was.
func TestLiteral(t *testing.T) {
	const text = `x = '{n}' {{n}} {{{n}}} {2} {{2}} {n* a=1} {none} { {`
	got := lines(t, "[[step]]\nname = \"f\"\nrun = \"make\"\nn = [1]\nargs = ["+strconv.Quote(step.Literal(text))+", \"{{n}}={n}\"]\n")
	if want := "f n=1: make --n=1 --out=the-study/f/n=1 " + text + " {n}=1"; len(got) != 1 || got[0] != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// TestBoundedStudies: a few lines that stand for billions of runs, or gigabytes of commands, and files
// without end are errors.
func TestBoundedStudies(t *testing.T) {
	step := "[[step]]\nname = \"q\"\nrun = \"make\"\nargs = \"%s\"\n"
	var sweeps, all strings.Builder
	sweeps.WriteString("[set]\n")
	for i := range 9 {
		fmt.Fprintf(&sweeps, "v%d = [\"0\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]\n", i)
		fmt.Fprintf(&all, "{v%d}", i)
	}
	for want, text := range map[string]string{
		"runs, but a study has at most 4096": sweeps.String() + fmt.Sprintf(step, all.String()),
		"commands of more than 16 MB":        "[set]\nx = \"" + strings.Repeat("x", 20_000) + "\"\n" + fmt.Sprintf(step, strings.Repeat("{x}", 10_000)),
		"too long: want 64 KiB at most":      fmt.Sprintf(step, strings.Repeat("x", 70_000)),
	} {
		path := filepath.Join(t.TempDir(), "study.toml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Read(path)
		if err == nil {
			_, err = s.Expand(&fake{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
