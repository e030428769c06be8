package csa

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// DefaultBlock is the usual size of a block in bytes, and MaxGame the size of the longest
// game, with what precedes the next one: it bounds the memory.
const (
	DefaultBlock = 2 << 20
	MaxGame      = 8 << 20
)

// initial is how a game begins.
var initial = record.Initial{Byte: 'V', Begins: begins, Keep: mostLine + mostTail, Tail: mostTail, Max: MaxGame, TooLong: "longer than 8 MiB"}

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

// mostLine is more than a line of moves has, in bytes, and mostTail than a version.
const (
	mostLine = 64
	mostTail = 16
)

// begins reports whether the line with the version begins at d[i], or is there at the end of
// a line of moves.
func begins(d []byte, i int) bool {
	if !version(d[i:]) {
		return false
	}
	from := max(0, i-mostLine)
	line := from + bytes.LastIndexAny(d[from:i], "\r\n") + 1
	if line == from {
		return false
	}
	if line+record.Marks(d[line:i]) == i {
		return true
	}
	end := min(len(d), i+mostTail)
	if n := bytes.IndexAny(d[i:end], "\r\n"); n >= 0 {
		end = i + n
	}
	return line+glued(trimRight(d[line:end])) == i
}
