package sgf

import "kifu/ingest/record"

// places tells where in the stream a place of a block is.
type places struct {
	text    []byte
	counted int   // of text
	line    int   // on which text[counted] stands
	offset  int64 // of text[counted] in the stream
	wide    bool  // the stream is UTF-16
}

// of returns the offset and the line of text[i]. Places are asked for in ascending order;
// going back is right, but slow.
func (p *places) of(i int) (offset int64, line int) {
	if i < p.counted {
		offset, line = p.offset-p.length(i, p.counted), p.line-record.Breaks(p.text[i:p.counted], p.text[p.counted:])
		return offset, line
	}
	p.offset += p.length(p.counted, i)
	p.line += record.Breaks(p.text[p.counted:i], p.text[i:])
	p.counted = i
	return p.offset, p.line
}

// length is the number of bytes that text[i:j] has in the stream.
func (p *places) length(i, j int) (n int64) {
	if !p.wide {
		return int64(j - i)
	}
	for _, b := range p.text[i:j] {
		switch {
		case b >= 0xF0:
			n += 4
		case b < 0x80 || b >= 0xC0:
			n += 2
		}
	}
	return n
}
