package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// xzGuard passes an xz file on and rejects the first block, of whichever stream, that asks for a dictionary
// above maxWindow: the decoder would allocate it. It follows the .xz file format 1.2.1 from stream header
// to block, chunk, index and the next stream.
type xzGuard struct {
	b     *bufio.Reader
	place int
	left  int64 // bytes of what is being handed on
	size  int64 // of the block's chunks, or of the index
	check int64 // bytes of each block's checksum
	more  uint64
	err   error
}

// What is next in an xz file.
const (
	xzStream = iota
	xzBlock
	xzChunk
	xzIndex
	xzThrough // nothing that the decoder reads
)

var errXz = errors.New("xz: a block or an index is damaged")

func (g *xzGuard) Read(p []byte) (int, error) {
	if err := g.next(); err != nil {
		return 0, err
	}
	n, err := g.b.Read(p[:min(int64(len(p)), g.left)])
	g.left -= int64(n)
	return n, err
}

// ReadByte spares the decoder a buffer of its own.
func (g *xzGuard) ReadByte() (byte, error) {
	if err := g.next(); err != nil {
		return 0, err
	}
	g.left--
	return g.b.ReadByte()
}

// next sets left to something unless the file ends.
func (g *xzGuard) next() error {
	for g.left == 0 && g.err == nil {
		switch g.place {
		case xzStream:
			g.err = g.stream()
		case xzBlock:
			g.err = g.block()
		case xzChunk:
			g.err = g.chunk()
		case xzIndex:
			g.err = g.index()
		case xzThrough:
			g.left = 1 << 62
		}
		if g.err == io.EOF { // the decoder reports the truncation
			g.err, g.place, g.left = nil, xzThrough, 1<<62
		}
	}
	return g.err
}

// stream is a header of 12 bytes (section 2.1.1) or 4 bytes of padding (2.2).
func (g *xzGuard) stream() error {
	const header, padding = 12, 4
	head, err := g.b.Peek(padding)
	if err != nil {
		return err
	}
	if bytes.Equal(head, make([]byte, padding)) {
		g.left = padding
		return nil
	}
	if head, err = g.b.Peek(header); err != nil {
		return err
	}
	if !bytes.HasPrefix(head, magicXz) {
		return errXz
	}
	g.check = [...]int64{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}[head[7]&0x0F]
	g.left, g.place = header, xzBlock
	return nil
}

// block is a block's header (section 3.1) or where the index begins (4.1).
func (g *xzGuard) block() error {
	const sizes, lzma2 = 0xC0, 0x21
	head, err := g.b.Peek(1)
	if err != nil {
		return err
	}
	if head[0] == 0 {
		g.left, g.size, g.place, g.more = 1, 1, xzIndex, 0
		return g.count()
	}
	length := 4 * (int(head[0]) + 1)
	if head, err = g.b.Peek(length); err != nil {
		return err
	}
	flags, rest := head[1], head[2:]
	for _, present := range []byte{0x40, 0x80} { // the sizes, compressed and not
		for more := flags&present != 0; more && len(rest) > 0; rest = rest[1:] {
			more = rest[0]&0x80 != 0
		}
	}
	g.left, g.size, g.place = int64(length), 0, xzChunk
	if flags&^sizes != 0 || len(rest) < 3 || rest[0] != lzma2 || rest[1] != 1 {
		g.place = xzThrough // the decoder rejects any other filter
		return nil
	}
	if size := dictionary(rest[2]); size > maxWindow {
		return &Unread{"archive asks for too much memory", fmt.Sprintf("a dictionary of %d MB", size>>20)}
	}
	return nil
}

// chunk is one of LZMA2: its control byte announces what follows; 0 ends the block, which is
// padded to four bytes and has its checksum after it.
func (g *xzGuard) chunk() error {
	head, err := g.b.Peek(6)
	if err != nil && (len(head) == 0 || head[0] != 0) {
		return err
	}
	switch control := head[0]; {
	case control == 0:
		g.size++
		g.left, g.place = 1+(-g.size&3)+g.check, xzBlock
		return nil
	case control < 3: // not compressed
		g.left = 3 + int64(head[1])<<8 + int64(head[2]) + 1
	case control < 0x80:
		return errXz
	default:
		g.left = 5 + int64(head[3])<<8 + int64(head[4]) + 1
		if control >= 0xC0 { // with new properties
			g.left++
		}
	}
	g.size += g.left
	return nil
}

// count reads how many records the index has: two numbers each.
func (g *xzGuard) count() error {
	head, err := g.b.Peek(10)
	if err != nil && len(head) < 2 {
		return err
	}
	for i, b := range head[1:] {
		g.more |= uint64(b&0x7F) << (7 * i)
		if b&0x80 == 0 {
			g.left += int64(i) + 1
			g.size += int64(i) + 1
			if g.more *= 2; g.more > 1<<60 {
				return errXz
			}
			return nil
		}
	}
	return errXz
}

// index is the next number of the index, or its padding, its checksum and the footer.
func (g *xzGuard) index() error {
	if g.more == 0 {
		const checksum, footer = 4, 12
		g.left, g.place = (-g.size&3)+checksum+footer, xzStream
		return nil
	}
	head, err := g.b.Peek(9)
	if err != nil && len(head) == 0 {
		return err
	}
	n := 1 + slices.IndexFunc(head, func(b byte) bool { return b < 0x80 })
	if n == 0 {
		return errXz
	}
	g.left, g.more = int64(n), g.more-1
	g.size += g.left
	return nil
}

// dictionary returns the size of an LZMA2 dictionary from its property (the .xz file format 1.2.1, section
// 5.3.1).
func dictionary(property byte) int64 {
	bits := property & 0x3F
	return int64(2|bits&1) << (bits/2 + 11)
}
