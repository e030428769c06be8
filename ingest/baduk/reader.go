package baduk

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"kifu/ingest/charset"
	"kifu/ingest/record"
	"kifu/ingest/sgf"
)

// blockReader reads the games of blocks.
type blockReader struct {
	record.Cursor
	dialect *dialect
	decoder func(text []byte, label string) (record.Decoder, string)
	writer  writer
	sgf     *sgf.BlockReader
}

func (d *dialect) newReader(o record.Options) *blockReader {
	r := &blockReader{dialect: d, decoder: o.Decoder, sgf: sgf.NewBlockReader(o)}
	if r.decoder == nil {
		r.decoder = func(text []byte, label string) (record.Decoder, string) {
			return charset.Evidence{}.Decoder(text, label)
		}
	}
	return r
}

// Read fills g with the next game.
func (r *blockReader) Read(g *record.Game) error {
	g.Reset()
	rest := bytes.TrimLeft(r.Rest(), " \t\r\n")
	r.Pass(len(r.Rest()) - len(rest))
	if len(rest) == 0 {
		return io.EOF
	}
	at, line := r.Offset(), r.Line
	text := rest[:r.dialect.initial().First(rest, 1)]
	r.Pass(len(text))
	guess := ""
	if !utf8.Valid(text) {
		label := ""
		if bytes.Contains(text, []byte("Lang=SJIS")) {
			label = "shift-jis"
		}
		decode, guessed := r.decoder(text, label)
		if guess = guessed; decode != nil {
			text = decode(nil, text)
		}
	}
	r.writer = writer{sgf: append(r.writer.sgf[:0], "(;GM[1]FF[4]"...), moves: r.writer.moves[:0], size: 19}
	reason := r.dialect.convert(&r.writer, text)
	if reason == "" {
		var fault *record.SyntaxError
		r.sgf.Reset(record.Block{Data: r.writer.end(), Line: 1})
		switch err := r.sgf.Read(g); {
		case errors.As(err, &fault):
			reason = fault.Reason
		case err != nil:
			return err
		}
	}
	g.Offset, g.Line = at, line
	if reason != "" {
		g.Moves = g.Moves[:0]
		return &record.SyntaxError{Offset: at, Line: line, Reason: reason, Detail: record.Shown(text)}
	}
	if guess != "" {
		g.Guess = guess
	}
	g.Comments, g.Variations = r.writer.comments, r.writer.variations
	return nil
}

// writer writes a game as SGF.
type writer struct {
	sgf, moves           []byte
	size                 int
	comments, variations int
}

// property writes a property, unless it is empty.
func (w *writer) property(name string, value []byte) {
	if value = bytes.TrimSpace(value); len(value) == 0 {
		return
	}
	w.sgf = append(append(w.sgf, name...), '[')
	for _, c := range value {
		if c == ']' || c == '\\' {
			w.sgf = append(w.sgf, '\\')
		}
		w.sgf = append(w.sgf, c)
	}
	w.sgf = append(w.sgf, ']')
}

// player writes a player with a rank.
func (w *writer) player(colour string, name, rank []byte) {
	w.property("P"+colour, name)
	w.property(colour+"R", bytes.ToLower(bytes.TrimSpace(rank)))
}

// handicap writes handicap stones. Korean servers set the third on the upper left.
func (w *writer) handicap(n int) {
	if n < 2 || n > 9 {
		return
	}
	w.property("HA", strconv.AppendInt(nil, int64(n), 10))
	if n == 3 && w.size == 19 {
		w.sgf = append(w.sgf, "AB[dp][pd][dd]"...)
	}
}

// point appends a point counted from the upper left; one that is not on the board is a pass.
func (w *writer) point(dst []byte, x, y int) []byte {
	dst = append(dst, '[')
	if x >= 0 && x < w.size && y >= 0 && y < w.size {
		dst = append(dst, 'a'+byte(x), 'a'+byte(y))
	}
	return append(dst, ']')
}

// move writes a move of the side with that letter.
func (w *writer) move(colour byte, x, y int) {
	w.moves = w.point(append(w.moves, ';', colour), x, y)
}

// end returns the whole text.
func (w *writer) end() []byte {
	w.property("SZ", strconv.AppendInt(nil, int64(w.size), 10))
	return append(append(w.sgf, w.moves...), ')')
}

// lines calls f for every line, without blanks around it, with its number from 0, until f returns a reason.
func lines(text []byte, f func(i int, line []byte) (reason string)) (reason string) {
	for i := 0; len(text) > 0; i++ {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		if reason = f(i, bytes.TrimSpace(line)); reason != "" {
			return reason
		}
	}
	return ""
}
