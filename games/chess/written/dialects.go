package written

import (
	"bytes"
	"strings"
)

// dialect is the set of a language's letters for the pieces, in one encoding.
type dialect struct {
	name    string
	letters [5]string // of king, queen, rook, bishop, knight
}

// dialects are in the order in which they are tried. One language represents all with the
// same letters: german for Croatian, Danish, Norwegian, Slovene and Swedish, spanish for
// Catalan and Italian, portuguese for Galician, czech for Slovak.
var dialects = [...]dialect{
	{"german", [5]string{"K", "D", "T", "L", "S"}},
	{"french", [5]string{"R", "D", "T", "F", "C"}},
	{"spanish", [5]string{"R", "D", "T", "A", "C"}},
	{"dutch", [5]string{"K", "D", "T", "L", "P"}},
	{"portuguese", [5]string{"R", "D", "T", "B", "C"}},
	{"polish", [5]string{"K", "H", "W", "G", "S"}},
	{"czech", [5]string{"K", "D", "V", "S", "J"}},
	{"hungarian", [5]string{"K", "V", "B", "F", "H"}},
	{"finnish", [5]string{"K", "D", "T", "L", "R"}},
	{"romanian", [5]string{"R", "D", "T", "N", "C"}},
	{"estonian", [5]string{"K", "L", "V", "O", "R"}},
	{"latvian", [5]string{"K", "D", "T", "L", "Z"}},
	{"icelandic", [5]string{"K", "D", "H", "B", "R"}},
	{"turkish", [5]string{"Ş", "V", "K", "F", "A"}},
	{"turkish in windows-1254", [5]string{"\xDE", "V", "K", "F", "A"}},
	{"russian", [5]string{"Кр", "Ф", "Л", "С", "К"}},
	{"russian in windows-1251", [5]string{"\xCA\xF0", "\xD4", "\xCB", "\xD1", "\xCA"}},
	{"russian in koi8-r", [5]string{"\xEB\xD2", "\xE6", "\xEC", "\xF3", "\xEB"}},
	{"russian in code page 866", [5]string{"\x8A\xE0", "\x94", "\x8B", "\x91", "\x8A"}},
	{"ukrainian", [5]string{"Кр", "Ф", "Т", "С", "К"}},
	{"bulgarian", [5]string{"Ц", "Д", "Т", "О", "К"}},
	{"serbian", [5]string{"К", "Д", "Т", "Л", "С"}},
	{"greek", [5]string{"Ρ", "Β", "Π", "Α", "Ι"}},
}

// Dialects returns languages, with their encoding unless it is UTF-8.
func Dialects() []string {
	names := make([]string, len(dialects))
	for i := range dialects {
		names[i] = dialects[i].name
	}
	return names
}

// Translate replaces the letter of dialect i for the moving piece and for a promotion by
// the English one. It refuses a piece of English that the dialect lacks.
func Translate(dst []byte, i int, text []byte) (translated []byte, foreign bool) {
	if len(text) < 2 || IsNull(text) || text[0] == 'O' && (text[1] == '-' || text[1] == 'O') { // Estonian bishops do not castle
		return append(dst, text...), false
	}
	d := &dialects[i]
	english, own, rest := d.piece(text)
	switch {
	case english != 0:
		dst = append(dst, english)
	case strings.IndexByte("KQRBN", text[0]) >= 0:
		return dst, false
	}
	for len(rest) > 0 {
		if c := rest[0]; c < 0x80 {
			dst = append(dst, c)
			rest = rest[1:]
			if c >= '1' && c <= '8' && !bytes.ContainsAny(rest, "12345678") {
				break
			}
		} else if latin, size := lookalike(rest); latin != 0 {
			dst = append(dst, latin)
			rest, own = rest[size:], true
		} else {
			dst = append(dst, c)
			rest = rest[1:]
		}
	}
	if len(rest) > 0 && strings.IndexByte("=(/", rest[0]) >= 0 {
		dst = append(dst, rest[0])
		rest = rest[1:]
	}
	if len(rest) > 0 {
		promotion, foreign, behind := d.piece(rest)
		if promotion != 0 {
			dst = append(dst, promotion)
		}
		rest, own = behind, own || foreign
	}
	return append(dst, rest...), own
}

// piece returns the English letter of the piece with which text begins, 0 if there is
// none, and what follows. Letters that are files are pieces only as capitals. own reports
// that English does not write that letter.
func (d *dialect) piece(text []byte) (english byte, own bool, rest []byte) {
	for i, letter := range d.letters {
		n := len(letter)
		if len(text) < n || string(text[:n]) != letter && (n > 1 || text[0] < 'i' || text[0] > 'z' || text[0]-'a'+'A' != letter[0]) {
			continue
		}
		return "KQRBN"[i], !strings.Contains("PNBRQK", letter), text[n:]
	}
	return 0, false, text
}

// lookalike returns the Latin letter that the Cyrillic one at the start of text is
// mistaken for: letters of files, captures and castling.
func lookalike(text []byte) (latin byte, size int) {
	if len(text) < 2 {
		return 0, 0
	}
	switch string(text[:2]) {
	case "а":
		return 'a', 2
	case "е":
		return 'e', 2
	case "с":
		return 'c', 2
	case "х", "Х":
		return 'x', 2
	case "О", "о":
		return 'O', 2
	}
	return 0, 0
}
