package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/kit/datasettest"
	"kifu/kit/slow"
	"kifu/schemas"
)

// terminal returns a terminal, and what reads all that is printed there when it is closed.
func terminal(t *testing.T) (to *os.File, printed func() string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals:", err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		to, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skip("no terminals:", err)
	}
	text := make(chan string)
	go func() {
		var all bytes.Buffer
		_, _ = io.Copy(&all, master) // it ends with an error when the terminal is closed
		text <- all.String()
	}()
	return to, func() string {
		to.Close()
		defer master.Close()
		return <-text
	}
}

// hostileText steers a terminal by each kind of sign.
const hostileText = "\x1b[2J\u009b2J\u202elive\x07\x1b]0;t\x07\r"

// poison copies a dataset with hostileText in a column of texts.
func poison(t *testing.T, from, to, column string) {
	t.Helper()
	in := datasettest.Open(t, from)
	fill := func(in, out *columns.Batch) (c manifest.Counts, err error) {
		for i := range out.Cols {
			v := &out.Cols[i]
			for row := range in.Rows {
				switch {
				case v.Column.Name != column:
					v.AppendFrom(&in.Cols[i], row)
				case v.Column.Type == schemas.StringMap:
					v.AppendPair([]byte(hostileText), []byte(hostileText))
					v.EndMap()
				default:
					v.AppendString(hostileText)
				}
			}
		}
		out.Rows = in.Rows
		return c, nil
	}
	_, _, err := datasets.Build(t.Context(), to, datasets.Step{Stage: in.Manifest.Stage, Output: in.Table.ID(), Params: column, Inputs: []string{from},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(in[0].Table)
			return datasets.Map(ctx, in[0], out, datasets.MapOptions{}, func() datasets.MapFunc { return fill })
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
}

// TestNothingSteersTheTerminal runs the commands that print on a terminal, over datasets that
// have orders for it in each of their columns of texts in turn, and among them no writer that
// goes past the outlet. What is no terminal gets data as they are.
func TestNothingSteersTheTerminal(t *testing.T) {
	slow.Test(t, "some three hundred commands")
	dir := t.TempDir()
	play := func(to io.Writer, args ...string) int {
		a := inFolder(dir, strings.NewReader(""), to, to)
		return a.Run(context.Background(), append([]string{"--progress", "none"}, args...))
	}
	var records strings.Builder
	for range 3 {
		records.WriteString("[Event \"e\"]\n[Site \"s\"]\n[Date \"2001.02.03\"]\n[White \"w\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[Odd \"o\"]\n\n1. e4 {c} e5 1-0\n\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "g.pgn"), []byte(records.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"ingest", "--out", "games", "g.pgn"}, {"transform", "--out", "positions", "games"}, {"label", "--out", "labels", "positions"}} {
		if code := play(io.Discard, args...); code != command.OK {
			t.Fatal(args, code)
		}
	}
	lines := map[string][][]string{
		"games": {{"find", "D"}, {"find", "--moves", "e4", "D"}, {"export", "--out", "-", "D"}, {"export", "--out", "-", "--format", "pgn", "--all-tags", "D"}, {"show", "D"}, {"show", "D", "0:1"}, {"show", "D", "0"}, {"names", "D"}, {"names", "--players", "D"},
			{"names", "--players", "--format", "csv", "D"}, {"query", "select * from g", "g=D"}, {"query", "--format", "csv", "select * from g", "g=D"}, {"query", "--format", "json", "select * from g", "g=D"},
			{"query", "--format", "markdown", "select * from g", "g=D"}, {"player", "w", "D"}, {"check", "D"}, {"report", "database", "--out", "R", "D"}, {"transform", "--out", "T", "D"}, {"duplicates", "--out", "U", "D"}},
		"positions": {{"show", "D"}, {"show", "D", "0:1"}, {"export", "--out", "-", "D"}, {"query", "select * from g", "g=D"}, {"find", "D"}},
		"labels":    {{"show", "D"}, {"show", "D", "0:1"}, {"export", "--out", "-", "D"}, {"query", "select * from g", "g=D"}, {"report", "curve", "--out", "R", "D"}},
	}
	commands := 0
	for from, lines := range lines {
		in := datasettest.Open(t, filepath.Join(dir, from))
		for i, c := range in.Table.Columns {
			if c.Type != schemas.String && c.Type != schemas.StringMap || c.Domain.Words != "" {
				continue
			}
			d := fmt.Sprintf("%s-%d", from, i)
			poison(t, filepath.Join(dir, from), filepath.Join(dir, d), c.Name)
			to, printed := terminal(t)
			for n, line := range lines {
				line = slices.Clone(line)
				for j, word := range line {
					if word == "D" {
						line[j] = d
					} else if len(word) == 1 && line[j-1] == "--out" && word != "-" {
						line[j] = fmt.Sprintf("%s-%s%d", d, word, n)
					}
				}
				fmt.Fprintf(to, "$ %q\n", line)
				play(to, line...)
				commands++
			}
			text := strings.ReplaceAll(printed(), "\r\n", "\n")
			for _, bad := range []string{"\x1b", "\u009b", "\x07", "\u202e", "\r"} {
				if before, _, found := strings.Cut(text, bad); found {
					t.Errorf("%s: %q is printed by %s", c.Name, bad, before[max(0, strings.LastIndex(before, "$ [")):])
				}
			}
		}
	}
	t.Logf("%d commands", commands)
	var data bytes.Buffer
	if play(&data, "query", "--format", "csv", "select chr(27)||'x' as x from g limit 1", "g=games"); data.String() != "x\n\x1bx\n" {
		t.Errorf("data for programs: %q", data.String())
	}
}
