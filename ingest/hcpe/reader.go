package hcpe

import (
	"io"

	"kifu/ingest/record"
	"kifu/internal/hcp"
)

// blockReader reads the games of blocks that a Splitter has cut.
type blockReader struct {
	layout *layout
	keep   func(*record.Game) bool
	block  record.Block
	pos    int    // of the next record
	buf    []byte // the texts of a game
}

var (
	tagFEN  = []byte(record.TagFEN)
	results = [3][]byte{[]byte(record.Drawn), []byte(record.FirstWins), []byte(record.SecondWins)}
)

// Reset makes r read b.
func (r *blockReader) Reset(b record.Block) { r.block, r.pos = b, 0 }

// Read fills g with the next game of the block. Its tag FEN is the start, unless that is the
// usual one. A record that cannot be read is a *record.SyntaxError; the games before and
// after it are whole.
func (r *blockReader) Read(g *record.Game) error {
	g.Reset()
	if r.pos >= len(r.block.Data) {
		return io.EOF
	}
	r.buf = r.buf[:0]
	g.Offset = r.block.Offset + int64(r.pos)
	g.Line = int((r.block.Offset+int64(r.pos))/int64(r.layout.size)) + 1
	it, fault := r.next()
	if fault != "" {
		return &record.SyntaxError{Offset: g.Offset, Line: g.Line, Reason: fault}
	}
	if sfen := r.text(it.p.AppendSFEN); string(sfen) != hcp.Start {
		g.Tags = append(g.Tags, record.Tag{Name: tagFEN, Value: sfen})
	}
	g.Result = results[it.result]
	g.Skipped = r.keep != nil && !r.keep(g)
	valued := false
	for {
		r.move(g, &it)
		valued = valued || it.value != 0
		from := r.pos
		next, fault := item{}, "the end"
		if from < len(r.block.Data) {
			next, fault = r.next()
		}
		if fault != "" || !follows(&it, &next) {
			r.pos = from
			break
		}
		it = next
	}
	if !valued { // a file without values has zeros
		for i := range g.Moves {
			g.Moves[i].HasValue = false
		}
	}
	return nil
}

// next reads a record; the last one may be cut off.
func (r *blockReader) next() (it item, fault string) {
	rest := r.block.Data[r.pos:]
	if len(rest) < r.layout.size {
		r.pos = len(r.block.Data)
		return it, "cut off in the middle of a record"
	}
	r.pos += r.layout.size
	return r.layout.read(rest)
}

func (r *blockReader) text(write func([]byte) []byte) []byte {
	from := len(r.buf)
	r.buf = write(r.buf)
	return r.buf[from:len(r.buf):len(r.buf)]
}

// move appends the move of it.
func (r *blockReader) move(g *record.Game, it *item) {
	if g.Skipped {
		return
	}
	m := record.Move{Text: r.text(it.move.AppendUSI), Value: int32(it.value), HasValue: true}
	if it.p.White {
		m.Value = -m.Value
	}
	g.Moves = append(g.Moves, m)
}

// maxGame is the number of records of the longest game, which bounds the memory.
const maxGame = 1 << 15

// cuts returns the cuts of a stream where a game begins. Lines are numbers of records.
func (l *layout) cuts() record.Cuts {
	return record.Cuts{Max: maxGame * l.size, TooLong: "more than 32768 moves", Keep: l.size, Unit: l.size, Cut: l.last, Next: l.after}
}

// last returns the place of the last game that begins in d, 0 if none does.
func (l *layout) last(d []byte, _ bool) int {
	last := len(d)/l.size - 1
	if last < 1 {
		return 0
	}
	b, fault := l.read(d[last*l.size:])
	for i := last; i > 0; i-- {
		a, before := l.read(d[(i-1)*l.size:])
		if fault != "" || before != "" || !follows(&a, &b) {
			return i * l.size
		}
		b, fault = a, before
	}
	return 0
}

// after returns where in d the game ends that was given up, of which d begins with a record; -1 if it goes on.
func (l *layout) after(d []byte, _ bool) int {
	if len(d) < l.size {
		return -1
	}
	a, fault := l.read(d)
	for at := l.size; at+l.size <= len(d); at += l.size {
		b, next := l.read(d[at:])
		if fault != "" || next != "" || !follows(&a, &b) {
			return at
		}
		a = b
	}
	return -1
}
