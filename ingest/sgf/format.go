package sgf

import (
	"bytes"

	"kifu/ingest/record"
)

// Format returns the description of SGF. Its tag Variant has the size of the board, which
// is two numbers in Go (19x19) and one in Othello (8).
func Format() *record.Format {
	return &record.Format{
		Name: "SGF", Extensions: []string{".sgf"},
		Recognize:   func(head []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(head), []byte("(;")) },
		NewSplitter: cuts(initial).Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return NewBlockReader(o) },
		VariantTag:  record.TagVariant,
		GameOf: func(value []byte) string {
			if bytes.IndexByte(value, 'x') > 0 {
				return "go"
			}
			return "othello"
		},
		GameByMoves: func(*record.Game) (string, bool) { return "go", true },
		SureGame: func(text []byte) string {
			if !surelyGo(text) {
				return ""
			}
			return "go"
		},
		Score:       Score,
		AgreedScore: true,
	}
}

// surelyGo reports whether all records in text must be Go among kifu's games: every GM in it, in comments
// too, is 1. Decoding adds no GM except in text with zero bytes or escapes: elsewhere ASCII is unchanged.
func surelyGo(text []byte) bool {
	for at := 0; ; at++ {
		n := bytes.IndexByte(text[at:], 'M')
		if n < 0 {
			break
		}
		at += n
		if namesGame(text, at) && !saysGo(text[at+1:]) {
			return false
		}
	}
	const escape = 0x1B
	return bytes.IndexByte(text, 0) < 0 && bytes.IndexByte(text, escape) < 0
}

// namesGame reports whether the M at text[at] ends the name GM, between whose capitals FF[1] to
// FF[3] allow small letters.
func namesGame(text []byte, at int) bool {
	for at--; at >= 0 && text[at] >= 'a' && text[at] <= 'z'; at-- {
	}
	return at >= 0 && text[at] == 'G'
}

// saysGo reports whether one value 1 follows the name of a property, which may go on with small
// letters, or none.
func saysGo(text []byte) bool {
	for len(text) > 0 && text[0] >= 'a' && text[0] <= 'z' {
		text = text[1:]
	}
	blank := func(r rune) bool { return r <= ' ' }
	value, ok := bytes.CutPrefix(bytes.TrimLeftFunc(text, blank), []byte("["))
	if !ok {
		return true
	}
	value, after, ok := bytes.Cut(value, []byte("]"))
	return ok && string(bytes.TrimSpace(value)) == "1" && !bytes.HasPrefix(bytes.TrimLeftFunc(after, blank), []byte("["))
}
