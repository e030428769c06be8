package record

import "io"

// Options change what a format's readers return.
type Options struct {
	// Keep sees a game when its tags have been read; when it returns false the game
	// comes back with Skipped set and no moves.
	Keep func(*Game) bool
	// Mover: results and values in lists of positions are for the side to move.
	Mover bool
	// Soft: lists of positions may have results between win, draw and loss.
	Soft bool
	// Decoder returns the decoder for text that is not UTF-8; label is the text's name of its encoding, ""
	// if it has none. It returns nil for text that is read unchanged and whose tags are decoded later, and
	// the guessed encoding (Game.Guess), "" if it was named. A nil Decoder leaves the choice to the
	// format, from the text alone.
	Decoder func(text []byte, label string) (Decoder, string)
}

// Decoder appends text to dst, in UTF-8.
type Decoder func(dst, text []byte) []byte

// Stream reads the games of a stream, cut into blocks and read one block at a time. It
// implements Reader.
type Stream struct {
	split Splitter
	block Block
	games BlockReader
}

// streamBlock keeps what is being scanned in the processor's cache.
const streamBlock = 256 << 10

// NewStream returns a Reader of the games of r, which is a whole stream of format f.
func NewStream(f *Format, r io.Reader, o Options) *Stream {
	s := &Stream{split: f.NewSplitter(r, streamBlock, Start{Line: 1}), games: f.NewReader(o)}
	s.games.Reset(Block{})
	return s
}

// Read fills g with the next game; the memory is the reader's until the next call.
func (s *Stream) Read(g *Game) error {
	for {
		err := s.games.Read(g)
		if err != io.EOF {
			return err
		}
		if err := s.split.Next(&s.block); err != nil {
			g.Reset()
			return err
		}
		s.games.Reset(s.block)
	}
}

// Block is a run of whole games, cut out of a stream: the unit of work of one worker.
type Block struct {
	Data    []byte
	Offset  int64  // of Data in the decompressed stream
	Line    int    // on which Data begins, from 1
	EndLine int    // on which it ends, and the next block begins
	Header  []byte // the beginning of the stream, if Cuts.Header asks for it and a Cutter made the block

	// Some formats pack records into larger units, at whose start reading can begin. Inside: the block begins
	// within a unit that an earlier block began. Open: it ends within one.
	Inside, Open bool
	// Weight is the block's size in bytes for the memory bound, if its records take much more than Data.
	Weight int
}

// Splitter cuts a stream into blocks for parallel reading. Reading the blocks one by one
// gives the same games as reading the stream, wherever the cuts fall.
//
// Next fills b, whose Data is reused when it is large enough. It returns io.EOF after the last block, and a
// *SyntaxError for a stretch that had to be left out. Next may be called again after a *SyntaxError; any
// other error, from the stream itself, is final.
type Splitter interface {
	Next(b *Block) error
}

// BlockReader reads the games of one block at a time.
type BlockReader interface {
	Reader
	// Reset makes the reader read the games of b from its beginning.
	Reset(b Block)
}
