package sgf

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"kifu/ingest/record"
	"kifu/ingest/record/recordtest"
)

// FuzzReader: whatever is read, games lie in the stream in their order and hold no more
// than it has, and do not depend on where the stream is cut.
func FuzzReader(f *testing.F) {
	vectors.Seed(f, func(text []byte) { f.Add(text, uint8(20)) })
	f.Fuzz(func(t *testing.T, text []byte, size uint8) {
		r := NewReader(bytes.NewReader(text), record.Options{})
		var g record.Game
		var want []string
		last, moves := int64(-1), 0
		for {
			err := r.Read(&g)
			if err == io.EOF {
				break
			}
			if fault, ok := err.(*record.SyntaxError); ok {
				if fault.Offset < 0 || fault.Offset > int64(len(text)) || fault.Line < 1 || fault.Line > 1+len(text) {
					t.Fatalf("fault at %d:%d of %d bytes", fault.Offset, fault.Line, len(text))
				}
				want = append(want, fault.Error())
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if g.Offset <= last || g.Offset >= int64(len(text)) {
				t.Fatalf("a game at %d after one at %d in %d bytes", g.Offset, last, len(text))
			}
			if line := 1 + record.Breaks(text[:g.Offset], text[g.Offset:]); g.Line != line && utf16Of(text) == nil {
				t.Fatalf("line %d: want %d", g.Line, line)
			}
			last = g.Offset
			moves += len(g.Moves)
			want = append(want, recordtest.Describe(&g))
		}
		if moves > 2*len(text) { // with the passes that are put in
			t.Fatalf("%d moves in %d bytes", moves, len(text))
		}
		split, err := vectors.Split(text, 1+int(size))
		if err != nil || len(split) != len(want) {
			t.Fatalf("%d games in blocks of %d bytes, %d at once, %v", len(split), 1+int(size), len(want), err)
		}
		for i := range want {
			if strings.Contains(split[i], " => ") && split[i] != want[i] {
				t.Fatalf("in blocks of %d bytes\n%s\nat once\n%s", 1+int(size), split[i], want[i])
			}
		}
	})
}

// FuzzDamage: whatever stands in the place of game k, the games before it and from the
// next one on are read as ever.
func FuzzDamage(f *testing.F) {
	const before, after = "(;GM[1]PB[0];B[aa];W[bb](;B[cc])(;B[dd]))\n", "\n(;GM[1]PB[2]SZ[9];B[aa])\n(;FF[3]GM[1]PB[3];W[ab];B[];C[x];W[zz])\n"
	want, err := recordtest.ReadAll(NewReader(strings.NewReader(before+after), record.Options{}))
	if err != nil || len(want) != 3 {
		f.Fatal(want, err)
	}
	bare := func(line string) string { return line[strings.IndexByte(line, ' '):] }
	vectors.Seed(f, func(text []byte) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := recordtest.ReadAll(NewReader(strings.NewReader(before+string(text)+after), record.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		n := len(got)
		if n < 3 || bare(got[n-2]) != bare(want[1]) || bare(got[n-1]) != bare(want[2]) {
			t.Fatalf("got\n%s\nwant at the end\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if utf8.Valid(text) && got[0] != want[0] {
			t.Fatalf("got %s, want %s", got[0], want[0])
		}
	})
}
