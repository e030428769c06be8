package fens

import (
	"bytes"

	"kifu/ingest/record"
)

// reader reads lines of positions.
type reader struct {
	boards bool // of Othello
	mover  bool
	soft   bool
	buf    []byte
}

// newReader returns a reader of lines that have a position: one Move with the value and, if the line has
// it, the text of the move that was played. boards: the positions are of Othello.
func newReader(o record.Options, boards bool) *record.LineReader {
	const show = 90 // the longest FEN and something after it
	return record.NewLineReader(show, (&reader{boards: boards, mover: o.Mover, soft: o.Soft}).read)
}

var (
	tagFEN = []byte(record.TagFEN)

	tagsOfSuites = [...][]byte{[]byte(record.TagBestMoves), []byte(record.TagAvoid), []byte(record.TagID)}
	results      = [...][]byte{between: nil, drawn: []byte(record.Drawn), white: []byte(record.FirstWins), black: []byte(record.SecondWins)}
)

// read reads a line, or returns the reason why it has no position.
func (r *reader) read(g *record.Game, line []byte) (reason string) {
	if g.Offset == 0 && isHeading(line) {
		return record.Heading
	}
	r.buf = r.buf[:0]
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
func (r *reader) withCounters(fen []byte, f *facts) []byte {
	r.buf = append(append(append(r.buf, fen...), ' '), f.clock...)
	if f.number != nil {
		r.buf = append(append(r.buf, ' '), f.number...)
	}
	return r.buf
}

// cutFEN cuts a line, whose men end at end. fen has the four fields of an EPD or the six of a
// FEN, rest what follows the separator.
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
