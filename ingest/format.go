package ingest

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"kifu/ingest/ggf"
	"kifu/ingest/pdn"
	"kifu/ingest/pgn"
	"kifu/ingest/record"
	"kifu/ingest/sgf"
	"kifu/ingest/wthor"
)

// format is a way to write records down.
type format struct {
	name       string
	games      []string // by their --game
	extensions []string // of files that are taken from a directory
	// recognize reports whether a stream that begins with head can be nothing else; nil
	// if the extension has to tell.
	recognize func(head []byte) bool
	// split cuts r, which begins at the given place of its stream, into blocks; size is
	// the length wished for, head the beginning of the stream.
	split func(r io.Reader, head []byte, size int, offset int64, line int) record.Splitter
	// reader asks keep, unless it is nil, for every game whose tags it has read.
	reader func(keep func(*record.Game) bool, names *wthor.Names) record.BlockReader
	// score is what the record says the first player has more than the second at the end,
	// in hundredths of a point; nil if records do not say it.
	score func(*record.Game) (score int32, ok bool)
	// agreed: a game may have a score though its moves leave none, as in Go when the
	// players agree on dead stones.
	agreed bool
	// variantTag is the tag that says which game or variant it is.
	variantTag string
	// gameOf is the word of --game for what the value of variantTag says, if it is
	// another game than the one it is given; nil if the format has one game.
	gameOf func(value []byte, game string) string
	// byMoves says which game it is when there is no such tag; nil like gameOf.
	byMoves func(*record.Game) string
}

var formats = []*format{
	{
		name: "WTHOR", games: []string{"othello"}, extensions: []string{".wtb"},
		recognize: func(head []byte) bool {
			return bytes.IndexByte(head[:min(len(head), 16)], 0) >= 0 && wthor.Recognize(head)
		},
		split: func(r io.Reader, head []byte, size int, offset int64, _ int) record.Splitter {
			return wthor.NewSplitter(r, size, offset, head)
		},
		reader: func(keep func(*record.Game) bool, names *wthor.Names) record.BlockReader {
			return wthor.NewBlockReader(wthor.Options{Options: record.Options{Keep: keep}, Names: names})
		},
		score:      wthor.Score,
		variantTag: "Variant",
	},
	{
		name: "GGF", games: []string{"othello"}, extensions: []string{".ggf"},
		recognize: func(head []byte) bool { return bytes.Contains(head, []byte("(;GM[Othello]")) },
		split: func(r io.Reader, _ []byte, size int, offset int64, line int) record.Splitter {
			return ggf.NewSplitter(r, size, offset, line)
		},
		reader: func(keep func(*record.Game) bool, _ *wthor.Names) record.BlockReader {
			return ggf.NewBlockReader(record.Options{Keep: keep})
		},
		score:      ggf.Score,
		variantTag: "Variant",
	},
	{
		name: "SGF", games: []string{"go", "othello"}, extensions: []string{".sgf"},
		recognize: func(head []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(head), []byte("(;")) },
		split: func(r io.Reader, _ []byte, size int, offset int64, line int) record.Splitter {
			return sgf.NewSplitter(r, size, offset, line)
		},
		reader: func(keep func(*record.Game) bool, _ *wthor.Names) record.BlockReader {
			return sgf.NewBlockReader(record.Options{Keep: keep})
		},
		score:      sgf.Score,
		agreed:     true,
		variantTag: "Variant",
		gameOf: func(value []byte, game string) string {
			of := "othello" // its boards have one number: 8
			if bytes.IndexByte(value, 'x') > 0 {
				of = "go"
			}
			if of == game {
				return ""
			}
			return of
		},
		byMoves: func(*record.Game) string { return "go" },
	},
	{
		name: "PDN", games: []string{"checkers", "draughts", "russian", "giveaway"}, extensions: []string{".pdn"},
		split: func(r io.Reader, _ []byte, size int, offset int64, line int) record.Splitter {
			return pdn.NewSplitter(r, size, offset, line)
		},
		reader: func(keep func(*record.Game) bool, _ *wthor.Names) record.BlockReader {
			return pdn.NewBlockReader(record.Options{Keep: keep})
		},
		variantTag: "GameType",
		gameOf: func(value []byte, game string) string {
			switch of := pdn.GameType(value); {
			case of == game, of == "checkers" && game == "giveaway": // giveaway has no number of its own
				return ""
			default:
				return of
			}
		},
		byMoves: draughtsByMoves,
	},
	{
		name: "PGN", games: []string{"chess", "tictactoe"}, extensions: []string{".pgn"},
		split: func(r io.Reader, _ []byte, size int, offset int64, line int) record.Splitter {
			return pgn.NewSplitter(r, size, offset, line)
		},
		reader: func(keep func(*record.Game) bool, _ *wthor.Names) record.BlockReader {
			return pgn.NewBlockReader(record.Options{Keep: keep})
		},
		variantTag: "Variant",
		gameOf: func(value []byte, game string) string {
			of := "chess"
			if bytes.EqualFold(value, []byte("tictactoe")) {
				of = "tictactoe"
			}
			if of == game {
				return ""
			}
			return of
		},
		byMoves: func(*record.Game) string { return "chess" },
	},
}

// formatsOf are the formats in which games of that name are recorded.
func formatsOf(game string) (formatSet, error) {
	var set formatSet
	for _, f := range formats {
		if slices.Contains(f.games, game) {
			set = append(set, f)
		}
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("no record format of %s is read yet", game)
	}
	return set, nil
}

// formatSet are the formats of one game.
type formatSet []*format

// of is the format of a stream: by what it begins with, then by its name's extension;
// if neither tells, the first of the game's whose extension has to tell.
func (set formatSet) of(name string, head []byte) *format {
	for _, f := range set {
		if f.recognize != nil && f.recognize(head) {
			return f
		}
	}
	ext := extension(name)
	for _, f := range set {
		if slices.Contains(f.extensions, ext) {
			return f
		}
	}
	for _, f := range set {
		if f.recognize == nil {
			return f
		}
	}
	return set[0]
}

// takes reports whether a file found in a directory or in an archive is of one of the
// formats, by its name. A name that begins with ._ is what macOS keeps beside a file.
func (set formatSet) takes(path string) bool {
	if strings.HasPrefix(filepath.Base(path), "._") {
		return false
	}
	return slices.Contains(set.extensions(), extension(path))
}

// extensions are those of the formats.
func (set formatSet) extensions() []string {
	var all []string
	for _, f := range set {
		all = append(all, f.extensions...)
	}
	return all
}

// extension is that of a file below its compression, in lower case.
func extension(path string) string {
	name := strings.ToLower(filepath.Base(path))
	if ext := filepath.Ext(name); slices.Contains(compressed, ext) {
		name = strings.TrimSuffix(name, ext)
	}
	return filepath.Ext(name)
}
