package human

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns text so that it cannot steer what shows it: control characters but line
// feed and tab, bytes that are no UTF-8, and the marks of Unicode that turn the direction of
// the text after them (UAX #9, section 2) become escapes such as \x1b and \u202e.
func Printable(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, steers) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r < utf8.RuneSelf && steers(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case steers(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func steers(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x2028 || r == 0x2029:
		return true
	}
	return unicode.IsControl(r)
}
