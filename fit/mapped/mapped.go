// Package mapped keeps the columns of a fit's rows in memory, or in a file that is mapped into it.
//
// In go slices of numbers, many columns after one another, and the number of bytes that may stay in memory. Out
// come the same slices, which a caller reads and writes as before. Does not know what the numbers mean, nor
// which columns are of one row.
package mapped

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"unsafe"

	"github.com/edsrzf/mmap-go"
)

// Columns are the columns that were added. They stay in memory up to a number of bytes; then these and all later
// ones go to an unnamed file that is mapped into memory (by github.com/edsrzf/mmap-go, on Windows too). Pages that
// do not fit are read again from the file at every pass.
type Columns struct {
	dir    string
	most   int64      // bytes in memory
	size   int64      // of the columns, in memory or in the file
	held   [][]Column // while all are in memory
	file   *os.File   // nil while all are in memory
	named  bool       // the file has its name still and is removed at the end
	to     *bufio.Writer
	added  []written
	mapped mmap.MMap
	err    error
}

// written are columns that are in the file, one after the other.
type written struct {
	columns []Column
	at      int64
	n       []int // numbers of each column; -1: nil
}

// New returns no columns yet, of which up to most bytes stay in memory. The file, if one is needed, is made
// in dir, or in the system's temporary directory if dir is "".
func New(dir string, most int64) *Columns { return &Columns{dir: dir, most: most} }

// Used reports whether the columns are in a file.
func (s *Columns) Used() bool { return s.file != nil }

// Size returns the number of bytes of the columns.
func (s *Columns) Size() int64 { return s.size }

// Add adds columns, in memory or in the file. Those in the file are nil until MapIn.
func (s *Columns) Add(columns ...Column) {
	if s.file != nil {
		s.write(columns)
		return
	}
	s.held = append(s.held, columns)
	for _, c := range columns {
		s.size += int64(len(c.bytes()))
	}
	if s.size <= s.most || s.err != nil {
		return
	}
	if s.err = s.create(); s.err != nil {
		return
	}
	s.size = 0
	for _, columns := range s.held {
		s.write(columns)
	}
	s.held = nil
}

func (s *Columns) create() error {
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

// write moves columns to the file.
func (s *Columns) write(columns []Column) {
	x := written{columns: columns, at: s.size, n: make([]int, len(columns))}
	for i, c := range columns {
		if x.n[i] = c.len(); x.n[i] >= 0 {
			s.put(c.bytes())
		}
		c.set(nil, -1)
	}
	var zeros [8]byte
	s.put(zeros[:(8-s.size%8)%8])
	s.added = append(s.added, x)
}

func (s *Columns) put(p []byte) {
	if s.err == nil {
		_, s.err = s.to.Write(p)
	}
	s.size += int64(len(p))
}

// MapIn maps the file, if there is one: the columns have their numbers again.
func (s *Columns) MapIn() error {
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
	for _, x := range s.added {
		at := x.at
		for i, c := range x.columns {
			if x.n[i] >= 0 {
				c.set(s.mapped[at:], x.n[i])
				at += int64(len(c.bytes()))
			}
		}
	}
	s.added = nil
	return nil
}

func (s *Columns) failure() error {
	if s.err == nil {
		return nil
	}
	return fmt.Errorf("writing rows to disk: %w", s.err)
}

// Close unmaps and removes the file. The columns in it are lost.
func (s *Columns) Close() error {
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

// Column is a slice of numbers as bytes.
type Column interface {
	len() int // -1: nil
	bytes() []byte
	set(from []byte, n int) // to n numbers in from; to nil with -1
}

// Of makes a column of a slice. Columns of wide numbers are added first, so that all are aligned.
func Of[T float32 | uint32 | uint16 | uint8](numbers *[]T) Column { return columnOf[T]{numbers} }

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
