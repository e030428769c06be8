// Package pdn reads games of draughts in Portable Draughts Notation, 2.0 and 3.0, into
// record.Games. It knows syntax only: which variant is played, whether a move is legal
// and what a result means is for others.
//
// A Reader takes any io.Reader; a Splitter cuts a stream into blocks that BlockReaders
// read in parallel, with the same games as outcome. Moves of the main line are kept;
// variations are skipped and counted; of comments the evaluations and clocks are read;
// glyphs, move numbers, escape lines and remarks are passed over. Nothing is allocated a move, and memory stays bounded by
// the longest game, of which MaxGame is the limit.
//
// A game ends with its result, or where the next one's tags begin, or with the file.
// split.go has the rule by which damage stays in its game.
package pdn

import (
	"io"

	"kifu/ingest/record"
)

var (
	_ record.BlockReader = (*BlockReader)(nil)
	_ record.Splitter    = (*Splitter)(nil)
)

// readerBlock keeps what is being scanned in the processor's cache.
const readerBlock = 256 << 10

// NewReader returns a reader of the stream r.
func NewReader(r io.Reader, o record.Options) *record.Stream {
	return record.NewStream(NewSplitter(r, readerBlock, 0, 1), NewBlockReader(o))
}

// BlockReader reads the games of blocks that a Splitter has cut.
type BlockReader struct{ scan scanner }

// NewBlockReader returns a BlockReader; Reset gives it a block.
func NewBlockReader(o record.Options) *BlockReader { return &BlockReader{scanner{keep: o.Keep}} }

// Reset makes r read b, whose memory it uses until the next Reset.
func (r *BlockReader) Reset(b record.Block) { r.scan.reset(b) }

// Read fills g with the next game of the block.
func (r *BlockReader) Read(g *record.Game) error { return r.scan.next(g) }
