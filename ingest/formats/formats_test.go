package formats

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/ingest/record"
)

// begins makes a format that is recognised by its beginning.
func begins(name, with string, extensions ...string) *record.Format {
	return &record.Format{Name: name, Extensions: extensions, Recognize: func(head []byte) bool { return bytes.HasPrefix(head, []byte(with)) }}
}

// set has a format that its beginning identifies, one that its name does, and one of positions.
var set = Set{
	begins("square", "[", ".sq"),
	{Name: "plain", Extensions: []string{".txt", ".pl"}},
	{Name: "list", Extensions: []string{".epd"}, Holds: record.Positions},
	{Name: "both", Extensions: []string{".bin"}, Holds: record.Stretches},
}

// TestFind: the beginning counts more than the name, and the name more than the order.
func TestFind(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"a.txt", "[Event]", "square"},
		{"a.sq", "1. e4", "square"},
		{"a.epd", "8/8", "list"},
		{"a.EPD.gz", "8/8", "list"},
		{"a.bin", "", "both"},
		{"a", "1. e4", "plain"},
		{"-", "", "plain"},
	} {
		if got := set.Find(c.name, []byte(c.head)).Name; got != c.want {
			t.Errorf("%s that begins with %q is %s, want %s", c.name, c.head, got, c.want)
		}
	}
	only := Set{begins("square", "[", ".sq")}
	if got := only.Find("a.txt", []byte("1. e4")); got != only[0] {
		t.Errorf("of one format %s is found", got.Name)
	}
}

// TestRecognises: a name, a beginning or the only format decides; nothing else does.
func TestRecognises(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       bool
	}{{"a.txt", "", true}, {"a", "[Event]", true}, {"a", "1. e4", false}, {"a.zip", "", false}} {
		if got := set.Recognises(c.name, []byte(c.head)); got != c.want {
			t.Errorf("%s that begins with %q: %v", c.name, c.head, got)
		}
	}
	if !set[:1].Recognises("a", nil) {
		t.Error("one format is not sure")
	}
}

// TestTakes: files in directories are taken by their names alone, and macOS's own are not.
func TestTakes(t *testing.T) {
	for name, want := range map[string]bool{
		"a.txt": true, "dir/a.pl": true, "a.txt.zst": true, "A.TXT": true, "a.md": false, "txt": false, "._a.txt": false, "dir/._a.txt": false, "._dir/a.txt": true,
	} {
		if got := set.Takes(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := strings.Join(set.Extensions(), " "); got != ".sq .txt .pl .epd .bin" {
		t.Errorf("extensions %s", got)
	}
}

// TestHolding: formats of games, of positions, and of both.
func TestHolding(t *testing.T) {
	names := func(some Set) string {
		var all []string
		for _, f := range some {
			all = append(all, f.Name)
		}
		return strings.Join(all, " ")
	}
	if games, positions := names(set.Holding(false)), names(set.Holding(true)); games != "square plain both" || positions != "list both" {
		t.Errorf("games %s, positions %s", games, positions)
	}
	if !set.Has("list") || set.Has("lists") {
		t.Error("names of formats")
	}
}

// TestWithTables: a format with files of names reads by the first of each kind; the others stay, and so does the set.
func TestWithTables(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	named := &record.Format{Name: "numbers", TableExtensions: []string{".players", ".events"}, WithTables: func(tables map[string]io.Reader) (*record.Format, error) {
		text := ""
		for _, ext := range slices.Sorted(maps.Keys(tables)) {
			of, err := io.ReadAll(tables[ext])
			if err != nil {
				return nil, err
			}
			text += ext + "=" + string(of)
		}
		if strings.Contains(text, "bad") {
			return nil, errors.New("not names")
		}
		return &record.Format{Name: "numbers", Charset: text}, nil
	}}
	all := Set{named, set[0]}
	paths := []string{put("a.txt", "-"), put("a.players", "Ann "), put("b.players", "Bob "), put("a.events", "Cup")}
	with, err := all.WithTables(paths)
	if err != nil || with[0].Charset != ".events=Cup.players=Ann " || with[1] != set[0] {
		t.Errorf("with tables: %+v, %v", with, err)
	}
	if all[0] != named {
		t.Error("the set has changed")
	}
	if !all.IsTable(paths[1]) || all.IsTable(paths[0]) {
		t.Error("which files are tables")
	}
	if with, err := all.WithTables(paths[:1]); err != nil || with[0] != named {
		t.Errorf("without tables: %v", err)
	}
	if _, err := all.WithTables([]string{put("c.players", "bad")}); err == nil || !strings.Contains(err.Error(), "c.players: not names") {
		t.Errorf("a damaged table: %v", err)
	}
	if _, err := all.WithTables([]string{filepath.Join(dir, "none.events")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a table that is not there: %v", err)
	}
}
