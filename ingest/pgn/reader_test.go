package pgn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"kifu/ingest/record"
)

// describe writes a game down in one line: what every test here compares.
func describe(g *record.Game) string {
	var b strings.Builder
	fmt.Fprintf(&b, "@%d:%d", g.Offset, g.Line)
	for _, t := range g.Tags {
		fmt.Fprintf(&b, " [%s %q]", t.Name, t.Value)
	}
	for _, m := range g.Moves {
		fmt.Fprintf(&b, " %s", m.Text)
		if m.HasValue {
			fmt.Fprintf(&b, "{%d}", m.Value)
		}
		if m.HasClock {
			fmt.Fprintf(&b, "{%dms}", m.Clock)
		}
	}
	if g.Variations > 0 {
		fmt.Fprintf(&b, " (%d)", g.Variations)
	}
	fmt.Fprintf(&b, " => %q", g.Result)
	return b.String()
}

// readAll reads every game and fault of r.
func readAll(r record.Reader) (lines []string, err error) {
	var g record.Game
	for {
		err := r.Read(&g)
		var fault *record.SyntaxError
		switch {
		case err == io.EOF:
			return lines, nil
		case errors.As(err, &fault):
			lines = append(lines, fmt.Sprintf("@%d:%d! %s", fault.Offset, fault.Line, fault.Reason))
		case err != nil:
			return lines, err
		default:
			lines = append(lines, describe(&g))
		}
	}
}

func TestMovesDoNotAllocate(t *testing.T) {
	game := []byte("[Event \"a \\\"b\\\"\"]\n[White \"x\"]\n\n" + strings.Repeat("1. e4 { [%eval 0.17] [%clk 0:01:00] } e5 (1... c5 (1... d5)) 2. Nf3 $1 {+0.25/12 0.5s} Nc6!? ", 100) + "1-0\n")
	r := NewBlockReader(Options{})
	var g record.Game
	read := func() {
		r.Reset(record.Block{Data: game, Line: 1})
		if err := r.Read(&g); err != nil || len(g.Moves) != 400 {
			t.Fatalf("%d moves, %v", len(g.Moves), err)
		}
	}
	read()
	if n := testing.AllocsPerRun(10, read); n != 0 {
		t.Errorf("%v allocations a game: want none", n)
	}
}

func TestReaderIsTheSameForAnyBlockSize(t *testing.T) {
	var text bytes.Buffer
	for i := range 50 {
		fmt.Fprintf(&text, "[Event \"%d\"]\r\n[White \"a\"]\r\n\r\n1. e4 {c [%%eval 0.%02d]} e5 (1... c5) 2. Nf3 1-0\r\n\r\n", i, i)
	}
	want, err := readAll(NewReader(bytes.NewReader(text.Bytes()), Options{}))
	if err != nil || len(want) != 50 {
		t.Fatalf("%d games, %v", len(want), err)
	}
	for size := 1; size < 400; size += 7 {
		got, err := readSplit(text.Bytes(), size)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("blocks of %d bytes give other games:\n%s", size, strings.Join(got, "\n"))
		}
	}
}

// readSplit reads text by blocks of about size bytes.
func readSplit(text []byte, size int) (lines []string, err error) {
	s := NewSplitter(bytes.NewReader(text), size, 0, 1)
	r := NewBlockReader(Options{})
	var b record.Block
	for {
		err := s.Next(&b)
		var fault *record.SyntaxError
		switch {
		case err == io.EOF:
			return lines, nil
		case errors.As(err, &fault):
			lines = append(lines, fmt.Sprintf("@%d:%d! %s", fault.Offset, fault.Line, fault.Reason))
			continue
		case err != nil:
			return lines, err
		}
		r.Reset(b)
		more, err := readAll(r)
		if err != nil {
			return lines, err
		}
		lines = append(lines, more...)
	}
}
