package sgf

import (
	"bytes"
	"flag"
	"kifu/ingest/record"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

var update = flag.Bool("update", false, "rewrite the expect: lines of the vectors")

// TestVectors reads the files of testdata/vectors: one fault or habit of writers each.
// A file is a line about it, an "expect:" line for each game or fault, a line of
// dashes, and the text to be read, in which \r, \x00 and the like stand for bytes. One
// that begins with a line "encoding: name" is put into that encoding first.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/vectors/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			head, body, found := bytes.Cut(file, []byte("\n-----\n"))
			if !found {
				t.Fatal("no line of dashes")
			}
			about, _, _ := bytes.Cut(head, []byte("\n"))
			var want []string
			for _, line := range strings.Split(string(head), "\n")[1:] {
				want = append(want, strings.TrimPrefix(line, "expect: "))
			}
			text := encoded(t, unescape(t, body))
			got, err := readAll(NewReader(bytes.NewReader(text), record.Options{}))
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				out := string(about)
				for _, line := range got {
					out += "\nexpect: " + line
				}
				if err := os.WriteFile(path, []byte(out+"\n-----\n"+string(body)), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s\ngot\n%s\nwant\n%s", about, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			for size := 1; size <= len(text); size += 1 + size/4 {
				split, err := readSplit(text, size)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Join(split, "\n") != strings.Join(got, "\n") {
					t.Fatalf("in blocks of %d bytes\n%s\nat once\n%s", size, strings.Join(split, "\n"), strings.Join(got, "\n"))
				}
			}
		})
	}
}

// unescape resolves \r, \n, \t, \xNN and \\ in a vector's text.
func unescape(t *testing.T, body []byte) []byte {
	var out []byte
	for s := string(body); s != ""; {
		if s[0] != '\\' || len(s) == 1 || strings.IndexByte(`rntx\`, s[1]) < 0 {
			out = append(out, s[0])
			s = s[1:]
			continue
		}
		r, multibyte, tail, err := strconv.UnquoteChar(s, 0)
		if err != nil || multibyte {
			t.Fatalf("escape in %.10q: %v", s, err)
		}
		out = append(out, byte(r))
		s = tail
	}
	return out
}

// encoded puts a text into the encoding that its first line names, if it does.
func encoded(t *testing.T, text []byte) []byte {
	rest, found := bytes.CutPrefix(text, []byte("encoding: "))
	if !found {
		return text
	}
	name, rest, _ := bytes.Cut(rest, []byte("\n"))
	var e encoding.Encoding
	switch string(name) {
	case "utf-16le":
		e = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf-16be":
		e = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	default:
		var err error
		if e, err = htmlindex.Get(string(name)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := e.NewEncoder().Bytes(rest)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
