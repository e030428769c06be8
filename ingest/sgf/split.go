package sgf

import (
	"io"
	"unicode/utf8"

	"kifu/ingest/record"
)

// DefaultBlock is the usual size of a block in bytes, and MaxGame that of the longest
// game that is read, or of a stream in UTF-16: it bounds the memory.
const (
	DefaultBlock = 2 << 20
	MaxGame      = 8 << 20
)

// lookAhead is more than is looked at after a bracket.
const lookAhead = maxBlanks + maxName + 2

// Splitter cuts a stream of SGF into blocks where a game begins for sure; where none
// does, after a game. A stream in UTF-16 is one block.
type Splitter struct {
	record.Carry
	cuts record.Cuts
	tree tree
	game record.Game
}

// NewSplitter cuts r into blocks of about size bytes, at most MaxGame; DefaultBlock if
// size is 0. r begins at the given place of the whole stream: 0 and line 1, or where a
// block ended.
func NewSplitter(r io.Reader, size int, offset int64, line int) *Splitter {
	if size <= 0 {
		size = DefaultBlock
	}
	size = min(size, MaxGame)
	s := &Splitter{Carry: record.NewCarry(r, size, offset, line)}
	s.cuts = record.Cuts{Max: MaxGame, TooLong: "longer than 8 MiB", Keep: lookAhead + maxBlanks, Cut: s.cut, Drop: s.Drop, Skip: s.skip}
	return s
}

// Next implements record.Splitter.
func (s *Splitter) Next(b *record.Block) error { return s.Carry.Next(b, &s.cuts) }

// cut returns where the carry can be cut, 0 if nowhere.
func (s *Splitter) cut() int {
	if utf16Of(s.Data) != nil {
		return 0
	}
	if i := lastGame(s.Data); i > 0 {
		return i
	}
	// All of the carry is one stretch: cut after its last whole game, as long as all are
	// UTF-8. What is not is decoded with all that follows in the stretch.
	cut := 0
	for {
		start := cut
		for start < len(s.Data) && !opens(s.Data, start) {
			start++
		}
		n, f := s.tree.read(&s.game, s.Data[start:])
		s.game.Reset()
		if f != nil || start+n > len(s.Data)-lookAhead || !utf8.Valid(s.Data[cut:start+n]) {
			return cut
		}
		cut = start + n
	}
}

// skip looks for the next game after one that was given up. What stands before the carry
// is not known any more, so that its first bytes begin nothing.
func (s *Splitter) skip() (found bool) {
	next := nextGame(s.Data, maxBlanks)
	if found = next < len(s.Data); !found && s.Err == nil {
		next = max(0, next-lookAhead-maxBlanks)
	}
	s.Pass(next)
	return found
}
