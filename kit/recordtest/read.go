// Package recordtest is shared by the tests of the record formats: games and faults
// written down as lines, streams read at once and in blocks, and vectors, files of one
// fault or habit each with what has to come out.
//
// It knows nothing of a format. What a package adds is how its bytes are read.
package recordtest

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"kifu/ingest/record"
	"kifu/schemas"
)

// Describe writes a game down in one line: where it begins, tags, moves with their
// values and clocks, variations left out, result.
func Describe(g *record.Game) string {
	var b strings.Builder
	fmt.Fprintf(&b, "@%d:%d", g.Offset, g.Line)
	for _, t := range g.Tags {
		fmt.Fprintf(&b, " [%s %q]", t.Name, t.Value)
	}
	if g.Board != nil {
		fmt.Fprintf(&b, " board %x clock %d", g.Board, g.Clock)
	}
	if g.HasPly {
		fmt.Fprintf(&b, " ply %d", g.Ply)
	}
	for _, m := range g.Moves {
		if len(m.Text) == 0 {
			b.WriteString(" -")
		} else {
			fmt.Fprintf(&b, " %s", m.Text)
		}
		if m.HasValue {
			fmt.Fprintf(&b, "{%d}", m.Value)
		}
		if m.HasClock {
			fmt.Fprintf(&b, "{%dms}", m.Clock)
		}
	}
	for _, a := range g.Annotations {
		fmt.Fprintf(&b, " %s", schemas.MarshalAnnotations([]record.Annotation{a}))
	}
	for _, d := range [...]struct {
		what string
		n    int
	}{{"comments", g.Comments}, {"variations", g.Variations}, {"words", g.Words}, {"late", g.Late}} {
		if d.n > 0 && (d.what != "words" || len(g.Moves) == 0) {
			fmt.Fprintf(&b, " %s:%d", d.what, d.n)
		}
	}
	fmt.Fprintf(&b, " => %q", g.Result)
	if g.Open {
		b.WriteString(" open")
	}
	if g.Cut != "" {
		b.WriteString(" cut: " + g.Cut)
	}
	return b.String()
}

// Fault returns a line for an error that is a *record.SyntaxError.
func Fault(err error) (line string, ok bool) {
	var fault *record.SyntaxError
	if !errors.As(err, &fault) {
		return "", false
	}
	line = fmt.Sprintf("@%d:%d! %s", fault.Offset, fault.Line, fault.Reason)
	if fault.Detail != "" {
		line += fmt.Sprintf(": %q", fault.Detail)
	}
	return line, true
}

// ReadAll reads every game and fault of r, a line each. The error is that which ended
// the stream, nil for io.EOF.
func ReadAll(r record.Reader) (lines []string, err error) {
	var g record.Game
	for {
		err := r.Read(&g)
		if err == io.EOF {
			return lines, nil
		}
		line, ok := Fault(err)
		switch {
		case ok:
			lines = append(lines, line)
		case err != nil:
			return lines, err
		default:
			lines = append(lines, Describe(&g))
		}
	}
}

// ReadBlocks does the same with the blocks that s cuts. Adjacent blocks must agree about the line
// between them.
func ReadBlocks(s record.Splitter, r record.BlockReader) (lines []string, err error) {
	var b record.Block
	end, line := int64(-1), 0
	for {
		err := s.Next(&b)
		if err == io.EOF {
			return lines, nil
		}
		if fault, ok := Fault(err); ok {
			lines = append(lines, fault)
			continue
		}
		if err != nil {
			return lines, err
		}
		if b.Offset == end && b.Line != line {
			return lines, fmt.Errorf("the block at %d begins on line %d, the one before it ends on %d", b.Offset, b.Line, line)
		}
		end, line = b.Offset+int64(len(b.Data)), b.EndLine
		r.Reset(b)
		games, err := ReadAll(r)
		if err != nil {
			return lines, err
		}
		lines = append(lines, games...)
	}
}
