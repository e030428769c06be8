package ggf

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// BlockReader reads the games of blocks.
type BlockReader struct {
	places record.Places
	pos    int // where the next game is looked for
	clocks clocks
	keep   func(*record.Game) bool
	asked  bool // keep has seen the game
}

// Reset makes r read b, whose memory it uses until the next Reset.
func (r *BlockReader) Reset(b record.Block) {
	r.places.Reset(b)
	r.pos = 0
}

// Read fills g with the next game of the block; see tags.go for its tags.
func (r *BlockReader) Read(g *record.Game) error {
	g.Reset()
	start, err := r.between()
	if err != nil {
		return err
	}
	g.Offset, g.Line = r.places.At(start)
	d := r.places.Text
	end := len(d)
	if next := bytes.Index(d[start+len(marker):], marker); next >= 0 {
		end = start + len(marker) + next
	}
	r.pos = end
	r.clocks, r.asked = clocks{}, false
	i, err := r.properties(g, start, end)
	if err != nil {
		g.Moves = g.Moves[:0]
		return err
	}
	r.pos = i
	r.ask(g)
	return nil
}

// ask lets keep see g once.
func (r *BlockReader) ask(g *record.Game) {
	if !r.asked && r.keep != nil {
		g.Skipped = !r.keep(g)
	}
	r.asked = true
}

// between finds the start of the next game. Numbers, which GGS writes before a match,
// and blanks are passed over; other text is reported.
func (r *BlockReader) between() (start int, err error) {
	d := r.places.Text
	start = len(d)
	if i := bytes.Index(d[r.pos:], marker); i >= 0 {
		start = r.pos + i
	}
	for i := r.pos; i < start; i++ {
		if n := record.Marks(d[i:start]); n > 0 {
			i += n - 1
			continue
		}
		if c := d[i]; c > ' ' && (c < '0' || c > '9') {
			r.pos = start
			return 0, r.places.Fault(i, "text outside any game", d[i:start])
		}
	}
	r.pos = start
	if start == len(d) {
		return 0, io.EOF
	}
	return start, nil
}

// properties reads the properties of the game that begins at start and ends before end,
// and returns the place after it.
func (r *BlockReader) properties(g *record.Game, start, end int) (int, error) {
	d := r.places.Text
	for i := start + 1; ; {
		for i < end && (d[i] <= ' ' || d[i] == ';') {
			i++
		}
		if i < end && d[i] == ')' {
			return i + 1, nil
		}
		name := i
		for i < end && (d[i]|0x20) >= 'a' && (d[i]|0x20) <= 'z' {
			i++
		}
		value := i
		for i < end && d[i] <= ' ' {
			i++
		}
		if i == end {
			return i, r.places.Fault(start, "a game without its end", d[start:end])
		}
		if d[i] != '[' || value == name {
			return i, r.places.Fault(name, "not a property", d[name:end])
		}
		n := bytes.IndexByte(d[i:end], ']')
		if n < 0 {
			return i, r.places.Fault(name, "a value without its end", d[name:end])
		}
		if err := r.property(g, d[name:value], d[i+1:i+n], name); err != nil {
			return i, err
		}
		i += n + 1
	}
}

// maxMoves is more than any game has with its passes.
const maxMoves = 128

// property handles one property, whose name begins at data[i].
func (r *BlockReader) property(g *record.Game, name, value []byte, i int) error {
	switch string(name) {
	case "B", "W":
		if r.ask(g); g.Skipped {
			return nil
		}
		if len(g.Moves) == maxMoves {
			return r.places.Fault(i, "more than 128 moves", nil)
		}
		m, ok := r.move(name[0] == 'B', value)
		if !ok {
			return r.places.Fault(i, "a move without a square", value)
		}
		g.Moves = append(g.Moves, m)
	case "GM":
		if !bytes.EqualFold(bytes.TrimSpace(value), []byte("othello")) {
			return r.places.Fault(i, "not a game of Othello", value)
		}
	default:
		r.tag(g, name, value)
	}
	return nil
}
