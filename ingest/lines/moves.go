package lines

import (
	"bytes"

	"kifu/ingest/record"
	"kifu/ingest/record/comments"
	"kifu/internal/pattern"
)

// firstMove is a line that begins with a move that can be the first of a game; a number may
// are before it.
var firstMove = pattern.Of(`^(1\.\s*)?([a-h]2-?[a-h]?[34]|[bg]1-?[acfh]3|[a-h][34]|N[acfh]3)[!?]*(\s|$)`)

// beginsMoves reports whether a line can be the first of a stream, or one more. Numbered lines
// without a command have to be two, as the movetext of one game in PGN may go over several.
func beginsMoves(line []byte, count int, last bool) bool {
	if setup, ok := command(line); ok {
		moves := bytes.TrimSpace(setup.moves)
		return setup.fen != nil && bytes.Count(setup.fen, []byte("/")) == 7 || len(moves) > 1 && moves[0] >= 'a' && moves[0] <= 'h' && moves[1] >= '1' && moves[1] <= '8'
	}
	if m := firstMove().FindSubmatch(line); m == nil || len(m[1]) > 0 && count == 0 && last {
		return false
	}
	var g record.Game
	return readMoves(&g, line, nil) == ""
}

// setup is the content of UCI's command position.
type setup struct{ fen, moves []byte }

var position = []byte("position ")

// command reads "position startpos moves …" or "position fen … moves …", of which the first word may be missing.
func command(line []byte) (s setup, ok bool) {
	line = bytes.TrimPrefix(line, position)
	start, moves, _ := bytes.Cut(line, []byte(" moves"))
	start = bytes.TrimSpace(start)
	if fen, ok := bytes.CutPrefix(start, []byte("fen ")); ok {
		return setup{bytes.TrimSpace(fen), moves}, true
	}
	return setup{nil, moves}, string(start) == "startpos"
}

var tagFEN = []byte(record.TagFEN)

// readMoves reads a line of chess.
func readMoves(g *record.Game, line []byte, keep func(*record.Game) bool) (reason string) {
	if s, ok := command(line); ok {
		if line = s.moves; s.fen != nil {
			g.Tags = append(g.Tags, record.Tag{Name: tagFEN, Value: s.fen})
		}
	}
	if keep != nil && !keep(g) {
		g.Skipped = true
		return ""
	}
	for len(line) > 0 {
		var word []byte
		if word, line = record.NextWord(line); len(word) > 0 && word[0] >= '0' && word[0] <= '9' {
			if isResult(word) {
				g.Result = word
				continue
			}
			word = afterNumber(word)
		}
		text := bytes.TrimRight(word, "!?,;")
		switch {
		case len(text) == 0:
		case string(text) == "*":
			g.Result = text
		case len(g.Result) > 0 || !isMove(text):
			return "not a move"
		default:
			g.AddMove(text)
			if marks := bytes.TrimRight(word[len(text):], ",;"); len(marks) > 0 {
				g.Annotate(record.Annotation{Glyph: comments.Glyph(marks)})
			}
		}
	}
	g.Open = len(g.Result) == 0
	return ""
}

func isResult(word []byte) bool {
	switch string(word) {
	case "1-0", "0-1", "1/2-1/2":
		return true
	}
	return false
}

// afterNumber returns what follows a move number and its dots; all of a word that begins with another number.
func afterNumber(word []byte) []byte {
	rest := bytes.TrimLeft(word, "0123456789")
	if dots := bytes.TrimLeft(rest, "."); len(dots) < len(rest) || len(rest) == 0 {
		return dots
	}
	return word
}

// isMove reports whether a word has the form of a move in SAN or UCI.
func isMove(word []byte) bool {
	if len(word) < 2 || len(word) > 9 {
		return false
	}
	for _, c := range word {
		if bytes.IndexByte([]byte("abcdefgh12345678NBRQKOx0-=+#nrqk"), c) < 0 {
			return false
		}
	}
	return true
}
