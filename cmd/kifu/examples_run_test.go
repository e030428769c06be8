package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"kifu/cmd/kifu/command"
	"kifu/kit/slow"
)

// TestExamplesRun runs every line of the help, README and docs, each part of a page in a copy of a directory that has small files and datasets under the names that the lines use
// (testdata/examples/HOME.txtar). What is endless is cut short (shortenings). Lines that need
// what a test has not are in apart.txt, with the reason. Those that take minutes, in long.txt, and
// those of README and docs run with KIFU_LONG=1 (make examples). What TestDocsOfPages runs is
// left to it.
func TestExamplesRun(t *testing.T) {
	slow.Test(t, "runs every line of the help")
	if runtime.GOOS == "windows" {
		t.Skip("examples are run by sh")
	}
	k := newKitchen(t)
	apart, long := k.listed("apart.txt"), k.listed("long.txt")
	ran := 0
	for _, e := range exampleLines(t, true) {
		switch {
		case apart[e.line] > 0:
			apart[e.line]++
			continue
		case long[e.line] > 0:
			long[e.line]++
			if os.Getenv("KIFU_LONG") == "" {
				continue
			}
		case os.Getenv("KIFU_LONG") == "" && strings.HasPrefix(e.where, ".."):
			continue
		}
		ran++
		line := shortened(e.line)
		begun := time.Now()
		said, err := k.run(k.box(e), line)
		if m := warns.FindString(said); err == nil && m != "" {
			err = fmt.Errorf("it says %q", m)
		}
		if err != nil {
			t.Errorf("%s: %s\nran as %s: %v\n%s", e.where, e.line, line, err, said)
		}
		t.Logf("%.2f s %s: %s", time.Since(begun).Seconds(), e.where, line)
	}
	for name, list := range map[string]map[string]int{"apart.txt": apart, "long.txt": long} {
		for line, n := range list {
			if n == 1 {
				t.Errorf("%s: no page has %s", name, line)
			}
		}
	}
	if ran < 150 {
		t.Errorf("%d lines were run: the search is broken", ran)
	}
}

// warns matches what a line prints that names something that is not there.
var warns = regexp.MustCompile(`(?m)^warning.*|panic:|unknown (flag|column|term|name|preset|value)`)

// shortenings make of a line one that ends soon. The weights of king safety have no finite
// maximum in so few games, and take a ridge.
var shortenings = []struct {
	line *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`^bin/kifu`), "kifu"},
	{regexp.MustCompile(`^(kifu tune .*)--games \d+`), "$1--games 4 --pairs 1"},
	{regexp.MustCompile(`^(kifu tune .*)--pairs 16`), "$1--games 4 --pairs 1"},
	{regexp.MustCompile(`^(kifu tune --out tuned --player 'uci:weakling.*)`), "$1 --games 4 --pairs 1"},
	{regexp.MustCompile(`^(kifu match .*)--games \d+`), "$1--games 4"},
	{regexp.MustCompile(`--generations \d+`), "--generations 1 --population 4"},
	{regexp.MustCompile(`^(kifu evolve .*)--depth \d`), "$1--depth 1"},
	{regexp.MustCompile(`\b(depth[=:])[3-9]\b`), "${1}2"},
	{regexp.MustCompile(`mstar depth=2`), "mstar depth=3"},
	{regexp.MustCompile(`--shard 3/100`), "--shard 1/1"},
	{regexp.MustCompile(`--patterns logistello`), "--patterns edges.toml"},
	{regexp.MustCompile(`--rollouts \d+`), "--rollouts 2"},
	{regexp.MustCompile(`--depth \d --solve \d+`), "--depth 1 --solve 3"},
	{regexp.MustCompile(`--max-depth \d`), "--max-depth 1"},
	{regexp.MustCompile(`^kifu learn --player`), "kifu learn --max-decisions 10 --fit given --player"},
	{regexp.MustCompile(`^kifu identify`), "kifu identify --game-decisions 2"},
	{regexp.MustCompile(`^kifu conjunctions --out pairs`), "kifu conjunctions --out pairs --squares a1,b1,c1,d1"},
	{regexp.MustCompile(`^kifu human --out (human|compared|carlsen)`), "kifu human --max-decisions 200 --max-tested 100 --out $1"},
	{regexp.MustCompile(`--phases 0,16,22,28,34,40,46,53`), "--phases 0,40,53"},
	{regexp.MustCompile(`--min-support \d+`), "--min-support 20"},
	{regexp.MustCompile(`--select cmim:2000`), "--min-support 4 --select cmim:2000"},
	{regexp.MustCompile(`^(kifu transform .*)(--min-ply 10|--min-ply 8|--legal-moves) (games|kgs)$`), "$1$2 --sample 0.1 $3"},
	{regexp.MustCompile(`^(kifu transform --out positions) (games|kgs)$`), "$1 --max-ply 16 $2"},
	{regexp.MustCompile(`^(kifu transform .*)--sample 0.15`), "$1--sample 0.01"},
	{regexp.MustCompile(`^kifu transform --sample 0.5`), "kifu transform --sample 0.05"},
	{regexp.MustCompile(`^(kifu fit .*)--free all --l2 1e-6`), "$1--free space"},
	{regexp.MustCompile(`^(kifu fit .*)--free (king_safety|all)`), "$1--free $2 --l2 0.001"},
	{regexp.MustCompile(`^(kifu report .* --value backward_value)`), "$1 --min-count 1"},
	{regexp.MustCompile(`hash_of\('…'\)`), "hash_of('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1')"},
	{regexp.MustCompile(`^(kifu features --out labels --column value=eval_cp .*)my.parquet`), "${1}named.parquet"},
	{regexp.MustCompile(`^(kifu report .* --ignore url) my.parquet`), "$1 paged.parquet"},
	{regexp.MustCompile(`^(kifu choices .*)--alternatives 10`), "$1--alternatives 2"},
	{regexp.MustCompile(`^(kifu fit .*--method mlm,td,lstd .*)--free king_safety --l2 0.001 (.*)labels`), "$1--free space ${2}every"},
	{regexp.MustCompile(`^(kifu report endgame --out endings).*`), "$1 --min-games 1 --phase 24 every"},
	{regexp.MustCompile(`^(kifu .*)(depth_[234]_value)(.*) labels`), "$1$2$3 deeper"},
	{regexp.MustCompile(`^(kifu report mistakes .*)choices positions`), "${1}moves run"},
	{regexp.MustCompile(`^(kifu report mistakes .*)--model choices`), "${1}--model moves"},
	{regexp.MustCompile(`^(kifu ingest .*)club.pgn`), "${1}my.pgn"},
	{regexp.MustCompile(`^(kifu report ratings .*)--min-games 400`), "$1--min-games 10"},
	{regexp.MustCompile(`--anchor 'Karpov, Anatoly'`), "--anchor 'Carlsen, Magnus'"},
	{regexp.MustCompile(`^(kifu fit .*expected_result.*) labels`), "$1 softer"},
}

func shortened(line string) string {
	for _, s := range shortenings {
		line = s.line.ReplaceAllString(line, s.by)
	}
	return line
}

// kitchen is where lines are run.
type kitchen struct {
	t     *testing.T
	data  string            // testdata/examples
	homes map[string]string // by name
	boxes map[string]string // by page and home
}

// newKitchen puts programs that the lines start onto the path, and takes home and
// configuration of the user away.
func newKitchen(t *testing.T) *kitchen {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	bin, user := t.TempDir(), t.TempDir()
	for _, name := range []string{"kifu", "stockfish", "weakling"} {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(repo, "cmd", "kifu", "testdata", "examples")
	programs, err := txtar.ParseFile(filepath.Join(data, "programs.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range programs.Files {
		if err := os.WriteFile(filepath.Join(bin, f.Name), f.Data, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, user)
	}
	t.Setenv("REPO", repo)
	return &kitchen{t: t, data: data, homes: map[string]string{}, boxes: map[string]string{}}
}

// listed reads a list of lines, each with the number 1.
func (k *kitchen) listed(name string) map[string]int {
	text, err := os.ReadFile(filepath.Join(k.data, name))
	if err != nil {
		k.t.Fatal(err)
	}
	list := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			list[line] = 1
		}
	}
	return list
}

// homeOf returns the name of the home that a line means.
func homeOf(e exampleLine) string {
	for _, h := range []struct{ home, words string }{
		{"othello", `--game othello|logistello|edges/|onjunctions|tables\.md|othello\.md|value backward_value`},
		{"checkers", `--game checkers|[Tt]insley|evolve|identify|draughts\.md`},
	} {
		if regexp.MustCompile(h.words).MatchString(e.where + " " + e.line) {
			return h.home
		}
	}
	return "chess"
}

// box returns the directory of a line: a copy of its home, one for each part of a page. What the home has in
// pages/PAGE takes the place of what it has by the same names.
func (k *kitchen) box(e exampleLine) string {
	home, page := homeOf(e), strings.TrimSuffix(filepath.Base(e.where), ".md")
	if command, is := strings.CutPrefix(e.where, "kifu help kifu "); is {
		page = strings.ReplaceAll(command, " ", "-")
	}
	at := fmt.Sprint(home, " ", e.where, " ", e.part)
	if k.boxes[at] != "" {
		return k.boxes[at]
	}
	if k.homes[home] == "" {
		k.homes[home] = k.home(home)
	}
	box := filepath.Join(k.t.TempDir(), page)
	k.boxes[at] = box
	if err := os.Mkdir(box, 0o777); err != nil {
		k.t.Fatal(err)
	}
	for _, from := range []string{k.homes[home], filepath.Join(k.homes[home], "pages", page)} {
		entries, err := os.ReadDir(from)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			k.t.Fatal(err)
		}
		for _, entry := range entries {
			to := filepath.Join(box, entry.Name())
			if err := errors.Join(os.RemoveAll(to), copyTree(filepath.Join(from, entry.Name()), to)); err != nil {
				k.t.Fatal(err)
			}
		}
	}
	return box
}

// home makes the directory of a name: the files of its archive, then what its lines make.
func (k *kitchen) home(name string) string {
	archive, err := txtar.ParseFile(filepath.Join(k.data, name+".txtar"))
	if err != nil {
		k.t.Fatal(err)
	}
	dir := k.t.TempDir()
	for _, f := range archive.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			k.t.Fatal(err)
		}
	}
	for line := range strings.Lines(string(archive.Comment)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if words := strings.Fields(line); words[0] == "dress" {
			k.dress(filepath.Join(dir, words[1]), filepath.Join(dir, words[2]))
		} else if said, err := k.run(dir, line); err != nil {
			k.t.Fatalf("%s.txtar: %s: %v\n%s", name, line, err, said)
		}
	}
	return dir
}

var (
	sanMove   = regexp.MustCompile(`\b[NBRQKOa-h][-\w=+#]+`)
	pgnResult = regexp.MustCompile(`(1-0|0-1|1/2-1/2)\s*$`)
)

// dress gives the games of a PGN file the players, dates and ratings that examples name, and a
// value and a clock to each move, which tell the winner better and better.
func (k *kitchen) dress(from, to string) {
	text, err := os.ReadFile(from)
	if err != nil {
		k.t.Fatal(err)
	}
	players := []string{"Tal, Mikhail", "Carlsen, Magnus", "EricRosen", "Rosen, Eric", "Kortchnoi, Viktor"}
	lead := map[string]float64{"1-0": 1, "0-1": -1, "1/2-1/2": 0}
	var out strings.Builder
	for i, game := range strings.Split(string(text), "\n\n[Event ") {
		_, moves, _ := strings.Cut(game, "\n\n")
		result := pgnResult.FindString(moves)
		side := []string{players[i%5], players[(i+1+i/5%4)%5]}
		elo := 1500 + 10*(i%20) + 1000*(i%2)
		fmt.Fprintf(&out, "[Event \"Cup %d\"]\n[Date \"%d.01.02\"]\n[White \"%s\"]\n[Black \"%s\"]\n[Result \"%s\"]\n", i/10, 2010+i%10, side[0], side[1], strings.TrimSpace(result))
		for s, tag := range []string{"WhiteElo", "BlackElo"} {
			if side[s] == "Carlsen, Magnus" {
				elo += 350
			}
			fmt.Fprintf(&out, "[%s \"%d\"]\n", tag, elo)
		}
		ply := 0
		fmt.Fprintf(&out, "\n%s\n\n", sanMove.ReplaceAllStringFunc(moves, func(m string) string {
			ply++
			value := lead[strings.TrimSpace(result)]*float64(ply)/60 + float64((i*7+ply*5)%13-6)/4
			return fmt.Sprintf("%s {[%%eval %.2f] [%%clk 0:%02d:00]}", m, value, 59-ply/6)
		}))
	}
	if err := os.WriteFile(to, []byte(out.String()), 0o666); err != nil {
		k.t.Fatal(err)
	}
}

// copyTree makes to a copy of from by hard links: nothing changes a file in its place.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		return os.Link(path, filepath.Join(to, rel))
	})
}

var (
	forShell = regexp.MustCompile(`[|$<>*~;&]`) // what a shell has to read
	outOf    = regexp.MustCompile(`--out\s+([^\s~-]\S*)`)
	goesOn   = regexp.MustCompile(`--(append|finish|print|dry-run|check)\b`)
)

// run runs a line in dir as a person would, and returns what it says. What an earlier line
// made under the name of its output goes away first.
func (k *kitchen) run(dir, line string) (string, error) {
	k.t.Helper()
	k.t.Chdir(dir)
	if m := outOf.FindStringSubmatch(line); m != nil && !goesOn.MatchString(line) {
		for _, name := range []string{m[1], m[1] + "-labels", m[1] + "-backward"} {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				k.t.Fatal(err)
			}
		}
	}
	words, err := splitWords(line)
	if err != nil || words[0] != "kifu" || forShell.MatchString(unquoted(line)) {
		ctx, cancel := context.WithTimeout(k.t.Context(), 2*time.Minute)
		defer cancel()
		out, err := exec.CommandContext(ctx, "sh", "-c", line).CombinedOutput()
		return string(out), err
	}
	limit := 2 * time.Minute
	if os.Getenv("KIFU_LONG") != "" {
		limit = time.Hour
	}
	ctx, interrupt := context.WithTimeout(k.t.Context(), limit)
	defer interrupt()
	screen := &visitor{interrupt: interrupt, visited: make(chan error, 1)}
	a := newEnv(bytes.NewReader(nil), screen, screen)
	code := a.Run(ctx, append(slices.Clone(words[1:]), "--progress", "none"))
	switch {
	case screen.found:
		return "", <-screen.visited
	case code != command.OK:
		return screen.String(), fmt.Errorf("exit %d", code)
	}
	return screen.String(), nil
}
