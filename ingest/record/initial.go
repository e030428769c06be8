package record

import "bytes"

// Initial describes a format whose games begin with a certain byte in certain surroundings.
type Initial struct {
	Byte    byte                       // with which a game begins
	Begins  func(d []byte, i int) bool // a game begins at d[i], which is Byte; i > 0
	Seems   func(d []byte, i int) bool // the same after a game that was given up; nil: Begins
	Scan    func(d []byte) int         // where d can be cut if no game begins in it; nil: nowhere
	Back    int                        // bytes before a beginning that Begins and Seems look at, at least 1
	Ahead   int                        // bytes from a beginning on that they look at
	Whole   bool                       // they may be wrong about a beginning of which d has fewer
	Max     int                        // length of the longest game
	TooLong string                     // the reason for one that is longer
	Quote   bool                       // the error for one shows how it begins
}

// Cuts returns the cuts of the format.
func (g Initial) Cuts() Cuts {
	after := g
	if g.Seems != nil {
		after.Begins = g.Seems
	}
	return Cuts{
		Max: g.Max, TooLong: g.TooLong, Keep: g.Back + g.Ahead, Quote: g.Quote, Cut: g.cut,
		Next: func(d []byte, last bool) int {
			i := after.First(d, g.Back)
			if i >= g.known(d, last) {
				return -1
			}
			return i
		},
	}
}

// known returns how much of d has places that Begins may decide; last: d ends the stream.
func (g Initial) known(d []byte, last bool) int {
	if last || !g.Whole {
		return len(d)
	}
	return max(len(d)-g.Ahead, 0)
}

// cut returns the last place in d at which a game begins, else Scan's result.
func (g Initial) cut(d []byte, last bool) int {
	for end := g.known(d, last); ; {
		i := bytes.LastIndexByte(d[:end], g.Byte)
		switch {
		case i <= 0 && g.Scan != nil:
			return g.Scan(d)
		case i <= 0 || g.Begins(d, i):
			return i
		}
		end = i
	}
}

// First returns the first place from d[i] on, i > 0, at which a game begins; len(d) if none does.
func (g Initial) First(d []byte, i int) int {
	for i < len(d) {
		n := bytes.IndexByte(d[i:], g.Byte)
		if n < 0 {
			break
		}
		if i += n; g.Begins(d, i) {
			return i
		}
		i++
	}
	return len(d)
}
