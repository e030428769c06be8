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
			return newChainSplitter(r, size, from.Offset, from.Line)
		},
		NewReader:  func(record.Options) record.BlockReader { return &chainReader{} },
		VariantTag: record.TagVariant,
	}
}

const cutOff = "cut off in the middle of a chunk"

var magic = []byte(nnue.Magic)

// chainReader reads the chains of blocks of chunks.
type chainReader struct {
	block   record.Block
	at      int // of the next chunk
	number  int // of the chunk that is being read
	chains  nnue.ChainReader
	read    int   // positions of the chain
	pending error // a fault in the chain that was read
	cut     error // of the chunk, after its chains
	board   [boardSize]byte
	text    []byte
}

// Reset makes r read b.
func (r *chainReader) Reset(b record.Block) {
	*r = chainReader{block: b, number: b.Line - 1, text: r.text}
	if b.Inside {
		r.number, r.at = b.Line, len(b.Data)
		r.chains.Reset(b.Data)
	}
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
		r.read = 0
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
	g.Line = r.number
	length := chunkLength(chunk)
	if length == 0 && len(chunk) < nnue.ChunkHeader && bytes.HasPrefix(chunk, magic) {
		return fault(g, cutOff)
	}
	if length == 0 {
		return fault(g, "not a chunk, which begins with "+nnue.Magic)
	}
	r.chains.Reset(chunk[nnue.ChunkHeader:])
	if length > len(chunk) && !r.block.Open {
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

// fault reports where in a chunk a chain cannot be read on.
func (r *chainReader) fault(g *record.Game, reason string) error {
	return &record.SyntaxError{Offset: g.Offset, Line: r.number, Reason: reason,
		Detail: fmt.Sprintf("position %d of the chain at byte %d; the rest of the chunk is left out", r.read+1, g.Offset)}
}
