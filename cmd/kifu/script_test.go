package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/weakling"
	"kifu/kit/slow"
)

func TestMain(m *testing.M) {
	play := func() {
		if err := weakling.Run(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	testscript.Main(m, map[string]func(){"kifu": main, "weakling": play, "stockfish": play, "engine": play, "new": play, "old": play})
}

// TestScripts runs the program as a user would; one subject a file. Those that take seconds
// of processor time begin with "[!slow] skip".
func TestScripts(t *testing.T) {
	slowly := func(name string) (bool, error) {
		if name != "slow" {
			return false, fmt.Errorf("no condition is called %q", name)
		}
		return slow.Asked(), nil
	}
	collect := func(env *testscript.Env) error {
		env.Setenv("GOGC", os.Getenv("GOGC")) // as make test has it
		return nil
	}
	testscript.Run(t, testscript.Params{Dir: filepath.Join("testdata", "script"), RequireExplicitExec: true, RequireUniqueNames: true, Condition: slowly, Setup: collect})
}

// TestOddNames: a file is read whatever it is called, and the dataset can be asked; bytes
// that are no text do not come into a column of text. bench/faults.sh has more faults.
func TestOddNames(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"with space.pgn", "new\nline.pgn", "-dash.pgn", "bad\xff.pgn", "quote'.pgn", "[1]*.pgn"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("[White \"a\"]\n\n1. e4 1-0\n"), 0o666); err != nil {
			t.Skip("this system has no such names:", err)
		}
		out := fmt.Sprintf("out '%d", i)
		for _, args := range [][]string{
			{"ingest", "--out", out, "./" + name},
			{"check", out},
			{"query", "--format", "csv", "select length(source_file) > 0 as named from g", "g=" + out},
		} {
			var stdout, stderr bytes.Buffer
			a := inFolder(dir, strings.NewReader(""), &stdout, &stderr)
			if code := a.Run(context.Background(), append(args, "--progress", "none")); code != command.OK || args[0] == "query" && stdout.String() != "named\ntrue\n" {
				t.Errorf("%q: %s: exit %d\n%s%s", name, args[0], code, stdout.String(), stderr.String())
			}
		}
	}
}

// TestKilledRunsAreTakenUpAgain kills ingest, sort, transform and label at several moments
// and compares what a second run makes with what an undisturbed one makes.
func TestKilledRunsAreTakenUpAgain(t *testing.T) {
	slow.Test(t, "starts and kills processes")
	root := t.TempDir()
	kifu := filepath.Join(root, "kifu")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The test binary is the program when it is called by its name.
	if err := os.Symlink(self, kifu); err != nil {
		t.Fatal(err)
	}
	sample := filepath.Join(root, "sample.pgn.zst")
	if code := runMain(context.Background(), nil, new(bytes.Buffer), new(bytes.Buffer), []string{"datasets", "sample", "chess-masters", "--out", sample}); code != command.OK {
		t.Fatal("no sample")
	}
	in := sample
	for _, stage := range []string{"ingest", "sort", "transform", "label"} {
		whole := filepath.Join(root, stage)
		into := func(dir string) *exec.Cmd {
			args := []string{stage, "--out", dir, in}
			if stage == "transform" {
				args = append(args, "--sample", "0.2") // enough to be killed in the middle of label
			}
			return exec.Command(kifu, args...)
		}
		begun := time.Now()
		if out, err := into(whole).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", stage, err, out)
		}
		took := time.Since(begun)
		killed := 0
		for i := range 4 {
			dir := filepath.Join(root, stage, "..", stage+"-cut")
			cmd := into(dir)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(took * time.Duration(2*i+1) / 9)
			_ = cmd.Process.Kill() // it may have ended
			if err := cmd.Wait(); err != nil {
				killed++
			}
			if out, err := into(dir).CombinedOutput(); err != nil {
				t.Fatalf("%s after a kill: %v\n%s", stage, err, out)
			}
			if diff := differ(t, whole, dir); diff != "" {
				t.Errorf("%s killed after %d/9 of its time: %s differs", stage, 2*i+1, diff)
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
		if killed == 0 {
			t.Errorf("%s: no run was killed in time", stage)
		}
		in = whole
	}
}

// differ names a file that is not the same in both directories.
func differ(t *testing.T, a, b string) string {
	t.Helper()
	files := map[string]bool{}
	for _, dir := range []string{a, b} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				rel, _ := filepath.Rel(dir, path)
				files[rel] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range files {
		x, errx := os.ReadFile(filepath.Join(a, name))
		y, erry := os.ReadFile(filepath.Join(b, name))
		if errx != nil || erry != nil || !bytes.Equal(x, y) {
			return name
		}
	}
	return ""
}
