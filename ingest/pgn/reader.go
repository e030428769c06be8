// Package pgn reads chess games in Portable Game Notation, as thirty years of programs have written it,
// into record.Games. It knows syntax only: the rules decide whether a move is legal and what a tag means.
//
// A stream is cut into blocks that BlockReaders read in parallel, with the same games as outcome.
// Moves of the main line are kept, with the evaluations and clocks of their comments (comment.go
// has the dialects). Variations are skipped and counted; numbers, glyphs, escape lines and remarks
// are ignored. Nothing is allocated a move, and memory stays bounded by the longest game, at most
// maxGame.
//
// A game ends with its result, or where the next one's tags begin, or with the file.
// An open comment, variation or quote damages its own game alone: a line that begins
// with an Event tag begins a new game in any case (initial has the rule).
package pgn

import (
	"bytes"
	"errors"

	"kifu/ingest/record"
)

var _ record.BlockReader = (*BlockReader)(nil)

// BlockReader reads the games of blocks.
type BlockReader struct{ scan scanner }

// NewBlockReader returns a BlockReader; Reset gives it a block.
func NewBlockReader(o record.Options) *BlockReader {
	return &BlockReader{scanner{keep: o.Keep}}
}

// Reset makes r read b, whose memory it uses until the next Reset.
func (r *BlockReader) Reset(b record.Block) { r.scan.reset(b, false) }

// Read fills g with the next game of the block.
func (r *BlockReader) Read(g *record.Game) error { return r.scan.next(g) }

// Format returns the description of PGN. A record is of chess unless its tag Variant names
// tic-tac-toe.
func Format() *record.Format {
	return &record.Format{
		Name: "PGN", Extensions: []string{".pgn"},
		NewSplitter: initial.Cuts().Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return NewBlockReader(o) },
		TagLine:     func(line []byte) bool { return line[0] == '[' },
		VariantTag:  record.TagVariant,
		GameOf: func(value []byte) string {
			if bytes.EqualFold(value, []byte("tictactoe")) {
				return "tictactoe"
			}
			return "chess"
		},
		GameByMoves: func(*record.Game) (string, bool) { return "chess", true },
		SureGame: func(text []byte) string {
			if bytes.Contains(text, []byte(record.TagVariant)) {
				return ""
			}
			return "chess"
		},
	}
}

// The cuts of a stream.
//
// A line that begins with `[Event "` begins a game, unless it follows a line that ends in "]".
// An open comment, variation or tag section ends there: the game that it belongs to is damaged.
// The scanner follows this rule in each of its states. So a splitter may cut at any such line
// without knowing the state, and blocks read one by one give the same games as one read. The
// price: a comment that quotes a game with its tags at the start of lines ends at the quoted
// Event line.
//
// A stretch without such a line (games without an Event tag) is cut where the scanner finds the
// end of a game, starting at the block's beginning.

// maxGame is the length of the longest game that is read, in bytes.
const maxGame = 8 << 20

// initial is how a game begins.
var initial = record.Initial{
	Byte: '[', Begins: hard, Seems: func(d []byte, i int) bool { return hard(d, i) || soft(d, i) }, Scan: lastEnd,
	Back: maxTrailing + 16, Ahead: maxTag + 3, Max: maxGame, TooLong: "longer than 8 MiB", Quote: true,
}

// lastEnd returns where the last game ends that ends in d for sure.
func lastEnd(d []byte) int {
	var g record.Game
	s := scanner{keep: func(*record.Game) bool { return false }} // boundaries alone
	s.reset(record.Block{Data: d}, true)
	for {
		err := s.next(&g)
		var fault *record.SyntaxError
		if err != nil && !errors.As(err, &fault) {
			return s.pos
		}
	}
}

// hard reports whether a game begins at d[i] whatever went before it. d begins at the
// start of a game or between games.
func hard(d []byte, i int) bool {
	if !bytes.HasPrefix(d[i:], eventLine) || i > 0 && class[d[i-1]] != newline {
		return false
	}
	if i == 0 {
		return true
	}
	i--
	if d[i] == '\n' && i > 0 && d[i-1] == '\r' {
		i--
	}
	for first := i - maxTrailing; i > 0 && i > first && class[d[i-1]] == space; {
		i--
	}
	return i == 0 || d[i-1] != ']'
}

// soft reports whether a game seems to begin at d[i], i > 0: a line that begins with a tag,
// after an empty line and movetext. A reader within a game must not heed it, as comments
// quote such lines; it ends a game that was given up.
func soft(d []byte, i int) bool {
	if d[i] != '[' || class[d[i-1]] != newline {
		return false
	}
	name := i + 1
	for name < len(d) && name-i < maxTag && (d[name]|0x20 >= 'a' && d[name]|0x20 <= 'z' || d[name] == '_' || d[name] >= '0' && d[name] <= '9') {
		name++
	}
	if name == i+1 || !bytes.HasPrefix(d[name:], []byte(` "`)) {
		return false
	}
	before := bytes.TrimRight(d[max(0, i-maxTrailing):i], " \t\r\n")
	gap := d[max(0, i-maxTrailing)+len(before) : i]
	return len(before) > 0 && before[len(before)-1] != ']' && record.Breaks(gap, d[i:]) > 1
}

// maxTrailing is how many blanks after a line are looked through; maxTag is the longest
// name of a tag that soft knows.
const (
	maxTrailing = 64
	maxTag      = 32
)
