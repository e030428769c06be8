package csa

import (
	"io"

	"kifu/ingest/record"
)

// DefaultBlock is the usual size of a block in bytes, and MaxGame that of the longest
// game, with what stands before the next one: it bounds the memory.
const (
	DefaultBlock = 2 << 20
	MaxGame      = 8 << 20
)

// initial is how a game begins.
var initial = record.Initial{Byte: 'V', Begins: begins, Keep: 2, Max: MaxGame, TooLong: "longer than 8 MiB"}

// NewSplitter cuts a stream of CSA into blocks, always where a game begins that takes nothing
// from the one before.
// They have about size bytes, at most MaxGame; DefaultBlock if size is 0. r begins at the
// given place of the whole stream: 0 and line 1, or where a block ended.
func NewSplitter(r io.Reader, size int, offset int64, line int) *record.InitialSplitter {
	if size <= 0 {
		size = DefaultBlock
	}
	return record.NewInitialSplitter(r, size, offset, line, initial)
}

// begins reports whether a line with the version begins at d[i].
func begins(d []byte, i int) bool {
	return (d[i-1] == '\n' || d[i-1] == '\r') && version(d[i:])
}
