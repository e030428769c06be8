package ingest

import (
	"bytes"
	"compress/gzip"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

func zst(t *testing.T, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

func gz(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func utf16LE(data []byte) []byte {
	out := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(string(data))) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

func swapped(data []byte) []byte {
	for i := 0; i < len(data); i += 2 {
		data[i], data[i+1] = data[i+1], data[i]
	}
	return data
}

func xzip(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCompressed(t *testing.T) {
	text := many(100)
	half := len(text) / 2
	plain := t.TempDir()
	mustBuild(t, plain, Options{Inputs: []string{write(t, filepath.Join(t.TempDir(), "x.pgn"), text)}}, 3000, 50)
	want := strings.Join(rowsOf(t, plain), "\n")
	for name, data := range map[string][]byte{
		"one zstd frame":     zst(t, text),
		"zstd frames":        append(zst(t, text[:half]), zst(t, text[half:])...),
		"gzip members":       append(gz(t, text[:half]), gz(t, text[half:])...),
		"UTF-16":             utf16LE(text),
		"UTF-16, no mark":    utf16LE(text)[2:],
		"big-endian UTF-16":  swapped(utf16LE(text)),
		"the same, no mark":  swapped(utf16LE(text))[2:],
		"xz":                 xzip(t, text),
		"xz streams":         append(xzip(t, text[:half]), xzip(t, text[half:])...),
		"UTF-16 under gzip":  gz(t, utf16LE(text)),
		"UTF-8 with a mark":  append([]byte("\xEF\xBB\xBF"), text...),
		"CR LF, then zstd":   zst(t, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))),
		"a skippable frame":  append([]byte("\x50\x2A\x4D\x18\x02\x00\x00\x00ab"), zst(t, text)...),
		"nothing, then zstd": append(zst(t, nil), zst(t, text)...),
	} {
		dir := t.TempDir()
		m := mustBuild(t, dir, Options{Inputs: []string{write(t, filepath.Join(t.TempDir(), "x.pgn"), data)}}, 3000, 50)
		got := strings.Join(rowsOf(t, dir), "\n")
		if strings.Contains(name, "CR LF") || strings.Contains(name, "mark") { // offsets move
			if m.Counts.Written != 100 || m.Counts.Read != 120 {
				t.Errorf("%s: %+v", name, m.Counts)
			}
		} else if got != want {
			t.Errorf("%s: other games than in the plain file", name)
		}
	}
}

// The standard library has no writer of bzip2: the file is two runs of the command.
func TestBzip2(t *testing.T) {
	dir := t.TempDir()
	mustBuild(t, dir, Options{Inputs: []string{"testdata/two-streams.pgn.bz2"}}, 0, 0)
	if got := rowsOf(t, dir); len(got) != 2 {
		t.Errorf("%d games, want 2", len(got))
	}
}

func TestCutCompressed(t *testing.T) {
	text := many(2000)
	half := len(text) / 2
	for name, data := range map[string][]byte{"zstd": zst(t, text), "gzip": gz(t, text), "xz": append(xzip(t, text[:half]), xzip(t, text[half:])...)} {
		var warn bytes.Buffer
		src := t.TempDir()
		in := []string{write(t, filepath.Join(src, "cut.pgn"), data[:len(data)*2/3]), write(t, filepath.Join(src, "whole.pgn"), many(10))}
		dir := t.TempDir()
		m := mustBuild(t, dir, Options{Inputs: in, Warn: &warn}, 3000, 0)
		if m.Counts.Noted["archive cut short or damaged"] != 1 || !strings.HasPrefix(warn.String(), "cut.pgn: ") {
			t.Errorf("%s: %+v, %q", name, m.Counts, warn.String())
		}
		got, want := m.Counts.Written, int64(10)
		if got <= want || got >= 2010 || m.Counts.Rejected["cut off in the middle"] > 1 {
			t.Errorf("%s: wrote %d games, rejected %v", name, got, m.Counts.Rejected)
		}
	}
}
