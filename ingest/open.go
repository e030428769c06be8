package ingest

import (
	"bufio"
	"bytes"
	"fmt"
	"hash"
	"io"
	"os"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// source is an open file. It gives one stream of records or, of an archive, one for
// each of its members that holds records, in a fixed order.
type source struct {
	archive archive                // nil once a file that is none has been given
	count   int                    // of streams given, or passed over
	skipped int64                  // members that hold no records; the reader sets it back
	holds   func(head []byte) bool // tells whether a member that is a text holds records
	name    string
	disk    *os.File // nil for the standard input and for a text that is held
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

// stream is one stream of records, decompressed and, if it was UTF-16, recoded. Name is
// as source_file has it.
type stream struct {
	io.Reader
	name   string
	head   []byte // what it begins with, recoded
	whole  bool   // head is all of it
	lent   bool   // head stays what it is for as long as the run, or the job that is being filled, lasts
	packed bool   // compressed or in an archive: a fault may be the archive's
	member bool   // in an archive, where its name or what it begins with has told that it holds records
	seek   func(offset int64) (io.Reader, error)
	close  func()
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

// opener has what files are opened with.
type opener struct {
	formats formatSet // those of which members of archives are read
	games   []Game    // as which they are tried
	stdin   io.Reader
	count   func(int64) // of bytes, for the progress bar
	held    *Held
	cut     bool // zip archives are read from their beginning, without their table: a few members are enough
	buffers buffers
}

// holds reports whether a member of an archive that is a text begins with a record.
func (o *opener) holds(head []byte) bool { return o.formats.has(formatIn(head, o.games)) }

// open opens f. sum, unless nil, gets every byte as stored.
func (o *opener) open(f file, sum hash.Hash) (s *source, err error) {
	count := o.count
	raw := &rawReader{r: o.stdin, sum: sum, count: count, size: f.size}
	s = &source{name: f.name, raw: raw, buffers: &o.buffers, holds: o.holds}
	var disk *os.File
	var seeker io.Seeker // nil for the standard input
	if text, ok := o.held.text(f); ok {
		r := bytes.NewReader(text)
		raw.r, seeker = r, r
	} else if f.path != "-" {
		if disk, err = openDisk(f.path); err != nil {
			return nil, err
		}
		raw.r, s.disk, seeker = disk, disk, disk
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
	if kind := tableAtEnd(head); kind != "" {
		if disk == nil {
			return nil, fmt.Errorf("a %s archive cannot be read from a pipe, as its table is at its end: save it to a file first", kind)
		}
		s.archive, err = openTable(kind, rawReaderAt{raw, disk}, o.cut)
		if err != nil {
			s.Close()
			return nil, err
		}
		s.archive = &members{s.archive, o.formats, &s.skipped}
		return s, nil
	}
	r, packed, closer := decompress(b)
	s.close = append(s.close, closer)
	whole := b
	if packed {
		whole = o.buffers.get(r, 1<<16)
		s.close = append(s.close, func() { o.buffers.put(whole) })
	}
	if first, _ := whole.Peek(tarBlock); isTar(first) { // a fault comes again
		s.archive = &members{newTar(whole), o.formats, &s.skipped}
		return s, nil
	}
	one := &single{r: whole, packed: packed}
	if seeker != nil && !packed {
		one.seek = func(offset int64) (io.Reader, error) {
			_, err := seeker.Seek(offset, io.SeekStart)
			raw.at, raw.ended = offset, offset == raw.size && offset > 0
			b.Reset(raw)
			count(offset)
			return b, err
		}
	}
	s.archive = one
	return s, nil
}

// next returns the next stream, which is to be closed before the one after it is asked
// for; those before number first are passed over. It returns io.EOF after the last; any
// other error ends the file.
func (s *source) next(first int) (*stream, error) {
	for {
		name, err := s.archive.next()
		if err != nil {
			return nil, err
		}
		var st *stream
		if isText(name) {
			if st = s.stream(name); !s.holds(st.head) {
				st.close()
				s.skipped++
				continue
			}
		}
		if s.count++; s.count > first && st == nil {
			st = s.stream(name)
		}
		if s.count > first {
			return st, nil
		}
		if st != nil {
			st.close()
		}
	}
}

// stream opens the member that next has gone to. What is wrong with it its reader says.
func (s *source) stream(name string) *stream {
	st := &stream{name: s.name, packed: true, close: func() {}}
	if name != "" {
		st.name += "/" + name
	}
	r, err := s.archive.open()
	if err != nil {
		st.Reader = failing{err}
		return st
	}
	if one, ok := s.archive.(*single); ok {
		st.packed, st.seek = one.packed, one.seek
		st.recode(one.r, s.buffers)
		return st
	}
	b := s.buffers.get(r, 1<<16)
	st.member = true
	plain, _, closer := decompress(b)
	st.close = func() { closer(); r.Close(); s.buffers.put(b) }
	st.recode(plain, s.buffers)
	return st
}

// skip goes to an offset of a stream that nothing has been read of.
func (s *stream) skip(offset int64) (err error) {
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

// headSize is how much of a stream is looked at to tell its encoding.
const headSize = 1 << 16

// recode turns UTF-16 into UTF-8. The buffer that it needs goes back when s is closed.
func (s *stream) recode(r io.Reader, buffers *buffers) {
	b, ok := r.(*bufio.Reader)
	if !ok || b.Size() < headSize {
		b = buffers.get(r, headSize)
		before := s.close
		s.close = func() { before(); buffers.put(b) }
	}
	head, err := b.Peek(headSize) // a fault comes again
	s.Reader, s.head, s.whole = b, head, err == io.EOF
	if e := wide(head); e != nil {
		s.seek = nil
		b = bufio.NewReaderSize(e.NewDecoder().Reader(b), headSize)
		s.head, err = b.Peek(headSize)
		s.Reader, s.whole = b, err == io.EOF
	}
}

// wide tells UTF-16 by its byte order mark or, without one, by its zero bytes: those
// of ASCII, which tags are full of, stand all on one side.
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

// Close closes what open has opened.
func (s *source) Close() {
	for i := len(s.close) - 1; i >= 0; i-- {
		s.close[i]()
	}
}

// single is a file that is no archive, as one of a single member without a name.
type single struct {
	r      io.Reader
	packed bool
	seek   func(offset int64) (io.Reader, error)
	given  bool
}

func (s *single) next() (string, error) {
	if s.given {
		return "", io.EOF
	}
	s.given = true
	return "", nil
}

func (s *single) open() (io.ReadCloser, error) { return io.NopCloser(s.r), nil }
