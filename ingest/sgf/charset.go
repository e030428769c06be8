package sgf

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"

	"kifu/ingest/charset"
	"kifu/ingest/record"
)

// decoder returns the decoder for text, and the guessed encoding. It returns nil if text is UTF-8, or in an
// eight-bit encoding that CA does not name: with the names of many games the caller can detect that better.
//
// Some encodings of East Asia have "]" and "\" within characters, so that text must be
// decoded as a whole.
func (r *BlockReader) decoder(text []byte) (decode record.Decoder, guess string) {
	if charset.Escaped(text) {
		return charset.AppendEscaped, ""
	}
	if utf8.Valid(text) {
		return nil, ""
	}
	label := charsetLabel(text)
	if e := namedEightBit(label); e != nil {
		return func(dst, text []byte) []byte { return charset.Decode(e, dst, text) }, ""
	}
	return r.decoderOf(text, label)
}

// charsetLabel returns the value of the first CA in text, in small letters.
func charsetLabel(text []byte) string {
	text = text[:min(len(text), 4096)]
	i := bytes.Index(text, []byte("CA["))
	if i < 0 {
		return ""
	}
	label, _, _ := bytes.Cut(text[i+3:], []byte("]"))
	return string(bytes.ReplaceAll(bytes.ToLower(bytes.TrimSpace(label)), []byte("_"), []byte("-")))
}

// namedEightBit returns the encoding of that label if it has eight bits and is not one that
// is named without being meant.
func namedEightBit(label string) encoding.Encoding {
	if label == "" {
		return nil
	}
	if e, ok := charset.Parse(label); ok && !e.EightBit() {
		return nil
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		e, _ = ianaindex.IANA.Encoding(label) // also old code pages
		return e
	}
	switch name, _ := htmlindex.Name(e); name {
	case "utf-8", "windows-1252", "utf-16le", "utf-16be", "replacement":
		return nil
	}
	return e
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
