// Package japanese holds what the record formats of Shogi share: the encodings of their
// texts, told by the bytes, and a board put together piece by piece, written as SFEN.
//
// It knows which pieces there are, and no rules.
package japanese

import (
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/transform"
)

// Encoding is an encoding of Japanese text.
type Encoding uint8

// The encodings that records come in.
const (
	UTF8 Encoding = iota
	ShiftJIS
	EUCJP
)

// Detect tells the encoding of text by its bytes: UTF-8 if it can be that; EUC-JP if
// all its bytes beyond ASCII come in pairs as that has them; else Shift-JIS, whose
// first bytes of kana and of the commonest kanji are none of EUC-JP.
func Detect(text []byte) Encoding {
	switch {
	case utf8.Valid(text):
		return UTF8
	case euc(text):
		return EUCJP
	}
	return ShiftJIS
}

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

// Decoder turns texts into UTF-8. It keeps the state of the decoders; the zero value is
// usable.
type Decoder struct{ shiftJIS, euc *encoding.Decoder }

// Append appends text, which is in encoding e, to dst in UTF-8. Bytes that stand for
// nothing become U+FFFD, and so does a character that is cut off at the end.
func (d *Decoder) Append(dst []byte, e Encoding, text []byte) []byte {
	var t transform.Transformer
	switch e {
	case UTF8:
		return append(dst, text...)
	case ShiftJIS:
		if d.shiftJIS == nil {
			d.shiftJIS = japanese.ShiftJIS.NewDecoder()
		}
		t = d.shiftJIS
	case EUCJP:
		if d.euc == nil {
			d.euc = japanese.EUCJP.NewDecoder()
		}
		t = d.euc
	}
	t.Reset()
	// A character takes at most three bytes here for one there: half-width kana.
	at := len(dst)
	for need := 3*len(text) + utf8.UTFMax; cap(dst)-at < need; {
		dst = append(dst[:cap(dst)], 0)
	}
	n, _, _ := t.Transform(dst[at:cap(dst)], text, true)
	return dst[:at+n]
}
