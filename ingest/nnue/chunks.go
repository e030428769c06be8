package nnue

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"kifu/games/chess/nnue"
	"kifu/ingest/record"
)

// chainSplitter cuts chunks between two chains. So the positions of a block, and the memory of
// its reader, are bounded however long the chunks are.
type chainSplitter struct {
	chunks *chunkSplitter
	whole  record.Block // chunks; what follows is of it
	at     int          // what is handed out next
	end    int          // of the chunk that at is in; at if it is in none
	number int          // of the next chunk
	most   int          // positions of a block, without the rest of its last chain
	chains nnue.ChainReader
	board  [boardSize]byte
}

// weight is the share of a position in the size of a block: as many bytes as a board of bullet.
const weight = nnue.BulletSize

func newChainSplitter(r io.Reader, size int, offset int64, number int) *chainSplitter {
	chunks := newChunkSplitter(r, size, offset, number)
	if size <= 0 {
		size = nnue.ChunkSize
	}
	return &chainSplitter{chunks: chunks, most: max(1, size/weight)}
}

// Next implements record.Splitter. Lines are numbers of chunks.
func (s *chainSplitter) Next(b *record.Block) error {
	if s.at == len(s.whole.Data) {
		if err := s.chunks.Next(&s.whole); err != nil {
			return err
		}
		s.at, s.end, s.number = 0, 0, s.whole.Line
	}
	from, positions := s.at, 0
	inside := s.at < s.end
	b.Line = s.line()
	for positions < s.most && s.at < len(s.whole.Data) {
		if s.at == s.end {
			if inside {
				break
			}
			s.begin()
		}
		positions += s.pass(s.most - positions)
	}
	b.Data = append(b.Data[:0], s.whole.Data[from:s.at]...)
	b.Offset, b.EndLine, b.Weight = s.whole.Offset+int64(from), s.line(), weight*positions
	b.Inside, b.Open = inside, s.at < s.end
	return nil
}

// line is the number of the chunk that at is in or before.
func (s *chainSplitter) line() int {
	if s.at < s.end {
		return s.number - 1
	}
	return s.number
}

// begin goes into the chunk that is next. One that is cut off, and what is no chunk, is passed.
func (s *chainSplitter) begin() {
	chunk, _ := cutChunk(s.whole.Data[s.at:])
	s.number++
	s.end = s.at + len(chunk)
	if chunkLength(chunk) != len(chunk) {
		s.at = s.end
		return
	}
	s.chains.Reset(chunk[nnue.ChunkHeader:])
	s.at += nnue.ChunkHeader
}

// pass passes chains of the chunk until they have most positions, and returns their number.
// After one that cannot be read the rest of the chunk is passed, as the reader leaves it out.
func (s *chainSplitter) pass(most int) (positions int) {
	for s.at < s.end && positions < most {
		_, ok, err := s.chains.Begin(&s.board)
		for ok && err == nil {
			positions++
			_, ok, err = s.chains.Next()
		}
		s.at = s.end - len(s.chains.Rest())
		if err != nil || s.end-s.at < nnue.MinChain {
			s.at = s.end
		}
	}
	return positions
}

// chunkSplitter cuts a stream between two chunks.
type chunkSplitter struct {
	*record.Cutter
	chunk int // number of the one that Data begins with
}

func newChunkSplitter(r io.Reader, size int, offset int64, number int) *chunkSplitter {
	if size <= 0 || size > nnue.ChunkSize {
		size = nnue.ChunkSize // a chunk has some 400,000 positions
	}
	const most = nnue.MaxChunk + nnue.ChunkHeader
	cuts := record.Cuts{Max: most, TooLong: "a chunk of more than 64 MiB", Keep: len(magic),
		Cut:  func(d []byte, _ bool) int { return wholeChunks(d, size) },
		Next: func(d []byte, _ bool) int { return bytes.Index(d, magic) },
	}
	return &chunkSplitter{Cutter: cuts.Cutter(r, size, record.Start{Offset: offset, Line: 1}), chunk: number}
}

// Next implements record.Splitter. Lines are numbers of chunks.
func (s *chunkSplitter) Next(b *record.Block) error {
	err := s.Cutter.Next(b)
	if fault := (*record.SyntaxError)(nil); errors.As(err, &fault) {
		fault.Line = s.chunk
		s.chunk++
	}
	if err == nil {
		b.Line = s.chunk
		for rest := b.Data; len(rest) > 0; s.chunk++ {
			_, rest = cutChunk(rest)
		}
		b.EndLine = s.chunk
	}
	return err
}

// wholeChunks returns the end of the chunks of d that are whole, of about size bytes at most.
func wholeChunks(d []byte, size int) (end int) {
	for end < size {
		rest := d[end:]
		if len(rest) < nnue.ChunkHeader {
			break
		}
		n := chunkLength(rest)
		if n == 0 {
			n = nextMagic(rest)
		}
		if n > len(rest) {
			break
		}
		end += n
	}
	return end
}

// chunkLength returns the length of the first chunk of data, including its header; 0 if data does not begin
// with one.
func chunkLength(data []byte) int {
	if !bytes.HasPrefix(data, magic) || len(data) < nnue.ChunkHeader {
		return 0
	}
	return nnue.ChunkHeader + int(binary.LittleEndian.Uint32(data[len(magic):]))
}

// nextMagic returns where the next chunk may begin in data, which begins with none.
func nextMagic(data []byte) int {
	if i := bytes.Index(data[1:], magic); i >= 0 {
		return i + 1
	}
	return max(1, len(data)-len(magic)+1)
}

// cutChunk cuts after the chunk, or what is none, that data begins with.
func cutChunk(data []byte) (chunk, rest []byte) {
	n := chunkLength(data)
	if n == 0 {
		n = nextMagic(data)
		if n > len(data)-len(magic) {
			n = len(data)
		}
	}
	n = min(n, len(data))
	return data[:n], data[n:]
}
