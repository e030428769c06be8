package shogi

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"kifu/export"
	"kifu/games"
	"kifu/schemas"
)

// KIF writes games in KIF, or in KI2 with several moves a line and no times, in UTF-8.
// What KIF has no line for is written under the name of its tag, which ingest reads
// back. Values are written as ShogiGUI does, seen by the first player.
type KIF struct {
	commented
	KI2 bool
	// Handicaps are the names of variants in the line 手合割; a board is written for others.
	Handicaps map[string]string
}

// Name is "kif" or "ki2".
func (f KIF) Name() string {
	if f.KI2 {
		return "ki2"
	}
	return "kif"
}

// Drops is what the format leaves out of games.
func (f KIF) Drops() string {
	if f.KI2 {
		return "clocks and values"
	}
	return ""
}

// shogiTags are the lines of tags in KIF, and their names in JKF.
var shogiTags = map[string]string{"END_TIME": "終了日時"}

// Append appends a game.
func (f KIF) Append(dst []byte, g *export.Game) []byte {
	w := kifWriter{dst: append(dst, "#KIF version=2.0 encoding=UTF-8\n"...), game: g}
	w.line("開始日時", g.DateTime())
	w.line("棋戦", g.Event)
	w.line("場所", g.Site)
	w.line("戦型", g.Opening)
	w.line("Round", g.Round)
	w.line("Cut", g.Cut)
	w.line("BlackElo", rating(g.FirstElo))
	w.line("WhiteElo", rating(g.SecondElo))
	w.line("持ち時間", limit(g))
	w.line("TimeControl", control(g))
	w.line("Termination", w.unworded(f.KI2))
	for _, t := range g.Tags {
		switch name := string(t.Name); name {
		case "Time", "Date", "Byoyomi", "ValuesOf":
		default:
			if to, ok := shogiTags[name]; ok {
				name = to
			}
			if !strings.ContainsAny(name, ":：") {
				w.line(name, t.Value)
			}
		}
	}
	w.start(f.Handicaps)
	if f.KI2 {
		w.lines()
		w.summary()
	} else {
		w.moves()
	}
	return append(w.dst, '\n')
}

type kifWriter struct {
	dst  []byte
	game *export.Game
}

// rating returns a rating as text, empty if it is not known.
func rating(elo int32) []byte {
	if elo <= 0 {
		return nil
	}
	return strconv.AppendInt(nil, int64(elo), 10)
}

// line writes what is known.
func (w *kifWriter) line(name string, value []byte) {
	if len(value) == 0 {
		return
	}
	w.dst = append(append(w.dst, name...), "："...)
	w.dst = append(appendOneLine(w.dst, value), '\n')
}

// limit returns the given time as 持ち時間 has it, nil if a tag has the original text, or there is none.
func limit(g *export.Game) (text []byte) {
	if _, written := g.Tag("持ち時間"); written {
		return nil
	}
	base, increment, _ := bytes.Cut(g.TimeControl, []byte("+"))
	seconds, err := strconv.Atoi(string(base))
	if err != nil {
		return nil
	}
	for _, u := range []struct {
		name string
		size int
	}{{"時間", 3600}, {"分", 60}, {"秒", 1}} {
		if n := seconds / u.size; n > 0 {
			text = append(strconv.AppendInt(text, int64(n), 10), u.name...)
		}
		seconds %= u.size
	}
	if len(text) == 0 {
		text = append(text, "0分"...) // or what follows would be read as the time given
	}
	if byoyomi, ok := g.Tag("Byoyomi"); ok {
		text = append(append(append(text, '+'), byoyomi...), "秒"...)
	}
	if len(increment) > 0 {
		text = append(append(append(text, '+'), increment...), "秒加算"...)
	}
	return text
}

// control returns a time control that 持ち時間 cannot state.
func control(g *export.Game) []byte {
	if _, written := g.Tag("持ち時間"); written || limit(g) != nil {
		return nil
	}
	return g.TimeControl
}

// start writes the handicap, or the board, and the players.
func (w *kifWriter) start(handicaps map[string]string) {
	g := w.game
	name, known := handicaps[string(g.Variant)]
	fields := bytes.Fields(g.From)
	black, white := "先手", "後手"
	switch {
	case len(fields) < 3:
		w.line("手合割", []byte("平手"))
	case known:
		w.line("手合割", []byte(name))
		black, white = "下手", "上手"
	default:
		w.line("手合割", []byte("その他"))
		w.board(fields)
	}
	w.line(black, g.First)
	w.line(white, g.Second)
}

// kifPieces are the pieces on a board by their letters, and the promoted ones.
var kifPieces = map[byte][2]string{'P': {"歩", "と"}, 'L': {"香", "杏"}, 'N': {"桂", "圭"}, 'S': {"銀", "全"},
	'G': {"金", ""}, 'B': {"角", "馬"}, 'R': {"飛", "龍"}, 'K': {"玉", ""}}

var kifRanks = [...]string{"一", "二", "三", "四", "五", "六", "七", "八", "九"}

// board writes the board between the hands, and who moves.
func (w *kifWriter) board(fields [][]byte) {
	w.hand("後手の持駒", fields[2], 'a')
	w.dst = append(w.dst, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"...)
	for rank, row := range bytes.Split(fields[0], []byte("/")) {
		w.dst = append(w.dst, '|')
		promoted := 0
		for _, c := range row {
			switch {
			case c == '+':
				promoted = 1
			case c >= '1' && c <= '9':
				w.dst = append(w.dst, strings.Repeat(" ・", int(c-'0'))...)
			default:
				side := byte(' ')
				if c >= 'a' {
					side = 'v'
				}
				w.dst = append(append(w.dst, side), kifPieces[c&^0x20][promoted]...)
				promoted = 0
			}
		}
		w.dst = append(append(append(w.dst, '|'), kifRanks[rank%9]...), '\n')
	}
	w.dst = append(w.dst, "+---------------------------+\n"...)
	w.hand("先手の持駒", fields[2], 'A')
	if string(fields[1]) == "w" {
		w.dst = append(w.dst, "後手番\n"...)
	}
}

// hand writes the pieces in hand whose letters are capital or small as the first one is.
func (w *kifWriter) hand(name string, hands []byte, first byte) {
	var text []byte
	eachInHand(hands, func(letter byte, n int) {
		if letter&0x20 != first&0x20 {
			return
		}
		text = append(text, kifPieces[letter&^0x20][0]...)
		if n >= 10 {
			text = append(text, "十"...)
		}
		if n > 1 && n%10 > 0 {
			text = append(text, kifRanks[n%10-1]...)
		}
		text = append(text, "　"...)
	})
	if text == nil {
		text = []byte("なし")
	}
	w.line(name, text)
}

// moves writes a move a line, with its number, the time that it took and its value, and
// the ending.
func (w *kifWriter) moves() {
	g := w.game
	clocks, timed := newShogiClocks(g)
	side := g.Begins()
	var total [2]int64
	w.dst = append(w.dst, "手数----指手---------消費時間--\n"...)
	w.dst = appendLines(w.dst, "*", g.After(0))
	for i := range g.Moves {
		m := &g.Moves[i]
		w.number(i + 1)
		w.dst = append(w.dst, m.Text...)
		if ms, ok := clocks.Used(side, m); timed && ok {
			total[side] += ms
			w.took(ms, total[side])
		}
		w.dst = append(w.dst, '\n')
		list := g.After(i + 1)
		if m.HasValue && !told(list, "評価値") {
			w.dst = append(appendKIFValue(append(w.dst, "**評価値="...), m.Value), '\n')
		}
		w.dst = appendLines(w.dst, "*", list)
		side = side.Other()
	}
	if word := w.word(kifEndings); word != "" {
		w.number(len(g.Moves) + 1)
		w.dst = append(append(w.dst, word...), '\n')
		return
	}
	w.summary()
}

// farMate is the moves of a mate of unknown distance in evals.
const farMate = 999

// appendKIFValue appends a value, a mate as +詰 5 with its moves if they are known.
func appendKIFValue(dst []byte, v int32) []byte {
	moves := schemas.Win - max(v, -v)
	if moves > farMate {
		return strconv.AppendInt(dst, int64(v), 10)
	}
	dst = append(append(dst, "+-"[uint32(v)>>31]), "詰"...)
	if moves == farMate {
		return dst
	}
	return strconv.AppendInt(append(dst, ' '), int64(moves), 10)
}

// appendLines appends the lines of comments after such a sign.
func appendLines(dst []byte, sign string, list []schemas.Annotation) []byte {
	for _, a := range list {
		for line := range strings.SplitSeq(a.Comment, "\n") {
			dst = append(append(append(dst, sign...), line...), '\n')
		}
	}
	return dst
}

// told reports whether one of the comments has the value of its move, after that word.
func told(list []schemas.Annotation, word string) bool {
	return slices.ContainsFunc(list, func(a schemas.Annotation) bool { return a.Value && strings.Contains(a.Comment, word) })
}

// commented is embedded in a Record that has a place for comments alone.
type commented struct{}

// Annotates implements export.Annotator.
func (commented) Annotates(a schemas.Annotation) bool { return a.Comment != "" }

func (w *kifWriter) number(n int) {
	text := strconv.Itoa(n)
	w.dst = append(w.dst, strings.Repeat(" ", max(4-len(text), 0))...)
	w.dst = append(append(w.dst, text...), ' ')
}

// took writes ( 0:05/00:01:20), with a fraction of a second if there is one.
func (w *kifWriter) took(ms, total int64) {
	w.dst = append(w.dst, "   ("...)
	w.dst = append(strconv.AppendInt(w.dst, ms/60000, 10), ':')
	if ms%60000 < 10000 {
		w.dst = append(w.dst, '0')
	}
	w.dst = appendTaken(w.dst, ms%60000)
	total /= 1000
	w.dst = append(w.dst, '/')
	for _, n := range [...]int64{total / 3600, total / 60 % 60, total % 60} {
		w.dst = append(w.dst, byte('0'+n/10%10), byte('0'+n%10), ':')
	}
	w.dst[len(w.dst)-1] = ')'
}

type kifEnding struct {
	why, word string
	wins      int // 1 the side to move, -1 the other, 0 a draw, 2 none
}

// kifEndings are the words of endings by why the game ended.
var kifEndings = []kifEnding{
	{"resignation", "投了", -1}, {"time forfeit", "切れ負け", -1}, {"illegal move", "反則負け", -1}, {"illegal move", "反則勝ち", 1},
	{"checkmate", "詰み", -1}, {"declaration", "入玉勝ち", 1}, {"forfeit", "不戦敗", -1}, {"forfeit", "不戦勝", 1},
	{"repetition", "千日手", 0}, {"impasse", "持将棋", 0}, {"length limit", "最大手数", 0},
	{"abandoned", "中断", 2}, {"sealed move", "封じ手", 2}, {"no mate", "不詰", 2}, {"", "投了", -1},
}

// kifSummaries are the endings of summaries that name no winner, by why the game ended.
var kifSummaries = []kifEnding{
	{"repetition", "千日手", 0}, {"impasse", "持将棋", 0}, {"length limit", "最大手数", 0}, {"draw", "引き分け", 0}, {"", "引き分け", 0},
	{"abandoned", "中断", 2}, {"sealed move", "封じ手", 2}, {"no mate", "不詰", 2}, {"checkmate", "詰み", -1},
}

// word returns the word of the ending, or "".
func (w *kifWriter) word(endings []kifEnding) string {
	for _, e := range endings {
		if e.why == w.game.Ended() && e.wins == w.game.Wins() {
			return e.word
		}
	}
	return ""
}

// unworded returns the reason of a draw or of no result for which there is no word.
func (w *kifWriter) unworded(ki2 bool) []byte {
	g := w.game
	if g.Result != games.Drawn && g.Result != games.Undecided || w.word(kifSummaries) != "" || !ki2 && w.word(kifEndings) != "" {
		return nil
	}
	return g.Termination
}

// lines writes the moves of KI2, six a line.
func (w *kifWriter) lines() {
	w.dst = append(w.dst, '\n')
	w.dst = appendLines(w.dst, "*", w.game.After(0))
	for i := range w.game.Moves {
		w.dst = append(w.dst, w.game.Moves[i].Text...)
		list := w.game.After(i + 1)
		if i%6 == 5 || i == len(w.game.Moves)-1 || len(list) > 0 {
			w.dst = appendLines(append(w.dst, '\n'), "*", list)
		} else {
			w.dst = append(w.dst, ' ')
		}
	}
}

// summary writes まで103手で先手の勝ち.
func (w *kifWriter) summary() {
	g := w.game
	text := w.word(kifSummaries)
	switch {
	case text != "":
	case g.Result == games.Drawn:
		text = "引き分け"
	case g.Result == games.Undecided:
		return
	default:
		side := "先手"
		if g.Result == games.SecondWins {
			side = "後手"
		}
		text = side + "の勝ち"
		switch string(g.Termination) {
		case "time forfeit":
			text = "時間切れにより" + text
		case "forfeit":
			text = "不戦により" + text
		case "illegal move":
			text = side + "の反則勝ち"
		case "declaration":
			text = side + "の入玉勝ち"
		case "", "resignation":
		default:
			text = string(g.Termination) + "により" + text
		}
	}
	w.dst = append(strconv.AppendInt(append(w.dst, "まで"...), int64(len(g.Moves)), 10), "手で"...)
	w.dst = append(append(w.dst, text...), '\n')
}
