// Package csa reads Shogi games in the format of the Computer Shogi Association, from the first
// version to V3.0, into record.Games. Programs' tournaments and the server floodgate write it. It
// knows syntax only: moves are handed out as written (+7776FU), start positions as SFEN.
//
// A stream is cut into blocks that BlockReaders read in parallel, with the same games as outcome. Values in
// comments ('** 130 …) and times (T12) go to their moves. Nothing is allocated a game.
//
// Games are separated by a line with a slash, or by the line with the version that a game begins with. A
// game after a slash that begins neither with a version nor with a player inherits missing data from the
// game before: players, event, start.
package csa

import (
	"bytes"

	"kifu/ingest/record"
)

var _ record.BlockReader = (*BlockReader)(nil)

// Format returns the description of CSA.
func Format() *record.Format {
	return &record.Format{
		Name: "CSA", Extensions: []string{".csa"},
		Recognize:   recognize,
		NewSplitter: initial.Cuts().Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return &BlockReader{keep: o.Keep} },
		VariantTag:  record.TagVariant,
	}
}

// recognize reports whether the first line of head that is no comment is one that CSA
// begins with.
func recognize(head []byte) bool {
	head = head[record.Marks(head):]
	for len(head) > 0 {
		end := bytes.IndexAny(head, "\r\n")
		if end < 0 {
			end = len(head)
		}
		line := head[:end]
		head = head[min(end+1, len(head)):]
		if len(line) == 0 || line[0] == '\'' {
			continue
		}
		return version(line) || player(line) || bytes.HasPrefix(line, []byte("PI")) || bytes.HasPrefix(line, []byte("P1")) ||
			bytes.HasPrefix(line, []byte("$EVENT:"))
	}
	return false
}

// version reports whether a line names the version: V2, V2.2.
func version(line []byte) bool {
	return len(line) > 1 && line[0] == 'V' && line[1] >= '1' && line[1] <= '9'
}

// player reports whether a line names a player.
func player(line []byte) bool {
	return len(line) > 1 && line[0] == 'N' && (line[1] == '+' || line[1] == '-')
}

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
