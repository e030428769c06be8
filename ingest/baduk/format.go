// Package baduk reads the game records of three Go servers into record.Games: GIB of Tygem, NGF of WBaduk
// and Cyberoro, and UGF (UGI) of PandaNet. A record is rewritten as SGF, which package sgf reads: so
// results, handicaps, komi and texts are treated as there.
//
// A file has one game; of GIB and UGF several may follow each other.
package baduk

import (
	"bytes"
	"regexp"

	"kifu/ingest/record"
	"kifu/ingest/sgf"
)

// maxGame is the length of the longest record in bytes.
const maxGame = 4 << 20

// dialect is one of the three.
type dialect struct {
	name       string
	extensions []string
	begins     string // the line with which a game begins; or ""
	recognize  func(head []byte) bool
	convert    func(w *writer, text []byte) (reason string)
}

var (
	gib = dialect{"GIB", []string{".gib"}, `\HS`, func(head []byte) bool { return bytes.HasPrefix(head, []byte(`\HS`)) }, convertGIB}
	ngf = dialect{"NGF", []string{".ngf"}, "", regexp.MustCompile(`^[^\n]*\n *\d+ *\r?\n[^\n]*\n[^\n]*\n[^\n]*\n *\d+ *\r?\n *\d+ *\r?\n *-?\d+ *\r?\n\d{8}\b`).Match, convertNGF}
	ugf = dialect{"UGF", []string{".ugf", ".ugi"}, "[Header]", func(head []byte) bool { return bytes.HasPrefix(head, []byte("[Header]")) }, convertUGF}
)

// GIB returns the description of the records of Tygem.
func GIB() *record.Format { return gib.format() }

// NGF returns the description of the records of WBaduk.
func NGF() *record.Format { return ngf.format() }

// UGF returns the description of the records of PandaNet.
func UGF() *record.Format { return ugf.format() }

func (d *dialect) format() *record.Format {
	f := *sgf.Format()
	f.Name, f.Extensions, f.SureGame = d.name, d.extensions, nil
	f.Recognize = func(head []byte) bool { return d.recognize(bytes.TrimLeft(bytes.TrimPrefix(head, mark), " \t\r\n")) }
	f.NewSplitter = d.initial().Cuts().Splitter
	f.NewReader = func(o record.Options) record.BlockReader { return d.newReader(o) }
	return &f
}

var mark = []byte("\uFEFF")

// initial returns how a game begins.
func (d *dialect) initial() record.Initial {
	first := byte('\\')
	if d.begins != "" {
		first = d.begins[0]
	}
	return record.Initial{Byte: first, Begins: d.beginsAt, Back: max(1, len(d.begins)), Ahead: len(d.begins) + 1, Whole: true, Max: maxGame, TooLong: "longer than 4 MiB"}
}

// beginsAt reports whether a game begins at text[i].
func (d *dialect) beginsAt(text []byte, i int) bool {
	if d.begins == "" || !bytes.HasPrefix(text[i:], []byte(d.begins)) || i > 0 && text[i-1] != '\n' {
		return false
	}
	after := i + len(d.begins)
	return after == len(text) || text[after] <= ' '
}
