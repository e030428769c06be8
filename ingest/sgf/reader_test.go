package sgf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

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
		if len(m.Text) == 0 {
			b.WriteString(" -")
		} else {
			fmt.Fprintf(&b, " %s", m.Text)
		}
		if m.HasClock {
			fmt.Fprintf(&b, "{%dms}", m.Clock)
		}
	}
	if g.Variations > 0 {
		fmt.Fprintf(&b, " (%d variations)", g.Variations)
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
			lines = append(lines, fmt.Sprintf("@%d:%d! %s: %q", fault.Offset, fault.Line, fault.Reason, fault.Detail))
		case err != nil:
			return lines, err
		default:
			lines = append(lines, describe(&g))
		}
	}
}

// readSplit reads text in blocks of about size bytes.
func readSplit(text []byte, size int) (lines []string, err error) {
	return readBlocks(NewSplitter(bytes.NewReader(text), size, 0, 1), text)
}

// readBlocks reads the blocks of text that s cuts.
func readBlocks(s *Splitter, text []byte) (lines []string, err error) {
	r := NewBlockReader(record.Options{})
	var b record.Block
	for {
		err := s.Next(&b)
		var fault *record.SyntaxError
		switch {
		case err == io.EOF:
			return lines, nil
		case errors.As(err, &fault):
			lines = append(lines, fmt.Sprintf("@%d:%d! %s: %q", fault.Offset, fault.Line, fault.Reason, fault.Detail))
			continue
		case err != nil:
			return lines, err
		}
		if b.EndLine != b.Line+record.Breaks(b.Data, text[b.Offset+int64(len(b.Data)):]) {
			return lines, fmt.Errorf("a block of lines %d to %d", b.Line, b.EndLine)
		}
		r.Reset(b)
		games, err := readAll(r)
		if err != nil {
			return lines, err
		}
		lines = append(lines, games...)
	}
}
