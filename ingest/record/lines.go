package record

import (
	"bytes"
	"io"
)

// LineCuts returns the cuts of a format of lines. One longer than longest is given up with the
// reason tooLong.
func LineCuts(longest int, tooLong string) Cuts {
	return Cuts{Max: longest, TooLong: tooLong, Cut: lastLine, Next: SecondLine}
}

func lastLine(d []byte, _ bool) int { return bytes.LastIndexByte(d, '\n') + 1 }

// SecondLine returns where the second line of d begins, -1 if it has none. It implements Cuts.Next.
func SecondLine(d []byte, _ bool) int {
	n := bytes.IndexByte(d, '\n')
	if n < 0 {
		return -1
	}
	return n + 1
}

// NextLine returns the line at the cursor, without its LF and what space surrounds it, and
// passes it.
func (c *Cursor) NextLine() (line []byte, offset int64, number int) {
	rest := c.Rest()
	offset, number = c.Offset(), c.Line
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		c.Pass(len(rest))
		return trimLine(rest), offset, number
	}
	if bytes.IndexByte(rest[:n], '\r') >= 0 {
		c.Pass(n + 1)
	} else {
		c.Pos, c.Line = c.Pos+n+1, c.Line+1
	}
	return trimLine(rest[:n]), offset, number
}

// trimLine cuts off what space surrounds a line, and marks before it.
func trimLine(line []byte) []byte {
	line = bytes.TrimSpace(line)
	return bytes.TrimSpace(line[Marks(line):])
}

// Marks returns the length of the byte order marks and form feeds that text begins with. Joined files have
// them between games.
func Marks(text []byte) (n int) {
	for {
		switch rest := text[n:]; {
		case bytes.HasPrefix(rest, byteOrderMark):
			n += len(byteOrderMark)
		case len(rest) > 0 && rest[0] == '\f':
			n++
		default:
			return n
		}
	}
}

var byteOrderMark = []byte("\uFEFF")

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

// Cursor is a place in a block of text.
type Cursor struct {
	Block Block
	Pos   int // in the block's data
	Line  int // of Pos
}

// Reset begins a block, after the byte order mark of its stream.
func (c *Cursor) Reset(b Block) {
	c.Block, c.Pos, c.Line = b, 0, b.Line
	if b.Offset == 0 && bytes.HasPrefix(b.Data, byteOrderMark) {
		c.Pos = len(byteOrderMark)
	}
}

// Rest returns the data from the place on.
func (c *Cursor) Rest() []byte { return c.Block.Data[c.Pos:] }

// Offset returns the place in the stream.
func (c *Cursor) Offset() int64 { return c.Block.Offset + int64(c.Pos) }

// Pass goes on by n bytes.
func (c *Cursor) Pass(n int) {
	rest := c.Rest()
	c.Line += Breaks(rest[:n], rest[n:])
	c.Pos += n
}
