// Package charset tells in which eight-bit encoding a text of names was written, and
// decodes it.
//
// Records of thirty years seldom say how they are encoded. The bytes of one game are
// few, so every encoding is tried, and the one whose letters make the likeliest names
// wins: by how often a letter is met in the names of its languages, which letters it
// stands beside (letters.txt, made by letters.py), and whether capitals stand where
// capitals do. Windows-1252, by far the most usual, wins when little speaks against it.
//
// A stream's beginning adds to what a game's own bytes say (Evidence), so that a short
// name is read as its neighbours are. Text that is valid UTF-8 is none of this
// package's business.
package charset

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Encoding is one of the encodings that are told apart, by its place in a list.
type Encoding int

// known are the encodings, the most usual first. cost is what has to speak for one, in
// units of -2 ln p, before it is believed.
var known = [...]struct {
	name  string
	table *charmap.Charmap
	group string // of languages, in letters.txt
	cost  int
}{
	{"windows-1252", charmap.Windows1252, "west", 0},
	{"windows-1251", charmap.Windows1251, "cyrillic", 6},
	{"windows-1250", charmap.Windows1250, "central", 10},
	{"windows-1254", charmap.Windows1254, "turkish", 8},
	{"windows-1257", charmap.Windows1257, "baltic", 10},
	{"windows-1253", charmap.Windows1253, "greek", 10},
	{"koi8-u", charmap.KOI8U, "cyrillic", 12},
	{"cp866", charmap.CodePage866, "cyrillic", 12},
	{"cp850", charmap.CodePage850, "west", 12},
	{"cp437", charmap.CodePage437, "west", 13},
	{"cp852", charmap.CodePage852, "central", 16},
	{"iso-8859-2", charmap.ISO8859_2, "central", 10},
	{"macintosh", charmap.Macintosh, "west", 16},
}

// Windows1252 is what is meant when nothing else is known.
const Windows1252 Encoding = 0

func (e Encoding) String() string { return known[e].name }

// Names lists the encodings.
func Names() []string {
	names := make([]string, len(known))
	for i := range known {
		names[i] = known[i].name
	}
	return names
}

// Parse returns the encoding of that name, in any case; ok is false if it is none of
// Names or of their aliases latin1, latin2, koi8-r and mac.
func Parse(name string) (e Encoding, ok bool) {
	name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
	switch strings.ReplaceAll(name, "cp125", "windows-125") {
	case "latin1", "latin-1", "iso-8859-1":
		name = "windows-1252"
	case "latin2", "latin-2":
		name = "iso-8859-2"
	case "koi8-r":
		name = "koi8-u"
	case "mac", "macroman":
		name = "macintosh"
	}
	for i := range known {
		if known[i].name == name || known[i].name == "windows-"+strings.TrimPrefix(name, "cp") {
			return Encoding(i), true
		}
	}
	return 0, false
}

// Append appends text, decoded, to dst. A byte that stands for nothing stays what it
// is in Latin-1.
func (e Encoding) Append(dst, text []byte) []byte {
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
