// Package ggf reads Othello games in the Generic Game Format of GGS, the Generic Game
// Server, into record.Games: (;GM[Othello]PB[…]…B[f5//0.01]W[d6/-1.50/2.00]…;). It knows
// syntax only.
//
// A Reader takes any io.Reader; a Splitter cuts a stream into blocks that BlockReaders
// read in parallel, with the same games as outcome. The two games of a synchro match
// are two games, and the number that GGS writes before a match is passed over. Nothing
// is allocated a game.
//
// A game begins with "(;GM[", whatever went before it, and ends with ";)" or ")"; a value
// ends at the first "]". So damage stays within its own game.
package ggf

import (
	"io"

	"kifu/ingest/record"
)

// Options change what a Reader returns.
type Options struct {
	// Keep sees a game when the tags before its first move have been read; when it
	// returns false the game comes back with Skipped set and no moves.
	Keep func(*record.Game) bool
}

// Reader reads games from a stream. It implements record.Reader.
type Reader struct {
	split  *Splitter
	block  record.Block
	blocks BlockReader
}

var (
	_ record.Reader      = (*Reader)(nil)
	_ record.BlockReader = (*BlockReader)(nil)
	_ record.Splitter    = (*Splitter)(nil)
)

// readerBlock keeps what is being scanned in the processor's cache.
const readerBlock = 256 << 10

// NewReader returns a Reader over r.
func NewReader(r io.Reader, o Options) *Reader {
	return &Reader{split: NewSplitter(r, readerBlock, 0, 1), blocks: *NewBlockReader(o)}
}

// Read fills g with the next game; the memory is the reader's until the next call.
func (r *Reader) Read(g *record.Game) error {
	for {
		err := r.blocks.Read(g)
		if err != io.EOF {
			return err
		}
		if err := r.split.Next(&r.block); err != nil {
			g.Reset()
			return err
		}
		r.blocks.Reset(r.block)
	}
}
