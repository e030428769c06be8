// Package lines reads games that are lines of moves without a header into record.Games, in two
// formats:
//
//	e2e4 e7e5 g1f3                     chess, in UCI or SAN, with move numbers and a result or without;
//	1. e4 e5 2. Nf3 1-0                also as UCI's command position has it
//	position startpos moves e2e4
//	f5d6c3d3c4 38-26                   Othello, with or without blanks; a score may follow, +12 or discs
//
// Empty lines and lines with # are passed over. It knows syntax only.
package lines

import (
	"bytes"

	"kifu/ingest/record"
)

// Moves returns the description of lines of moves of chess.
func Moves() *record.Format { return format("lines of moves", firstLines(beginsMoves), readMoves) }

// Transcripts returns the description of lines of moves of Othello.
func Transcripts() *record.Format {
	f := format("transcripts", firstLines(beginsTranscript), readTranscript)
	f.Score = score
	return f
}

// reading fills g from a line; keep sees it before its moves, and may be nil.
type reading func(g *record.Game, line []byte, keep func(*record.Game) bool) (reason string)

func format(name string, recognize func(head []byte) bool, read reading) *record.Format {
	return &record.Format{
		Name: name, Recognize: recognize,
		NewSplitter: record.LineCuts(1<<20, "longer than 1 MiB").Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return blockReader(o, read) },
		VariantTag:  record.TagVariant,
	}
}

func blockReader(o record.Options, read reading) *record.LineReader {
	return record.NewLineReader(40, func(g *record.Game, line []byte) string { return read(g, line, o.Keep) })
}

// firstLines returns a test of the beginning of a stream: every line of the first that are not
// empty begins a game. count is the number of lines before it.
func firstLines(begins func(line []byte, count int, last bool) bool) func(head []byte) bool {
	return func(head []byte) bool {
		head = bytes.TrimPrefix(head, []byte("\uFEFF"))
		count := 0
		for more := true; more && count < 8; {
			var line []byte
			line, head, more = bytes.Cut(head, []byte("\n"))
			if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' || string(bytes.TrimPrefix(line, position)) == "startpos" {
				continue // the command of Shogi engines, too
			}
			if !more && count > 0 {
				break // it may be cut
			}
			if !begins(line, count, !more || len(bytes.TrimSpace(head)) == 0) {
				return false
			}
			count++
		}
		return count > 0
	}
}
