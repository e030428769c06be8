// Package source opens the files that records are read from: plain, compressed and archives, each as
// streams whose text is UTF-8 or of eight bits. Nothing is written to a disk.
//
// In: a path, or the standard input. Out: streams (Stream), and the parts that are left out with their
// reasons (Unread). It has no notion of records: an Opener's functions select the members of archives that
// hold some.
package source

import (
	"archive/tar"
	"bufio"
	"bytes"
	"fmt"
	"hash"
	"io"
	"os"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// Source is an open file. It gives one stream of records or, of an archive, one for
// each of its members that holds records, in a fixed order.
type Source struct {
	archive archive                // nil once a file that is none has been given
	Count   int                    // of streams given, or passed over
	Skipped int64                  // members that hold no records; the reader sets it back
	holds   func(head []byte) bool // reports whether a member that is a text holds records
	Name    string
	Disk    *os.File // nil for the standard input and for a text that is held
	raw     *rawReader
	buffers *buffers // may be nil
	close   []func()
}

// archive is a file of files.
type archive interface {
	// next goes to the next member, in whatever state the one before was left. It
	// returns io.EOF after the last; any other error is final.
	next() (name string, err error)
	// open opens the member. It is called once at most, and what it returns is closed
	// before next is called.
	open() (io.ReadCloser, error)
}

// Stream is one stream of records, decompressed and, if it was UTF-16, recoded. Name is
// as source_file has it.
type Stream struct {
	io.Reader
	Name   string
	Head   []byte // what it begins with, recoded
	Whole  bool   // head is all of it
	Lent   bool   // head stays what it is for as long as the run, or the job that is being filled, lasts
	Packed bool   // compressed or in an archive: a fault may be the archive's
	Member bool   // in an archive, where its name or what it begins with has told that it holds records
	seek   func(offset int64) (io.Reader, error)
	close  func() // may be nil
}

// Close closes what the stream has opened.
func (s *Stream) Close() {
	if s.close != nil {
		s.close()
	}
}

// rawReader counts and hashes what is read from the disk, and remembers its failure and its end.
// It does not ask for more where a file of known size ends: of small files that costs as much as
// to read them. What is written behind it meanwhile is for another run.
type rawReader struct {
	r     io.Reader
	sum   hash.Hash   // may be nil
	count func(int64) // of bytes, for the progress bar
	size  int64       // of the file; 0 if unknown
	at    int64
	err   error
	ended bool
}

func (r *rawReader) Read(p []byte) (int, error) {
	if r.ended {
		return 0, io.EOF
	}
	n, err := r.r.Read(p)
	r.at += int64(n)
	r.ended = err == io.EOF || r.at == r.size && n > 0
	if r.sum != nil {
		r.sum.Write(p[:n])
	}
	return n, r.note(n, err)
}

func (r *rawReader) note(n int, err error) error {
	r.count(int64(n))
	if err != nil && err != io.EOF {
		r.err = err
	}
	return err
}

// rawReaderAt is a rawReader for archives that have their table at the end.
type rawReaderAt struct {
	*rawReader
	file *os.File
}

func (r rawReaderAt) ReadAt(p []byte, offset int64) (int, error) {
	n, err := r.file.ReadAt(p, offset)
	return n, r.note(n, err)
}

// Opener has what files are opened with.
type Opener struct {
	Takes   func(name string) bool // whether an archive's member holds records, by its name
	Holds   func(head []byte) bool // the same by the beginning, for names that leave it open
	Stdin   io.Reader
	Count   func(int64)                                            // of bytes, for the progress bar
	Table   func(r io.ReaderAt, size int64) (io.ReadCloser, error) // record.Format's; nil: no format has records in Parquet files
	Cut     bool                                                   // zip archives are read from their beginning, without their table: a few members are enough
	buffers buffers
}

// File is a file to be opened. Path is "-" for the standard input; Text is its stored bytes, if they are
// known.
type File struct {
	Name, Path string
	Size       int64 // in bytes; 0 if unknown
	Text       []byte
}

// Open opens f. sum, unless nil, gets every byte as stored.
func (o *Opener) Open(f File, sum hash.Hash) (s *Source, err error) {
	raw := &rawReader{r: o.Stdin, sum: sum, count: o.Count, size: f.Size}
	s = &Source{Name: f.Name, raw: raw, buffers: &o.buffers, holds: o.Holds}
	var disk *os.File
	var seeker io.Seeker // nil for the standard input
	if f.Text != nil {
		r := bytes.NewReader(f.Text)
		raw.r, seeker = r, r
	} else if f.Path != "-" {
		if disk, err = OpenDisk(f.Path); err != nil {
			return nil, err
		}
		raw.r, s.Disk, seeker = disk, disk, disk
		s.close = append(s.close, func() { disk.Close() })
	}
	if raw.r == nil {
		return nil, fmt.Errorf("no standard input to read")
	}
	b := o.buffers.get(raw, 1<<18)
	s.close = append(s.close, func() { o.buffers.put(b) })
	head, err := b.Peek(6)
	if err != nil && err != io.EOF {
		s.Close()
		return nil, err
	}
	if kind := TableAtEnd(head); kind != "" && (kind != kindParquet || o.Table != nil) {
		if disk == nil {
			return nil, fmt.Errorf("a %s cannot be read from a pipe, because its table is at the end: save it to a file first", kind)
		}
		s.archive, err = o.openTable(kind, rawReaderAt{raw, disk})
		switch {
		case kind == kindParquet && err == nil:
			return s, nil
		case kind == kindParquet: // of something else: its beginning tells
		case err != nil:
			s.Close()
			return nil, err
		default:
			s.archive = &members{s.archive, o.Takes, &s.Skipped}
			return s, nil
		}
	}
	r, packed, closer := decompress(b)
	s.close = append(s.close, closer)
	whole := b
	if packed {
		whole = o.buffers.get(r, 1<<16)
		s.close = append(s.close, func() { o.buffers.put(whole) })
	}
	if first, _ := whole.Peek(tarBlock); isTar(first) { // a fault comes again
		s.archive = &members{tarArchive{tar.NewReader(whole)}, o.Takes, &s.Skipped}
		return s, nil
	}
	one := &single{r: whole, packed: packed}
	if seeker != nil && !packed {
		one.seek = func(offset int64) (io.Reader, error) {
			_, err := seeker.Seek(offset, io.SeekStart)
			raw.at, raw.ended = offset, offset == raw.size && offset > 0
			b.Reset(raw)
			o.Count(offset)
			return b, err
		}
	}
	s.archive = one
	return s, nil
}

// Next returns the next stream; close it before the next call. Streams before number first are passed over.
// It returns io.EOF after the last; any other error ends the file.
func (s *Source) Next(first int) (*Stream, error) {
	for {
		name, err := s.archive.next()
		if err != nil {
			return nil, err
		}
		var st *Stream
		if MayHold(name) {
			if st = s.stream(name); !s.holds(st.Head) {
				st.Close()
				s.Skipped++
				continue
			}
		}
		if s.Count++; s.Count > first && st == nil {
			st = s.stream(name)
		}
		if s.Count > first {
			return st, nil
		}
		if st != nil {
			st.Close()
		}
	}
}

// stream opens the member that next has gone to. Its reader returns its faults.
func (s *Source) stream(name string) *Stream {
	st := &Stream{Name: s.Name, Packed: true}
	if name != "" {
		st.Name += "/" + name
	}
	r, err := s.archive.open()
	if err != nil {
		st.Reader = failing{err}
		return st
	}
	if one, ok := s.archive.(*single); ok {
		st.Packed, st.seek = one.packed, one.seek
		st.recode(one.r, s.buffers)
		return st
	}
	b := s.buffers.get(r, 1<<16)
	st.Member = name != "" // a Parquet file has no names
	plain, _, closer := decompress(b)
	st.close = func() { closer(); r.Close(); s.buffers.put(b) }
	st.recode(plain, s.buffers)
	return st
}

// Skip goes to an offset of a stream that nothing has been read of.
func (s *Stream) Skip(offset int64) (err error) {
	if offset == 0 {
		return nil
	}
	if s.seek != nil {
		s.Reader, err = s.seek(offset)
		return err
	}
	_, err = io.CopyN(io.Discard, s.Reader, offset)
	return err
}

// headSize is the length of a stream's beginning in which the encoding is detected.
const headSize = 1 << 16

// recode turns UTF-16 into UTF-8. The buffer that it needs goes back when s is closed.
func (s *Stream) recode(r io.Reader, buffers *buffers) {
	b, ok := r.(*bufio.Reader)
	if !ok || b.Size() < headSize {
		b = buffers.get(r, headSize)
		before := s.close
		s.close = func() {
			if before != nil {
				before()
			}
			buffers.put(b)
		}
	}
	head, err := b.Peek(headSize) // a fault comes again
	s.Reader, s.Head, s.Whole = b, head, err == io.EOF
	if e := wide(head); e != nil {
		s.seek = nil
		b = bufio.NewReaderSize(e.NewDecoder().Reader(b), headSize)
		s.Head, err = b.Peek(headSize)
		s.Reader, s.Whole = b, err == io.EOF
	}
}

// wide recognises UTF-16 by its byte order mark or, without one, by its zero bytes: every ASCII character,
// of which tags are full, has one on the same side.
func wide(head []byte) encoding.Encoding {
	if bytes.HasPrefix(head, []byte{0xFF, 0xFE}) || bytes.HasPrefix(head, []byte{0xFE, 0xFF}) {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	head = head[:min(len(head), 1<<10)&^1]
	if bytes.IndexByte(head, 0) < 0 {
		return nil
	}
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i&1]++
		}
	}
	switch enough := len(head) / 8; {
	case len(head) < 8:
	case zeros[1] > enough && zeros[0]*8 < zeros[1]:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case zeros[0] > enough && zeros[1]*8 < zeros[0]:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Err returns the fault of the disk that has been met; nil for none. A fault of an archive is none.
func (s *Source) Err() error { return s.raw.err }

// Drain reads to the end of the file: what follows an archive.
func (s *Source) Drain() error {
	_, err := io.Copy(io.Discard, s.raw)
	return err
}

// Close closes what Open has opened.
func (s *Source) Close() {
	for i := len(s.close) - 1; i >= 0; i-- {
		s.close[i]()
	}
}

// single is a file that is no archive, as one of a single member without a name.
type single struct {
	once
	r      io.Reader
	packed bool
	seek   func(offset int64) (io.Reader, error)
}

// once gives a single member without a name.
type once struct{ given bool }

func (o *once) next() (string, error) {
	if o.given {
		return "", io.EOF
	}
	o.given = true
	return "", nil
}

func (s *single) open() (io.ReadCloser, error) { return io.NopCloser(s.r), nil }

// Plain reports whether a stream that begins with text, or is text, is read unchanged: it is no
// archive, not compressed and not UTF-16.
func Plain(text []byte) bool {
	return TableAtEnd(text) == "" && packing(text) == "" && !isTar(text) && wide(text) == nil
}
