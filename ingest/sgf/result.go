package sgf

import (
	"bytes"
	"math"
	"strconv"

	"kifu/ingest/record"
)

// Words of results, in the languages of servers and programs. Letters are small.
var (
	drawWords    = []string{"draw", "jigo", "tie", "remis", "和棋", "和局", "持碁", "ジゴ", "무승부", "빅"}
	blackWords   = []string{"black", "黑", "黒", "흑"}
	whiteWords   = []string{"white", "白", "백"}
	winWords     = []string{"win", "won", "胜", "勝", "승"}
	loseWords    = []string{"lose", "lost", "loss", "负", "負", "敗", "败", "패"}
	resignWords  = []string{"res", "中盘", "中盤", "中押", "불계", "投"}
	timeWords    = []string{"time", "超时", "超時", "時間", "시간"}
	forfeitWords = []string{"forf", "弃权", "棄権", "기권"}
	halfWords    = []string{"半", "반", "½", " 1/2"}
	stoneWords   = []string{"子"} // which count twice, and have fractions
	offlineWords = []string{"offline", "disconnect", "断线", "掉线"}
)

// result reads RE: who won, by how much or why. It stays a tag when it has neither, as Void and ?, and when
// the margin is no score, as 8194 points.
func (t *tree) result(text []byte) {
	side, rest := winner(t.lower(text))
	switch side {
	case 0:
		t.tag("RE", text)
		return
	case 'D':
		t.g.Result = drawn
		return
	case 'B':
		t.g.Result = firstWins
	default:
		t.g.Result = secondWins
	}
	if why := termination(rest); why != "" {
		t.tag(record.TagTermination, t.constant(why))
		return
	}
	if points, ok := score(rest); ok {
		if side == 'W' {
			points = -points
		}
		at := len(t.texts)
		if points > 0 {
			t.texts = append(t.texts, '+')
		}
		t.texts = strconv.AppendFloat(t.texts, float64(points)/100, 'f', -1, 64)
		t.tag(record.TagScore, t.texts[at:len(t.texts):len(t.texts)])
	} else if len(bytes.TrimSpace(rest)) > 0 {
		t.tag("RE", text)
	}
}

// winner finds who won a game: B, W, D for a draw, or 0 when it is missing; rest is the text after it.
func winner(text []byte) (side byte, rest []byte) {
	head, rest, plus := bytes.Cut(text, []byte("+"))
	head = bytes.TrimSpace(head)
	switch {
	case string(text) == "0" || string(text) == "d" || plus && string(head) == "d":
		return 'D', nil
	case string(head) == "b" || plus && contains(head, blackWords):
		return 'B', rest
	case string(head) == "w" || plus && contains(head, whiteWords):
		return 'W', rest
	case contains(text, drawWords) && !plus:
		return 'D', nil
	}
	b, w := contains(text, blackWords), contains(text, whiteWords)
	won, lost := contains(text, winWords), contains(text, loseWords)
	lost = lost || !won && contains(text, []string{"resigns", "resigned"})
	if b == w || won == lost {
		return 0, nil
	}
	if b == won {
		return 'B', text[first(text, blackWords):]
	}
	return 'W', text[first(text, whiteWords):]
}

// termination spells out why a game ended before it was counted; "" if it was not.
func termination(text []byte) string {
	text = bytes.TrimSpace(text)
	switch {
	case string(text) == "r" || contains(text, resignWords):
		return record.Resignation
	case string(text) == "t" || contains(text, timeWords):
		return record.TimeForfeit
	case string(text) == "f" || contains(text, forfeitWords):
		return record.Forfeit
	case contains(text, offlineWords):
		return record.Abandoned
	}
	return ""
}

// score finds the first number of points in text, in hundredths; a half may be a word.
func score(text []byte) (hundredths int64, ok bool) {
	at := bytes.IndexAny(text, "0123456789")
	if at < 0 || contains(text, stoneWords) {
		return 0, false
	}
	n, ok := number(text[at:], 100)
	if n%100 == 0 && contains(text, halfWords) {
		n += 50
	}
	return n, ok && n < 100_000
}

// lower is text with small letters, valid until the next call.
func (t *tree) lower(text []byte) []byte {
	t.small = append(t.small[:0], text...)
	for i, c := range t.small {
		if c >= 'A' && c <= 'Z' {
			t.small[i] = c + 'a' - 'A'
		}
	}
	return t.small
}

func contains(text []byte, words []string) bool {
	for _, word := range words {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// first is the place of the first of the words in text, which has one at least.
func first(text []byte, words []string) int {
	at := len(text)
	for _, word := range words {
		if i := bytes.Index(text, []byte(word)); i >= 0 {
			at = min(at, i)
		}
	}
	return at
}

var (
	firstWins  = []byte(record.FirstWins)
	secondWins = []byte(record.SecondWins)
	drawn      = []byte(record.Drawn)
)

// Score is Black's points minus White's in hundredths, as the result of a game of Go has
// them.
func Score(g *record.Game) (score int32, ok bool) {
	text := g.Tag(record.TagScore)
	if len(text) == 0 || bytes.IndexByte(g.Tag(record.TagVariant), 'x') < 0 {
		return 0, false
	}
	points, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(math.Abs(points) <= maxScore) {
		return 0, false
	}
	return int32(math.Round(100 * points)), true
}

// maxScore is more than any score, in points.
const maxScore = 1000
