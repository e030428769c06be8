// Package sgf reads games of Go and Othello in the Smart Game Format, FF[1] to FF[4], into record.Games. It
// knows syntax only: the rules decide whether a move is legal.
//
// A stream is cut into blocks that BlockReaders read in parallel, with the same games as outcome. Moves of
// the main line are kept, the first branch at every fork; other variations are skipped and counted;
// comments and markup are passed over. Returned texts are UTF-8, as far as the encoding can be detected
// (charset.go). Nothing is allocated a move, and memory stays bounded by the longest game, at most maxGame.
//
// boundary.go has the rule by which damage stays in its game.
package sgf

import (
	"bytes"
	"io"
	"unicode/utf8"

	"kifu/ingest/charset"
	"kifu/ingest/record"
)

var _ record.BlockReader = (*BlockReader)(nil)

// BlockReader reads the games of blocks.
type BlockReader struct {
	keep      func(*record.Game) bool
	decoderOf func(text []byte, label string) (record.Decoder, string)
	text      []byte // of the block, decoded if it is UTF-16
	next      int    // where the next stretch begins
	places    record.Places
	stretch
	buf  []byte // of a stretch that was decoded
	tree tree
}

// stretch is the text from one sure beginning of a game to the next, decoded from the first
// game on that is not UTF-8.
type stretch struct {
	text    []byte
	pos     int  // where the next game is looked for
	start   int  // of text in the block
	decoded bool // text is not the block's own
	guess   string
	from    int // of the last game in text,
	origin  int // and in the block
}

// NewBlockReader returns a BlockReader; Reset gives it a block.
func NewBlockReader(o record.Options) *BlockReader {
	r := &BlockReader{keep: o.Keep, decoderOf: o.Decoder}
	if r.decoderOf == nil {
		r.decoderOf = func(text []byte, label string) (record.Decoder, string) {
			return charset.Evidence{}.Decoder(text, label)
		}
	}
	return r
}

// Reset makes r read b, whose memory it uses until the next Reset.
func (r *BlockReader) Reset(b record.Block) {
	r.text, r.next, r.stretch = b.Data, 0, stretch{}
	wide := utf16Of(b.Data)
	if wide != nil {
		r.text = charset.Decode(wide, nil, b.Data)
	}
	r.places.Reset(record.Block{Data: r.text, Offset: b.Offset, Line: b.Line})
	r.places.Wide = wide != nil
}

// Read fills g with the next game of the block; see property.go for its tags.
func (r *BlockReader) Read(g *record.Game) error {
	g.Reset()
	for {
		found, err := r.between()
		if err != nil {
			return err
		}
		if found {
			break
		}
		if r.next == len(r.text) {
			return io.EOF
		}
		r.advance()
	}
	start := r.pos
	g.Offset, g.Line = r.places.At(r.blockPlace(start))
	early := !r.decoded && !utf8.Valid(rootOf(r.stretch.text[start:]))
	if early && r.decode(start) {
		start = 0
	}
	n, f := r.tree.read(g, r.stretch.text[start:])
	if text := r.stretch.text[start : start+n]; !r.decoded && !early && (!utf8.Valid(text) || charset.Escaped(text)) && r.decode(start) {
		start = 0
		offset, line := g.Offset, g.Line
		g.Reset()
		g.Offset, g.Line = offset, line
		n, f = r.tree.read(g, r.stretch.text)
	}
	g.Guess = r.guess
	r.pos += n
	if f != nil {
		g.Moves, r.pos = g.Moves[:0], len(r.stretch.text)
		return r.syntaxError(start, start+f.at, f)
	}
	if r.keep != nil && !r.keep(g) {
		g.Skipped, g.Moves = true, g.Moves[:0]
	}
	return nil
}

// advance makes the next stretch the present one.
func (r *BlockReader) advance() {
	end := initial.First(r.text, r.next+1)
	r.stretch = stretch{text: r.text[r.next:end], start: r.next, origin: r.next}
	r.next = end
}

// rootOf returns the beginning of a game up to its second node or bracket, where most names are: a game that is not
// UTF-8 there is decoded before it is read.
func rootOf(game []byte) []byte {
	for i := 2; i < len(game); i++ {
		if c := game[i]; c == ';' || c == '(' || c == ')' {
			return game[:i]
		}
	}
	return game
}

// decode decodes what is left of the stretch from a game on that is not UTF-8, if that has
// to be, and reports whether it has. What is left is one text: damage may hide where the
// game ends.
func (r *BlockReader) decode(start int) bool {
	left := r.stretch.text[start:]
	decoder, guess := r.decoder(left)
	if decoder == nil {
		return false
	}
	at := r.start + start
	r.buf = decoder(r.buf[:0], left)
	r.stretch = stretch{text: r.buf, start: at, decoded: true, guess: guess, origin: at}
	return true
}

// between looks for the next game of the stretch; text before it is an error, once.
// Blanks, closing brackets and control characters are passed over.
func (r *BlockReader) between() (found bool, err error) {
	d := r.stretch.text
	junk := -1
	for i := r.pos; i < len(d); i++ {
		if opens(d, i) {
			if r.pos = i; junk >= 0 {
				return false, r.syntaxError(junk, junk, &fault{reason: "text outside any game", detail: d[junk:i]})
			}
			return true, nil
		}
		if bytes.HasPrefix(d[i:], byteOrderMark) {
			i += len(byteOrderMark) - 1
		} else if junk < 0 && d[i] > ' ' && d[i] != ')' {
			junk = i
		}
	}
	if r.pos = len(d); junk >= 0 {
		return false, r.syntaxError(junk, junk, &fault{reason: "text outside any game", detail: d[junk:]})
	}
	return false, nil
}

// blockPlace returns the place in the block of text[i], a "(", a ";" whose "(" is missing, or anything
// before the first one. In a decoded stretch it counts these signs, which no encoding has within a
// character.
func (r *BlockReader) blockPlace(i int) int {
	if !r.decoded {
		return r.start + i
	}
	pass := func(mark byte) {
		for k := 0; k >= 0; {
			if k = bytes.IndexByte(r.stretch.text[r.from:i], mark); k >= 0 {
				r.from += k + 1
				r.origin += bytes.IndexByte(r.text[r.origin:], mark) + 1
			}
		}
		if at := bytes.IndexByte(r.text[r.origin:], mark); at >= 0 && i < len(r.stretch.text) && r.stretch.text[i] == mark {
			r.from = i
			r.origin += at
		}
	}
	pass('(')
	if i < len(r.stretch.text) && r.stretch.text[i] == ';' {
		pass(';')
	}
	return r.origin
}

var (
	byteOrderMark = []byte("\uFEFF")
)

// fault describes what is wrong with a game.
type fault struct {
	at     int // from the game's beginning
	reason string
	detail []byte
}

// syntaxError places a fault at d[at] of the stretch, in the game that begins at d[start].
func (r *BlockReader) syntaxError(start, at int, f *fault) *record.SyntaxError {
	place := r.blockPlace(start)
	offset, line := r.places.At(place)
	if r.decoded {
		line += record.Breaks(r.stretch.text[start:at], r.stretch.text[at:])
	} else {
		offset, line = r.places.At(place + at - start)
	}
	return &record.SyntaxError{Offset: offset, Line: line, Reason: f.reason, Detail: record.Shown(f.detail)}
}
