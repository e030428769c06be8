package sgf

import (
	"bytes"
	"encoding/binary"

	"kifu/ingest/record"
)

// tree reads one game tree. It keeps the memory that this needs.
type tree struct {
	g       *record.Game
	d       []byte
	i       int
	colours []byte // of the moves: B or W
	forks   []int  // of the brackets that are open: the moves before each
	setup   setup
	info    info
	players bool   // are named before the first move
	texts   []byte // of tags that differ from the file's bytes
	small   []byte // a text in small letters
}

// maxMoves bounds the memory for a game.
const maxMoves = 10_000

// read reads the game that begins with d[0], a bracket or, if that is missing, a node, into
// g, and returns its length. A game that lacks its last brackets ends where the next one
// begins, or with d.
func (t *tree) read(g *record.Game, d []byte) (n int, f *fault) {
	*t = tree{g: g, d: d, colours: t.colours[:0], forks: t.forks[:0], setup: setup{stones: t.setup.stones[:0]}, texts: t.texts[:0], small: t.small}
	depth := 0
	if len(d) > 0 && d[0] == ';' {
		depth = 1
	}
	for t.i < len(d) {
		switch c := d[t.i]; {
		case c == '(':
			if t.restarts() {
				g.Open = true
				return t.i, t.finish()
			}
			depth++
			t.forks = append(t.forks, len(t.g.Moves))
			t.i++
		case c == ')':
			depth--
			t.i++
			closed, f := t.skip(depth)
			if f != nil {
				return t.i, f
			}
			g.Open = !closed
			return t.i, t.finish()
		case c == ';':
			t.i++
			t.quickMoves()
		case c == '[':
			if _, f := t.value(); f != nil {
				return t.i, f
			}
		case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			if f := t.property(); f != nil {
				return t.i, f
			}
		default:
			t.i++
		}
	}
	g.Open = true
	return t.i, t.finish()
}

// quickMoves reads the nodes from the one whose ";" is before d[i], as long as they are what most are: B[pd] or W[pd] and
// nothing else.
func (t *tree) quickMoves() {
	d, i, moves, colours := t.d, t.i, t.g.Moves, t.colours
	for i+8 <= len(d) && len(moves) < maxMoves {
		// The node as a number, its first byte lowest.
		node := binary.LittleEndian.Uint64(d[i:])
		if node&0xff_0000_ff00 != ']'<<32|'['<<8 || node&0xff != 'B' && node&0xff != 'W' || !column[node>>16&0xff] || !row[node>>24&0xff] {
			break
		}
		after := i + 5
		if node>>40&0xff != ';' {
			for after < len(d) && d[after] <= ' ' {
				after++
			}
			if after == i+5 {
				break
			}
		}
		moves = append(moves, record.Move{}) // as in record.Game.AddMove
		moves[len(moves)-1].Text = d[i+2 : i+4]
		colours = append(colours, byte(node))
		if i = after; i == len(d) || d[i] != ';' {
			break
		}
		i++
	}
	t.i, t.g.Moves, t.colours = i, moves, colours
}

// column and row are the characters that the first and the second one of a quick move's place may be.
var column, row = characters(func(c byte) bool { return c >= 'a' && c <= 's' }), characters(func(c byte) bool { return c > ' ' && c <= 's' && c != '\\' && c != ']' })

func characters(is func(byte) bool) (set [256]bool) {
	for c := range 256 {
		set[c] = is(byte(c))
	}
	return set
}

// restarts reports whether the "(" at d[i] begins the next game, as the brackets of this
// one do not close: it names a player, as this game has done. (FF[4] allows that once on
// any way through a tree.)
func (t *tree) restarts() bool {
	if !t.players || !atBoundary(t.d, t.i) {
		return false
	}
	name, ok := firstProperty(t.d, t.i)
	return ok && (name == pb || name == pw)
}

// skip passes the other branches, with depth brackets open, and reports whether all of them
// are closed. Those that leave the main line are its variations.
func (t *tree) skip(depth int) (closed bool, f *fault) {
	line, from := depth, 0 // open brackets of the main line; where a variation begins
	for depth > 0 && t.i < len(t.d) {
		n := bytes.IndexAny(t.d[t.i:], "()[")
		if n < 0 {
			t.i = len(t.d)
			return false, nil
		}
		t.i += n
		switch t.d[t.i] {
		case '(':
			if t.restarts() {
				return false, nil
			}
			if depth == line {
				from = t.i + 1
			}
			depth++
			t.i++
		case ')':
			if depth--; depth < line {
				line = depth
			} else if depth == line {
				t.vary(line, t.d[from:t.i])
			}
			t.i++
		default:
			if _, f := t.value(); f != nil {
				return false, f
			}
		}
	}
	return depth == 0, nil
}

// vary keeps a variation that leaves the main line in its bracket of that number.
func (t *tree) vary(line int, text []byte) {
	if line < len(t.forks) && !t.g.Skipped {
		t.g.Annotations = append(t.g.Annotations, record.Annotation{Ply: int32(t.forks[line] + 1), Variation: string(bytes.TrimSpace(text))})
	}
}

// value reads the value that begins with the bracket at d[i], and returns the text within, escapes and all.
func (t *tree) value() (text []byte, f *fault) {
	start := t.i + 1
	for i := start; ; {
		n := bytes.IndexByte(t.d[i:], ']')
		if n < 0 {
			f = &fault{t.i, "a value without its end", t.d[t.i:]}
			t.i = len(t.d)
			return nil, f
		}
		i += n
		escapes := 0
		for k := i - 1; k >= start && t.d[k] == '\\'; k-- {
			escapes++
		}
		if escapes%2 == 0 {
			t.i = i + 1
			return t.d[start:i], nil
		}
		i++
	}
}

// property reads the property whose name begins at d[i], or a word that is none.
func (t *tree) property() *fault {
	at := t.i
	k, n := propertyName(t.d[t.i:])
	if t.i += n; n == 0 {
		t.i++
	}
	for first := true; ; first = false {
		i := t.i
		for i < len(t.d) && t.d[i] <= ' ' {
			i++
		}
		if i == len(t.d) || t.d[i] != '[' {
			if first {
				t.g.Words++
			}
			if !first && marks(k) && (k != tesuji || len(t.g.Moves) > 0) {
				t.g.Annotate(record.Annotation{Marks: string(t.d[at:t.i])})
			}
			return nil
		}
		t.i = i
		text, f := t.value()
		if f == nil {
			f = t.addValue(k, text, first)
		}
		if f != nil {
			if f.at == 0 {
				f.at = at
			}
			return f
		}
	}
}

// addValue takes one value of a property of the main line.
func (t *tree) addValue(k name, text []byte, first bool) *fault {
	switch k {
	case comment:
		t.g.Annotate(record.Annotation{Comment: string(t.text(text, '\n'))})
	case tesuji:
		if len(t.g.Moves) == 0 && first {
			return t.root(k, text) // a tournament, of some Japanese programs
		}
	case black, white:
		if !first {
			return nil
		}
		return t.move(byte(k), text)
	case ab, aw, ae:
		if len(t.g.Moves) > 0 {
			return &fault{reason: "stones set up after a move", detail: text}
		}
		t.setup.add(k, text)
	case bl, wl:
		if n := len(t.g.Moves); n > 0 && k == bl == (t.colours[n-1] == 'B') {
			t.clock(text)
		}
	case nodeValue:
		if n := len(t.g.Moves); n > 0 {
			t.estimate(text)
		}
	default:
		if len(t.g.Moves) == 0 && first {
			return t.root(k, text)
		}
	}
	return nil
}

// marks reports whether a property names its node, judges it or draws on the board.
func marks(k name) bool {
	switch k {
	case nodeName, circle, cross, selected, square, triangle, labelled, lettered, dimmed, arrow, stroke,
		goodForBlack, goodForWhite, even, unclear, bad, doubtful, interesting, tesuji, hotspot:
		return true
	}
	return false
}

// move takes a move.
func (t *tree) move(colour byte, text []byte) *fault {
	if len(t.g.Moves) == maxMoves {
		return &fault{reason: "more than 10,000 moves"}
	}
	t.g.AddMove(bytes.TrimSpace(text))
	t.colours = append(t.colours, colour)
	return nil
}

// clock takes the seconds that are left after a move.
func (t *tree) clock(text []byte) {
	if ms, ok := number(text, 1000); ok && ms >= 0 && ms < 1<<31 {
		m := &t.g.Moves[len(t.g.Moves)-1]
		m.Clock, m.HasClock = int32(ms), true
	}
}

// estimate takes the value of the position after a move, in points from Black's side.
func (t *tree) estimate(text []byte) {
	if points, ok := number(text, 100); ok && points > -1<<31 && points < 1<<31 {
		m := &t.g.Moves[len(t.g.Moves)-1]
		m.Value, m.HasValue = int32(points), true
	}
}

// Properties by name.
var (
	comment, nodeName                           = named("C"), named("N")
	circle, cross, selected, square, triangle   = named("CR"), named("MA"), named("SL"), named("SQ"), named("TR")
	labelled, lettered, dimmed, arrow, stroke   = named("LB"), named("L"), named("DD"), named("AR"), named("LN")
	goodForBlack, goodForWhite, even, unclear   = named("GB"), named("GW"), named("DM"), named("UC")
	bad, doubtful, interesting, tesuji, hotspot = named("BM"), named("DO"), named("IT"), named("TE"), named("HO")

	black, white = named("B"), named("W")

	ab, ae, aw, pl = named("AB"), named("AE"), named("AW"), named("PL")
	bl, wl         = named("BL"), named("WL")

	gm, ff, sz, ca, ap, st, gn = named("GM"), named("FF"), named("SZ"), named("CA"), named("AP"), named("ST"), named("GN")
	ev, ro, pc, dt             = named("EV"), named("RO"), named("PC"), named("DT")
	pb, pw, br, wr, bt, wt     = named("PB"), named("PW"), named("BR"), named("WR"), named("BT"), named("WT")
	km, ha, ru, re, tm, ot     = named("KM"), named("HA"), named("RU"), named("RE"), named("TM"), named("OT")
	an, so, us, cp, gc, on     = named("AN"), named("SO"), named("US"), named("CP"), named("GC"), named("ON")
	te, rd                     = tesuji, named("RD")
	nodeValue, cutShort, koAt  = named("V"), named("CUT"), named("KOAT")
	ended                      = named("END")
)
