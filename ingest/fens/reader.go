package fens

import (
	"bytes"
	"strings"

	"kifu/ingest/record"
)

// reader reads lines of positions.
type reader struct {
	*record.LineReader
	boards bool // of Othello
	mover  bool
	soft   bool
	buf    []byte
	asked  bool // in this block:
	last   bool // lastIsResult
}

// newReader returns a reader of lines that have a position: one Move with the value and, if the line has
// it, the text of the move that was played. boards: the positions are of Othello.
func newReader(o record.Options, boards bool) *reader {
	const show = 90 // the longest FEN and something after it
	r := &reader{boards: boards, mover: o.Mover, soft: o.Soft}
	r.LineReader = record.NewLineReader(show, r.read)
	return r
}

// Reset implements record.BlockReader.
func (r *reader) Reset(b record.Block) {
	r.LineReader.Reset(b)
	r.asked = false
}

// lastIsResult reports whether the last word after each position is a result, even if it is 0 or 1.
func (r *reader) lastIsResult() bool {
	if !r.asked {
		head := r.Block.Header
		if head == nil {
			head = r.Block.Data[:min(len(r.Block.Data), headerSize)]
		}
		r.asked, r.last = true, endInResults(head)
	}
	return r.last
}

// endInResults reports whether the lines of a list end in results, by its beginning. Each whole line has to end in one, two of them have
// to differ, and of the words before them one is no result. A line alone does not show whether its 0 or 1 is a value or a result.
func endInResults(head []byte) bool {
	if len(head) == headerSize {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	seen, kinds, before, values := [between + 1]bool{}, 0, 0, 0
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte("\n"))
		line = bytes.TrimLeft(line, " \t\"")
		men := menOf(line)
		if men == 0 {
			continue
		}
		_, rest := cutFEN(line, men)
		words := bytes.FieldsFunc(rest, func(c rune) bool { return strings.ContainsRune(blanks, c) })
		if len(words) == 0 {
			return false
		}
		last := len(words) - 1
		for _, word := range words[:last] {
			before++
			if _, _, not := parseResult(word); not != "" {
				values++
			}
		}
		is, _, not := parseResult(words[last])
		if not != "" {
			return false
		}
		if !seen[is] {
			seen[is] = true
			kinds++
		}
	}
	return kinds > 1 && (before == 0 || values > 0)
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
		reason = f.words(rest, r.lastIsResult)
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
		if field == 4 && len(bytes.Trim(line[to:], blanks)) == 0 { // one counter is none
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
