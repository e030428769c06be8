package record

import "bytes"

// Cursor is a place in a block of text.
type Cursor struct {
	Block Block
	Pos   int // in the block's data
	Line  int // of Pos
}

var mark = []byte("\uFEFF")

// Reset begins a block, after the byte order mark of its stream.
func (c *Cursor) Reset(b Block) {
	c.Block, c.Pos, c.Line = b, 0, b.Line
	if b.Offset == 0 && bytes.HasPrefix(b.Data, mark) {
		c.Pos = len(mark)
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
