// Package nnue reads the training data of networks for chess into record.Games of positions:
// plain and binpack of Stockfish's tools, and the boards of bullet. Chains of a binpack are
// Games of several positions; the others are of one. Positions and moves are as package
// games/chess/nnue unpacks them; whether moves are legal is left to the rules.
//
// There are no lines but in plain: record.Game.Line is the number of a board of bullet, and of a
// chunk of a binpack, from 1.
package nnue

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"kifu/games/chess"
	"kifu/games/chess/nnue"
	"kifu/ingest/record"
)

const boardSize = chess.BoardSize

// Binpack returns the description of binpack.
func Binpack() *record.Format {
	return &record.Format{
		Name: "binpack", Extensions: []string{".binpack"},
		Recognize: func(head []byte) bool { return bytes.HasPrefix(head, magic) },
		Holds:     record.Positions,
		NewSplitter: func(r io.Reader, size int, from record.Start) record.Splitter {
			return newChunkSplitter(r, size, from.Offset, from.Line)
		},
		NewReader:  func(record.Options) record.BlockReader { return &chainReader{} },
		VariantTag: record.TagVariant,
	}
}

const cutOff = "cut off in the middle of a chunk"

var magic = []byte(nnue.Magic)

// chunkSplitter cuts a stream between two chunks.
type chunkSplitter struct {
	record.Carry
	cuts  record.Cuts
	chunk int // number of the one that Data begins with
	size  int
}

func newChunkSplitter(r io.Reader, size int, offset int64, number int) *chunkSplitter {
	if size <= 0 || size > nnue.ChunkSize {
		size = nnue.ChunkSize // a chunk has some 400,000 positions
	}
	const most = nnue.MaxChunk + nnue.ChunkHeader
	s := &chunkSplitter{Carry: record.NewCarry(r, size, offset, 1), chunk: number, size: size}
	s.cuts = record.Cuts{Max: max(most, size), TooLong: "a chunk of more than 64 MiB", Keep: len(magic), Cut: s.cut, Drop: s.drop, Skip: s.skip}
	return s
}

// Next implements record.Splitter. Lines are numbers of chunks.
func (s *chunkSplitter) Next(b *record.Block) error {
	err := s.Carry.Next(b, &s.cuts)
	if err == nil {
		b.Line = s.chunk
		for rest := b.Data; len(rest) > 0; s.chunk++ {
			_, rest = cutChunk(rest)
		}
		b.EndLine = s.chunk
	}
	return err
}

// cut returns the end of the chunks that are whole, at most of about a block.
func (s *chunkSplitter) cut() (end int) {
	for end < s.size {
		rest := s.Data[end:]
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

func (s *chunkSplitter) drop(n int, reason string) error {
	err := &record.SyntaxError{Offset: s.Offset, Line: s.chunk, Reason: reason}
	s.Pass(n)
	s.chunk++
	return err
}

// skip looks for the next chunk after one that was given up.
func (s *chunkSplitter) skip() (found bool) {
	i := bytes.Index(s.Data, magic)
	if i < 0 {
		i = max(len(s.Data)-len(magic)+1, 0)
		if s.Err != nil {
			i = len(s.Data)
		}
		s.Pass(i)
		return false
	}
	s.Pass(i)
	return true
}

// chunkLength returns the length of the chunk that data begins with, its header counted; 0 if
// there is none.
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

// chainReader reads the chains of blocks of chunks.
type chainReader struct {
	block   record.Block
	at      int // of the next chunk
	number  int // of the chunk that is being read
	chunk   []byte
	chains  nnue.ChainReader
	read    int   // positions of the chunk
	pending error // a fault in the chain that was read
	cut     error // of the chunk, after its chains
	board   [boardSize]byte
	text    []byte
}

// Reset makes r read b.
func (r *chainReader) Reset(b record.Block) {
	*r = chainReader{block: b, number: b.Line - 1, text: r.text}
}

// Read fills g with the positions of the next chain.
func (r *chainReader) Read(g *record.Game) error {
	g.Reset()
	if err := r.pending; err != nil {
		r.pending = nil
		return err
	}
	r.text = r.text[:0]
	for {
		g.Board = nil
		g.Offset, g.Line = r.block.Offset+int64(r.at-len(r.chains.Rest())), r.number
		e, ok, err := r.chains.Begin(&r.board)
		if err != nil {
			r.chains.Reset(nil)
			return r.fault(g, err.Error())
		}
		if ok {
			r.chain(g, e)
			return nil
		}
		if err := r.cut; err != nil {
			r.cut = nil
			return err
		}
		if err := r.nextChunk(g); err != nil {
			return err
		}
	}
}

// nextChunk goes to the next chunk of the block.
func (r *chainReader) nextChunk(g *record.Game) error {
	if r.at == len(r.block.Data) {
		return io.EOF
	}
	chunk, rest := cutChunk(r.block.Data[r.at:])
	g.Offset = r.block.Offset + int64(r.at)
	r.at = len(r.block.Data) - len(rest)
	r.number++
	g.Line, r.read = r.number, 0
	length := chunkLength(chunk)
	if length == 0 && len(chunk) < nnue.ChunkHeader && bytes.HasPrefix(chunk, magic) {
		return fault(g, cutOff)
	}
	if length == 0 {
		return fault(g, "not a chunk, which begins with "+nnue.Magic)
	}
	r.chains.Reset(chunk[nnue.ChunkHeader:])
	if length > len(chunk) {
		r.cut = &record.SyntaxError{Offset: g.Offset + int64(len(chunk)), Line: r.number, Reason: cutOff}
	}
	return nil
}

// chain fills g with the positions of a chain, as far as it can be read.
func (r *chainReader) chain(g *record.Game, e *nnue.Entry) {
	g.Board, g.Clock, g.Ply, g.HasPly = r.board[:], int(e.Clock), int(e.Ply), true
	g.Result = resultOf(int(e.Result), e.Position.ToMove() == chess.Black)
	for {
		r.position(g, e)
		next, ok, err := r.chains.Next()
		if err != nil {
			r.chains.Reset(nil) // where the next chain begins is not known
			if r.cut == nil || err != nnue.ErrEnd {
				r.pending = r.fault(g, err.Error())
			}
			return
		}
		if !ok {
			return
		}
		e = next
	}
}

// position appends a position to g.
func (r *chainReader) position(g *record.Game, e *nnue.Entry) {
	r.read++
	m := record.Move{Value: int32(e.Value), HasValue: e.Value != nnue.NoValue}
	if e.Position.ToMove() == chess.Black {
		m.Value = -m.Value
	}
	if e.Move != 0 {
		from := len(r.text)
		r.text = chess.Rules{}.AppendCoordinates(r.text, e.Position, e.Move)
		m.Text = r.text[from:len(r.text):len(r.text)]
	}
	g.Moves = append(g.Moves, m)
}

// fault says where in a chunk a chain cannot be read on.
func (r *chainReader) fault(g *record.Game, reason string) error {
	return &record.SyntaxError{Offset: g.Offset, Line: r.number, Reason: reason,
		Detail: fmt.Sprintf("position %d of the chunk, in the chain at byte %d; the rest of the chunk is left out", r.read+1, g.Offset)}
}
