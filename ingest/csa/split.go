package csa

import (
	"bytes"

	"kifu/ingest/record"
)

// maxGame is the length of the longest game, with the text up to the next one, in bytes.
const maxGame = 8 << 20

// initial is how a game begins that takes nothing from the one before.
var initial = record.Initial{Byte: 'V', Begins: begins, Back: mostLine + mostTail, Ahead: mostTail, Whole: true, Max: maxGame, TooLong: "longer than 8 MiB"}

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
