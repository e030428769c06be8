package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/cmd/kifu/command"
)

// TestLabelSyzygy: positions of few men get the result that theory knows, by the tables of three
// and four men that KIFU_SYZYGY names.
func TestLabelSyzygy(t *testing.T) {
	dirs := os.Getenv("KIFU_SYZYGY")
	if dirs == "" {
		t.Skip("KIFU_SYZYGY names no directories with tables")
	}
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	want := []struct{ fen, value string }{
		{"8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "1"},
		{"8/8/8/4k3/8/8/8/KQ6 b - - 0 1", "1"},
		{"8/8/8/4K3/8/8/8/kr6 w - - 0 1", "-1"},
		{"8/8/8/8/8/1k6/1Q6/7K b - - 0 1", "0"},
		{"8/8/8/4k3/8/8/8/KB6 w - - 0 1", "0"},
		{"k7/8/K7/P7/8/8/8/8 w - - 0 1", "0"},
		{"8/8/8/8/k7/8/6P1/6K1 w - - 0 1", "1"},
		{"8/8/8/8/8/8/8/4K2k w - - 0 1", "0"},
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", ""},
		{start, ""},
	}
	var list strings.Builder
	for _, w := range want {
		list.WriteString(w.fen + "; 1/2-1/2\n")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "list.epd"), []byte(list.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	do := func(line ...string) string {
		t.Helper()
		code, said := inDir(context.Background(), dir, line...)
		if code != command.OK {
			t.Fatalf("%v: exit %d\n%s", line, code, said)
		}
		return said
	}
	do("ingest", "--out", "p", "list.epd")
	do("label", "--out", "l", "--syzygy", dirs, "p")
	lines := strings.Split(do("query", "--format", "csv", "select fen(board) as fen, solve_value from l", "l=l"), "\n")[1:]
	for i, w := range want {
		fields := strings.Fields(w.fen)
		at, value, _ := strings.Cut(lines[i], ",")
		if !strings.HasPrefix(at, strings.Join(fields[:3], " ")) || value != w.value {
			t.Errorf("%s: %q, want %s", w.fen, lines[i], w.value)
		}
	}
	if code, said := inDir(context.Background(), dir, "label", "--out", "x", "--syzygy", dirs, "--solve", "2", "p"); code == command.OK || !strings.Contains(said, "leave one out") {
		t.Errorf("--syzygy with --solve: exit %d\n%s", code, said)
	}
}
