// Package japanese has what Shogi's record formats share: text encodings, detected by the bytes, and a board
// that is set up piece by piece and written as SFEN.
//
// It knows which pieces there are, and no rules.
package japanese

import (
	"bytes"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// Encoding is an encoding of Japanese text.
type Encoding uint8

// The encodings that records come in.
const (
	UTF8 Encoding = iota
	ShiftJIS
	EUCJP
	ISO2022JP
)

// Detect detects the encoding of text by its bytes: UTF-8 if it is valid, EUC-JP if all bytes beyond ASCII
// form its pairs, else Shift-JIS. The first bytes of Shift-JIS kana and common kanji do not occur in EUC-JP.
// ISO-2022-JP, which is ASCII alone, has escapes to its characters.
func Detect(text []byte) Encoding {
	switch {
	case bytes.Contains(text, escape):
		return ISO2022JP
	case utf8.Valid(text):
		return UTF8
	case euc(text):
		return EUCJP
	}
	return ShiftJIS
}

// escape begins a stretch of characters of two bytes.
var escape = []byte("\x1B$")

// euc reports whether text can be EUC-JP.
func euc(text []byte) bool {
	for i := 0; i < len(text); i++ {
		var more int
		switch b := text[i]; {
		case b < utf8.RuneSelf:
			continue
		case b == 0x8F:
			more = 2
		case b == 0x8E || b >= 0xA1 && b <= 0xFE:
			more = 1
		default:
			return false
		}
		for ; more > 0; more-- {
			if i++; i == len(text) || text[i] < 0xA1 || text[i] == 0xFF {
				return false
			}
		}
	}
	return true
}

// Append appends text, which is in encoding e, to dst in UTF-8. Unassigned bytes become U+FFFD, and so
// does a character that is cut off at the end.
func Append(dst []byte, e Encoding, text []byte) []byte {
	switch e {
	case ShiftJIS:
		return appendShiftJIS(dst, text)
	case EUCJP, ISO2022JP:
		of := japanese.EUCJP
		if e == ISO2022JP {
			of = japanese.ISO2022JP
		}
		decoded, err := of.NewDecoder().Bytes(text)
		if err == nil {
			return append(dst, decoded...)
		}
	}
	return append(dst, text...)
}

// appendShiftJIS decodes by a table: records of many games are Shift-JIS throughout.
func appendShiftJIS(dst, text []byte) []byte {
	table := shiftJIS()
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b < utf8.RuneSelf {
			dst = append(dst, b)
			continue
		}
		r := rune(table[b])
		if r == 0 {
			r = utf8.RuneError
			if i+1 < len(text) {
				if two := table[uint16(b)<<8|uint16(text[i+1])]; two != 0 {
					r = rune(two)
					i++
				}
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// shiftJIS returns the characters of one byte and of two, by their code; 0 for none.
var shiftJIS = sync.OnceValue(func() *[1 << 16]uint16 {
	var table [1 << 16]uint16
	decoder := japanese.ShiftJIS.NewDecoder()
	decode := func(code ...byte) uint16 {
		text, err := decoder.Bytes(code)
		r, n := utf8.DecodeRune(text)
		if err != nil || n != len(text) || r == utf8.RuneError {
			return 0
		}
		return uint16(r) // all its characters are in the first plane
	}
	for b := 0x80; b < 256; b++ {
		if table[b] = decode(byte(b)); table[b] != 0 {
			continue
		}
		for c := 0x40; c < 256; c++ {
			table[b<<8|c] = decode(byte(b), byte(c))
		}
	}
	return &table
})
