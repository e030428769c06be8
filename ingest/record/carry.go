package record

import (
	"bytes"
	"io"
)

// Carry is what a Splitter has read of its stream and not handed out yet. Line breaks
// are LF, CR and CR LF.
type Carry struct {
	Data   []byte
	Offset int64 // of Data in the stream
	Line   int   // on which Data begins
	Err    error // of the stream, or io.EOF

	r     io.Reader
	block int // capacity of a block's memory, at least
}

// NewCarry returns the carry of r, which begins at the given place of its stream. block
// is the usual length of a block.
func NewCarry(r io.Reader, block int, offset int64, line int) Carry {
	return Carry{Offset: offset, Line: line, r: r, block: block}
}

// Fill reads until Data has target bytes or the stream ends.
func (c *Carry) Fill(target int) {
	if cap(c.Data) < target {
		c.Data = append(make([]byte, 0, target), c.Data...)
	}
	for len(c.Data) < target && c.Err == nil {
		n, err := c.r.Read(c.Data[len(c.Data):target])
		c.Data, c.Err = c.Data[:len(c.Data)+n], err
	}
}

// Hand gives the first n bytes out. Their memory goes with the block, whose old memory
// is the new carry: only the rest is copied.
func (c *Carry) Hand(b *Block, n int) {
	out, rest := b.Data[:0], c.Data[n:]
	if cap(out) < c.block {
		out = make([]byte, 0, c.block)
	}
	b.Data, b.Offset, b.Line = c.Data[:n], c.Offset, c.Line
	c.Line += Breaks(b.Data, rest)
	b.EndLine = c.Line
	c.Offset += int64(n)
	c.Data = append(out, rest...)
}

// Pass drops the first n bytes.
func (c *Carry) Pass(n int) {
	c.Line += Breaks(c.Data[:n], c.Data[n:])
	c.Offset += int64(n)
	c.Data = append(c.Data[:0], c.Data[n:]...)
}

var lf, cr, crlf = []byte("\n"), []byte("\r"), []byte("\r\n")

// Breaks is the number of line breaks in text; a CR at its end whose LF stands behind it
// is none yet.
func Breaks(text, behind []byte) int {
	n := bytes.Count(text, lf)
	if cr := bytes.Count(text, cr); cr > 0 {
		n += cr - bytes.Count(text, crlf)
		if text[len(text)-1] == '\r' && len(behind) > 0 && behind[0] == '\n' {
			n--
		}
	}
	return n
}
