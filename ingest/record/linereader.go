package record

import (
	"bytes"
	"io"
)

// LineReader reads the games of blocks in which a line is a game. Empty lines and lines that
// begin with # are passed over.
type LineReader struct {
	Cursor
	show int // bytes of a line that a fault shows
	read func(g *Game, line []byte) (reason string)
}

// NewLineReader returns a reader of lines; read fills g from one, or returns the reason why it cannot. A
// fault shows the first bytes of the line.
func NewLineReader(show int, read func(g *Game, line []byte) (reason string)) *LineReader {
	return &LineReader{show: show, read: read}
}

// Read fills g with the game of the next line that has one.
func (r *LineReader) Read(g *Game) error {
	g.Reset()
	for len(r.Rest()) > 0 {
		line, at, number := r.NextLine()
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		g.Offset, g.Line = at, number
		reason := r.read(g, line)
		if reason == Heading {
			continue
		}
		if reason != "" {
			g.Moves = g.Moves[:0]
			return &SyntaxError{Offset: at, Line: number, Reason: reason, Detail: string(line[:min(len(line), r.show)])}
		}
		return nil
	}
	return io.EOF
}

// Heading is the reason for a line that names columns: it is no game, and no fault.
const Heading = "a heading"

// NextWord cuts the first word off a line.
func NextWord(line []byte) (word, rest []byte) {
	line = bytes.TrimLeft(line, " \t")
	end := bytes.IndexAny(line, " \t")
	if end < 0 {
		return line, nil
	}
	return line[:end], line[end:]
}
