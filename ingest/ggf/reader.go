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
