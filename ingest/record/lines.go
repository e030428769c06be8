package record

import (
	"bytes"
	"io"
)

// LineSplitter cuts a stream into blocks of whole lines.
type LineSplitter struct {
	Carry
	cuts Cuts
}

// NewLineSplitter cuts r into blocks of about size bytes, or into longest if that is less. A
// line that is longer is given up with the reason tooLong. r begins at the given place of the
// whole stream.
func NewLineSplitter(r io.Reader, size int, offset int64, line, longest int, tooLong string) *LineSplitter {
	s := &LineSplitter{Carry: NewCarry(r, min(size, longest), offset, line)}
	s.cuts = Cuts{Max: longest, TooLong: tooLong, Cut: s.cut, Drop: s.Drop, Skip: s.skip}
	return s
}

// Next implements Splitter.
func (s *LineSplitter) Next(b *Block) error { return s.Carry.Next(b, &s.cuts) }

func (s *LineSplitter) cut() int { return bytes.LastIndexByte(s.Data, '\n') + 1 }

func (s *LineSplitter) skip() (found bool) {
	n := bytes.IndexByte(s.Data, '\n') + 1
	if n == 0 {
		s.Pass(len(s.Data))
		return false
	}
	s.Pass(n)
	return true
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

// Marks returns the length of the byte order marks and form feeds that text begins with. They
// stand between games where files were put together.
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
