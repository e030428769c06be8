package charset

import "unicode/utf8"

// The costs of bytes that UTF-8 does not allow at their place, in units of -2 ln p.
const (
	cutSequence = 18 // what is left of a character that was cut
	notUTF8     = 60 // anything else
)

// utf8Cost returns the evidence against text being damaged UTF-8. Names are cut at their end, within a
// character, and programs that replace a byte write a question mark: the remains of such a character are
// next to ASCII that is no letter.
func utf8Cost(text []byte) (cost int) {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, n := utf8.DecodeRune(text[i:])
		if n == 1 {
			n = partOfSequence(text[i:])
			lead := text[i] >= 0xC2
			switch {
			case lead && i+n < len(text) && (text[i+n] >= utf8.RuneSelf || letterOf(text[i+n])):
				cost += notUTF8
			case !lead && (i == 0 || text[i-1] >= utf8.RuneSelf || letterOf(text[i-1])):
				cost += notUTF8
			default:
				cost += cutSequence
			}
		}
		i += n
	}
	return cost
}

// letterOf reports whether b is a letter of ASCII.
func letterOf(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// partOfSequence returns the length of the part of a sequence that text begins with: a lead
// byte and the continuation bytes after it. Any other byte is one by itself.
func partOfSequence(text []byte) int {
	n := 1
	if c := text[0]; c < 0xC2 || c > 0xF4 {
		return n
	}
	for n < len(text) && n < utf8.UTFMax-1 && text[n] >= 0x80 && text[n] < 0xC0 {
		n++
	}
	return n
}

// appendUTF8 appends text, with U+FFFD in place of every run of bytes that are none of UTF-8.
func appendUTF8(dst, text []byte) []byte {
	kept := 0 // text before it has been appended
	for i := nextHigh(text, 0); i < len(text); i = nextHigh(text, i) {
		if r, n := utf8.DecodeRune(text[i:]); r != utf8.RuneError || n != 1 {
			i += n
			continue
		}
		if i == 0 || i > kept { // the byte before is not broken
			dst = append(append(dst, text[kept:i]...), "\uFFFD"...)
		}
		i++
		kept = i
	}
	return append(dst, text[kept:]...)
}
