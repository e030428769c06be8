package csa

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// BlockReader reads the games of blocks that a Splitter has cut.
type BlockReader struct {
	places record.Places
	pos    int // where the next statement is looked for
	keep   func(*record.Game) bool

	header
	began     bool // a statement of the game has been read
	asked     bool // keep has seen the game
	ended     bool // the game's end has been read
	begun     bool // a statement of this game has set the board
	black     bool // the side to move is Black
	clocks    clocks
	summary   []byte // the server's, of the game
	increment int64  // of the server's comment, ms
	buf       []byte // of decoded and made values of the game
}

// Reset makes r read b, whose memory it uses until the next Reset.
func (r *BlockReader) Reset(b record.Block) {
	r.places.Reset(b)
	r.pos = 0
	r.header.reset()
}

// Read fills g with the next game of the block; see header.go for its tags.
func (r *BlockReader) Read(g *record.Game) error {
	g.Reset()
	r.began, r.asked, r.ended, r.begun, r.buf = false, false, false, false, r.buf[:0]
	r.clocks, r.summary, r.increment = clocks{}, nil, 0
	d := r.places.Text
	for r.pos < len(d) {
		r.pos += record.Marks(d[r.pos:])
		from := r.pos
		line := r.nextLine()
		if len(line) == 0 {
			continue
		}
		if string(line) == "/" {
			if r.began {
				break
			}
			continue
		}
		if n := glued(line); n > 0 {
			r.pos = from + n
			line = trimRight(line[:n])
		}
		if r.began && r.opens(line) {
			r.pos = from
			break
		}
		if err := r.statements(g, from, line); err != nil {
			r.pass()
			g.Moves = g.Moves[:0]
			return err
		}
	}
	if !r.began {
		return io.EOF
	}
	r.ask(g)
	r.settle(g)
	return nil
}

// nextLine cuts off a line, without blanks at its end.
func (r *BlockReader) nextLine() []byte {
	d := r.places.Text[r.pos:]
	n := bytes.IndexByte(d, '\n')
	if n < 0 {
		n = len(d)
		r.pos += n
	} else {
		r.pos += n + 1
	}
	if i := bytes.IndexByte(d[:n], '\r'); i >= 0 && i < n-1 {
		r.pos += i + 1 - min(n+1, len(d)) // a line that ends with CR alone
		n = i
	}
	return trimRight(d[:n])
}

func trimRight(d []byte) []byte {
	n := len(d)
	for n > 0 && d[n-1] <= ' ' {
		n--
	}
	return d[:n]
}

// opens reports whether a line begins another game: with the version or, after the ending of
// the one before, with a player or a board.
func (r *BlockReader) opens(line []byte) bool {
	return version(line) || r.ended && (player(line) || bytes.HasPrefix(line, []byte("PI")) || bytes.HasPrefix(line, []byte("P1")))
}

// glued returns where in a line of moves the version of the next game begins, or 0. In
// %TORYOV2.2 two files were joined, and the first one lacked its last newline.
func glued(line []byte) int {
	i := bytes.LastIndexByte(line, 'V')
	if i <= 0 || bytes.IndexByte(statements, line[0]) < 0 || !version(line[i:]) || len(bytes.TrimRight(line[i+1:], "0123456789.")) > 0 {
		return 0
	}
	return i
}

// statements are the first bytes of the lines of moves.
var statements = []byte("+-T%")

// pass goes on to the next game after a fault.
func (r *BlockReader) pass() {
	for r.pos < len(r.places.Text) {
		r.pos += record.Marks(r.places.Text[r.pos:])
		from := r.pos
		line := r.nextLine()
		if string(line) == "/" {
			return
		}
		if n := glued(line); version(line) || n > 0 {
			r.pos = from + n
			return
		}
	}
}

// statements reads a line: a comment, or statements parted by commas. from is where the
// line begins.
func (r *BlockReader) statements(g *record.Game, from int, line []byte) error {
	if line[0] == '\'' {
		if r.began {
			r.comment(g, line[1:])
		}
		return nil
	}
	if !r.began {
		r.begin(g, from, line)
	}
	// Names and notes may hold commas; a board's line does not.
	switch line[0] {
	case 'N', '$', 'P', 'V':
		return r.head(from, line)
	}
	for {
		s, rest, more := bytes.Cut(line, comma)
		if len(s) > 0 && s[0] == '\'' {
			r.comment(g, line[1:])
			return nil
		}
		if err := r.statement(g, from, bytes.TrimRight(s, " \t")); err != nil || !more {
			return err
		}
		from += len(s) + 1
		line = rest
	}
}

var comma = []byte(",")

// begin makes line, which is no comment, the first of a game.
func (r *BlockReader) begin(g *record.Game, from int, line []byte) {
	r.began = true
	g.Offset, g.Line = r.places.At(from)
	if version(line) || player(line) {
		r.header.reset()
	}
}

// statement reads one statement: a move, a side, a time or an ending.
func (r *BlockReader) statement(g *record.Game, at int, s []byte) error {
	if len(s) == 0 {
		return nil
	}
	switch s[0] {
	case '+', '-':
		if len(s) == 1 {
			r.toMove(s[0] == '-')
			return nil
		}
		return r.move(g, at, s)
	case 'T':
		r.time(g, s[1:])
		return nil
	case '%':
		r.ask(g)
		r.ending(g, s)
		return nil
	}
	return r.places.Fault(at, "not a statement of CSA", s)
}

// maxMoves is more than any game has.
const maxMoves = 4096

// move reads +7776FU.
func (r *BlockReader) move(g *record.Game, at int, s []byte) error {
	if len(s) != 7 {
		return r.places.Fault(at, "not a move", s)
	}
	r.ask(g)
	r.black = s[0] == '-'
	if g.Skipped {
		return nil
	}
	if r.ended {
		g.Late++
		return nil
	}
	if len(g.Moves) == maxMoves {
		return r.places.Fault(at, "more than 4096 moves", nil)
	}
	g.AddMove(s)
	return nil
}

// ask closes the header and lets keep see g, once.
func (r *BlockReader) ask(g *record.Game) {
	if r.asked {
		return
	}
	r.asked = true
	r.finish(g)
	if r.keep != nil {
		g.Skipped = !r.keep(g)
	}
}
