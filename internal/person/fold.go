// Package person reads names of players. It folds case, accents and scripts, and parses a name
// into surname, given names and initials. Resolve finds the recorded names that a user means by
// part of a name.
//
// It compares names only as texts. Package transform/names weighs what the games show about two
// names: that they met, or lived in different centuries.
package person

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold converts a text to plain lower-case Latin letters: marks are removed, Cyrillic
// letters transliterated. Other characters stay.
func fold(text string) string {
	plain := true
	for i := range len(text) {
		plain = plain && text[i] < 0x80
	}
	if plain {
		return strings.ToLower(text)
	}
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if latin, ok := letters[r]; ok {
			b.WriteString(latin)
			continue
		}
		for _, d := range norm.NFKD.String(string(r)) {
			if !unicode.Is(unicode.Mn, d) {
				b.WriteRune(d)
			}
		}
	}
	return b.String()
}

// letters are letters that do not decompose into a plain letter and marks, and the Russian
// alphabet in the simpler romanisations.
var letters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ı': "i", 'ħ': "h",
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'е': "e", 'ё': "e", 'ж': "zh", 'з': "z", 'и': "i", 'й': "i",
	'к': "k", 'л': "l", 'м': "m", 'н': "n", 'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f",
	'х': "kh", 'ц': "ts", 'ч': "ch", 'ш': "sh", 'щ': "shch", 'ъ': "", 'ы': "y", 'ь': "", 'э': "e", 'ю': "yu", 'я': "ya",
}

// spellings are ways of writing one sound in the romanisations of English, German, French,
// Polish and Dutch: the first match applies. Timoshenko and Timoshchenko are two names: щ is not ш.
var spellings = strings.NewReplacer(
	"schtsch", "Q", "chtch", "Q", "shch", "Q", "szcz", "Q", "tsch", "C", "tch", "C", "sch", "S", "cz", "C", "ch", "C", "sh", "S", "sz", "S", "zh", "Z",
	"kh", "h", "ph", "f", "th", "t", "dh", "d", "ck", "k", "c", "k", "x", "ks", "tz", "ts",
	"oe", "o", "ue", "u", "ae", "a", "ou", "u", "w", "v", "y", "i", "j", "i")

// Sound returns equal texts for spellings of one name in different romanisations: Kortchnoi
// and Korchnoj, Jussupow and Yusupov, Hübner and Huebner. token is folded.
func Sound(token string) string {
	text := spellings.Replace(token)
	var b strings.Builder
	for i := range len(text) {
		if i == 0 || text[i] != text[i-1] {
			b.WriteByte(text[i])
		}
	}
	text = b.String()
	if strings.HasPrefix(text, "ie") {
		text = text[1:] // Yevgeny
	}
	if n := len(text); n > 2 && text[n-1] == 'f' && (text[n-2] == 'o' || text[n-2] == 'e') {
		text = text[:n-1] + "v" // Smirnoff
	}
	return text
}

// Letters returns the letters and digits of a name, folded; one form of characters with several.
func Letters(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r < '0' || r > '9' && r < 'a' || r > 'z') {
			return -1
		}
		return r
	}, fold(variants.Replace(name)))
}
