// Package wthor reads WTHOR, the database of the French Othello federation, into record.Games:
// game files (.wtb), with the names of players (.JOU) and tournaments (.TRN) from their own
// files.
//
// It reads syntax only. WTHOR omits passes: where a side has no move, the next move in the
// record is the other's, and the replay has to insert the pass. There are no lines:
// record.Game.Line is the number of the game in its file.
//
// A file whose length differs from its header's gives its complete games, then an error; files
// of 10×10 boards and of solitaires are rejected as a whole. Games take no allocations.
package wthor

import (
	"cmp"
	"encoding/binary"
	"io"
	"strconv"

	"kifu/ingest/record"
)

var (
	_ record.BlockReader = (*BlockReader)(nil)
	_ record.Splitter    = (*Splitter)(nil)
)

// BlockReader reads the games of blocks that a Splitter has cut.
type BlockReader struct {
	names  *Names
	keep   func(*record.Game) bool
	head   header
	block  record.Block
	pos    int    // of the next game in the block
	number int    // of the next game in the file
	values []byte // tag values that are made here
}

// newBlockReader returns a BlockReader; Reset gives it a block. Without names of players and
// tournaments, or for a number that they do not have, a name is the number, as "#166".
func newBlockReader(o record.Options, names *Names) *BlockReader {
	names = cmp.Or(names, &Names{})
	// The values of a game are of bounded length: tags keep their slices of one buffer.
	return &BlockReader{names: names, keep: o.Keep, values: make([]byte, 0, 128)}
}

// Reset makes r read b, whose memory it uses until the next Reset.
func (r *BlockReader) Reset(b record.Block) {
	r.block, r.number = b, b.Line
	r.pos = len(b.Data)
	if len(b.Data) >= headerSize {
		r.head, r.pos = readHeader(b.Data), headerSize
	}
}

// Read fills g with the next game of the block.
//
// Its tags are Event, Date (the year), Black, White and BlackDiscs (at the end, empty squares
// counted for the winner). TheoreticalBlackDiscs is the result of best play from
// TheoreticalEmpties empty squares on.
func (r *BlockReader) Read(g *record.Game) error {
	g.Reset()
	if r.pos+gameSize > len(r.block.Data) {
		return io.EOF
	}
	at := r.pos
	game := r.block.Data[at : at+gameSize]
	g.Offset, g.Line = r.block.Offset+int64(at), r.number
	r.pos += gameSize
	r.number++
	r.values = r.values[:0]
	r.tags(g, game)
	if r.keep != nil && !r.keep(g) {
		g.Skipped = true
		return nil
	}
	i, reason := play(g, game)
	if reason != "" {
		g.Moves = g.Moves[:0]
		return &record.SyntaxError{Offset: g.Offset + int64(i), Line: g.Line, Reason: reason, Detail: strconv.Itoa(int(game[i]))}
	}
	return nil
}

// play reads result and moves of a game. With a reason it returns where the fault is.
func play(g *record.Game, game []byte) (i int, reason string) {
	for i := 6; i < moves; i++ {
		if game[i] > 64 {
			return i, "a score of more than 64 discs"
		}
	}
	switch discs := game[6]; {
	case discs > 32:
		g.Result = firstWins
	case discs < 32:
		g.Result = secondWins
	default:
		g.Result = drawn
	}
	end := false
	for i := moves; i < gameSize; i++ {
		code := game[i]
		if code == 0 {
			end = true
			continue
		}
		if end {
			return i, "a move after the end of the moves"
		}
		row, column := int(code)/10-1, int(code)%10-1
		if row < 0 || row > 7 || column < 0 || column > 7 {
			return i, "a move off the board"
		}
		s := 2 * (8*row + column)
		g.AddMove(squares[s : s+2 : s+2])
	}
	return 0, ""
}

// Score is Black's discs minus White's, as the tag BlackDiscs has it, in hundredths.
func Score(g *record.Game) (score int32, ok bool) {
	discs, err := strconv.ParseUint(string(g.Tag("BlackDiscs")), 10, 7)
	return 100 * (2*int32(discs) - 64), err == nil
}

// tags appends the tags of a game.
func (r *BlockReader) tags(g *record.Game, game []byte) {
	name := func(tag []byte, table [][]byte, at int) {
		number := int(binary.LittleEndian.Uint16(game[at:]))
		value := append(r.values, '#')
		if number < len(table) {
			value = append(r.values, table[number]...)
		} else {
			value = strconv.AppendInt(value, int64(number), 10)
			g.Numbers++
		}
		r.tag(g, tag, value)
	}
	number := func(tag []byte, n int) { r.tag(g, tag, strconv.AppendInt(r.values, int64(n), 10)) }
	name(tagEvent, r.names.tournaments, 0)
	if r.head.year > 0 {
		number(tagDate, r.head.year)
	}
	name(tagBlack, r.names.players, 2)
	name(tagWhite, r.names.players, 4)
	number(tagDiscs, int(game[6]))
	number(tagTheoretical, int(game[7]))
	number(tagEmpties, r.head.depth)
}

// tag appends a tag whose value is the part of values after r.values.
func (r *BlockReader) tag(g *record.Game, name, values []byte) {
	n := len(r.values)
	r.values = values
	g.Tags = append(g.Tags, record.Tag{Name: name, Value: values[n:len(values):len(values)]})
}

var (
	tagEvent       = []byte(record.TagEvent)
	tagDate        = []byte(record.TagDate)
	tagBlack       = []byte(record.TagBlack)
	tagWhite       = []byte(record.TagWhite)
	tagDiscs       = []byte("BlackDiscs")
	tagTheoretical = []byte("TheoreticalBlackDiscs")
	tagEmpties     = []byte("TheoreticalEmpties")

	firstWins  = []byte(record.FirstWins)
	secondWins = []byte(record.SecondWins)
	drawn      = []byte(record.Drawn)

	squares = []byte("a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4" +
		"a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8")
)
