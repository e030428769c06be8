// Package fens reads lists of positions into record.Games of one position each. A line has a
// FEN or the fields of an EPD, and what tuners and trainers write after it:
//
//	8/8/8/8/4k3/8/4P3/4K3 w - - 0 1 [1.0]
//	8/8/8/8/4k3/8/4P3/4K3 w - - c9 "1-0";
//	8/8/8/8/4k3/8/4P3/4K3 w - - 0 1; 1-0
//	8/8/8/8/4k3/8/4P3/4K3 w - - 0 1 | 35 | 1.0
//
// docs/formats/positions.md lists the accepted syntax. The package knows no rules: it returns
// the FEN unchanged. Empty lines and lines with # are skipped.
package fens

import (
	"bytes"

	"kifu/ingest/record"
)

// Format returns the description of lists of positions.
func Format() *record.Format {
	return &record.Format{
		Name: "FEN", Extensions: []string{".epd", ".fen"},
		Recognize: recognize,
		Holds:     record.Positions, Opcodes: true,
		HeaderSize:  headerSize,
		NewSplitter: cuts.Splitter,
		NewReader:   func(o record.Options) record.BlockReader { return newReader(o, false) },
		VariantTag:  record.TagVariant,
	}
}

// headerSize is how much of a list, in bytes, decides whether its lines end in results (endInResults).
const headerSize = 4 << 10

var cuts = func() record.Cuts {
	c := record.LineCuts(2<<20, "longer than 2 MiB")
	c.Header = headerSize
	return c
}()

// Boards returns the description of board files of Othello (OBF). A line has 64 squares from a1
// to h8 (X, O and -) and the side to move. Opcodes as in EPD follow, each after a semicolon, or
// moves with their scores in discs for the side to move:
//
//	-----------X----…--- X; c0 "d3"; c1 "1-0"
//	-----------X----…--- O; c3:+12; e3:-4
func Boards() *record.Format {
	f := Format()
	f.Name, f.Extensions, f.Recognize = "OBF", []string{".obf"}, recognizeBoards
	f.NewReader = func(o record.Options) record.BlockReader { return newReader(o, true) }
	return f
}

// recognizeBoards reports whether the first line, after notes, is a board.
func recognizeBoards(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\uFEFF"))
	for more := true; more; {
		var line []byte
		line, head, more = bytes.Cut(head, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return boardOf(line) > 0
		}
	}
	return false
}

// boardOf returns where the board that a line begins with ends, with the side to move; 0 without one.
func boardOf(line []byte) (end int) {
	if len(line) < 65 || len(bytes.Trim(line[:64], "XxOo*-.")) > 0 {
		return 0
	}
	for end = 64; end < len(line) && line[end] == ' '; end++ {
	}
	if end == len(line) || bytes.IndexByte([]byte("XxOo*"), line[end]) < 0 {
		return 0
	}
	return end + 1
}

// recognize reports whether one of the first lines, after a heading or notes, begins with the
// men and the side to move of a FEN.
func recognize(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\uFEFF"))
	for range 8 {
		line, rest, more := bytes.Cut(head, []byte("\n"))
		if menOf(bytes.TrimLeft(line, " \t\"")) > 0 {
			return true
		}
		if !more || len(bytes.TrimSpace(line)) > 0 && line[0] != '#' && !isHeading(line) {
			return false
		}
		head = rest
	}
	return false
}

// menOf returns where the men of the FEN that text begins with end: eight rows of eight squares,
// before a blank and a side to move. It is 0 if there is no such thing.
func menOf(text []byte) (end int) {
	squares, ranks, wrong := uint(0), uint(0), uint(0) // so far, and ranks that are ended
	for i, c := range text {
		s := steps[c]
		if s.ends > 1 {
			if wrong == 0 && squares == 64 && ranks == 7 && c == ' ' && i+1 < len(text) && (text[i+1] == 'w' || text[i+1] == 'b') {
				return i
			}
			return 0
		}
		// Looked up and not asked: which letter comes next cannot be predicted.
		squares += uint(s.squares)
		ranks += uint(s.ends)
		wrong |= -uint(s.ends) & (squares ^ ranks<<3)
	}
	return 0
}

// step is the effect of a letter among the men of a FEN: the squares it goes on, and 1 in ends if it
// ends a rank, 2 if it ends the men.
type step struct{ squares, ends uint8 }

var steps = func() (t [256]step) {
	for c := range t {
		t[c].ends = 2
	}
	for _, man := range "pnbrqkPNBRQK" {
		t[man] = step{squares: 1}
	}
	for n := range uint8(8) {
		t['1'+n] = step{squares: n + 1}
	}
	t['/'] = step{ends: 1}
	return t
}()

// isHeading reports whether a line names the columns of a table: FEN,Evaluation.
func isHeading(line []byte) bool {
	line = bytes.TrimLeft(line, "\"")
	return len(line) >= 3 && bytes.EqualFold(line[:3], []byte("fen"))
}
