package recordtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kifu/kit/golden"
)

// Vectors reads the files of testdata/vectors. A file is a line about it, an "expect:"
// line for each game or fault (-update writes them again), a line of dashes, and what
// decode turns into the bytes to be read.
type Vectors struct {
	Text   bool // the bytes are words and lines
	Decode func(t testing.TB, body []byte) []byte
	// All reads data at once, Split in blocks of about size bytes: equal lines.
	All   func(data []byte) ([]string, error)
	Split func(data []byte, size int) ([]string, error)
}

// Run tests a file each.
func (v Vectors) Run(t *testing.T) {
	Each(t, func(path string, head, body []byte) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			v.one(t, path, head, body)
		})
	})
}

func (v Vectors) one(t *testing.T, path string, head, body []byte) {
	data := v.Decode(t, body)
	got, err := v.All(data)
	if err != nil {
		t.Fatal(err)
	}
	about, expected, _ := strings.Cut(string(head), "\n")
	text := ""
	for _, line := range got {
		text += "\nexpect: " + line
	}
	if golden.Updating() {
		if err := os.WriteFile(path, []byte(about+text+dashes+string(body)), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if strings.TrimPrefix(text, "\n") != expected {
		t.Errorf("%s\ngot%s\nwant\n%s", about, text, expected)
	}
	v.SameInBlocks(t, data, got)
	if v.Text && bytes.IndexByte(data, 0) < 0 { // nor UTF-16
		v.withoutLineEnd(t, data)
	}
}

// withoutLineEnd fails t unless a file that ends with one of data's words reads as it
// does with a line end.
func (v Vectors) withoutLineEnd(t *testing.T, data []byte) {
	t.Helper()
	for i := 1; i < len(data); i++ {
		if data[i] != ' ' && data[i] != '\n' || data[i-1] == ' ' || data[i-1] == '\n' || data[i-1] == '\r' {
			continue
		}
		bare, err := v.All(data[:i:i])
		ended, also := v.All(append(data[:i:i], '\n'))
		if (err == nil) != (also == nil) || strings.Join(bare, "\n") != strings.Join(ended, "\n") {
			t.Errorf("%q\nwithout a line end\n%s\n%v\nwith one\n%s\n%v", data[:i], strings.Join(bare, "\n"), err, strings.Join(ended, "\n"), also)
		}
	}
}

// SameInBlocks fails t unless data gives the lines of want in blocks of any size.
func (v Vectors) SameInBlocks(t *testing.T, data []byte, want []string) {
	t.Helper()
	for size := 1; size <= len(data); size += 1 + size/4 {
		v.Same(t, data, size, want)
	}
}

// Same fails t unless data gives the lines of want in blocks of about size bytes.
func (v Vectors) Same(t *testing.T, data []byte, size int, want []string) {
	t.Helper()
	got, err := v.Split(data, size)
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("in blocks of %d bytes\n%s\nat once\n%s\n%v", size, strings.Join(got, "\n"), strings.Join(want, "\n"), err)
	}
}

// Seed gives the bytes of every vector to add.
func (v Vectors) Seed(t testing.TB, add func(data []byte)) {
	Each(t, func(_ string, _, body []byte) { add(v.Decode(t, body)) })
}

const dashes = "\n-----\n"

// Each calls f with the two parts of every vector.
func Each(t testing.TB, f func(path string, head, body []byte)) {
	files, err := filepath.Glob("testdata/vectors/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, path := range files {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		head, body, found := bytes.Cut(file, []byte(dashes))
		if !found {
			t.Fatalf("%s: no line of dashes", path)
		}
		f(path, head, body)
	}
}

// Unescape resolves \r, \n, \t, \xNN and \\ in a vector's text.
func Unescape(t testing.TB, body []byte) []byte {
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
