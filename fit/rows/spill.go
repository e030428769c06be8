package rows

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"unsafe"

	"github.com/edsrzf/mmap-go"
)

// Spill keeps the codes of blocks in a file without a name that is mapped into memory
// (by github.com/edsrzf/mmap-go, on Windows too): pages that do not fit are read again
// from it at every pass. The rest of a row, about 15 bytes, stays in memory.
type Spill struct {
	file   *os.File
	named  bool // the file has its name still and is removed at the end
	to     *bufio.Writer
	size   int64
	blocks []spilled
	mapped mmap.MMap
	err    error
}

// spilled is a block whose codes are in the file.
type spilled struct {
	block *Block
	at    int64
	n     int
	wide  bool
}

// NewSpill creates a file in dir, or in the system's temporary directory if dir is "".
func NewSpill(dir string) (*Spill, error) {
	f, err := os.CreateTemp(dir, "kifu-fit-*")
	if err != nil {
		return nil, fmt.Errorf("a file for the features: %w", err)
	}
	// Without a name it disappears with the process, however that ends. Windows removes no
	// open file.
	err = os.Remove(f.Name())
	return &Spill{file: f, named: err != nil, to: bufio.NewWriterSize(f, 1<<20)}, nil
}

// take moves the codes of b to the file.
func (s *Spill) take(b *Block) {
	for ; s.size%4 != 0; s.size++ {
		s.keep(s.to.WriteByte(0))
	}
	x := spilled{block: b, at: s.size, n: len(b.narrow) + len(b.wide), wide: b.wide != nil}
	var code [4]byte
	for _, c := range b.narrow {
		binary.NativeEndian.PutUint16(code[:], c)
		s.write(code[:2])
	}
	for _, c := range b.wide {
		binary.NativeEndian.PutUint32(code[:], c)
		s.write(code[:])
	}
	b.narrow, b.wide = nil, nil
	s.blocks = append(s.blocks, x)
}

func (s *Spill) write(p []byte) {
	_, err := s.to.Write(p)
	s.keep(err)
	s.size += int64(len(p))
}

func (s *Spill) keep(err error) {
	if s.err == nil {
		s.err = err
	}
}

// MapIn maps the file: the blocks have their codes again.
func (s *Spill) MapIn() error {
	s.keep(s.to.Flush())
	if s.err != nil {
		return fmt.Errorf("writing features to disk: %w", s.err)
	}
	if s.size > 0 {
		var err error
		if s.mapped, err = mmap.MapRegion(s.file, int(s.size), mmap.RDONLY, 0, 0); err != nil {
			return fmt.Errorf("mapping the features: %w", err)
		}
	}
	for _, x := range s.blocks {
		switch {
		case x.n == 0:
			x.block.narrow = []uint16{}
		case x.wide:
			x.block.wide = unsafe.Slice((*uint32)(unsafe.Pointer(&s.mapped[x.at])), x.n)
		default:
			x.block.narrow = unsafe.Slice((*uint16)(unsafe.Pointer(&s.mapped[x.at])), x.n)
		}
	}
	s.blocks = nil
	return nil
}

// Close unmaps and removes the file. The codes of its blocks are lost.
func (s *Spill) Close() error {
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
