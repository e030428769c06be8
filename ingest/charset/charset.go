// Package charset detects the encoding of names in a text, and decodes it: eight-bit encodings
// of Europe, encodings of East Asia, and damaged UTF-8.
//
// Records of thirty years rarely name their encoding. One game has few bytes, so every encoding
// is tried, and the one whose characters make the likeliest names wins. The evidence is
//
//	eight bits  how often letters and their neighbours occur in names of a language (letters.txt,
//	            made by letters.py), and capitals at the beginning of words (detect.go)
//	East Asia   characters of everyday use and of names (wide.go)
//	UTF-8       whole sequences, and others that look cut (utf8.go)
//
// Windows-1252, by far the most usual, wins when little evidence contradicts it. A stream's
// beginning adds to the evidence of a game's own bytes (Evidence), so that a short name is read
// like its neighbours. Text that is valid UTF-8 needs no decoding.
package charset

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// Encoding is one of the encodings that can be detected, by its place in a list.
type Encoding int

// known are the encodings, the most usual first. cost is the evidence that one needs, in units of -2 ln p.
// One with neither table nor wide is UTF-8.
var known = [...]struct {
	name  string
	table *charmap.Charmap // of eight bits
	group string           // of languages, in letters.txt
	cost  int
	wide  *wide // of East Asia
}{
	{"windows-1252", charmap.Windows1252, "west", 0, nil},
	{"windows-1251", charmap.Windows1251, "cyrillic", 6, nil},
	{"windows-1250", charmap.Windows1250, "central", 10, nil},
	{"windows-1254", charmap.Windows1254, "turkish", 8, nil},
	{"windows-1257", charmap.Windows1257, "baltic", 10, nil},
	{"windows-1253", charmap.Windows1253, "greek", 10, nil},
	{"koi8-u", charmap.KOI8U, "cyrillic", 12, nil},
	{"cp866", charmap.CodePage866, "cyrillic", 12, nil},
	{"cp850", charmap.CodePage850, "west", 12, nil},
	{"cp437", charmap.CodePage437, "west", 13, nil},
	{"cp852", charmap.CodePage852, "central", 16, nil},
	{"iso-8859-2", charmap.ISO8859_2, "central", 10, nil},
	{"macintosh", charmap.Macintosh, "west", 16, nil},
	{"gb18030", nil, "", 24, &wide{simplifiedchinese.GB18030, gbPair, pairsOf(simplifiedchinese.GB18030, usualChinese)}},
	{"big5", nil, "", 30, &wide{traditionalchinese.Big5, big5Pair, pairsOf(traditionalchinese.Big5, usualTraditional)}},
	{"shift-jis", nil, "", 26, &wide{japanese.ShiftJIS, sjisPair, pairsOf(japanese.ShiftJIS, usualJapanese)}},
	{"euc-jp", nil, "", 28, &wide{japanese.EUCJP, eucJPPair, pairsOf(japanese.EUCJP, usualJapanese)}},
	{"euc-kr", nil, "", 28, &wide{korean.EUCKR, eucKRPair, pairsOf(korean.EUCKR, usualKorean)}},
	{"utf-8", nil, "", 44, nil},
}

// Windows1252 is the default when nothing else is known; UTF8 is damaged.
const (
	Windows1252 Encoding = 0
	UTF8        Encoding = Encoding(len(known) - 1)
)

// EightBit reports whether every byte is a character, so that text can be decoded piece by piece. In other
// encodings, brackets and quotes may be parts of characters.
func (e Encoding) EightBit() bool { return known[e].table != nil }

// String returns the name, one of Names.
func (e Encoding) String() string { return known[e].name }

// Guess is the note that a text which does not name its encoding was taken for e.
func (e Encoding) Guess() string {
	if e == UTF8 {
		return "text in damaged utf-8"
	}
	return "text taken for " + e.String()
}

// Names lists the encodings.
func Names() []string {
	names := make([]string, len(known))
	for i := range known {
		names[i] = known[i].name
	}
	return names
}

// aliases have the names of encodings for others that are in use.
var aliases = map[string]string{
	"latin1": "windows-1252", "latin-1": "windows-1252", "iso-8859-1": "windows-1252", "latin2": "iso-8859-2", "latin-2": "iso-8859-2", "koi8-r": "koi8-u",
	"mac": "macintosh", "macroman": "macintosh", "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "euc-cn": "gb18030", "cp950": "big5",
	"sjis": "shift-jis", "shiftjis": "shift-jis", "ms-kanji": "shift-jis", "cp932": "shift-jis", "windows-31j": "shift-jis", "eucjp": "euc-jp",
	"euckr": "euc-kr", "cp949": "euc-kr", "ksc5601": "euc-kr", "ks-c-5601-1987": "euc-kr", "utf8": "utf-8",
}

// Parse returns the encoding of that name, in any case. ok is false if it is neither in Names nor a usual
// alias (latin1, gbk, sjis, …).
func Parse(name string) (e Encoding, ok bool) {
	name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
	name = cmp.Or(aliases[strings.ReplaceAll(name, "cp125", "windows-125")], name)
	page := "windows-" + strings.TrimPrefix(name, "cp")
	for i := range known {
		if known[i].name == name || known[i].name == page {
			return Encoding(i), true
		}
	}
	return 0, false
}

// Append appends text, decoded, to dst. An unassigned byte becomes its Latin-1 character in an encoding of
// eight bits, and U+FFFD in the others.
func (e Encoding) Append(dst, text []byte) []byte {
	switch {
	case known[e].wide != nil:
		return Decode(known[e].wide.encoding, dst, text)
	case e == UTF8:
		return appendUTF8(dst, text)
	}
	for _, b := range text {
		if b < utf8.RuneSelf {
			dst = append(dst, b)
		} else {
			dst = utf8.AppendRune(dst, e.rune(b))
		}
	}
	return dst
}

func (e Encoding) rune(b byte) rune {
	if r := known[e].table.DecodeByte(b); r != utf8.RuneError {
		return r
	}
	return rune(b)
}

// Decode appends text, decoded by e, to dst. What the encoding lacks becomes U+FFFD.
func Decode(e encoding.Encoding, dst, text []byte) []byte {
	decoder := e.NewDecoder()
	for len(text) > 0 {
		at := len(dst)
		dst = append(dst, make([]byte, 3*len(text)+utf8.UTFMax)...)
		n, used, err := decoder.Transform(dst[at:], text, true)
		dst, text = dst[:at+n], text[used:]
		if err != nil && used == 0 {
			break
		}
	}
	return dst
}
