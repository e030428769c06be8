package kif

import (
	"bytes"

	"kifu/ingest/record"
)

// maxGame is the length of the longest game, with the text up to the next one, in bytes.
const maxGame = 8 << 20

// initial is how a game begins for sure.
var initial = record.Initial{Byte: '#', Begins: begins, Back: 24, Ahead: 8, Whole: true, Max: maxGame, TooLong: "longer than 8 MiB"}

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
