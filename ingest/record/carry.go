package record

import (
	"bytes"
	"io"
)

// Carry holds what a Splitter has read of its stream and not yet handed out. Line breaks
// are LF, CR and CR LF.
type Carry struct {
	Data   []byte
	Offset int64 // of Data in the stream
	Line   int   // on which Data begins
	Err    error // of the stream, or io.EOF

	r        io.Reader
	block    int  // usual length of a block
	skipping bool // a game was given up; the start of the next one is being sought
}

// Cuts describes how a format cuts its streams. The functions examine the Data of the
// Carry.
type Cuts struct {
	Max     int    // length of the longest game that is read: it bounds the memory
	TooLong string // the reason for one that is longer
	Keep    int    // bytes at the end of an abandoned game that are examined again
	// Cut returns where Data can be cut, 0 if nowhere.
	Cut func() int
	// Drop gives up the first n bytes of Data and returns the error that reports it.
	Drop func(n int, reason string) error
	// Skip passes over what belongs to an abandoned game, over all of Data when the stream
	// has ended, and reports whether the next game begins Data.
	Skip func() (found bool)
}

// NewCarry returns the carry of r, which begins at the given place of its stream. block is
// the usual length of a block.
func NewCarry(r io.Reader, block int, offset int64, line int) Carry {
	return Carry{Offset: offset, Line: line, r: r, block: block}
}

// Next implements Splitter.Next with those cuts. When the stream fails, it hands out the
// games before the failure first, then returns a *SyntaxError for the game that was cut,
// then the error.
func (c *Carry) Next(b *Block, cuts *Cuts) error {
	if c.Data == nil && c.Err == nil { // a small stream needs no memory but the block's
		c.Data, b.Data = b.Data[:0], nil
	}
	for c.skipping && c.Err == nil {
		c.Fill(len(c.Data) + c.block)
		c.skipping = !cuts.Skip()
	}
	for target := c.block; ; target = min(2*target, cuts.Max) {
		c.Fill(target)
		if c.Err == io.EOF {
			if len(c.Data) == 0 {
				return io.EOF
			}
			c.Hand(b, len(c.Data))
			return nil
		}
		if cut := cuts.Cut(); cut > 0 {
			c.Hand(b, cut)
			return nil
		}
		if c.Err != nil {
			if len(bytes.TrimSpace(c.Data)) > 0 {
				return cuts.Drop(len(c.Data), "cut off in the middle")
			}
			return c.Err
		}
		if len(c.Data) >= cuts.Max {
			c.skipping = true
			return cuts.Drop(len(c.Data)-cuts.Keep, cuts.TooLong)
		}
	}
}

// Drop returns a Cuts.Drop that names the place of Data.
func (c *Carry) Drop(n int, reason string) error {
	err := &SyntaxError{Offset: c.Offset, Line: c.Line, Reason: reason}
	c.Pass(n)
	return err
}

// Fill reads until Data has target bytes or the stream ends. The memory grows with what
// there is to read, from smallest on: streams may be many and small.
func (c *Carry) Fill(target int) {
	for len(c.Data) < target && c.Err == nil {
		if len(c.Data) == cap(c.Data) {
			c.Data = append(make([]byte, 0, min(target, max(smallest, 4*len(c.Data)))), c.Data...)
		}
		n, err := c.r.Read(c.Data[len(c.Data):min(target, cap(c.Data))])
		c.Data, c.Err = c.Data[:len(c.Data)+n], err
	}
}

const smallest = 4 << 10

// Hand gives the first n bytes out. Their memory goes with the block, whose old memory is
// the new carry: only the rest is copied.
func (c *Carry) Hand(b *Block, n int) {
	out, rest := b.Data[:0], c.Data[n:]
	if cap(out) < c.block && c.Err == nil {
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

// Breaks returns the number of line breaks in text, which rest follows; a CR at the end of
// text whose LF begins rest is not counted yet.
func Breaks(text, rest []byte) int {
	n := bytes.Count(text, lf)
	if cr := bytes.Count(text, cr); cr > 0 {
		n += cr - bytes.Count(text, crlf)
		if text[len(text)-1] == '\r' && len(rest) > 0 && rest[0] == '\n' {
			n--
		}
	}
	return n
}
