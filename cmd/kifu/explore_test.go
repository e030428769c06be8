package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kifu/cmd/kifu/command"
)

// steps returns what runs a command in a directory, which has to succeed.
func steps(t *testing.T, dir string) (run func(args ...string)) {
	a := inFolder(dir, strings.NewReader(""), io.Discard, os.Stderr)
	return func(args ...string) {
		t.Helper()
		if code := a.Run(context.Background(), append(args, "--progress", "none")); code != command.OK {
			t.Fatalf("%q: exit code %d", args, code)
		}
	}
}

// explored serves datasets of a directory at an address until stop is called, which returns the exit
// code.
func explored(t *testing.T, dir string, args ...string) (address string, stop func() int) {
	t.Helper()
	address, stop, err := exploring(dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	return address, stop
}

// exploring is explored, but for its error: what the command says if it ends.
func exploring(dir string, args ...string) (address string, stop func() int, err error) {
	var said strings.Builder
	ctx, interrupt := context.WithCancel(context.Background())
	printed, stdout := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- inFolder(dir, strings.NewReader(""), stdout, &said).Run(ctx, append([]string{"explore"}, args...))
		stdout.Close()
	}()
	line, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil {
		interrupt()
		<-code
		return "", nil, errors.New(said.String())
	}
	return strings.TrimSpace(line), func() int { interrupt(); return <-code }, nil
}

// textsAt returns the texts of pages of the site at an address.
func textsAt(t *testing.T, address string) func(path string) string {
	return func(path string) string {
		t.Helper()
		r, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v: %s", path, r.StatusCode, err, text)
		}
		return string(text)
	}
}

// TestExplore: a folder of datasets is served at the address that is printed, each dataset
// under a name that SQL takes without quotes, boards in SQL included; an interrupt ends it
// with exit code 0 and leaves nothing.
func TestExplore(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	record := filepath.Join(dir, "record.pgn")
	if err := os.WriteFile(record, []byte("[White \"a\"]\n\n1. e4 e5 1-0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	run := steps(t, dir)
	run("ingest", "--out", "all/my games", "record.pgn")
	run("transform", "--out", "all/deep/method=mlm", "all/my games")
	t.Setenv("TMPDIR", temp)
	address, stop := explored(t, dir, "--workers", "1", "all")
	for path, want := range map[string]string{
		"": "deep_method_mlm",
		"sql?as=csv&q=SELECT+first_player+FROM+my_games":                               "a\n",
		"sql?as=csv&q=SELECT+fen(board)+FROM+deep_method_mlm+WHERE+ply+%3D+1":          "4P3",
		"positions?like=*%2F*%2F*%2F*%2F%3F%3F%3F%3FP*%2F*%2F*%2F*&on=deep_method_mlm": "2 positions",
		"openings": "e4",
	} {
		r, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != 200 || !strings.Contains(string(text), want) {
			t.Errorf("%s: %d, %v: no %q in\n%s", path, r.StatusCode, err, want, text[:min(len(text), 2000)])
		}
	}
	if c := stop(); c != command.OK {
		t.Errorf("exit code %d", c)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestExploreRecords: records are read into the user's cache, which is used again until one changes; several formats of
// a folder are all there.
func TestExploreRecords(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read := func(want string, args ...string) (parts []string) {
		t.Helper()
		address, stop := explored(t, dir, args...)
		defer stop()
		if text := textsAt(t, address)("games"); !strings.Contains(text, want) {
			t.Errorf("explore %q: no %q", args, want)
		}
		parts, err := filepath.Glob(filepath.Join(cache, "kifu", "games", "*", "*", "part-*.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		return parts
	}
	write("my games.pgn", "[White \"Ada\"]\n\n1. e4 e5 1-0\n")
	first := read("Ada", "my games.pgn")
	if again := read("Ada", "my games.pgn"); !slices.Equal(first, again) || len(first) != 1 {
		t.Errorf("the same file again: %q, then %q", first, again)
	}
	write("my games.pgn", "[White \"Grace\"]\n\n1. d4 d5 1-0\n")
	if after := read("Grace", "my games.pgn"); len(after) != 1 || slices.Equal(first, after) {
		t.Errorf("the file changed: %q, before %q", after, first)
	}
	if err := os.Mkdir(filepath.Join(dir, "more"), 0o777); err != nil {
		t.Fatal(err)
	}
	write("more/a.pgn", "[White \"Emmy\"]\n\n1. c4 c5 1-0\n")
	write("more/b.sgf", "(;FF[4]GM[1]SZ[9]PB[x]PW[y]RE[B+R];B[ee];W[ec])")
	read("Emmy", "more")
	read("Grace", "my games.pgn", "more/a.pgn")
	address, stop := explored(t, dir, "both=more")
	defer stop()
	for _, name := range []string{"both_chess", "both_go"} {
		if text := textsAt(t, address)(""); !strings.Contains(text, name) {
			t.Errorf("explore both=more: no %s", name)
		}
	}
}

// TestExploreSaved: what the curves page offers to keep of its conditions runs as it is: the line
// of report curve in a shell, the step in a study, the splits to be tested.
func TestExploreSaved(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	dir := t.TempDir()
	run := steps(t, dir)
	run("datasets", "sample", "tictactoe-selfplay", "--out", "t.pgn.zst")
	run("ingest", "--out", "g", "t.pgn.zst")
	run("transform", "--out", "p", "g")
	run("label", "--search", "quiescence", "--out", "my labels", "p")
	address, stop := explored(t, dir, "my labels")
	defer stop()
	when := url.Values{"when": {"ply % 2 = 0 AND result <> 'it''s \"$HOME\" {even} {{x}} {curve*}'", "ply < 4"}, "name": {"even", "early"}, "least": {"5"}}
	r, err := http.Get(address + "curves?" + when.Encode())
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, pre := range regexp.MustCompile(`(?s)<div class="saved">.*?<pre>(.*?)</pre>`).FindAllStringSubmatch(string(text), -1) {
		kept = append(kept, html.UnescapeString(pre[1]))
	}
	if len(kept) != 3 {
		t.Fatalf("%d forms in\n%s", len(kept), text[:min(len(text), 3000)])
	}
	words := func(line string) []string {
		t.Helper()
		said, err := exec.Command(shell, "-c", `printf '%s\n' `+strings.TrimPrefix(line, "kifu ")).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(string(said), "\n"), "\n")
	}
	run(append(words(kept[0]), "--min-count", "5")...)
	run(append(words(kept[2]), "--min-count", "5")...)
	if err := os.WriteFile(filepath.Join(dir, "study.toml"), []byte("out = \"build\"\n"+kept[1]+"\nmin-count = 5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	run("run", filepath.Join(dir, "study.toml"))
	var rows [2][]byte
	for i, name := range []string{"curve", "build/curve"} {
		if rows[i], err = os.ReadFile(filepath.Join(dir, name, "curve.csv")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(rows[0], rows[1]) || !bytes.Contains(rows[0], []byte("even")) || !bytes.Contains(rows[0], []byte("early")) {
		t.Errorf("the step says\n%s\nthe line\n%s", rows[1], rows[0])
	}
}

// TestExploreDemo: the demo ends with an address at which what it made is served, at once or by the
// command that it prints.
func TestExploreDemo(t *testing.T) {
	dir := t.TempDir()
	a := inFolder(dir, strings.NewReader(""), io.Discard, io.Discard)
	if err := os.WriteFile(filepath.Join(dir, "r.pgn"), []byte("1. e4 e5 1-0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code := a.Run(context.Background(), []string{"ingest", "--out", "my demo/games", "--progress", "none", "r.pgn"}); code != command.OK {
		t.Fatal(code)
	}
	answers := func(address string) {
		t.Helper()
		r, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if text, err := io.ReadAll(r.Body); err != nil || r.StatusCode != http.StatusOK || !strings.Contains(string(text), "kifu ingest") {
			t.Errorf("%s: %d, %v", address, r.StatusCode, err)
		}
	}
	// begin runs what serves and returns the lines that it prints, until stop.
	begin := func(serve func(ctx context.Context, e *command.Env)) (lines *bufio.Scanner, stop func()) {
		ctx, cancel := context.WithCancel(context.Background())
		printed, stdout := io.Pipe()
		done := make(chan bool)
		go func() {
			serve(ctx, inFolder(dir, strings.NewReader(""), stdout, io.Discard))
			stdout.Close()
			close(done)
		}()
		return bufio.NewScanner(printed), func() { cancel(); <-done }
	}
	lines, stop := begin(func(ctx context.Context, e *command.Env) {
		if err := exploreDemo(ctx, e.Maker, "my demo", true); err != nil {
			t.Error(err)
		}
	})
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "http://") {
	}
	answers(lines.Text())
	stop()

	var said bytes.Buffer
	if err := exploreDemo(context.Background(), newEnv(nil, &said, io.Discard).Maker, "my demo", false); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?s)\n  kifu (explore --listen 127\.0\.0\.1:7333 --token \w+) '(my demo)'\nanswers at\n  (http://\S+/)\n$`).FindStringSubmatch(said.String())
	if m == nil {
		t.Fatalf("said %s", said.String())
	}
	// Another port, as that one may be taken here.
	line := strings.Replace(m[1], ":7333", ":0", 1)
	lines, stop = begin(func(ctx context.Context, e *command.Env) { e.Run(ctx, append(strings.Fields(line), m[2])) })
	defer stop()
	if !lines.Scan() {
		t.Fatal("the command prints nothing")
	}
	_, path, _ := strings.Cut(strings.TrimPrefix(m[3], "http://"), "/")
	if !strings.HasSuffix(lines.Text(), "/"+path) {
		t.Errorf("it answers at %s, not below %s", lines.Text(), path)
	}
	answers(lines.Text())
}

// TestExploreRefuses: what cannot be served is said before anything listens.
func TestExploreRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ line, says string }{
		{"explore", "no input"},
		{"explore nothing", "no dataset at"},
		{"explore .", "is not a dataset"},
		{"explore --time 0s .", "--time 0s"},
		{"explore --rows 0 .", "--rows 0"},
	} {
		var stderr bytes.Buffer
		a := inFolder(dir, strings.NewReader(""), io.Discard, &stderr)
		if code := a.Run(context.Background(), strings.Fields(c.line)); code == command.OK || !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%s: exit %d, %s", c.line, code, stderr.String())
		}
	}
}

// TestExploreTables: positions without labels are valued as the game is played, which is by tables in
// Othello, those of labels by the labels' own weights, with the tables beside them.
func TestExploreTables(t *testing.T) {
	dir := t.TempDir()
	run := steps(t, dir)
	run("datasets", "sample", "othello-selfplay", "--out", "o.ggf.zst")
	run("ingest", "--out", "games", "o.ggf.zst")
	run("transform", "--sample", "0.05", "--out", "positions", "games")
	run("label", "--search", "static", "--out", "counted", "positions")
	run("label", "--search", "static", "--eval", "tables", "--zero", "turn", "--out", "tables", "positions")
	address, stop := explored(t, dir, "games", "positions", "counted", "tables")
	defer stop()
	get := textsAt(t, address)
	var where string
	if fields := strings.Split(strings.TrimSpace(get("sql?as=csv&q="+url.QueryEscape("SELECT game_id, ply FROM positions WHERE ply > 20 ORDER BY 1, 2 LIMIT 1"))), "\n"); len(fields) == 2 {
		id, ply, _ := strings.Cut(fields[1], ",")
		where = "game=" + id + "&ply=" + ply
	}
	for set, want := range map[string]string{"positions": "edge_2x", "counted": "mobility", "tables": "edge_2x"} {
		page := get("position?on=" + set + "&" + where)
		if !strings.Contains(page, "<th>"+want) {
			t.Errorf("%s: no %s in\n%s", set, want, page)
		}
		if says := strings.Contains(page, "(by the bundled tables)"); says != (set == "positions") {
			t.Errorf("%s: said to be by the bundled tables: %v", set, says)
		}
	}
	id := strings.TrimPrefix(strings.Split(where, "&")[0], "game=")
	evaluated := map[string]string{}
	for _, by := range []string{"", "counted", "tables"} {
		page := get("game?on=games&id=" + id + "&by=" + by)
		evaluated[by] = regexp.MustCompile(`<div class="plot"[^>]*>.*?</div>`).FindString(page)
	}
	if evaluated[""] == evaluated["counted"] || evaluated["tables"] == evaluated["counted"] || evaluated[""] == "" {
		t.Errorf("the graphs of a game by different weights are the same")
	}
}
