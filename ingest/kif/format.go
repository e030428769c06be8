// Package kif reads games of Shogi in KIF and KI2, the formats of Kakinoki's programs and of
// nearly all Japanese software, into record.Games. It reads syntax only: it returns moves as
// written (７六歩(77), ▲同銀右) and start positions as SFEN.
//
// A stream is cut into blocks that BlockReaders read in parallel, with the same games as
// outcome. Texts in Shift-JIS, EUC-JP and UTF-8 are recognised by their bytes, game by game,
// and returned in UTF-8. Variations are skipped and counted. Values in comments of ShogiGUI and
// others go to their moves (value.go). A game takes a few allocations, a move none.
//
// A file usually has one game. Otherwise a game begins with a line "#KIF …" or "# --- Kifu for
// Windows …", which a program writes first, or with a header line after the moves of another
// game.
package kif

import (
	"bytes"

	"kifu/ingest/record"
	"kifu/ingest/record/japanese"
)

var _ record.BlockReader = (*BlockReader)(nil)

// Format returns the description of KIF, with KI2.
func Format() *record.Format {
	return &record.Format{
		Name: "KIF", Extensions: []string{".kif", ".kifu", ".ki2", ".ki2u"},
		Recognize:   recognize,
		NewSplitter: initial.Cuts().Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return &BlockReader{keep: o.Keep} },
		VariantTag:  record.TagVariant,
	}
}

// recognize reports whether head begins with #KIF, or has a line that only KIF begins with.
func recognize(head []byte) bool {
	head = head[record.Marks(head):]
	if bytes.HasPrefix(head, []byte("#KIF ")) {
		return true
	}
	const enough = 2 << 10
	head = head[:min(len(head), enough)]
	if n := bytes.LastIndexByte(head, '\n'); n >= 0 {
		head = head[:n] // and no half of a character
	}
	if !bytes.ContainsFunc(head, func(r rune) bool { return r >= 0x80 || r == 0x1B }) {
		return false
	}
	if e := japanese.Detect(head); e != japanese.UTF8 {
		head = japanese.Append(nil, e, head)
	}
	for _, line := range [...]string{"手合割：", "手数----", "先手：", "下手："} {
		if bytes.HasPrefix(head, []byte(line)) || bytes.Contains(head, []byte("\n"+line)) {
			return true
		}
	}
	return false
}

// maxGame is the length of the longest game, with the text up to the next one, in bytes.
const maxGame = 8 << 20

// initial is how a game begins for sure.
var initial = record.Initial{Byte: '#', Begins: begins, Back: 24, Ahead: 8, Whole: true, Max: maxGame, TooLong: "longer than 8 MiB"}

// begins reports whether a game begins for sure with the # at d[i], i > 0: with a line
// #KIF, or with a line # --- after one that has no # itself. # is in no character of
// two bytes at the beginning of a line.
func begins(d []byte, i int) bool {
	kif := bytes.HasPrefix(d[i:], []byte("#KIF "))
	if !kif && !bytes.HasPrefix(d[i:], []byte("# --")) {
		return false
	}
	const mostMarks = 16
	from := max(0, i-mostMarks)
	line := from + bytes.LastIndexByte(d[from:i], '\n') + 1
	if line == from || line+record.Marks(d[line:i]) != i {
		return false
	}
	if kif {
		return true
	}
	before := bytes.LastIndexByte(d[:line-1], '\n') + 1
	before += record.Marks(d[before:])
	return d[before] != '#'
}
