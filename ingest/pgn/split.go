package pgn

import (
	"bytes"
	"errors"
	"io"

	"kifu/ingest/record"
)

// The cuts of a stream.
//
// A line that begins with `[Event "` and does not follow a line ending in "]" begins a
// game, whatever went before it: an open comment, variation or tag section ends there,
// as the game that it belongs to is damaged. The scanner keeps that rule in every one
// of its states, so a splitter may cut at any such line without knowing the state, and
// blocks read one by one give the games of the stream read at once. The price is a
// comment in which somebody quoted a game with its tags at the start of lines: it ends
// at the quoted Event line.
//
// A stretch without such a line (games without an Event tag) is cut where the scanner
// itself, started at the block's known beginning, finds the end of a game.

// DefaultBlock is the usual size of a block in bytes, and MaxGame that of the longest
// game that is read: it bounds the memory.
const (
	DefaultBlock = 2 << 20
	MaxGame      = 8 << 20
)

// Splitter cuts a stream of PGN into blocks.
type Splitter struct {
	record.Carry
	cuts record.Cuts
	from int // the next game after one given up is looked for at or after this place of Data
	scan scanner
	game record.Game
}

// NewSplitter cuts r into blocks of about size bytes, at most MaxGame; DefaultBlock if
// size is 0. r begins at the given place of the whole stream: 0 and line 1, or where a block ended.
func NewSplitter(r io.Reader, size int, offset int64, line int) *Splitter {
	if size <= 0 {
		size = DefaultBlock
	}
	size = min(size, MaxGame)
	s := &Splitter{Carry: record.NewCarry(r, size, offset, line)}
	s.cuts = record.Cuts{Max: MaxGame, TooLong: "longer than 8 MiB", Keep: keepBack, Cut: s.cut, Drop: s.drop, Skip: s.skip}
	s.scan.keep = func(*record.Game) bool { return false } // boundaries alone
	return s
}

// Next implements record.Splitter.
func (s *Splitter) Next(b *record.Block) error { return s.Carry.Next(b, &s.cuts) }

// cut returns where the carry can be cut, 0 if nowhere.
func (s *Splitter) cut() int {
	for end := len(s.Data); ; {
		i := bytes.LastIndex(s.Data[:end], eventLine)
		if i <= 0 {
			break
		}
		if hard(s.Data, i) {
			return i
		}
		end = i + len(eventLine) - 1
	}
	s.scan.reset(record.Block{Data: s.Data}, true)
	for {
		err := s.scan.next(&s.game)
		var fault *record.SyntaxError
		if err != nil && !errors.As(err, &fault) {
			return s.scan.pos
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

// maxTrailing is how many blanks after a line are looked through; keepBack is what
// hard and soft may need to see before a line and after its beginning. maxTag is the
// longest name of a tag that soft knows.
const (
	maxTrailing = 64
	maxTag      = 32
	keepBack    = maxTrailing + 16 + maxTag + 3
)

// drop gives up the first n bytes of the carry.
func (s *Splitter) drop(n int, reason string) error {
	s.scan.reset(record.Block{Data: s.Data, Offset: s.Offset, Line: s.Line}, false)
	text := bytes.TrimLeft(s.Data, " \t\r\n")
	err := s.scan.fault(len(s.Data)-len(text), reason, text)
	s.Pass(n)
	s.from = max(1, len(s.Data)-maxTag-3)
	return err
}

// skip looks for the next game after one that was given up.
func (s *Splitter) skip() (found bool) {
	n := max(0, len(s.Data)-keepBack)
	if s.Err != nil {
		n = len(s.Data)
	}
	for i := s.from; ; i++ {
		j := bytes.IndexByte(s.Data[min(i, len(s.Data)):], '[')
		if j < 0 {
			break
		}
		if i += j; hard(s.Data, i) || soft(s.Data, i) {
			n, found = i, true
			break
		}
	}
	s.Pass(n)
	s.from = max(1, len(s.Data)-maxTag-3)
	return found
}
