// Package record is the common part of all record formats: a game as written, before any rule of
// the game is applied.
//
// A Reader turns bytes into Games, one at a time. It knows syntax only: it does not decide
// whether a move is legal, which variant a tag means or who won. A damaged game is an error
// for that game alone; the next call continues after it.
package record

import (
	"fmt"

	"kifu/schemas"
)

// Tag is one name and value of a game's header, in the order of the file.
// Escapes are resolved; bytes are as in the file otherwise.
type Tag struct {
	Name, Value []byte
}

// Move is one written move of the main line with the contents of its comments.
type Move struct {
	// Text is as written, without its number and any ! and ? after it. In a format of positions
	// (Format.Holds) a Move is the position before it, and an empty text means an unknown move, which ends
	// the Game.
	Text []byte

	// Value is the evaluation in the comment after the move, from the first player's side in the
	// record's hundredths (centipawns). A mate in n moves is ±(MateValue-n). In a format of
	// positions it is the value of the position.
	Value    int32
	HasValue bool
	// Clock is the time the mover had left after the move, in milliseconds.
	Clock    int32
	HasClock bool
}

// MateValue bounds the values of mates: |value| > schemas.Decided is a mate.
const MateValue = schemas.Win

// Annotation is a record's further statement about a game.
type Annotation = schemas.Annotation

// Game is one game as written. Its memory belongs to the Reader and is reused by the
// next Read: copy what must live longer.
type Game struct {
	Tags   []Tag
	Moves  []Move
	Result []byte // the terminator after the moves ("1-0", "*"); empty when missing

	Offset  int64 // of the game's first byte, in the decompressed stream
	Line    int   // of the same, from 1
	Skipped bool  // the reader's filter refused the tags: Moves is empty
	Open    bool  // the record stops before its end: no result after the moves, an open bracket

	// Annotations are the record's further statements, as the reader finds them: texts may not be UTF-8.
	Annotations []Annotation
	// Bare says that annotations are counted alone: a reader may leave the rest of a comment's text out. It
	// outlasts Reset.
	Bare bool

	Dropped

	Cut   string // why moves are missing at the end, as the record itself shows; "" if they are not
	Guess string // the guessed encoding of a text that does not name it; "" if nothing was guessed

	// In a format of positions, Board is the first one, packed as the game's rules pack boards; nil
	// if the tag FEN has it. Clock is its count of plies without progress. Ply is the number of
	// plies played before it, if HasPly; else the FEN's counters give it.
	Board  []byte
	Clock  int
	Ply    int
	HasPly bool

	// Soft: the result is Expected, a number between 0 and 1 in the first player's eyes, and not one of
	// Result.
	Soft     bool
	Expected float32
}

// Dropped counts what a record holds and a Game does not.
type Dropped struct {
	Comments   int // of formats whose readers pass over them
	Variations int // likewise
	Late       int // moves after the ending
	Words      int // where moves should be
	Numbers    int // names that stay numbers, as no file of names has them
}

// AddMove adds a move of that text. It fills the move in where it stays: a copy would wait until its fields are written.
func (g *Game) AddMove(text []byte) {
	g.Moves = append(g.Moves, Move{})
	g.Moves[len(g.Moves)-1].Text = text
}

// Annotate adds an annotation after the moves read so far, if there is something in it.
func (g *Game) Annotate(a Annotation) {
	if !g.Skipped && a.Kind() != "" {
		a.Ply = int32(len(g.Moves))
		g.Annotations = append(g.Annotations, a)
	}
}

// Shift inserts a move before move ply, from 0: annotations after that move come later.
func (g *Game) Shift(ply int) {
	for i := range g.Annotations {
		if a := &g.Annotations[i]; int(a.Ply) > ply {
			a.Ply++
		}
	}
}

// Reset empties g and keeps its memory.
func (g *Game) Reset() {
	*g = Game{Tags: g.Tags[:0], Moves: g.Moves[:0], Annotations: g.Annotations[:0], Bare: g.Bare}
}

// Tag returns the value of the first tag of that name, nil when absent.
func (g *Game) Tag(name string) []byte {
	for i := range g.Tags {
		if string(g.Tags[i].Name) == name {
			return g.Tags[i].Value
		}
	}
	return nil
}

// Reader is a pull reader, like the one of encoding/csv.
//
// Read fills g with the next game. It returns io.EOF after the last one, and a *SyntaxError for one bad game,
// of which g then holds at least the tags. Read may be called again after a *SyntaxError; any other error is
// final.
type Reader interface {
	Read(g *Game) error
}

// SyntaxError is one game that could not be read.
type SyntaxError struct {
	Offset int64  // of the error in the decompressed stream
	Line   int    // of the error, from 1
	Reason string // short and constant, for counting: "unterminated comment"
	Detail string // the text found there; may be empty
}

// Error returns line, reason and detail.
func (e *SyntaxError) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return fmt.Sprintf("line %d: %s: %s", e.Line, e.Reason, e.Detail)
}
