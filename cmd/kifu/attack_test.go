package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/cmd/kifu/command"
)

// endless reads as the same text again and again, so many bytes of it.
func endless(text string, size int64) io.Reader {
	return io.LimitReader(&repeated{text: text}, size)
}

type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], r.text[r.at:])
		r.at = (r.at + k) % len(r.text)
		n += k
	}
	return n, nil
}

// TestAttack streams games with a line, a comment, a tag and a tree of 10 MB between good
// ones, which are kept, and the hostile one is counted. It is the short form of
// bench/attack.sh, which measures memory, too.
func TestAttack(t *testing.T) {
	const size = 10 << 20
	for _, f := range []struct{ game, good, tag, tagEnd, open, shut, comment, end, tree string }{
		{"chess", "[Event \"g\"]\n[White \"a\"]\n\n1. e4 e5 1-0\n\n", "[Event \"b\"]\n[White \"", "\"]\n\n1. e4 1-0\n\n", "[Event \"b\"]\n\n1. e4 ", " e5 1-0\n\n", "{", "}", "(1. d4 "},
		{"checkers", "[White \"a\"]\n[GameType \"21\"]\n\n1. 11-15 23-19 1-0\n\n", "[White \"", "\"]\n\n1. 11-15 1-0\n\n", "[White \"b\"]\n\n1. 11-15 ", " 23-19 1-0\n\n", "{", "}", "(1. 10-15 "},
		{"go", "(;GM[1]FF[4]SZ[19]PB[a]RE[B+R];B[pd];W[dp])\n", "(;GM[1]FF[4]SZ[19]PB[", "];B[pd])\n", "(;GM[1]FF[4]SZ[19];B[pd]", ";W[dp])\n", "C[", "]", "(;W[dd];B[qf]"},
		{"shogi", "V2.2\nN+a\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n/\n", "V2.2\nN+", "\nPI\n+\n+7776FU\n%TORYO\n/\n", "V2.2\nPI\n+\n+7776FU\n", "\n-3334FU\n%TORYO\n/\n", "'*", "", "'x\n"},
	} {
		for kind, hostile := range map[string]io.Reader{
			"line":    io.MultiReader(strings.NewReader(f.open), endless(" ", size), strings.NewReader(f.shut)),
			"comment": io.MultiReader(strings.NewReader(f.open+f.comment), endless("x", size), strings.NewReader(f.end+f.shut)),
			"tag":     io.MultiReader(strings.NewReader(f.tag), endless("x", size), strings.NewReader(f.tagEnd)),
			"tree":    io.MultiReader(strings.NewReader(f.open), endless(f.tree, size), strings.NewReader(f.shut)),
		} {
			var stdout, stderr bytes.Buffer
			a := inFolder(t.TempDir(), io.MultiReader(strings.NewReader(f.good), hostile, strings.NewReader(f.good)), &stdout, &stderr)
			code := a.Run(context.Background(), []string{"ingest", "--progress", "none", "--out", "d", "--game", f.game, "-"})
			if code != command.OK || !strings.Contains(stdout.String(), "wrote 2 games") || !strings.Contains(stdout.String(), "longer than 8 MiB 1") {
				t.Errorf("%s, a %s: exit %d\n%s%s", f.game, kind, code, stdout.String(), stderr.String())
			}
		}
	}
}

// TestHostileNames: what stands in names comes to no terminal as an order, whatever the
// command prints, and neither does the name of a file.
func TestHostileNames(t *testing.T) {
	dir := t.TempDir()
	name := "\x1b[2J\u009b2J\u202elive\x07"
	var games strings.Builder
	for range 12 {
		games.WriteString("[Event \"" + name + "\"]\n[White \"" + name + "\"]\n[Black \"=1+1\"]\n[Result \"1-0\"]\n[Odd \"" + name + "\"]\n\n1. e4 {" + name + "} e5 1-0\n\n")
	}
	games.WriteString("[White \"x\"]\n\n1. " + name + "e4 1-0\n")
	file := "\x1b[2J.pgn"
	if err := os.WriteFile(filepath.Join(dir, file), []byte(games.String()), 0o666); err != nil {
		t.Skip("this system has no such names:", err)
	}
	for _, args := range [][]string{
		{"ingest", "-v", "--out", "games", file}, {"ingest", "--count", file}, {"names", "games"},
		{"query", "select * from g", "g=games"}, {"query", "--format", "markdown", "select * from g", "g=games"},
		{"query", "--format", "latex", "select * from g", "g=games"}, {"query", "select 1", "g=" + file}, {"check", file},
		{"report", "database", "--out", "report", "games"},
	} {
		var stdout, stderr bytes.Buffer
		a := inFolder(dir, strings.NewReader(""), &stdout, &stderr)
		a.Run(context.Background(), append([]string{"--progress", "none"}, args...))
		for _, bad := range []string{"\x1b", "\u009b", "\x07", "\u202e"} {
			if strings.Contains(stdout.String()+stderr.String(), bad) {
				t.Errorf("%q prints %q", args, bad)
			}
		}
	}
}
