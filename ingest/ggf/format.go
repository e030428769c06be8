// Package ggf reads Othello games in the Generic Game Format of GGS, the Generic Game
// Server, into record.Games: (;GM[Othello]PB[…]…B[f5//0.01]W[d6/-1.50/2.00]…;). It knows
// syntax only.
//
// A stream is cut into blocks that BlockReaders read in parallel, with the same games as
// outcome. The two games of a synchro match are two games, and the number that GGS writes
// before a match is passed over. Nothing is allocated a game.
//
// A game begins with "(;GM[", whatever went before it, and ends with ";)" or ")"; a value
// ends at the first "]". So damage stays within its own game.
package ggf

import (
	"bytes"

	"kifu/ingest/record"
)

var _ record.BlockReader = (*BlockReader)(nil)

// Format returns the description of GGF.
func Format() *record.Format {
	return &record.Format{
		Name: "GGF", Extensions: []string{".ggf"},
		Recognize:   func(head []byte) bool { return bytes.Contains(head, []byte("(;GM[Othello]")) },
		NewSplitter: initial.Cuts().Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return &BlockReader{keep: o.Keep} },
		VariantTag:  record.TagVariant,
		Score:       Score,
	}
}

// maxGame is the length of the longest game, with the text up to the next one, in bytes.
const maxGame = 4 << 20

var marker = []byte("(;GM[")

// initial is how a game begins.
var initial = record.Initial{
	Byte: '(', Begins: func(d []byte, i int) bool { return bytes.HasPrefix(d[i:], marker) },
	Back: 1, Ahead: len(marker), Max: maxGame, TooLong: "longer than 4 MiB",
}
