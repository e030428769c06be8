// Package usi reads games of Shogi as engines and openings have them, a game a line, into
// record.Games:
//
//	startpos moves 7g7f 3c3d
//	position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 5a4b
//
// The words position and sfen may be missing. There are no names; a line ends with resign
// where it names who won. Empty lines and lines with # are passed over. It knows syntax only.
package usi

import (
	"bytes"

	"kifu/ingest/record"
)

// maxLine is the length of the longest line, in bytes.
const maxLine = 1 << 20

// Format returns the description of lines of USI.
func Format() *record.Format {
	return &record.Format{
		Name: "USI", Extensions: []string{".sfen", ".usi"},
		Recognize:   recognize,
		NewSplitter: record.LineCuts(maxLine, "longer than 1 MiB").Splitter,
		Whole:       true,
		NewReader: func(o record.Options) record.BlockReader {
			return record.NewLineReader(40, func(g *record.Game, line []byte) string { return read(g, line, o.Keep) })
		},
		VariantTag: record.TagVariant,
	}
}

var (
	mark     = []byte("\uFEFF")
	newline  = []byte("\n")
	position = []byte("position ")
	startpos = []byte("startpos")
	sfen     = []byte("sfen ")
	moves    = []byte("moves")
	resign   = []byte("resign")
	tagFEN   = []byte(record.TagFEN)

	tagTermination = []byte(record.TagTermination)
	resignation    = []byte(record.Resignation)
)

// recognize reports whether the first line with a position begins with an SFEN, or with startpos and a move
// of Shogi. Startpos alone may be of chess.
func recognize(head []byte) bool {
	head = bytes.TrimPrefix(head, mark)
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, newline)
		line = bytes.TrimPrefix(bytes.TrimSpace(line), position)
		start, played, _ := bytes.Cut(line, moves)
		if played = bytes.TrimSpace(played); len(line) == 0 || line[0] == '#' || string(bytes.TrimSpace(start)) == string(startpos) && len(played) == 0 {
			continue
		}
		return bytes.HasPrefix(line, sfen) || bytes.HasPrefix(line, startpos) && len(played) > 1 && (played[0] >= '1' && played[0] <= '9' || played[1] == '*' || played[0] == 'r')
	}
	return false
}

// read reads a line. The reason explains why it is no game.
func read(g *record.Game, line []byte, keep func(*record.Game) bool) (reason string) {
	line = bytes.TrimPrefix(line, position)
	start, played, _ := bytes.Cut(line, moves)
	start = bytes.TrimSpace(start)
	switch text := bytes.TrimPrefix(start, sfen); {
	case string(start) == string(startpos):
	case bytes.Count(text, []byte("/")) != 8:
		return "neither startpos nor an SFEN"
	default:
		g.Tags = append(g.Tags, record.Tag{Name: tagFEN, Value: text})
	}
	white := len(g.Tags) > 0 && bytes.Contains(g.Tags[0].Value, []byte(" w "))
	if keep != nil && !keep(g) {
		g.Skipped = true
		return ""
	}
	for len(played) > 0 {
		var word []byte
		word, played = record.NextWord(played)
		switch {
		case len(word) == 0:
		case bytes.Equal(word, resign):
			g.Result = []byte(record.FirstWins)
			if white == (len(g.Moves)%2 == 1) {
				g.Result = []byte(record.SecondWins)
			}
			g.Tags = append(g.Tags, record.Tag{Name: tagTermination, Value: resignation})
			return ""
		case len(word) < 4 || len(word) > 5:
			return "not a move"
		default:
			g.AddMove(word)
		}
	}
	return ""
}
