package record

import "bytes"

// LineCuts returns the cuts of a format of lines. One longer than longest is given up with the
// reason tooLong.
func LineCuts(longest int, tooLong string) Cuts {
	return Cuts{Max: longest, TooLong: tooLong, Cut: lastLine, Next: SecondLine}
}

func lastLine(d []byte, _ bool) int { return bytes.LastIndexByte(d, '\n') + 1 }

// SecondLine returns where the second line of d begins, -1 if it has none. It implements Cuts.Next.
func SecondLine(d []byte, _ bool) int {
	n := bytes.IndexByte(d, '\n')
	if n < 0 {
		return -1
	}
	return n + 1
}

// NextLine returns the line at the cursor, without its LF and what space surrounds it, and
// passes it.
func (c *Cursor) NextLine() (line []byte, offset int64, number int) {
	rest := c.Rest()
	offset, number = c.Offset(), c.Line
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		c.Pass(len(rest))
		return trimLine(rest), offset, number
	}
	if bytes.IndexByte(rest[:n], '\r') >= 0 {
		c.Pass(n + 1)
	} else {
		c.Pos, c.Line = c.Pos+n+1, c.Line+1
	}
	return trimLine(rest[:n]), offset, number
}

// trimLine cuts off what space surrounds a line, and marks before it.
func trimLine(line []byte) []byte {
	line = bytes.TrimSpace(line)
	return bytes.TrimSpace(line[Marks(line):])
}

// Marks returns the length of the byte order marks and form feeds that text begins with. Joined files have
// them between games.
func Marks(text []byte) (n int) {
	for {
		switch rest := text[n:]; {
		case bytes.HasPrefix(rest, byteOrderMark):
			n += len(byteOrderMark)
		case len(rest) > 0 && rest[0] == '\f':
			n++
		default:
			return n
		}
	}
}

var byteOrderMark = []byte("\uFEFF")
