package wthor

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

// vectors: what is to be read stands in hexadecimal.
func vectors(names *Names) recordtest.Vectors {
	return recordtest.Vectors{
		Decode: unhex,
		All: func(data []byte) ([]string, error) {
			return recordtest.ReadAll(record.NewStream(format(names), bytes.NewReader(data), record.Options{}))
		},
		Split: func(data []byte, size int) ([]string, error) { return readSplit(data, size, names) },
	}
}

func TestVectors(t *testing.T) { vectors(testNames(t)).Run(t) }

// unhex reads bytes: 00*52 is 52 zeros, and the rest of a line after # is a remark.
func unhex(t testing.TB, body []byte) (data []byte) {
	for _, line := range strings.Split(string(body), "\n") {
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
	vectors(nil).Seed(f, func(data []byte) { f.Add(data, uint16(70)) })
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		r := record.NewStream(Format(), bytes.NewReader(data), record.Options{})
		var g record.Game
		next, number := int64(headerSize), 1
		for {
			err := r.Read(&g)
			if err == io.EOF {
				break
			}
			if fault, ok := errors.AsType[*record.SyntaxError](err); ok {
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
				t.Fatalf("game %s, want it at %d:%d of %d bytes", recordtest.Describe(&g), next, number, len(data))
			}
			next += gameSize
			number++
		}
		kit := vectors(nil)
		want, err := kit.All(data)
		if err != nil {
			t.Fatal(err)
		}
		kit.Same(t, data, 1+int(size), want)
	})
}
