// Package pdn reads games of draughts in Portable Draughts Notation, 2.0 and 3.0, into
// record.Games. It knows syntax only: which variant is played, whether a move is legal
// and what a result means is for others.
//
// A stream is cut into blocks that BlockReaders read in parallel, with the same games as outcome.
// Moves of the main line are kept, with the evaluations and clocks of their comments. Variations
// are skipped and counted; glyphs, move numbers, escape lines and remarks are ignored. Nothing is
// allocated a move, and memory stays bounded by the longest game, of which maxGame is the limit.
//
// A game ends with its result, or where the next one's tags begin, or with the file.
// initial has the rule by which damage stays in its game.
package pdn

import (
	"io"

	"kifu/ingest/record"
)

var _ record.BlockReader = (*BlockReader)(nil)

// BlockReader reads the games of blocks.
type BlockReader struct{ scan scanner }

// Reset makes r read b, whose memory it uses until the next Reset.
func (r *BlockReader) Reset(b record.Block) { r.scan.reset(b) }

// Read fills g with the next game of the block.
func (r *BlockReader) Read(g *record.Game) error { return r.scan.next(g) }

// Format returns the description of PDN. The tag GameType names the game; without it the
// squares of the moves do.
func Format() *record.Format {
	return &record.Format{
		Name: "PDN", Extensions: []string{".pdn"},
		NewSplitter: initial().Cuts().Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return &BlockReader{scanner{keep: o.Keep}} },
		TagLine:     func(line []byte) bool { return line[0] == '[' },
		VariantTag:  record.TagGameType,
		GameOf:      gameType,
		GameByMoves: gameByMoves,
	}
}

// gameByMoves recognises the variant of draughts by the squares of the start and of the moves: letters are
// Russian, numbers above 32 belong to the board of a hundred squares. Otherwise it is not sure.
func gameByMoves(g *record.Game) (name string, sure bool) {
	if name = gameBySquares(g.Tag(record.TagFEN)); name != "" {
		return name, true
	}
	for i := range g.Moves {
		switch found := gameBySquares(g.Moves[i].Text); found {
		case "russian":
			return found, true
		case "draughts":
			name = found
		}
	}
	if name != "" {
		return name, true
	}
	return "checkers", false
}

// gameBySquares returns the game of the squares in text; "" if they fit several.
func gameBySquares(text []byte) (name string) {
	number := 0
	for i, c := range text {
		switch {
		case c >= 'a' && c <= 'h' && i+1 < len(text) && text[i+1] >= '1' && text[i+1] <= '8':
			return "russian"
		case c >= '0' && c <= '9':
			number = 10*number + int(c-'0')
		default:
			number = 0
		}
		if number > 32 && number <= 50 {
			name = "draughts"
		}
	}
	return name
}

// The cuts of a stream.
//
// A line that begins with a tag begins a game, unless it follows a line with a tag or one that
// ends in "]". An open comment or variation ends there: the game that it belongs to is damaged.
// The scanner follows this rule in each of its states. So a splitter may cut at any such line
// without knowing the state, and blocks read one by one give the same games as one read. The
// price: a comment that quotes a game with its tags at the start of lines ends there, and so
// does a tag section with a blank line in it.
//
// A stretch without such a line (games without tags) is cut where the scanner has found the end
// of a game, starting at the block's beginning. This is well before the end of what has been
// read, because the scanner never looks ahead so far.

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
