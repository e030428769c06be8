// Package pdn reads games of draughts in Portable Draughts Notation, 2.0 and 3.0, into
// record.Games. It knows syntax only: which variant is played, whether a move is legal
// and what a result means is for others.
//
// A stream is cut into blocks that BlockReaders read in parallel, with the same games as
// outcome. Moves of the main line are kept; variations are skipped and counted; of comments
// the evaluations and clocks are read; glyphs, move numbers, escape lines and remarks are
// passed over. Nothing is allocated a move, and memory stays bounded by the longest game, of
// which maxGame is the limit.
//
// A game ends with its result, or where the next one's tags begin, or with the file.
// split.go has the rule by which damage stays in its game.
package pdn

import "kifu/ingest/record"

var _ record.BlockReader = (*BlockReader)(nil)

// BlockReader reads the games of blocks.
type BlockReader struct{ scan scanner }

// NewBlockReader returns a BlockReader; Reset gives it a block.
func NewBlockReader(o record.Options) *BlockReader { return &BlockReader{scanner{keep: o.Keep}} }

// Reset makes r read b, whose memory it uses until the next Reset.
func (r *BlockReader) Reset(b record.Block) { r.scan.reset(b) }

// Read fills g with the next game of the block.
func (r *BlockReader) Read(g *record.Game) error { return r.scan.next(g) }
