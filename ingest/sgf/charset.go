package sgf

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// charsetOf returns the encoding in which text has to be decoded before it is read, nil
// if it need not be: it is UTF-8, or in an eight-bit encoding that nobody names, which
// whoever knows many names can tell better.
//
// Some encodings of East Asia have "]" and "\" within characters, so that text must be
// decoded as a whole. What CA names is believed when the text can be that; else the bytes
// tell.
func charsetOf(text []byte) encoding.Encoding {
	if utf8.Valid(text) {
		return nil
	}
	named := charsetNamed(text)
	known := false
	for i := range eastAsians {
		if named == eastAsians[i].encoding {
			if known = true; eastAsians[i].fits(text) {
				return named
			}
		}
	}
	if named != nil && !known {
		return named
	}
	if damagedUTF8(text) {
		return unicode.UTF8 // whose decoder puts U+FFFD for what is damaged
	}
	return guess(text)
}

// charsetNamed is the encoding that the first CA names, nil if there is none, or it is
// one that everything can be, or UTF-8.
func charsetNamed(text []byte) encoding.Encoding {
	text = text[:min(len(text), 4096)]
	i := bytes.Index(text, []byte("CA["))
	if i < 0 {
		return nil
	}
	label, _, _ := bytes.Cut(text[i+3:], []byte("]"))
	label = bytes.ReplaceAll(bytes.ToLower(bytes.TrimSpace(label)), []byte("_"), []byte("-"))
	switch string(label) {
	case "ms-kanji", "cp932", "windows-31j":
		return japanese.ShiftJIS
	case "gb2312", "gbk", "gb18030", "cp936", "euc-cn":
		return simplifiedchinese.GB18030
	case "cp949", "ksc5601", "ks-c-5601-1987":
		return korean.EUCKR
	case "cp950":
		return traditionalchinese.Big5
	}
	e, err := htmlindex.Get(string(label))
	if err != nil {
		return nil
	}
	switch name, _ := htmlindex.Name(e); name {
	case "utf-8", "windows-1252", "utf-16le", "utf-16be", "replacement":
		return nil
	}
	return e
}

// damagedUTF8 reports whether most of what is not ASCII in text is UTF-8.
func damagedUTF8(text []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, n := utf8.DecodeRune(text[i:])
		if n > 1 {
			good += n
		} else {
			bad++
		}
		i += n
	}
	return good > 3*bad
}

// utf16Of returns the encoding of a stream that begins with a mark of UTF-16, or with a
// bracket in it; nil for all others.
func utf16Of(head []byte) encoding.Encoding {
	if len(head) < 4 {
		return nil
	}
	switch {
	case head[0] == 0xFF && head[1] == 0xFE || head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case head[0] == 0xFE && head[1] == 0xFF || head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

// decode appends text, decoded, to dst. What the encoding has not becomes U+FFFD.
func decode(e encoding.Encoding, dst, text []byte) []byte {
	decoder := e.NewDecoder()
	for len(text) > 0 {
		dst = append(dst, make([]byte, 3*len(text)+utf8.UTFMax)...)
		at := len(dst) - 3*len(text) - utf8.UTFMax
		n, used, err := decoder.Transform(dst[at:], text, true)
		dst, text = dst[:at+n], text[used:]
		if err != nil && used == 0 {
			break
		}
	}
	return dst
}

// ascii reports whether text is ASCII.
func ascii(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
