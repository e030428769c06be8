package study

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGround: files are written below out alone, through no link, and over no file but those that
// were noted and are as they were noted.
func TestGround(t *testing.T) {
	home := t.TempDir()
	root := filepath.Join(home, "study")
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("precious", "mine")
	put("study/out/theirs.md", "mine")
	put("study/out/ours.md", "ours")
	put("study/out/edited.md", "ours")
	for link, to := range map[string]string{"out/up": home, "out/file.md": filepath.Join(home, "precious"), "out/none.md": filepath.Join(home, "new"), "link": home} {
		if err := os.Symlink(to, filepath.Join(root, filepath.FromSlash(link))); err != nil {
			t.Skip(err)
		}
	}
	g := Ground{Root: root, Out: filepath.Join(root, "out")}
	for _, name := range []string{"ours.md", "edited.md"} {
		sum := sha256.Sum256([]byte("ours"))
		if err := g.Wrote(filepath.Join(g.Out, name), hex.EncodeToString(sum[:])); err != nil {
			t.Fatal(err)
		}
	}
	put("study/out/edited.md", "edited")
	for name, want := range map[string]string{
		"new.md": "", "below/new.md": "", "ours.md": "",
		"theirs.md": "differs from what this study wrote", "edited.md": "differs from what this study wrote",
		"../precious": "only below the study's out", "../out2/x": "only below the study's out", ".": "only below the study's out", ".written": "only below the study's out",
		"up/precious": "symbolic link", "up/new": "symbolic link", "file.md": "symbolic link", "none.md": "symbolic link",
	} {
		for _, force := range []bool{false, true} {
			g.Force = force
			err := g.MayWrite(filepath.Join(g.Out, filepath.FromSlash(name)))
			want := want
			if force && strings.HasPrefix(want, "differs") {
				want = ""
			}
			if err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s, force %v: %v; want %q", name, force, err, want)
			}
		}
	}
	away := Ground{Root: root, Out: filepath.Join(root, "link", "out")}
	if err := away.MayWrite(filepath.Join(away.Out, "x")); err == nil {
		t.Error("out is behind a link")
	}
}

// TestOtherValues have outputs of their own, or are refused in those that are there.
func TestOtherValues(t *testing.T) {
	file := filepath.Join(t.TempDir(), "study.toml")
	begin := func(force bool, sets ...string) error {
		s, err := Parse(file, []byte("[set]\nx = [\"a\", \"b\"]\n[[step]]\nname = \"s\"\nrun = \"make\"\n"))
		for _, set := range append(sets, "out=out") {
			key, value, _ := strings.Cut(set, "=")
			err = errors.Join(err, s.SetValue(key, value))
		}
		s.Force = force
		return errors.Join(err, s.Begin())
	}
	if err := errors.Join(begin(false, "x=a"), begin(false, "x=a")); err != nil {
		t.Fatal(err)
	}
	if err := begin(false); err == nil || !strings.Contains(err.Error(), "holds results of --set x=a") {
		t.Error(err)
	}
	if err := begin(false, "x=a,c"); err == nil {
		t.Error("other values replace the first ones")
	}
	if err := errors.Join(begin(true), begin(false)); err != nil {
		t.Error(err)
	}
}

// TestOutIsInTheStudysFolder unless whoever runs the study names another.
func TestOutIsInTheStudysFolder(t *testing.T) {
	for _, c := range []struct{ out, key, value, dir string }{
		{"build", "", "", "build"}, {"a/../b", "", "", "a/../b"}, {"../home", "", "", ""}, {"/etc", "", "", ""}, {"s3://bucket/x", "", "", ""}, {"{x}", "", "", ""},
		{"build", "out", "../home", "../home"}, {"build", "out", "s3://b/x", "s3://b/x"}, {"build", "out", "/tmp/x", "/tmp/x"},
		{"{x}", "x", "/tmp", "/tmp"}, {"{x}/y", "x", "/tmp", "/tmp/y"}, {"{x}/../y", "x", "/tmp", ""}, {"../{x}", "x", "y", ""}, {"{y}/{x}", "x", "/tmp", ""},
		{"build", "x", "../games.pgn", "build-x=games.pgn"}, {"build-{y}", "y", "9", "build-9"},
	} {
		s, err := parse("dir/study.toml", []byte("out = \""+c.out+"\"\n[set]\nx = \"/root\"\ny = \"/etc\"\n[[step]]\nname = \"s\"\nrun = \"make\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if c.key != "" {
			if err := s.SetValue(c.key, c.value); err != nil {
				t.Fatal(err)
			}
		}
		if dir, err := s.Dir(); dir != c.dir || (err == nil) != (c.dir != "") {
			t.Errorf("out = %q, --set %s=%s: %q, %v; want %q", c.out, c.key, c.value, dir, err, c.dir)
		}
	}
}
