package kif

import (
	"bytes"

	"kifu/ingest/record"
)

var (
	firstWins  = []byte(record.FirstWins)
	secondWins = []byte(record.SecondWins)
	drawn      = []byte(record.Drawn)
	unfinished = []byte("*")
)

// Endings as a move's number has them: who wins, seen by the side to move; and why.
var endings = []struct {
	word string
	wins int // 1 the side to move, -1 the other; 0 a draw, 2 nothing is said
	why  []byte
}{
	{"投了", -1, []byte(record.Resignation)},
	{"切れ負け", -1, []byte(record.TimeForfeit)},
	{"時間切れ", -1, []byte(record.TimeForfeit)},
	{"Time-up", -1, []byte(record.TimeForfeit)},
	{"反則負け", -1, []byte("illegal move")},
	{"詰み", -1, []byte("checkmate")},
	{"詰", -1, []byte("checkmate")},
	{"不戦敗", -1, []byte(record.Forfeit)},
	{"反則勝ち", 1, []byte("illegal move")},
	{"入玉勝ち", 1, []byte("declaration")},
	{"入玉宣言", 1, []byte("declaration")},
	{"不戦勝", 1, []byte(record.Forfeit)},
	{"千日手", 0, []byte("repetition")},
	{"持将棋", 0, []byte("impasse")},
	{"最大手数", 0, []byte("length limit")},
	{"中断", 2, []byte(record.Abandoned)},
	{"封じ手", 2, []byte("sealed move")},
	{"不詰", 2, []byte("no mate")},
}

// ending reads the word of a numbered line that is no move.
func (r *BlockReader) ending(g *record.Game, word []byte) {
	r.ended = true
	r.why, r.result = word, unfinished
	for _, e := range endings {
		if e.word != string(word) {
			continue
		}
		black := (len(g.Moves)%2 == 0) != r.white // the side to move
		r.why, r.result = e.why, resultFor(e.wins, black)
		return
	}
}

func resultFor(wins int, black bool) []byte {
	switch {
	case wins == 2:
		return unfinished
	case wins == 0:
		return drawn
	case wins > 0 == black:
		return firstWins
	}
	return secondWins
}

// summary is the contents of a line like まで103手で先手の勝ち.
type summary struct {
	text   []byte
	plies  int // -1 when it says none
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
	case has("引き分け"), has("引分"):
		s.result, s.why = drawn, []byte("draw")
	case has("反則負け"):
		s.result, s.why = resultFor(-1, black), []byte("illegal move")
	case has("反則勝ち"):
		s.result, s.why = resultFor(1, black), []byte("illegal move")
	case has("切れ") && has("勝ち"):
		s.result, s.why = resultFor(1, black), []byte(record.TimeForfeit)
	case has("入玉勝ち"):
		s.result, s.why = resultFor(1, black), []byte("declaration")
	case has("勝ち"):
		s.result = resultFor(1, black)
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

// finish settles the result and the values of g. When ending and summary contradict each
// other, the summary is believed if it names the number of moves that there are.
func (r *BlockReader) finish(g *record.Game) {
	r.close(g)
	s := &r.summary
	if bytes.Equal(s.why, []byte("checkmate")) { // まで7手詰: the side to move has lost
		s.result = resultFor(-1, (len(g.Moves)%2 == 0) != r.white)
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
	add(g, tagTermination, why)
	r.values.settle(g, r.white)
}
