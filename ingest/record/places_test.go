package record

import (
	"testing"
	"unicode/utf16"
)

// TestPlaces: places are told forwards and backwards, with every line break, in bytes of the stream.
func TestPlaces(t *testing.T) {
	const text = "a\nb\r\nc\rd\r\r\n\U0001F600é\n\ne"
	for _, wide := range []bool{false, true} {
		var p Places
		p.Reset(Block{Data: []byte(text), Offset: 100, Line: 7})
		p.Wide = wide
		check := func(i int) {
			offset, line := int64(100+i), 7
			if wide {
				offset = 100 + 2*int64(len(utf16.Encode([]rune(text[:i]))))
			}
			for k := range i { // a line begins after every LF, and after a CR that no LF follows
				if text[k] == '\n' || text[k] == '\r' && text[k+1] != '\n' {
					line++
				}
			}
			if gotOffset, gotLine := p.At(i); gotOffset != offset || gotLine != line {
				t.Errorf("wide %v, %d: %d:%d, want %d:%d", wide, i, gotOffset, gotLine, offset, line)
			}
		}
		for i := range text {
			check(i)
			check(0)
			check(len(text))
		}
	}
}
