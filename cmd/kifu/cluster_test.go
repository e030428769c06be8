package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/machines"
	"kifu/kit/slow"
	"kifu/study/cluster"
)

// inFolder returns the environment of a run whose paths count from dir, and which no file of defaults changes.
func inFolder(dir string, stdin io.Reader, stdout, stderr io.Writer) *command.Env {
	e := newEnv(stdin, stdout, stderr)
	e.Dir, e.Nested = dir, true
	return e
}

// inDir runs a command line in dir, and returns its code and all that it says.
func inDir(ctx context.Context, dir string, line ...string) (int, string) {
	var said bytes.Buffer
	a := inFolder(dir, strings.NewReader(""), &said, &said)
	code := a.Run(ctx, line)
	return code, said.String()
}

// TestCluster: what the workers of a cluster make of a study, and of commands alone, is
// byte for byte what one run makes; kifu cluster tells of it.
func TestCluster(t *testing.T) {
	slow.Test(t, "waits for leases")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, token := t.TempDir(), filepath.Join(t.TempDir(), "token")
	secret, err := machines.Token(token)
	if err != nil {
		t.Fatal(err)
	}
	c, url, stop, err := cluster.Here("127.0.0.1:0", t.TempDir(), secret, cluster.Options{Times: cluster.Usual})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	defer c.Close()
	at := []string{"--on", url, "--token-file", token}
	ctx := context.Background()
	must := func(line ...string) string {
		t.Helper()
		code, said := inDir(ctx, dir, line...)
		if code != command.OK {
			t.Fatalf("kifu %s: exit %d\n%s", strings.Join(line, " "), code, said)
		}
		return said
	}
	must("datasets", "sample", "--out", filepath.Join(dir, "m.pgn.zst"), "chess-masters")
	study := func(out string) string {
		path := filepath.Join(dir, out+".toml")
		text := `out = "` + out + `"
[[step]]
name = "games"
run = "ingest"
args = "m.pgn.zst"
part-games = 300
[[step]]
name = "positions"
run = "transform"
args = "{games}"
sample = 0.02
[[step]]
name = "distinct"
run = "transform"
args = "{games}"
sample = 0.02
dedup = true
[[step]]
name = "labels"
run = "label"
args = "{positions}"
[[step]]
name = "fit"
run = "fit"
args = "{labels}"
method = "mlm,ls"
free = "material"
[[step]]
name = "choices"
run = "label"
args = "{positions}"
choices = true
alternatives = 3
[[step]]
name = "chosen"
run = "fit"
args = "{choices}"
method = "choice"
free = "material"
weight = "game"
max-per-game = 2
holdout = 0.2
[[step]]
name = "evolved"
run = "evolve"
game = "tictactoe"
generations = 3
population = 6
`
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ended := make(chan string)
	go func() {
		_, said := inDir(ctx, t.TempDir(), append([]string{"worker", "--workers", "2"}, at...)...)
		ended <- said
	}()
	must("run", study("whole"))
	must(append([]string{"run", study("apart")}, at...)...)
	match := []string{"match", "--player", "random", "--player", "depth=1", "--games", "300", "--max-plies", "10", "--orders", "10", "--out"}
	table := must(append(match, "whole/match")...)
	if got := must(append(append(match, "apart/match"), at...)...); lastLines(got) != lastLines(table) {
		t.Errorf("the match says\n%s, want\n%s", got, table)
	}
	test := []string{"match", "--first", "depth=1", "--second", "random", "--games", "2000", "--max-plies", "40", "--sprt", "0:100", "--out"}
	table = must(append(test, "whole/test")...)
	if got := must(append(append(test, "apart/test"), at...)...); lastLines(got) != lastLines(table) || !strings.Contains(got, "accepted") {
		t.Errorf("the test says\n%s, want\n%s", got, table)
	}
	weights := []string{"fit", "whole/labels", "--method", "mlm,ls", "--free", "material", "--dependence", "games", "--out"}
	must(append(weights, "whole/fits")...)
	if said := must(append(append(weights, "apart/fits", "--on", url), at[2:]...)...); strings.Contains(said, "no worker answers") {
		t.Error(said)
	}
	status := must(append([]string{"cluster", "status"}, at...)...)
	for i := 0; i < 50 && !strings.Contains(status, ": 0 of 2 slots busy"); i++ { // a worker says what it does every few seconds
		time.Sleep(200 * time.Millisecond)
		status = must(append([]string{"cluster", "status"}, at...)...)
	}
	for _, want := range []string{"label apart/labels", "transform apart/positions", "match apart/match", "ended", "\n1 worker\n", ": 0 of 2 slots busy"} {
		if !strings.Contains(status, want) {
			t.Errorf("the status lacks %q:\n%s", want, status)
		}
	}
	if strings.Contains(status, "distinct") {
		t.Errorf("--dedup was divided:\n%s", status)
	}
	if said := must(append([]string{"cluster", "failed"}, at...)...); said != "nothing failed\n" {
		t.Errorf("failed: %s", said)
	}
	must(append([]string{"cluster", "drain"}, at...)...)
	if said := <-ended; !strings.Contains(said, "were read here") {
		t.Errorf("the worker has read nothing:\n%s", said)
	} else if !regexp.MustCompile(`kifu: 2 tasks at a time, from .*\n(.*\n)*kifu: [1-9][0-9]* tasks done, 0 failed, in `).MatchString(said) {
		t.Errorf("the worker does not sum up its work:\n%s", said)
	}
	for _, name := range []string{"games", "positions", "distinct", "labels", "fit/mlm", "fit/ls", "choices", "chosen", "fits/mlm", "fits/ls", "evolved", "match", "test"} {
		if diff := differ(t, filepath.Join(dir, "whole", name), filepath.Join(dir, "apart", name)); diff != "" {
			t.Errorf("%s: %s differs", name, diff)
		}
	}
}

// lastLines is what a command says but its summary, which has a time.
func lastLines(said string) string {
	_, rest, _ := strings.Cut(said, "\n")
	return rest
}

// TestPrintFailures: kifu cluster failed prints the parts that failed, and how many more.
func TestPrintFailures(t *testing.T) {
	failures := []cluster.Report{{Task: 0, Times: 3}, {Task: 1, Times: 3}}
	var said bytes.Buffer
	printFailures(&said, cluster.Status{Steps: []*cluster.StepStatus{{Step: cluster.Step{Name: "label labels"}, Failed: 12, Failures: failures}}})
	if lines := strings.Split(said.String(), "\n"); len(lines) != 4 || !strings.HasPrefix(lines[1], "label labels: part 2, 3 times") || lines[2] != "label labels: … and 10 more" {
		t.Errorf("it says %q", lines)
	}
}

// TestClusterRefuses: what cannot be meant is refused before anything is begun.
func TestClusterRefuses(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	study := filepath.Join(dir, "s.toml")
	if err := os.WriteFile(study, []byte("[[step]]\nname = \"a\"\nrun = \"version\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct{ want, line string }{
		{"open to other machines: add --token-file FILE", "run --on here:0.0.0.0:0 " + study},
		{"want here:HOST:PORT", "run --on here:4222 " + study},
		{"remove the dataset instead of using --force", "run --force --on here " + study},
		{"--replicas 2: want 1 or 3", "run --on here --replicas 2 " + study},
		{"--replicas is for --on", "run --replicas 3 " + study},
		{"want the URL of a server", "run --on head:4222 " + study},
		{"want the URL of a server", "worker --on here"},
		{"no servers available", "worker --idle-exit 100ms --on nats://127.0.0.1:9"},
		{"names another address", "run --on here:" + taken.Addr().String() + " " + study},
		{"no servers available", "run --on nats://127.0.0.1:9 " + study},
		{"--on URL is missing", "worker"},
		{"no servers available", "cluster status --on nats://127.0.0.1:9"},
	} {
		if code, said := inDir(context.Background(), dir, strings.Fields(c.line)...); code == command.OK || !strings.Contains(said, c.want) {
			t.Errorf("kifu %s: exit %d, %s; want %q", c.line, code, said, c.want)
		}
	}
}
