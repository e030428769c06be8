package human

import (
	"unicode"

	"golang.org/x/text/width"
)

// Columns returns how many columns of a terminal a text takes: two for each wide letter of Chinese, Japanese and
// Korean, none for marks over the letter before (Unicode Standard Annex 11).
func Columns(text string) (n int) {
	for _, r := range text {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r):
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
