package record

import (
	"bytes"
	"io"
)

// Initial describes a format whose games can be told to begin by a byte and what stands
// around it.
type Initial struct {
	Byte    byte                       // with which a game begins
	Begins  func(d []byte, i int) bool // a game begins at d[i], which is Byte; i > 0
	Keep    int                        // bytes at the end of an abandoned game that are examined again
	Tail    int                        // bytes at the end of what was read that Begins may not be asked about yet
	Max     int                        // length of the longest game
	TooLong string                     // the reason for one that is longer
}

// InitialSplitter cuts a stream into blocks, always at an Initial.
type InitialSplitter struct {
	Carry
	cuts    Cuts
	initial Initial
}

// NewInitialSplitter cuts r into blocks of about size bytes, at most those of the longest game.
// r begins at the given place of the whole stream: 0 and line 1, or where a block ended.
func NewInitialSplitter(r io.Reader, size int, offset int64, line int, initial Initial) *InitialSplitter {
	s := &InitialSplitter{Carry: NewCarry(r, min(size, initial.Max), offset, line), initial: initial}
	s.cuts = Cuts{Max: initial.Max, TooLong: initial.TooLong, Keep: initial.Keep, Cut: s.cut, Drop: s.Drop, Skip: s.skip}
	return s
}

// Next implements Splitter.
func (s *InitialSplitter) Next(b *Block) error { return s.Carry.Next(b, &s.cuts) }

// cut returns the last place in Data at which a game begins, 0 if there is none.
func (s *InitialSplitter) cut() int {
	for end := max(len(s.Data)-s.initial.Tail, 0); ; {
		i := bytes.LastIndexByte(s.Data[:end], s.initial.Byte)
		if i <= 0 || s.initial.Begins(s.Data, i) {
			return max(i, 0)
		}
		end = i
	}
}

// skip looks for the next game after one that was given up.
func (s *InitialSplitter) skip() (found bool) {
	end := len(s.Data) - s.initial.Tail
	for i := 1; i < end; i++ {
		n := bytes.IndexByte(s.Data[i:], s.initial.Byte)
		if n < 0 {
			break
		}
		if i += n; i < end && s.initial.Begins(s.Data, i) {
			s.Pass(i)
			return true
		}
	}
	if s.Err != nil {
		s.Pass(len(s.Data))
	} else {
		s.Pass(max(0, end-s.initial.Keep))
	}
	return false
}
