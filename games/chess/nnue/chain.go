package nnue

import (
	"encoding/binary"

	"kifu/games/chess"
)

// Chunks: a file is a sequence of them, the letters BINP, the size in four bytes, little-endian,
// and so many bytes of whole chains. A writer begins another after ChunkSize.
const (
	ChunkHeader = 8
	ChunkSize   = 1 << 20
	// MaxChunk is the size of the largest that is read.
	MaxChunk = 64 << 20
	Magic    = "BINP"
	// MinChain is the size of the shortest chain: an entry and the number of plies after it.
	MinChain = EntrySize + 2
)

// ChainReader reads the chains of a chunk.
type ChainReader struct {
	rest []byte
	left int // plies of the chain that follow
	bits bitReader
	last Entry
}

// Reset makes r read the chains in data.
func (r *ChainReader) Reset(data []byte) { *r = ChainReader{rest: data} }

// Rest returns the bytes after the chain that is being read.
func (r *ChainReader) Rest() []byte { return r.rest }

// Begin reads the entry that a chain begins with, whose board is written to board; ok is false at the
// end.
func (r *ChainReader) Begin(board *[chess.BoardSize]byte) (e *Entry, ok bool, err error) {
	if len(r.rest) < MinChain {
		r.rest = nil
		return nil, false, nil
	}
	r.left = 0
	packed := r.rest
	r.rest = r.rest[MinChain:]
	plies := int(binary.BigEndian.Uint16(packed[EntrySize:]))
	if err := unpackBoard(board, packed); err != nil {
		return nil, true, err
	}
	if r.last, err = readEntry(packed); err != nil {
		return nil, true, err
	}
	r.left, r.bits = plies, bitReader{data: r.rest}
	return &r.last, true, nil
}

// Next reads the next position of the chain; ok is false after the last.
func (r *ChainReader) Next() (e *Entry, ok bool, err error) {
	if r.left == 0 {
		return nil, false, nil
	}
	e = &r.last
	if e.Move == 0 {
		return nil, true, errMove
	}
	r.step()
	p := &e.Position
	own := p.Side(p.ToMove())
	man, ok := r.bits.read(width(own.Count()))
	if !ok {
		return nil, true, ErrEnd
	}
	if man >= own.Count() {
		return nil, true, errMove
	}
	from := nth(own, man)
	t := targetsOf(p, from)
	number, ok := r.bits.read(width(t.count()))
	if !ok {
		return nil, true, ErrEnd
	}
	to, promo, ok := t.target(number)
	if !ok {
		return nil, true, errMove
	}
	if e.Move, err = moveOf(p, from, to, promo); err != nil {
		return nil, true, err
	}
	change, ok := r.bits.takeValue()
	if !ok {
		return nil, true, ErrEnd
	}
	e.Value = -e.Value + unzigzag(change)
	if r.left--; r.left == 0 {
		r.rest = r.rest[min(r.bits.size(), len(r.rest)):]
	}
	return e, true, nil
}

// step plays the move of the entry.
func (r *ChainReader) step() {
	e := &r.last
	before := e.Position.HalfmoveClock()
	e.Position = e.Position.Play(e.Move)
	e.Ply++
	e.Result = -e.Result
	if e.Position.HalfmoveClock() <= before {
		e.Clock = 0
	} else {
		e.Clock++
	}
}

// ChainWriter writes entries as chains in chunks, each chain as long as the entries follow each
// other: the position after the move, a ply later, with the other result.
type ChainWriter struct {
	chunk []byte // of whole chains but for the last
	bits  bitWriter
	plies int
	open  bool
	last  Entry
	after chess.Position     // its move
	next  [positionSize]byte // the same packed
	joins bool               // there is such a position
}

// Add adds a packed entry. It returns a chunk if one is full, which is valid until the next call.
func (w *ChainWriter) Add(packed []byte) (chunk []byte, err error) {
	if w.follows(packed) {
		w.last.Position, w.last.Move = w.after, 0
		value := w.last.Value
		if err := w.last.readRest(packed); err != nil {
			return nil, err
		}
		if w.last.Move != 0 && w.plies < 1<<16-1 {
			w.addMove(zigzag(w.last.Value + value))
			w.look()
			return nil, nil
		}
	}
	w.closeChain()
	if len(w.chunk) >= ChunkHeader+ChunkSize {
		chunk = w.cutChunk()
	}
	if len(w.chunk) == 0 {
		w.chunk = append(w.chunk, Magic+"\x00\x00\x00\x00"...)
	}
	if w.last, err = readEntry(packed); err != nil {
		return chunk, err
	}
	w.chunk = append(w.chunk, packed...)
	w.open = true
	w.look()
	return chunk, nil
}

// follows reports whether the last entry's move leads to the packed one.
func (w *ChainWriter) follows(packed []byte) bool {
	last := binary.BigEndian.Uint16(packed[28:])
	return w.open && w.joins && int8(unzigzag(last>>14)) == -w.last.Result && last&MaxPly == w.last.Ply+1 &&
		string(packed[:positionSize]) == string(w.next[:])
}

// look finds what would follow the last entry.
func (w *ChainWriter) look() {
	if w.joins = w.last.Move != 0; w.joins {
		w.after = w.last.Position.Play(w.last.Move)
		appendPosition(w.next[:0], &w.after)
	}
}

func (w *ChainWriter) addMove(change uint16) {
	p, m := &w.last.Position, w.last.Move
	own, from := p.Side(p.ToMove()), chess.From(m)
	t := targetsOf(p, from)
	w.bits.add((own & (from.Bit() - 1)).Count(), width(own.Count()))
	w.bits.add(t.number(m), width(t.count()))
	w.bits.addValue(change)
	w.plies++
}

// closeChain ends the chain that is open.
func (w *ChainWriter) closeChain() {
	if !w.open {
		return
	}
	w.chunk = binary.BigEndian.AppendUint16(w.chunk, uint16(w.plies))
	w.chunk = append(w.chunk, w.bits.data...)
	w.bits, w.plies, w.open = bitWriter{data: w.bits.data[:0]}, 0, false
}

// cutChunk hands the chunk out.
func (w *ChainWriter) cutChunk() []byte {
	binary.LittleEndian.PutUint32(w.chunk[4:], uint32(len(w.chunk)-ChunkHeader))
	full := w.chunk
	w.chunk = nil
	return full
}

// Close returns the last chunk, nil if it is empty.
func (w *ChainWriter) Close() []byte {
	w.closeChain()
	if len(w.chunk) == 0 {
		return nil
	}
	return w.cutChunk()
}
