// Package pgn reads chess games in Portable Game Notation, as thirty years of programs have written it,
// into record.Games. It knows syntax only: the rules decide whether a move is legal and what a tag means.
//
// A stream is cut into blocks that BlockReaders read in parallel, with the same games as outcome. Moves of
// the main line are kept, with the evaluations and clocks of their comments (comment.go has the dialects);
// variations are skipped and counted; numbers, glyphs, escape lines and remarks are passed over. Nothing is
// allocated a move, and memory stays bounded by the longest game, at most maxGame.
//
// A game ends with its result, or where the next one's tags begin, or with the file.
// An open comment, variation or quote damages its own game alone: a line that begins
// with an Event tag begins a new game in any case (split.go has the rule).
package pgn

import "kifu/ingest/record"

var _ record.BlockReader = (*BlockReader)(nil)

// BlockReader reads the games of blocks.
type BlockReader struct{ scan scanner }

// NewBlockReader returns a BlockReader; Reset gives it a block.
func NewBlockReader(o record.Options) *BlockReader {
	return &BlockReader{scanner{keep: o.Keep}}
}

// Reset makes r read b, whose memory it uses until the next Reset.
func (r *BlockReader) Reset(b record.Block) { r.scan.reset(b, false) }

// Read fills g with the next game of the block.
func (r *BlockReader) Read(g *record.Game) error { return r.scan.next(g) }
