package kif

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
var initial = record.Initial{Byte: '#', Begins: begins, Keep: 24, Tail: 8, Max: MaxGame, TooLong: "longer than 8 MiB"}

// NewSplitter cuts a stream of KIF into blocks, always where a game begins for sure.
// They have about size bytes, at most MaxGame; DefaultBlock if size is 0. r begins at the
// given place of the whole stream: 0 and line 1, or where a block ended.
func NewSplitter(r io.Reader, size int, offset int64, line int) *record.InitialSplitter {
	if size <= 0 {
		size = DefaultBlock
	}
	return record.NewInitialSplitter(r, size, offset, line, initial)
}

// begins reports whether a game begins for sure with the # at d[i], i > 0: with a line
// #KIF, or with a line # --- after one that has no # itself. # is in no character of
// two bytes at the beginning of a line.
func begins(d []byte, i int) bool {
	kif := bytes.HasPrefix(d[i:], []byte("#KIF "))
	if !kif && !bytes.HasPrefix(d[i:], []byte("# --")) {
		return false
	}
	const mostMarks = 16
	from := max(0, i-mostMarks)
	line := from + bytes.LastIndexByte(d[from:i], '\n') + 1
	if line == from || line+record.Marks(d[line:i]) != i {
		return false
	}
	if kif {
		return true
	}
	before := bytes.LastIndexByte(d[:line-1], '\n') + 1
	before += record.Marks(d[before:])
	return d[before] != '#'
}
