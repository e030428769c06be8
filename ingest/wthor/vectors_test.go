package wthor

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kifu/ingest/record"
)

// The flag of the golden files serves the vectors, too.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// TestVectors reads the files of testdata/vectors: one fault each. A file is a line
// about it, an "expect:" line for each game or fault, a line of dashes, and bytes in
// hexadecimal: 00*52 is 52 zeros, and the rest of a line behind # is a remark.
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
			head, body, found := strings.Cut(string(file), "\n-----\n")
			if !found {
				t.Fatal("no line of dashes")
			}
			about, expected, _ := strings.Cut(head, "\n")
			data := unhex(t, body)
			o := Options{Names: testNames(t)}
			got, err := readAll(NewReader(bytes.NewReader(data), o))
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, line := range got {
				text += "\nexpect: " + line
			}
			if updating() {
				if err := os.WriteFile(path, []byte(about+text+"\n-----\n"+body), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if strings.TrimPrefix(text, "\n") != expected {
				t.Errorf("%s\ngot%s\nwant\n%s", about, text, expected)
			}
			for size := 1; size <= 4*gameSize; size += gameSize / 2 {
				if split, err := readSplit(data, size, o); err != nil || strings.Join(split, "\n") != strings.Join(got, "\n") {
					t.Fatalf("in blocks of %d bytes\n%s\nat once\n%s\n%v", size, strings.Join(split, "\n"), strings.Join(got, "\n"), err)
				}
			}
		})
	}
}

func unhex(t testing.TB, body string) (data []byte) {
	for _, line := range strings.Split(body, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, token := range strings.Fields(line) {
			digits, times, many := strings.Cut(token, "*")
			n := 1
			b, err := hex.DecodeString(digits)
			if many && err == nil {
				n, err = strconv.Atoi(times)
			}
			if err != nil {
				t.Fatalf("%q: %v", token, err)
			}
			data = append(data, bytes.Repeat(b, n)...)
		}
	}
	return data
}

// FuzzReader: whatever the bytes, games lie in the stream in their order, each in bytes
// of its own, and do not depend on where the stream is cut.
func FuzzReader(f *testing.F) {
	files, err := filepath.Glob("testdata/vectors/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		file, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		_, body, _ := strings.Cut(string(file), "\n-----\n")
		f.Add(unhex(f, body), uint16(70))
	}
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		r := NewReader(bytes.NewReader(data), Options{})
		var g record.Game
		next, number := int64(HeaderSize), 1
		for {
			err := r.Read(&g)
			if err == io.EOF {
				break
			}
			var fault *record.SyntaxError
			if errors.As(err, &fault) {
				if fault.Offset < 0 || fault.Offset > int64(len(data)) || fault.Line < 1 {
					t.Fatalf("%+v in %d bytes", fault, len(data))
				}
				if g.Line == 0 {
					continue // of the file, not of a game
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if g.Offset != next || g.Line != number || g.Offset+gameSize > int64(len(data)) || len(g.Moves) > 60 {
				t.Fatalf("game %s, want it at %d:%d of %d bytes", describe(&g), next, number, len(data))
			}
			next += gameSize
			number++
		}
		want, err := readAll(NewReader(bytes.NewReader(data), Options{}))
		if err != nil {
			t.Fatal(err)
		}
		got, err := readSplit(data, 1+int(size), Options{})
		if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("in blocks of %d bytes\n%s\nat once\n%s\n%v", size, strings.Join(got, "\n"), strings.Join(want, "\n"), err)
		}
	})
}
