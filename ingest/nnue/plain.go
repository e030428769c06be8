package nnue

import (
	"bytes"
	"io"
	"strconv"
	"unicode/utf8"

	"kifu/games/chess/nnue"
	"kifu/ingest/record"
)

// maxPlain bounds the length of a position in the text of Stockfish's tools, in bytes.
const maxPlain = 2 << 20

// Plain returns the description of the text that Stockfish's tools read and write:
//
//	fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
//	move e2e4
//	score 150
//	ply 0
//	result 1
//	e
//
// Score and result are the side to move's.
func Plain() *record.Format {
	return &record.Format{
		Name: "plain", Extensions: []string{".plain"},
		Recognize:   recognizePlain,
		Holds:       record.Positions,
		NewSplitter: plainPositions.Cuts().Splitter,
		NewReader:   func(record.Options) record.BlockReader { return &plainReader{} },
		VariantTag:  record.TagVariant,
	}
}

var (
	tagFEN  = []byte(record.TagFEN)
	results = [3][]byte{[]byte(record.SecondWins), []byte(record.Drawn), []byte(record.FirstWins)}
	fenKey  = []byte("fen ")
)

// resultOf returns the result of a game, in which the side to move wins (1), draws or loses.
func resultOf(r int, black bool) []byte {
	if black {
		r = -r
	}
	return results[r+1]
}

// recognizePlain reports whether the first line is a FEN and the second a move.
func recognizePlain(head []byte) bool {
	line, rest, _ := bytes.Cut(bytes.TrimLeft(head, "\uFEFF \r\n"), []byte("\n"))
	return bytes.HasPrefix(line, fenKey) && bytes.HasPrefix(rest, []byte("move "))
}

// plainPositions finds where a position begins.
var plainPositions = record.Initial{
	Byte: 'f', Back: 1, Ahead: len(fenKey), Whole: true, Max: maxPlain, TooLong: "longer than 2 MiB",
	Begins: func(d []byte, i int) bool { return d[i-1] == '\n' && bytes.HasPrefix(d[i:], fenKey) },
}

const cutOffPosition = "cut off in the middle of a position"

// plainReader reads the positions of blocks of text.
type plainReader struct {
	record.Cursor
}

// Read fills g with the next position.
func (r *plainReader) Read(g *record.Game) error {
	g.Reset()
	var e plainEntry
	if n := e.usual(r.Rest()); n > 0 {
		g.Offset, g.Line = r.Offset(), r.Line
		r.Pos, r.Line = r.Pos+n, r.Line+usualLines
		return e.fill(g)
	}
	e = plainEntry{}
	begun := false
	for len(r.Rest()) > 0 {
		if begun && bytes.HasPrefix(r.Rest(), fenKey) {
			return fault(g, cutOffPosition)
		}
		line, at, number := r.NextLine()
		if len(line) == 0 {
			continue
		}
		if !begun {
			begun, g.Offset, g.Line = true, at, number
		}
		if string(line) == "e" {
			return e.fill(g)
		}
		e.read(line)
	}
	if begun {
		return fault(g, cutOffPosition)
	}
	return io.EOF
}

// fault returns an error at the place of g.
func fault(g *record.Game, reason string) error {
	g.Moves = g.Moves[:0]
	return &record.SyntaxError{Offset: g.Offset, Line: g.Line, Reason: reason}
}

// plainEntry has the values of a position's lines, or the reason why they are invalid.
type plainEntry struct {
	fen, move          []byte
	score, ply, result int
	scored, resulted   bool
	numbered           bool
	reason             string
}

const usualLines = 6

// usual reads the lines as Stockfish's tools write them and returns their length; 0 if they are
// not quite so, and are to be read one by one.
func (e *plainEntry) usual(text []byte) (length int) {
	rest := text
	var score, ply, result []byte
	if !cutLine(&rest, "fen ", &e.fen) || !cutLine(&rest, "move ", &e.move) || !cutLine(&rest, "score ", &score) ||
		!cutLine(&rest, "ply ", &ply) || !cutLine(&rest, "result ", &result) || len(rest) < 2 || rest[0] != 'e' || rest[1] != '\n' {
		return 0
	}
	e.score, e.scored = e.number(score, -1<<15, 1<<15-1, "not a score")
	e.ply, e.numbered = e.number(ply, 0, 1<<16-1, "not a ply")
	e.result, e.resulted = e.number(result, -1, 1, "not a result")
	return len(text) - len(rest) + 2
}

// cutLine cuts a line off that begins with key, and has no blanks around its value and no CR.
func cutLine(rest *[]byte, key string, value *[]byte) bool {
	text := *rest
	if len(text) < len(key) || string(text[:len(key)]) != key {
		return false
	}
	text = text[len(key):]
	n := bytes.IndexByte(text, '\n')
	if n <= 0 || text[0] <= ' ' || text[0] >= utf8.RuneSelf || text[n-1] <= ' ' || text[n-1] >= utf8.RuneSelf {
		return false
	}
	*value, *rest = text[:n], text[n+1:]
	return bytes.IndexByte(text[:n], '\r') < 0
}

func (e *plainEntry) read(line []byte) {
	key, value, _ := bytes.Cut(line, []byte(" "))
	value = bytes.TrimSpace(value)
	switch string(key) {
	case "fen":
		e.fen = value
	case "move":
		e.move = value
	case "score":
		e.score, e.scored = e.number(value, -1<<15, 1<<15-1, "not a score")
	case "ply":
		e.ply, e.numbered = e.number(value, 0, 1<<16-1, "not a ply")
	case "result":
		e.result, e.resulted = e.number(value, -1, 1, "not a result")
	}
}

func (e *plainEntry) number(text []byte, lowest, highest int, reason string) (n int, ok bool) {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < lowest || n > highest {
		e.reason = reason
		return 0, false
	}
	return n, true
}

// fill makes g the position.
func (e *plainEntry) fill(g *record.Game) error {
	switch {
	case len(e.fen) == 0:
		return fault(g, "no FEN")
	case e.reason != "":
		return fault(g, e.reason)
	}
	men := bytes.IndexByte(e.fen, ' ')
	black := bytes.Contains(e.fen[max(men, 0):], []byte(" b "))
	g.Tags = append(g.Tags, record.Tag{Name: tagFEN, Value: e.fen})
	g.Ply, g.HasPly = e.ply, e.numbered
	m := record.Move{Text: e.move, Value: int32(e.score), HasValue: e.scored && e.score != nnue.NoValue}
	if black {
		m.Value = -m.Value
	}
	if len(e.move) < 4 || !isLetter(e.move[0]) { // (none), 0000
		m.Text = nil
	}
	if e.resulted {
		g.Result = resultOf(e.result, black)
	}
	g.Moves = append(g.Moves, m)
	return nil
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'h' }
