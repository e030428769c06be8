package written

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Words puts the words of text into field, as many as it has room for, and returns how many
// there are.
func Words(field [][]byte, text []byte) (n int) {
	for i := 0; i < len(text); {
		if text[i] <= ' ' && isBlank(text[i]) {
			i++
			continue
		}
		from := i
		for i < len(text) && !(text[i] <= ' ' && isBlank(text[i])) {
			if text[i] >= utf8.RuneSelf { // there are blanks beyond ASCII
				words := bytes.Fields(text)
				return max(copy(field, words), len(words))
			}
			i++
		}
		if n < len(field) {
			field[n] = text[from:i]
		}
		n++
	}
	return n
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// Number reads a number.
func Number(text []byte) (n int, ok bool) {
	if len(text) > 4 {
		n, err := strconv.Atoi(string(text))
		return n, err == nil
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			n, err := strconv.Atoi(string(text))
			return n, err == nil
		}
		n = 10*n + int(c-'0')
	}
	return n, len(text) > 0
}
