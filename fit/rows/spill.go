package rows

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"unsafe"

	"github.com/edsrzf/mmap-go"
)

// Spill takes the rows of blocks. They stay in memory up to a number of bytes; then these and all later rows
// go to an unnamed file that is mapped into memory (by github.com/edsrzf/mmap-go, on Windows too). Only the
// games of a block, some hundred bytes, stay in memory. Pages that do not fit are read again from the file at
// every pass.
type Spill struct {
	dir    string
	most   int64    // bytes in memory
	size   int64    // of the rows, in memory or in the file
	held   []*Block // while all are in memory
	file   *os.File // nil while all are in memory
	named  bool     // the file has its name still and is removed at the end
	to     *bufio.Writer
	blocks []spilled
	mapped mmap.MMap
	err    error
}

// spilled is a block whose columns are in the file, one after the other.
type spilled struct {
	block *Block
	at    int64
	n     [columns]int // numbers of each column; -1: nil
}

// NewSpill returns a place for rows of which up to most bytes stay in memory. The file, if one
// is needed, is made in dir, or in the system's temporary directory if dir is "".
func NewSpill(dir string, most int64) *Spill { return &Spill{dir: dir, most: most} }

// Used reports whether rows are in a file.
func (s *Spill) Used() bool { return s.file != nil }

// Size returns the number of bytes of the rows.
func (s *Spill) Size() int64 { return s.size }

// add adds the columns of b, in memory or in the file.
func (s *Spill) add(b *Block) {
	if s.file != nil {
		s.write(b)
		return
	}
	s.held = append(s.held, b)
	for _, c := range b.columns() {
		s.size += int64(len(c.bytes()))
	}
	if s.size <= s.most || s.err != nil {
		return
	}
	if s.err = s.create(); s.err != nil {
		return
	}
	s.size = 0
	for _, b := range s.held {
		s.write(b)
	}
	s.held = nil
}

func (s *Spill) create() error {
	f, err := os.CreateTemp(s.dir, "kifu-fit-*")
	if err != nil {
		return fmt.Errorf("a file for the rows: %w", err)
	}
	// Without a name it disappears with the process, however that ends. Windows removes no
	// open file.
	err = os.Remove(f.Name())
	s.file, s.named, s.to = f, err != nil, bufio.NewWriterSize(f, 1<<20)
	return nil
}

// write moves the columns of b to the file.
func (s *Spill) write(b *Block) {
	x := spilled{block: b, at: s.size}
	for i, c := range b.columns() {
		x.n[i] = c.len()
		if x.n[i] >= 0 {
			s.put(c.bytes())
		}
		c.set(nil, -1)
	}
	var zeros [8]byte
	s.put(zeros[:(8-s.size%8)%8])
	s.blocks = append(s.blocks, x)
}

func (s *Spill) put(p []byte) {
	if s.err == nil {
		_, s.err = s.to.Write(p)
	}
	s.size += int64(len(p))
}

// MapIn maps the file, if there is one: the blocks have their columns again.
func (s *Spill) MapIn() error {
	s.held = nil
	if s.file == nil || s.err != nil {
		return s.failure()
	}
	if s.err = s.to.Flush(); s.err != nil {
		return s.failure()
	}
	if s.size > 0 {
		var err error
		// What is written there, as weights are, goes to the file as well.
		if s.mapped, err = mmap.MapRegion(s.file, int(s.size), mmap.RDWR, 0, 0); err != nil {
			return fmt.Errorf("mapping the rows: %w", err)
		}
	}
	for _, x := range s.blocks {
		at := x.at
		for i, c := range x.block.columns() {
			if x.n[i] >= 0 {
				c.set(s.mapped[at:], x.n[i])
				at += int64(len(c.bytes()))
			}
		}
	}
	s.blocks = nil
	return nil
}

func (s *Spill) failure() error {
	if s.err == nil {
		return nil
	}
	return fmt.Errorf("writing rows to disk: %w", s.err)
}

// Close unmaps and removes the file. The rows of its blocks are lost.
func (s *Spill) Close() error {
	if s.file == nil {
		return nil
	}
	var err error
	if s.mapped != nil {
		err = s.mapped.Unmap()
	}
	err = errors.Join(err, s.file.Close())
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

// column is a column of a block as bytes.
type column interface {
	len() int // -1: nil
	bytes() []byte
	set(from []byte, n int) // to n numbers in from; to nil with -1
}

// columns returns the columns of b, the widest numbers first.
func (b *Block) columns() [columns]column {
	return [columns]column{columnOf[float32]{&b.Value}, columnOf[float32]{&b.Y}, columnOf[float32]{&b.Weight}, columnOf[float32]{&b.target}, columnOf[float32]{&b.dense},
		columnOf[uint32]{&b.ends}, columnOf[uint32]{&b.wide}, columnOf[uint16]{&b.class}, columnOf[uint16]{&b.narrow}, columnOf[uint8]{&b.Stratum}, columnOf[uint8]{&b.Level}}
}

const columns = 11

type columnOf[T float32 | uint32 | uint16 | uint8] struct{ numbers *[]T }

func (c columnOf[T]) len() int {
	if *c.numbers == nil {
		return -1
	}
	return len(*c.numbers)
}

func (c columnOf[T]) bytes() []byte {
	var one T
	if len(*c.numbers) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&(*c.numbers)[0])), len(*c.numbers)*int(unsafe.Sizeof(one)))
}

func (c columnOf[T]) set(from []byte, n int) {
	switch {
	case n < 0:
		*c.numbers = nil
	case n == 0:
		*c.numbers = []T{}
	default:
		*c.numbers = unsafe.Slice((*T)(unsafe.Pointer(&from[0])), n)
	}
}
