package lines

import (
	"bytes"
	"strconv"

	"kifu/ingest/record"
)

// beginsTranscript reports whether a line is a transcript: three moves or more on different squares, the first next to
// the four in the middle.
func beginsTranscript(line []byte, _ int, _ bool) bool {
	var g record.Game
	word, _ := record.NextWord(line)
	if len(word) < 2 || readTranscript(&g, line, nil) != "" || len(g.Moves) < 3 {
		return false
	}
	var seen [8][8]bool
	for i := range g.Moves {
		m := g.Moves[i].Text
		at := &seen[m[0]&7][m[1]&7]
		if isSquare(m) && *at {
			return false
		}
		*at = true
	}
	switch string(bytes.ToLower(word[:2])) {
	case "f5", "e6", "c5", "d6":
		return true
	case "d3", "c4", "e3", "f4": // with spaces between its moves a short line may be of chess
		return len(word) >= 6 || len(g.Moves) >= 20
	}
	return false
}

func isSquare(m []byte) bool {
	c := m[0] | 0x20
	return c >= 'a' && c <= 'h' && m[1] >= '1' && m[1] <= '8'
}

func isPass(m []byte) bool {
	switch string(bytes.ToLower(m)) {
	case "pa", "ps", "--", "@@":
		return true
	}
	return false
}

// readTranscript reads a line of Othello: squares and passes of two characters each, then the score.
func readTranscript(g *record.Game, line []byte, keep func(*record.Game) bool) (reason string) {
	scored := false
	for len(line) > 0 {
		end := bytes.IndexAny(line, " \t,;:|")
		if end < 0 {
			end = len(line)
		}
		word := line[:end]
		line = line[min(end+1, len(line)):]
		if bytes.IndexByte(word, '.') > 0 {
			word = afterNumber(word)
		}
		points, isScore := scoreOf(word)
		switch {
		case len(word) == 0:
		case isScore && !scored && len(g.Moves) > 0:
			scored = true
			state(g, points)
		case scored || !addMoves(g, word):
			return "not a move"
		}
	}
	if len(g.Moves) == 0 {
		return "not a move"
	}
	if keep != nil && !keep(g) {
		g.Skipped, g.Moves = true, g.Moves[:0]
	}
	g.Open = !scored && len(g.Moves) < 60 && !g.Skipped
	return ""
}

// addMoves adds the moves of a word; false if it is none of moves.
func addMoves(g *record.Game, word []byte) bool {
	if len(word)%2 != 0 {
		return false
	}
	for i := 0; i < len(word); i += 2 {
		m := word[i : i+2]
		if !isSquare(m) && !isPass(m) {
			return false
		}
		g.AddMove(m)
	}
	return true
}

// scoreOf reads Black's discs minus White's: a number, or both with a hyphen between.
func scoreOf(word []byte) (points int, ok bool) {
	black, white, both := bytes.Cut(word, []byte("-"))
	if both && len(black) > 0 {
		b, err := strconv.ParseUint(string(black), 10, 7)
		w, err2 := strconv.ParseUint(string(white), 10, 7)
		return int(b) - int(w), err == nil && err2 == nil && b+w <= 64
	}
	points, err := strconv.Atoi(string(word))
	return points, err == nil && points >= -64 && points <= 64
}

// state notes the score, and who won.
func state(g *record.Game, points int) {
	g.Tags = append(g.Tags, record.Tag{Name: []byte(record.TagScore), Value: strconv.AppendInt(nil, int64(points), 10)})
	g.Result = []byte(record.Drawn)
	if points > 0 {
		g.Result = []byte(record.FirstWins)
	} else if points < 0 {
		g.Result = []byte(record.SecondWins)
	}
}

// score implements record.Format.Score.
func score(g *record.Game) (hundredths int32, ok bool) {
	points, err := strconv.Atoi(string(g.Tag(record.TagScore)))
	return int32(100 * points), err == nil
}
