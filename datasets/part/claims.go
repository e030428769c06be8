package part

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"kifu/datasets/columns"
)

// Parquet opens a Parquet file of any origin. The library allocates as many entries as a footer claims, and a
// dozen bytes can claim billions, more than memory holds.
func Parquet(f io.ReaderAt, size int64) (*parquet.File, error) {
	if err := checkFooter(f, size); err != nil {
		return nil, err
	}
	return parquet.OpenFile(f, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
}

const (
	mostFooter = 256 << 20
	mostDepth  = 32 // of structures in structures of a footer; Parquet has six
)

var errClaims = errors.New("the footer claims more than it has")

// checkFooter reads the footer as the compact protocol of Thrift has it, without making room for it.
func checkFooter(f io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < int64(len(tail)+len(columns.Magic)) {
		return fmt.Errorf("%d bytes: not a Parquet file", size)
	}
	if _, err := f.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return err
	}
	if string(tail[4:]) != columns.Magic {
		return errors.New("it does not end as a Parquet file: cut short, or encrypted")
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if length > size-int64(len(tail)+len(columns.Magic)) || length > mostFooter {
		return fmt.Errorf("a footer of %d bytes in a file of %d", length, size)
	}
	text := make([]byte, length)
	if _, err := f.ReadAt(text, size-int64(len(tail))-length); err != nil {
		return err
	}
	return (&claims{text}).structure(0)
}

// claims is the rest of a text in the compact protocol.
type claims struct{ rest []byte }

// The types of the protocol that are not numbers of variable length.
const (
	isTrue, isFalse, isByte, isDouble, isBinary = 1, 2, 3, 7, 8
	isList, isSet, isMap, isStruct              = 9, 10, 11, 12
)

func (c *claims) number() (uint64, error) {
	n, used := binary.Uvarint(c.rest)
	if used <= 0 {
		return 0, errClaims
	}
	c.rest = c.rest[used:]
	return n, nil
}

func (c *claims) skip(n uint64) error {
	if n > uint64(len(c.rest)) {
		return errClaims
	}
	c.rest = c.rest[n:]
	return nil
}

func (c *claims) next() (byte, error) {
	if len(c.rest) == 0 {
		return 0, errClaims
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b, nil
}

// structure skips fields until one that is the end.
func (c *claims) structure(depth int) error {
	if depth > mostDepth {
		return errClaims
	}
	for {
		head, err := c.next()
		if err != nil || head == 0 {
			return err
		}
		if head>>4 == 0 { // the field's number follows
			if _, err := c.number(); err != nil {
				return err
			}
		}
		if t := head & 15; t != isTrue && t != isFalse { // which are their own values
			if err := c.value(t, depth); err != nil {
				return err
			}
		}
	}
}

func (c *claims) value(t byte, depth int) error {
	switch t {
	case isTrue, isFalse, isByte:
		return c.skip(1)
	case isDouble:
		return c.skip(8)
	case isBinary:
		n, err := c.number()
		if err != nil {
			return err
		}
		return c.skip(n)
	case isList, isSet:
		return c.list(depth)
	case isMap:
		return c.pairs(depth)
	case isStruct:
		return c.structure(depth + 1)
	}
	_, err := c.number()
	return err
}

func (c *claims) list(depth int) error {
	head, err := c.next()
	n := uint64(head >> 4)
	if err == nil && n == 15 {
		n, err = c.number()
	}
	if err != nil || n > uint64(len(c.rest)) {
		return errClaims
	}
	for range n {
		if err := c.value(head&15, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (c *claims) pairs(depth int) error {
	n, err := c.number()
	if err != nil || n == 0 {
		return err
	}
	types, err := c.next()
	if err != nil || n > uint64(len(c.rest)) {
		return errClaims
	}
	for range n {
		if err := errors.Join(c.value(types>>4, depth+1), c.value(types&15, depth+1)); err != nil {
			return err
		}
	}
	return nil
}
