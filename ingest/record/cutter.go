package record

import (
	"bytes"
	"io"
)

// Cuts is a format's rule for cutting streams. d is the part of a stream that was read and not yet handed
// out. It begins at a game, or between two games.
type Cuts struct {
	Max     int    // length of the longest game that is read: it bounds the memory
	TooLong string // the reason for one that is longer
	Keep    int    // bytes at the end of an abandoned game that are examined again
	Quote   bool   // the error for an abandoned game shows how it begins
	Unit    int    // length of the records of a format without lines: their numbers serve as lines
	Header  int    // bytes of the stream's beginning that every block has (Block.Header)

	// Cut returns where d can be cut, 0 or less if nowhere. last: nothing follows d.
	Cut func(d []byte, last bool) int
	// Next returns where in d the next game begins after an abandoned one, less than 0 if nowhere. d begins
	// with the last Keep bytes of the abandoned game.
	Next func(d []byte, last bool) int
}

// Splitter cuts r, which begins at from, into blocks of about size bytes, 2 MiB if size is 0. A longer game
// makes a longer block.
func (c Cuts) Splitter(r io.Reader, size int, from Start) Splitter { return c.Cutter(r, size, from) }

const usualBlock = 2 << 20

// Cutter returns the Cutter of r that Splitter describes.
func (c Cuts) Cutter(r io.Reader, size int, from Start) *Cutter {
	if size <= 0 {
		size = usualBlock
	}
	size = min(size, c.Max)
	if c.Unit > 0 {
		size = max(1, size/c.Unit) * c.Unit
		from.Line = int(from.Offset/int64(c.Unit)) + 1
	}
	return &Cutter{Offset: from.Offset, Line: from.Line, header: from.Header, r: r, cuts: c, block: size}
}

// Cutter is a Splitter by the Cuts of a format. Line breaks are LF, CR and CR LF.
type Cutter struct {
	Data   []byte // what was read and not yet handed out
	Offset int64  // of Data in the stream
	Line   int    // on which Data begins

	r        io.Reader
	err      error // of r, or io.EOF
	header   []byte
	cuts     Cuts
	block    int  // usual length of a block
	skipping bool // a game was given up; the start of the next one is being sought
}

// Next implements Splitter. When the stream fails, it hands out the games before the failure
// first, then returns a *SyntaxError for the game that was cut, then the error.
func (c *Cutter) Next(b *Block) error {
	if c.Data == nil && c.err == nil { // a small stream needs no memory but the block's
		c.Data, b.Data = b.Data[:0], nil
	}
	if c.header == nil && c.cuts.Header > 0 {
		c.Fill(c.cuts.Header)
		c.header = bytes.Clone(c.Data[:min(len(c.Data), c.cuts.Header)])
	}
	for c.skipping && c.err == nil {
		c.Fill(len(c.Data) + c.block)
		c.skipping = !c.skip()
	}
	for target := c.block; ; target = min(2*target, c.cuts.Max) {
		c.Fill(target)
		if c.err == io.EOF {
			if len(c.Data) == 0 {
				return io.EOF
			}
			c.hand(b, len(c.Data))
			return nil
		}
		if cut := c.cuts.Cut(c.Data, c.err != nil); cut > 0 {
			c.hand(b, cut)
			return nil
		}
		if c.err != nil {
			if len(bytes.TrimSpace(c.Data)) > 0 {
				return c.drop(len(c.Data), "cut off in the middle")
			}
			return c.err
		}
		if len(c.Data) >= c.cuts.Max {
			c.skipping = true
			return c.drop(len(c.Data)-c.cuts.Keep, c.cuts.TooLong)
		}
	}
}

// skip passes over what belongs to an abandoned game and reports whether the next one begins Data.
func (c *Cutter) skip() (found bool) {
	n := c.cuts.Next(c.Data, c.err != nil)
	switch {
	case n >= 0:
		c.Pass(n)
	case c.err != nil:
		c.Pass(len(c.Data))
	default:
		c.Pass(max(0, len(c.Data)-c.cuts.Keep))
	}
	return n >= 0
}

// drop gives up the first n bytes of Data and returns the error that reports it.
func (c *Cutter) drop(n int, reason string) error {
	fault := &SyntaxError{Offset: c.Offset, Line: c.Line, Reason: reason}
	if c.cuts.Quote {
		var p Places
		p.Reset(Block{Data: c.Data, Offset: c.Offset, Line: c.Line})
		text := bytes.TrimLeft(c.Data, " \t\r\n")
		fault = p.Fault(len(c.Data)-len(text), reason, text)
	}
	c.Pass(n)
	return fault
}

// Fill reads until Data has target bytes or the stream ends. The memory grows with what
// there is to read, from smallest on: streams may be many and small.
func (c *Cutter) Fill(target int) {
	for len(c.Data) < target && c.err == nil {
		if len(c.Data) == cap(c.Data) {
			c.Data = append(make([]byte, 0, min(target, max(smallest, 4*len(c.Data)))), c.Data...)
		}
		n, err := c.r.Read(c.Data[len(c.Data):min(target, cap(c.Data))])
		c.Data, c.err = c.Data[:len(c.Data)+n], err
	}
}

const smallest = 4 << 10

// hand gives the first n bytes out. Their memory goes with the block, whose old memory is
// the new one of Data: only the rest is copied.
func (c *Cutter) hand(b *Block, n int) {
	out, rest := b.Data[:0], c.Data[n:]
	if cap(out) < c.block && c.err == nil {
		out = make([]byte, 0, c.block)
	}
	b.Data, b.Offset, b.Line, b.Header = c.Data[:n], c.Offset, c.Line, c.header
	c.count(n)
	b.EndLine = c.Line
	c.Data = append(out, rest...)
}

// Pass drops the first n bytes.
func (c *Cutter) Pass(n int) {
	c.count(n)
	c.Data = append(c.Data[:0], c.Data[n:]...)
}

// count sets the place of Data[n].
func (c *Cutter) count(n int) {
	c.Offset += int64(n)
	if c.cuts.Unit > 0 {
		c.Line = int(c.Offset/int64(c.cuts.Unit)) + 1
		return
	}
	c.Line += Breaks(c.Data[:n], c.Data[n:])
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
