package recordtest

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"kifu/ingest/record"
)

// FuzzBlocks fails for bytes that give other games in blocks than at once.
func (f Format) FuzzBlocks(fz *testing.F, seeds ...string) {
	f.Seed(fz, func(data []byte) { fz.Add(data, uint16(50)) })
	for _, text := range seeds {
		fz.Add([]byte(text), uint16(7))
	}
	fz.Fuzz(func(t *testing.T, data []byte, size uint16) {
		want, err := f.All(data)
		if err != nil {
			t.Fatal(err)
		}
		f.Same(t, data, int(size)+1, want)
	})
}

// FuzzBetween fails for bytes between two games after which these are not read as ever, and
// for bytes that give other games in blocks than at once. before is a game of two moves, after
// one of four that begins at its byte begin.
func (f Format) FuzzBetween(fz *testing.F, before, after string, begin int) {
	f.Seed(fz, func(data []byte) { fz.Add(data, uint16(50)) })
	fz.Fuzz(func(t *testing.T, text []byte, size uint16) {
		offset, moves := int64(-1), 0
		f.inOrder(t, []byte(before+string(text)+after), func(g *record.Game) {
			if offset < 0 && len(g.Moves) != 2 {
				t.Fatalf("first game: %s", Describe(g))
			}
			offset, moves = g.Offset, len(g.Moves)
		})
		if want := int64(len(before) + len(text) + begin); offset != want || moves != 4 {
			t.Fatalf("the last game has %d moves and begins at %d, want 4 at %d", moves, offset, want)
		}
		want, err := f.All(text)
		if err != nil {
			t.Fatal(err)
		}
		f.Same(t, text, 1+int(size), want)
	})
}

// FuzzOrder fails for bytes that do not hold their games or faults in order, that give
// more moves than they can hold, or that give other games in blocks than at once. each looks
// at a game.
func (f Format) FuzzOrder(fz *testing.F, each func(t *testing.T, text []byte, g *record.Game)) {
	f.Seed(fz, func(text []byte) { fz.Add(text, uint8(20)) })
	fz.Fuzz(func(t *testing.T, text []byte, size uint8) {
		moves := 0
		want := f.inOrder(t, text, func(g *record.Game) {
			moves += len(g.Moves)
			each(t, text, g)
		})
		if moves > 2*len(text) { // with the passes that are put in
			t.Fatalf("%d moves in %d bytes", moves, len(text))
		}
		split, err := f.Split(text, 1+int(size))
		if err != nil || len(split) != len(want) {
			t.Fatalf("%d games in blocks of %d bytes, %d at once, %v", len(split), 1+int(size), len(want), err)
		}
		for i := range want { // of a fault that is cut the detail differs
			if strings.Contains(split[i], " => ") && split[i] != want[i] {
				t.Fatalf("in blocks of %d bytes\n%s\nat once\n%s", 1+int(size), split[i], want[i])
			}
		}
	})
}

// LineOf fails t unless g has the line of text on which it begins.
func LineOf(t *testing.T, text []byte, g *record.Game) {
	if line := 1 + record.Breaks(text[:g.Offset], text[g.Offset:]); g.Line != line {
		t.Fatalf("line %d: want %d", g.Line, line)
	}
}

// inOrder reads every game of data, and fails t unless they are in it in their order. It
// returns a line for each game and fault.
func (f Format) inOrder(t *testing.T, data []byte, each func(*record.Game)) (lines []string) {
	t.Helper()
	r := record.NewStream(f.format, bytes.NewReader(data), record.Options{})
	var g record.Game
	last := int64(-1)
	for {
		err := r.Read(&g)
		if err == io.EOF {
			return lines
		}
		if fault, is := err.(*record.SyntaxError); is {
			if fault.Offset < 0 || fault.Offset > int64(len(data)) || fault.Line < 1 || fault.Line > 1+len(data) {
				t.Fatalf("fault at %d:%d of %d bytes", fault.Offset, fault.Line, len(data))
			}
			lines = append(lines, fault.Error())
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		if g.Offset <= last || g.Offset >= int64(len(data)) {
			t.Fatalf("a game at %d after one at %d in %d bytes", g.Offset, last, len(data))
		}
		last = g.Offset
		lines = append(lines, Describe(&g))
		each(&g)
	}
}

// FuzzDamage fails for bytes between two texts of games that change how the first games of
// before are read, or the last ones of after.
func (f Format) FuzzDamage(fz *testing.F, before, after string, first, last int) {
	want, err := f.All([]byte(before + after))
	if err != nil || len(want) < first+last {
		fz.Fatal(want, err)
	}
	bare := func(lines []string) (out string) {
		for _, line := range lines {
			out += line[strings.IndexByte(line, ' '):] + "\n"
		}
		return out
	}
	f.Seed(fz, func(text []byte) { fz.Add(text) })
	fz.Fuzz(func(t *testing.T, text []byte) {
		got, err := f.All([]byte(before + string(text) + after))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(got); n < first+last || bare(got[:first]) != bare(want[:first]) || bare(got[n-last:]) != bare(want[len(want)-last:]) {
			t.Fatalf("got\n%s\nwant at its ends\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
