package record

import "bytes"

// Places finds the offset and line in the stream of a place in a block.
type Places struct {
	Text []byte // of the block
	Wide bool   // the stream is UTF-16, of which Text is the same in UTF-8

	counted int   // of Text
	line    int   // of Text[counted]
	offset  int64 // of Text[counted] in the stream
}

// Reset begins with the first byte of b.
func (p *Places) Reset(b Block) { *p = Places{Text: b.Data, line: b.Line, offset: b.Offset} }

// At returns the offset and the line of Text[i]. It is fast if called in ascending order.
func (p *Places) At(i int) (offset int64, line int) {
	if i < p.counted {
		return p.offset - p.length(i, p.counted), p.line - Breaks(p.Text[i:p.counted], p.Text[p.counted:])
	}
	p.offset += p.length(p.counted, i)
	p.line += Breaks(p.Text[p.counted:i], p.Text[i:])
	p.counted = i
	return p.offset, p.line
}

// length returns the number of bytes that Text[i:j] has in the stream.
func (p *Places) length(i, j int) (n int64) {
	if !p.Wide {
		return int64(j - i)
	}
	for _, b := range p.Text[i:j] {
		switch {
		case b >= 0xF0:
			n += 4
		case b < 0x80 || b >= 0xC0:
			n += 2
		}
	}
	return n
}

// Fault returns the error for the text at Text[i], and shows the beginning of found.
func (p *Places) Fault(i int, reason string, found []byte) *SyntaxError {
	offset, line := p.At(i)
	return &SyntaxError{Offset: offset, Line: line, Reason: reason, Detail: Shown(found)}
}

// Shown returns of text what the Detail of an error shows: the beginning of its first line.
func Shown(text []byte) string {
	const most = 40
	text = text[:min(len(text), most)]
	if end := bytes.IndexAny(text, "\r\n"); end >= 0 {
		text = text[:end]
	}
	return string(text)
}
