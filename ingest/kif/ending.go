package kif

import (
	"bytes"

	"kifu/ingest/record"
	"kifu/ingest/record/japanese"
)

// ending reads what is on a numbered line instead of a move; false if it is no ending.
// Blanks within the word do not count.
func (r *BlockReader) ending(g *record.Game, text []byte) bool {
	if i := bytes.IndexByte(text, '('); i >= 0 {
		text = text[:i]
	}
	e, known := japanese.Ending{}, false
	black := (len(g.Moves)%2 == 0) != r.white // the side to move
	if e, black, known = japanese.EndingOf(firstWord(text), black); !known {
		if e, black, known = japanese.EndingOf(bytes.Join(bytes.Fields(text), nil), black); !known {
			return false
		}
	}
	r.ended = true
	r.why, r.result = e.Why, japanese.Result(e.Wins, black)
	return true
}

// firstWord returns what text begins with up to a blank or a bracket.
func firstWord(text []byte) []byte {
	if i := bytes.IndexAny(text, " (\t\u3000"); i > 0 {
		text = text[:i]
	}
	return text
}

var (
	drawn      = japanese.Result(0, false)
	unfinished = japanese.Result(japanese.Open, false)
)

// summary is the contents of a line like まで103手で先手の勝ち.
type summary struct {
	text   []byte
	plies  int // -1 when missing
	result []byte
	why    []byte
}

// read reads what follows まで.
func (s *summary) read(text []byte) {
	n := digits(text)
	*s = summary{text: text, plies: -1, result: unfinished}
	if n > 0 && n < 6 {
		s.plies = 0
		for _, d := range text[:n] {
			s.plies = 10*s.plies + int(d-'0')
		}
	}
	has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
	black := has("先手") || has("下手")
	switch {
	case has("千日手"):
		s.result, s.why = drawn, []byte("repetition")
	case has("持将棋"):
		s.result, s.why = drawn, []byte("impasse")
	case has("最大手数"):
		s.result, s.why = drawn, []byte("length limit")
	case has("引き分け"), has("引分"):
		s.result, s.why = drawn, []byte("draw")
	case has("反則負け"):
		s.result, s.why = japanese.Result(-1, black), []byte("illegal move")
	case has("反則勝ち"):
		s.result, s.why = japanese.Result(1, black), []byte("illegal move")
	case has("切れ") && has("勝ち"):
		s.result, s.why = japanese.Result(1, black), []byte(record.TimeForfeit)
	case has("不戦") && has("勝ち"):
		s.result, s.why = japanese.Result(1, black), []byte(record.Forfeit)
	case has("入玉勝ち"), has("宣言") && has("勝ち"):
		s.result, s.why = japanese.Result(1, black), []byte("declaration")
	case has("勝ち"):
		s.result = japanese.Result(1, black)
		s.why = reasonOfWin(text[n:])
	case has("不詰"):
		s.why = []byte("no mate")
	case has("詰"):
		s.why = []byte("checkmate")
	case has("中断"):
		s.why = []byte(record.Abandoned)
	case has("封じ手"):
		s.why = []byte("sealed move")
	}
}

// reasonOfWin returns why a game was won by what a summary states after the number of moves: 手で先手の勝ち without a reason is what
// programs write for a resignation, other endings are named (…により).
func reasonOfWin(text []byte) []byte {
	side, begins := bytes.CutPrefix(trim(text), []byte("手で"))
	side, ends := bytes.CutSuffix(side, []byte("の勝ち"))
	why := []byte(record.Resignation)
	if named, of, ok := bytes.Cut(side, []byte("により")); ok {
		why, side = named, of
	}
	switch string(side) {
	case "先手", "後手", "下手", "上手":
		if begins && ends {
			return why
		}
	}
	return nil
}

// fewerMoves is why a game is cut whose summary counts more moves than there are.
const fewerMoves = "fewer moves than its summary states"

// finish settles the result and the values of g. When ending and summary contradict each
// other, the summary is believed if it names the number of moves that there are.
func (r *BlockReader) finish(g *record.Game) {
	r.close(g)
	s := &r.summary
	if bytes.Equal(s.why, []byte("checkmate")) && bytes.Equal(s.result, unfinished) { // まで7手詰: the side to move has lost
		s.result = japanese.Result(-1, (len(g.Moves)%2 == 0) != r.white)
	}
	if s.plies > len(g.Moves) && !g.Skipped && (len(r.result) == 0 || bytes.Equal(r.result, unfinished)) {
		g.Cut = fewerMoves
	}
	g.Result = r.result
	why := r.why
	switch {
	case len(s.text) == 0:
	case len(r.result) == 0:
		g.Result, why = s.result, s.why
	case bytes.Equal(r.result, s.result):
	default:
		if !bytes.Equal(s.result, unfinished) && (bytes.Equal(r.result, unfinished) || s.plies == len(g.Moves) && !g.Skipped) {
			g.Result, why = s.result, s.why
		}
		add(g, tagSummary, s.text)
	}
	if len(g.Tag(record.TagTermination)) == 0 { // else the header names a reason that has no word
		add(g, tagTermination, why)
	}
	r.values.settle(g, r.white)
}
