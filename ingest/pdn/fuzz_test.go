package pdn

import (
	"bytes"
	"io"
	"strings"
	"testing"

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
				if fault.Offset > int64(len(text)) || fault.Line < 1 || fault.Line > 1+len(text) {
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
			if line := 1 + record.Breaks(text[:g.Offset], text[g.Offset:]); g.Line != line {
				t.Fatalf("line %d: want %d", g.Line, line)
			}
			last = g.Offset
			moves += len(g.Moves)
			want = append(want, recordtest.Describe(&g))
		}
		if moves > len(text) {
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
// next but one on are read as ever.
func FuzzDamage(f *testing.F) {
	const before, after = "[Event \"0\"]\n\n1. 11-15 {c} 24-20 1-0\n\n", "[Event \"2\"]\n[White \"w\"]\n\n1. 9-14 (1. 9-13) 22-17 *\n\n[White \"3\"]\n[Event \"e\"]\n\n1. 10-14 {d} 22-18 0-1\n\n[Event \"4\"]\n\n1. 12-16 *\n"
	want, err := recordtest.ReadAll(NewReader(strings.NewReader(before+after), record.Options{}))
	if err != nil {
		f.Fatal(err)
	}
	bare := func(line string) string { return line[strings.IndexByte(line, ' '):] }
	vectors.Seed(f, func(text []byte) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := recordtest.ReadAll(NewReader(strings.NewReader(before+string(text)+after), record.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(got); n < 3 || got[0] != want[0] || bare(got[n-2]) != bare(want[2]) || bare(got[n-1]) != bare(want[3]) {
			t.Fatalf("got\n%s\nwant at its ends\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
