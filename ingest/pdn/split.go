package pdn

import (
	"io"

	"kifu/ingest/record"
)

// The cuts of a stream.
//
// A line that begins with a tag and does not follow another tag's line, nor one ending
// in "]", begins a game, whatever went before it: an open comment or variation ends
// there, as the game that it belongs to is damaged. The scanner keeps that rule in
// every one of its states, so a splitter may cut at any such line without knowing the
// state, and blocks read one by one give the games of the stream read at once. The price: a comment that
// quotes a game with its tags at the start of lines, or a tag section with a blank line in it, ends there.
//
// A stretch without such a line (games without tags) is cut where the scanner itself,
// started at the block's known beginning, has found the end of a game, well before the
// end of what has been read: so far it never looks ahead.

// maxGame is the length of the longest game that is read, in bytes.
const maxGame = 8 << 20

// lookAhead is more than the scanner looks at after the end of a game, and lookBack
// more than hard looks at before a line.
const (
	lookAhead = 256
	lookBack  = maxTagLine + 16
)

// initial returns how a game begins.
func initial() record.Initial {
	return record.Initial{
		Byte: '[', Begins: hard, Scan: lastEnd,
		Back: lookBack, Ahead: lookAhead, Max: maxGame, TooLong: "longer than 8 MiB", Quote: true,
	}
}

// lastEnd returns where the last game ends in d after whose end the scanner has seen enough.
func lastEnd(d []byte) (end int) {
	var g record.Game
	s := scanner{keep: func(*record.Game) bool { return false }} // boundaries alone
	s.reset(record.Block{Data: d})
	for {
		err := s.next(&g)
		if err == io.EOF || s.pos > len(d)-lookAhead {
			return end
		}
		end = s.pos
	}
}
