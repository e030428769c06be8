package kif

import (
	"bytes"
	"io"

	"kifu/ingest/record"
	"kifu/ingest/record/comments"
	"kifu/ingest/record/japanese"
)

// BlockReader reads the games of blocks that a Splitter has cut.
type BlockReader struct {
	keep func(*record.Game) bool
	data []byte // of the block
	next int    // where the next stretch begins in data
	line int    // on which it begins
	off  int64  // of data

	stretch
	game
	made []byte // values that no text has as such
}

// stretch is the text from one sure beginning of a game to the next, in UTF-8.
type stretch struct {
	text  []byte
	buf   []byte // of a text that was decoded
	pos   int    // of the next line
	lines int    // number of the last line that was cut off in the stretch, from 0
	raw   []byte // the bytes that text was decoded from
	start int    // of raw in data
	first int    // the line on which it begins
}

// game holds what has been read of a game so far.
type game struct {
	began   bool // by a line of its own
	moving  bool // the header is closed: keep has seen the game
	counted bool // the number of a move has been read
	ended   bool // the game's ending has been read
	closed  bool // the summary, or a variation, has been read
	white   bool // White moves first
	turn    bool // the record names who does
	board   japanese.Board
	placed  bool // board was set
	ranks   int
	variant []byte
	clocks  japanese.Clocks
	result  []byte // by the ending
	why     []byte
	summary summary
	values  values
}

// Reset makes r read b, whose memory it uses until the next Reset.
func (r *BlockReader) Reset(b record.Block) {
	r.data, r.next, r.line, r.off = b.Data, 0, b.Line, b.Offset
	r.stretch = stretch{buf: r.stretch.buf}
}

// Read fills g with the next game of the block; see header.go for its tags.
func (r *BlockReader) Read(g *record.Game) error {
	r.clear(g)
	for {
		from, number := r.pos, r.lines
		line, ok := r.nextLine()
		if !ok {
			if r.began {
				break
			}
			if r.next == len(r.data) {
				return io.EOF
			}
			r.clear(g) // what precedes a sure beginning is of no game after it
			r.nextStretch()
			continue
		}
		if r.began && r.moving && r.opens(g, line) {
			r.pos, r.lines = from, number
			break
		}
		r.readLine(g, line)
	}
	r.finish(g)
	return nil
}

func (r *BlockReader) clear(g *record.Game) {
	g.Reset()
	r.game, r.made = game{}, r.made[:0]
}

// nextStretch decodes the text up to the next sure beginning of a game.
func (r *BlockReader) nextStretch() {
	d := r.data
	end := initial.First(d, r.next+1)
	s := &r.stretch
	s.raw, s.start, s.first = d[r.next:end], r.next, r.line
	s.text, s.pos, s.lines = s.raw, 0, 0
	if e := japanese.Detect(s.raw); e != japanese.UTF8 {
		s.buf = japanese.Append(s.buf[:0], e, s.raw)
		s.text = s.buf
	}
	r.line += record.Breaks(s.raw, d[end:])
	r.next = end
}

// nextLine cuts off a line, without blanks at its end; false at the end of the stretch.
func (s *stretch) nextLine() ([]byte, bool) {
	if s.pos >= len(s.text) {
		return nil, false
	}
	d := s.text[s.pos:]
	n := bytes.IndexByte(d, '\n')
	more := n + 1
	if n < 0 {
		n, more = len(d), len(d)
	}
	if i := bytes.IndexByte(d[:n], '\r'); i >= 0 && i+1 < n {
		n, more = i, i+1 // a line that ends with CR alone
	}
	s.pos += more
	s.lines++
	return trimRight(d[record.Marks(d[:n]):n]), true
}

// place returns where the line that was cut off last is in the stream.
func (r *BlockReader) place() (offset int64, line int) {
	n := r.lines - 1
	at := 0
	for range n {
		i := bytes.IndexAny(r.raw[at:], "\r\n")
		if i < 0 {
			break
		}
		at += i + 1
		if r.raw[at-1] == '\r' && at < len(r.raw) && r.raw[at] == '\n' {
			at++
		}
	}
	return r.off + int64(r.start+at), r.first + n
}

// begin notes that g begins with this line.
func (r *BlockReader) begin(g *record.Game) {
	if !r.began {
		r.began = true
		g.Offset, g.Line = r.place()
	}
}

// readLine reads one line.
func (r *BlockReader) readLine(g *record.Game, line []byte) {
	if len(line) == 0 {
		return
	}
	switch line[0] {
	case '#', '+':
		return
	case '*', '&':
		if !r.closed {
			comments.Line(g, line[1:], func(text []byte, m *record.Move) (more bool) {
				return len(text) == 0 || text[0] != '*' || r.ended || r.value(g, text[1:])
			})
		}
		return
	case '|':
		r.rank(line[1:])
		return
	}
	if r.closed {
		r.after(g, line)
		return
	}
	switch text := bytes.TrimLeft(line, " "); {
	case numbered(text):
		r.begin(g)
		r.numbered(g, text)
	case marked(line):
		r.begin(g)
		r.marked(g, line)
	case bytes.HasPrefix(line, wordUntil):
		r.begin(g)
		r.close(g)
		r.summary.read(line[len(wordUntil):])
		r.closed = true
	case bytes.HasPrefix(line, wordBranch):
		r.after(g, line)
	case r.bare(g, line):
	case !r.moving:
		r.head(g, line)
	}
}

// after reads a line after the end of the main line: the beginnings of branches count.
func (r *BlockReader) after(g *record.Game, line []byte) {
	if bytes.HasPrefix(line, wordBranch) && r.began {
		r.close(g)
		r.closed = true
		g.Variations++
	}
}

// opens reports whether a line is one that only a game's header has, or its first move is.
func (r *BlockReader) opens(g *record.Game, line []byte) bool {
	if r.counted && g.Variations == 0 && first(line) {
		return true
	}
	name, _, found := cutName(line)
	if !found {
		return false
	}
	for i := range tagOf {
		if bytes.Equal(tagOf[i].name, name) {
			return !bytes.Equal(name, wordEnd)
		}
	}
	return bytes.Equal(name, wordHandicap) || bytes.Equal(name, wordLimit)
}

var (
	wordUntil    = []byte("まで")
	wordBranch   = []byte("変化：")
	wordHandicap = []byte("手合割")
	wordLimit    = []byte("持ち時間")
	wordEnd      = []byte("終了日時") // may be written at the end
)

// trimRight cuts blanks off, wide ones too.
func trimRight(text []byte) []byte {
	for {
		text = bytes.TrimRight(text, " \t\r\n")
		if !bytes.HasSuffix(text, wideBlank) {
			return text
		}
		text = text[:len(text)-len(wideBlank)]
	}
}

// trim cuts blanks off on both sides.
func trim(text []byte) []byte {
	text = trimRight(text)
	for {
		text = bytes.TrimLeft(text, " \t")
		if !bytes.HasPrefix(text, wideBlank) {
			return text
		}
		text = text[len(wideBlank):]
	}
}

var wideBlank = []byte("\u3000")
