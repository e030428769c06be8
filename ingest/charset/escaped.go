package charset

import (
	"bytes"

	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// SO and SI of ISO-2022.
const shiftOut, shiftIn = 0x0E, 0x0F

// Encodings of seven bits write the characters of East Asia in pairs of ASCII, between marks.
var (
	escape      = []byte("\x1B$")   // ISO-2022-JP, and the beginning of the next two
	koreanMark  = []byte("\x1B$)C") // ISO-2022-KR: pairs are between SO and SI
	chineseMark = []byte("\x1B$)A") // ISO-2022-CN, likewise
	hzOpen      = []byte("~{")      // HZ (RFC 1843): pairs are between these two
	hzClose     = []byte("~}")
)

// Escaped reports whether text is in ISO-2022-JP, -KR or -CN or in HZ: ASCII with marks around its
// characters, which nothing else has.
func Escaped(text []byte) bool {
	return bytes.Contains(text, escape) || inPairs(text, []byte{shiftOut}, []byte{shiftIn}) || inPairs(text, hzOpen, hzClose)
}

// inPairs reports whether text has pairs of printable ASCII between two marks.
func inPairs(text, begin, end []byte) bool {
	for {
		_, after, found := bytes.Cut(text, begin)
		if !found {
			return false
		}
		pairs, rest, closed := bytes.Cut(after, end)
		if closed && len(pairs) > 0 && len(pairs)%2 == 0 && bytes.IndexFunc(pairs, func(r rune) bool { return r < 0x21 || r > 0x7E }) < 0 {
			return true
		}
		text = rest
	}
}

// AppendEscaped appends text that is Escaped, decoded, to dst.
func AppendEscaped(dst, text []byte) []byte {
	switch {
	case bytes.Contains(text, chineseMark):
		return Decode(simplifiedchinese.GB18030, dst, shifted(text, chineseMark))
	case inPairs(text, []byte{shiftOut}, []byte{shiftIn}): // a file has the mark of Korean once
		return Decode(korean.EUCKR, dst, shifted(text, koreanMark))
	case bytes.Contains(text, escape):
		return Decode(japanese.ISO2022JP, dst, text)
	}
	return Decode(simplifiedchinese.HZGB2312, dst, text)
}

// shifted returns text of ISO-2022 without its mark, SO and SI, and with the eighth bit set in what
// is between SO and SI.
func shifted(text, mark []byte) []byte {
	var out []byte
	high := byte(0)
	for _, b := range bytes.ReplaceAll(text, mark, nil) {
		switch b {
		case shiftOut:
			high = 0x80
		case shiftIn:
			high = 0
		default:
			out = append(out, b|high)
		}
	}
	return out
}
