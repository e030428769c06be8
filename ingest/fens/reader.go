package fens

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// BlockReader reads the positions of blocks that a Splitter has cut.
type BlockReader struct {
	record.Cursor
	boards bool // of Othello
	mover  bool
	soft   bool
	buf    []byte
}

// NewBlockReader returns a BlockReader; Reset gives it a block.
func NewBlockReader(o record.Options) *BlockReader { return &BlockReader{mover: o.Mover, soft: o.Soft} }

var (
	tagFEN = []byte(record.TagFEN)

	tagsOfSuites = [...][]byte{[]byte(record.TagBestMoves), []byte(record.TagAvoid), []byte(record.TagID)}
	results      = [...][]byte{between: nil, drawn: []byte(record.Drawn), white: []byte(record.FirstWins), black: []byte(record.SecondWins)}
)

// Read fills g with the position of the next line that has one: one Move with the value and,
// if the line tells it, the text of the move that was played.
func (r *BlockReader) Read(g *record.Game) error {
	g.Reset()
	for len(r.Rest()) > 0 {
		line, at, number := r.NextLine()
		if len(line) == 0 || line[0] == '#' || at == 0 && isHeading(line) {
			continue
		}
		g.Offset, g.Line = at, number
		r.buf = r.buf[:0]
		if reason := r.read(g, line); reason != "" {
			g.Moves = g.Moves[:0]
			return &record.SyntaxError{Offset: at, Line: number, Reason: reason, Detail: string(line[:min(len(line), 90)])}
		}
		return nil
	}
	return io.EOF
}

// read reads a line. The reason explains why it has no position.
func (r *BlockReader) read(g *record.Game, line []byte) (reason string) {
	line = bytes.TrimLeft(line, "\"")
	f := facts{soft: r.soft, boards: r.boards}
	var fen, rest []byte
	firstToMove := false
	if r.boards {
		end := boardOf(line)
		if end == 0 {
			return "no board"
		}
		fen, rest = line[:end], bytes.TrimLeft(line[end:], "; \t")
		firstToMove = line[end-1]|0x20 == 'x' || line[end-1] == '*'
	} else {
		men := menOf(line)
		if men == 0 {
			return "no FEN"
		}
		firstToMove = line[men+1] == 'w'
		fen, rest = cutFEN(line, men)
	}
	switch {
	case bytes.IndexByte(rest, '|') >= 0:
		reason = f.columns(rest)
	case len(rest) > 0 && isLetter(rest[0]):
		reason = f.opcodes(rest)
	default:
		reason = f.words(rest)
	}
	if reason != "" {
		return reason
	}
	if f.clock != nil && bytes.Count(fen, []byte(" ")) == 3 {
		fen = r.withCounters(fen, &f)
	}
	g.Tags = append(g.Tags, record.Tag{Name: tagFEN, Value: fen})
	for i, value := range [...][]byte{f.best, f.avoid, f.id} {
		if len(value) > 0 {
			g.Tags = append(g.Tags, record.Tag{Name: tagsOfSuites[i], Value: value})
		}
	}
	m := record.Move{Text: f.move, Value: f.value, HasValue: f.hasValue}
	mirrored := !firstToMove
	if mirrored && (r.mover || f.mover) {
		m.Value = -m.Value
	}
	if mirrored && r.mover {
		f.result, f.expected = f.result.other(), 1-f.expected
	}
	g.Result = results[f.result]
	if g.Soft = f.result == between; g.Soft {
		g.Expected = f.expected
	}
	g.Moves = append(g.Moves, m)
	return ""
}

// withCounters adds the counters of the opcodes hmvc and fmvn.
func (r *BlockReader) withCounters(fen []byte, f *facts) []byte {
	r.buf = append(append(append(r.buf, fen...), ' '), f.clock...)
	if f.number != nil {
		r.buf = append(append(r.buf, ' '), f.number...)
	}
	return r.buf
}

// cutFEN cuts a line, whose men end at end, after the four fields of an EPD, or the six of a FEN,
// and what parts them from the rest.
func cutFEN(line []byte, end int) (fen, rest []byte) {
	for field := 1; field < 6; field++ {
		from := end
		for from < len(line) && line[from] == ' ' {
			from++
		}
		to := from
		for to < len(line) && !parting[line[to]] {
			to++
		}
		if !fits(field, line[from:to]) {
			break
		}
		end = to
	}
	rest = line[end:]
	for len(rest) > 0 && (parting[rest[0]] && rest[0] != '|' || rest[0] == '"') {
		rest = rest[1:]
	}
	return line[:end], rest
}

// fits reports whether a word can be field i of a FEN.
func fits(i int, word []byte) bool {
	switch {
	case len(word) == 0:
		return false
	case i < 2: // menOf has told
		return true
	case i == 2:
		return string(word) == "-" || len(word) <= 4 && only(word, &rights)
	case i == 3:
		return string(word) == "-" || len(word) == 2 && word[0] >= 'a' && word[0] <= 'h' && (word[1] == '3' || word[1] == '6')
	}
	return len(word) <= 5 && only(word, &digits)
}

// letters is a set of bytes.
type letters [256]bool

func lettersOf(text string) (set letters) {
	for i := range len(text) {
		set[text[i]] = true
	}
	return set
}

var (
	rights  = lettersOf("KQkqABCDEFGHabcdefgh")
	digits  = lettersOf("0123456789")
	parting = lettersOf(" \t,;|") // what parts a FEN from the rest of its line
)

func only(word []byte, set *letters) bool {
	for _, c := range word {
		if !set[c] {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
