package wthor

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// The extensions of the files of names that WTHOR keeps for all its files of games.
const (
	playersExtension     = ".jou"
	tournamentsExtension = ".trn"
)

// Format returns the description of WTHOR, read without files of names.
func Format() *record.Format { return format(nil) }

func format(names *Names) *record.Format {
	return &record.Format{
		Name: "WTHOR", Extensions: []string{".wtb"},
		Recognize: func(head []byte) bool {
			return bytes.IndexByte(head[:min(len(head), headerSize)], 0) >= 0 && recognize(head)
		},
		HeaderSize: headerSize,
		NewSplitter: func(r io.Reader, size int, from record.Start) record.Splitter {
			return newSplitter(r, size, from.Offset, from.Header)
		},
		NewReader:       func(o record.Options) record.BlockReader { return newBlockReader(o, names) },
		Charset:         "windows-1252",
		VariantTag:      record.TagVariant,
		Score:           Score,
		TableExtensions: []string{playersExtension, tournamentsExtension},
		WithTables: func(tables map[string]io.Reader) (*record.Format, error) {
			names, err := readNames(tables[playersExtension], tables[tournamentsExtension])
			if err != nil {
				return nil, err
			}
			return format(names), nil
		},
	}
}

// defaultBlock is the usual size of a block in bytes: some 15,000 games.
const defaultBlock = 1 << 20

// Splitter cuts a file of games into blocks. Each block is a file of its own, the header and
// some games, so that a BlockReader needs nothing else: its Data begins with a copy of the
// header. Its Offset is set so that the games, and the end of the block, are at their places in
// the stream. Line is not a line but the number of the block's first game in the file, from 1.
type Splitter struct {
	r      io.Reader
	size   int
	head   []byte // the header; nil before it was read
	offset int64  // of the next game
	number int    // of the next game
	left   int    // games that the header promises yet
	fault  string // told by the next call, which is then the last but one
	err    error  // of r, or io.EOF
}

// newSplitter cuts r into blocks of about size bytes; defaultBlock if size is 0. r
// begins at offset of the whole stream: at 0, or where a block ended, and then head is
// the stream's header, its first headerSize bytes.
func newSplitter(r io.Reader, size int, offset int64, head []byte) *Splitter {
	if size <= 0 {
		size = defaultBlock
	}
	s := &Splitter{r: r, size: size}
	if offset > 0 && len(head) >= headerSize {
		s.begin(head[:headerSize])
		s.offset = offset
		done := int(offset-headerSize) / gameSize
		s.number += done
		s.left -= done
	}
	return s
}

// begin takes a header.
func (s *Splitter) begin(head []byte) {
	s.head = append([]byte(nil), head...)
	s.offset, s.number, s.left = headerSize, 1, readHeader(head).games
}

// Next implements record.Splitter. A file that ends early, or goes on after its last
// game, is a *record.SyntaxError after the games that are whole.
func (s *Splitter) Next(b *record.Block) error {
	if s.head == nil && s.err == nil {
		var head [headerSize]byte
		n := s.fill(head[:])
		switch {
		case n == 0:
			return s.err
		case n < headerSize:
			s.fault = "cut off in the header"
		default:
			s.fault = refusal(head[:])
		}
		s.begin(head[:])
		if s.fault != "" {
			s.offset = 0
		}
	}
	if s.fault == "" && s.left > 0 && s.err == nil {
		if s.games(b); len(b.Data) > headerSize {
			return nil
		}
	} else if s.fault == "" && s.err == nil {
		var one [1]byte
		if s.fill(one[:]) > 0 {
			s.fault = "more bytes than the header's games"
		}
	}
	if s.fault != "" {
		err := &record.SyntaxError{Offset: s.offset, Line: s.number, Reason: s.fault}
		s.fault, s.left = "", 0
		if s.err == nil {
			s.err = io.EOF
		}
		return err
	}
	return s.err
}

// games fills b with as many whole games as size, the header and the stream allow.
func (s *Splitter) games(b *record.Block) {
	n := min(max(1, s.size/gameSize), s.left)
	want := headerSize + n*gameSize
	if cap(b.Data) < want {
		b.Data = make([]byte, want)
	}
	b.Data = b.Data[:want]
	copy(b.Data, s.head)
	got := s.fill(b.Data[headerSize:])
	if got < n*gameSize {
		n = got / gameSize
		b.Data = b.Data[:headerSize+n*gameSize]
		s.fault = "fewer games than the header states"
		if got%gameSize != 0 {
			s.fault = "cut off in the middle of a game"
		}
	}
	b.Offset, b.Line = s.offset-headerSize, s.number
	s.offset += int64(n * gameSize)
	s.number += n
	s.left -= n
	b.EndLine = s.number
}

// fill reads until p is full or the stream has ended or failed.
func (s *Splitter) fill(p []byte) (n int) {
	for n < len(p) && s.err == nil {
		var m int
		m, s.err = s.r.Read(p[n:])
		n += m
	}
	return n
}
