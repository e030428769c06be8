// Package shogi writes games of Shogi as its programs keep them (CSA, KIF, KI2, JKF, USI), and positions as training data
// of its engines (hcpe, psv).
//
// In: games and positions as package export replays them. Out: their text or bytes. It reads no files.
package shogi

import (
	"bytes"
	"strconv"

	"kifu/export"
	"kifu/games"
	"kifu/schemas"
)

// CSA writes games in the format of the Computer Shogi Association, V2.2 with the times of V3.0, in
// UTF-8, each with a line / after it. Data without a statement in CSA are written under the names of
// their tags, which ingest reads back.
//
// An ending is stated from the side to move: if that leaves the winner open, the comment of floodgate's
// servers names it ('summary:…).
type CSA struct{ commented }

// Name is "csa".
func (CSA) Name() string { return "csa" }

// Drops is what the format leaves out of games.
func (CSA) Drops() string { return "the distance of mates" }

// Append appends a game.
func (CSA) Append(dst []byte, g *export.Game) []byte {
	w := csaWriter{append(dst, "'CSA encoding=UTF-8\nV2.2\n"...), g}
	w.line("N+", g.First)
	w.line("N-", g.Second)
	w.line("$EVENT:", g.Event)
	w.line("$SITE:", g.Site)
	w.line("$Round:", g.Round)
	w.line("$START_TIME:", g.DateTime())
	w.time()
	w.line("$OPENING:", g.Opening)
	w.rating("black", g.FirstElo)
	w.rating("white", g.SecondElo)
	w.line("$Cut:", g.Cut)
	var end []byte
	for _, t := range g.Tags {
		switch string(t.Name) {
		case "Time", "Date", "Byoyomi", "BlackRate", "WhiteRate":
		case "END_TIME":
			end = t.Value
		case "Summary":
			if !servers(t.Value) {
				w.line("$Summary:", t.Value)
			}
		case "MaxMoves":
			w.line("'Max_Moves:", t.Value)
		default:
			if bytes.IndexByte(t.Name, ':') < 0 {
				w.line("$"+string(t.Name)+":", t.Value)
			}
		}
	}
	w.start()
	w.moves()
	w.ending()
	w.line("'$END_TIME:", end)
	return append(w.dst, "/\n"...)
}

// servers reports whether a summary is one of floodgate's servers, reason:black win:white lose. KIF has others.
func servers(summary []byte) bool { return bytes.Count(summary, []byte(":")) == 2 }

type csaWriter struct {
	dst  []byte
	game *export.Game
}

// line writes what is known.
func (w *csaWriter) line(head string, value []byte) {
	if value == nil {
		return
	}
	w.dst = append(w.dst, head...)
	w.dst = append(appendOneLine(w.dst, value), '\n')
}

// appendOneLine appends text with its line breaks as spaces.
func appendOneLine(dst, text []byte) []byte {
	for _, c := range text {
		if c == '\n' || c == '\r' {
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}

// time writes base+byoyomi+increment.
func (w *csaWriter) time() {
	if len(w.game.TimeControl) == 0 {
		return
	}
	base, increment, _ := bytes.Cut(w.game.TimeControl, []byte("+"))
	byoyomi, _ := w.game.Tag("Byoyomi")
	w.dst = append(append(append(w.dst, "$TIME:"...), base...), '+')
	w.dst = append(append(w.dst, orZero(byoyomi)...), '+')
	w.dst = append(append(w.dst, orZero(increment)...), '\n')
}

func orZero(text []byte) []byte {
	if len(text) == 0 {
		return []byte("0")
	}
	return text
}

// rating writes a rating as floodgate does, with its fraction if a tag has it.
func (w *csaWriter) rating(side string, rating int32) {
	tag := map[string]string{"black": "BlackRate", "white": "WhiteRate"}[side]
	text, ok := w.game.Tag(tag)
	if !ok {
		if rating <= 0 {
			return
		}
		text = strconv.AppendInt(nil, int64(rating), 10)
	}
	w.line("'"+side+"_rate:", append([]byte("player:"), text...))
}

// start writes the start position and the side to move.
func (w *csaWriter) start() {
	fields := bytes.Fields(w.game.From)
	if len(fields) < 3 {
		w.dst = append(w.dst, "PI\n+\n"...)
		return
	}
	rank, promoted := byte('1'), false
	w.dst = append(w.dst, 'P', rank)
	for _, c := range fields[0] {
		switch {
		case c == '/':
			rank++
			w.dst = append(w.dst, '\n', 'P', rank)
		case c == '+':
			promoted = true
		case c >= '1' && c <= '9':
			for ; c > '0'; c-- {
				w.dst = append(w.dst, " * "...)
			}
		default:
			w.dst = append(append(w.dst, csaSign(c)), csaPiece(c, promoted)...)
			promoted = false
		}
	}
	w.dst = append(w.dst, '\n')
	eachInHand(fields[2], func(letter byte, n int) {
		w.dst = append(w.dst, 'P', csaSign(letter))
		for range n {
			w.dst = append(append(w.dst, "00"...), csaPiece(letter, false)...)
		}
		w.dst = append(w.dst, '\n')
	})
	w.dst = append(w.dst, map[string]string{"b": "+\n", "w": "-\n"}[string(fields[1])]...)
}

func csaSign(letter byte) byte {
	if letter >= 'a' {
		return '-'
	}
	return '+'
}

// csaPieces are the names of the pieces by their letters, and of the promoted ones.
var csaPieces = map[byte][2]string{'P': {"FU", "TO"}, 'L': {"KY", "NY"}, 'N': {"KE", "NK"}, 'S': {"GI", "NG"},
	'G': {"KI", ""}, 'B': {"KA", "UM"}, 'R': {"HI", "RY"}, 'K': {"OU", ""}}

func csaPiece(letter byte, promoted bool) string {
	names := csaPieces[letter&^0x20]
	if promoted {
		return names[1]
	}
	return names[0]
}

// eachInHand calls f for the kinds of the hands of an SFEN.
func eachInHand(hands []byte, f func(letter byte, n int)) {
	n := 0
	for _, c := range hands {
		switch {
		case c >= '0' && c <= '9':
			n = 10*n + int(c-'0')
		case c != '-':
			f(c, max(n, 1))
			n = 0
		}
	}
}

// moves writes moves, times and values.
func (w *csaWriter) moves() {
	clocks, timed := newShogiClocks(w.game)
	side := w.game.Begins()
	w.dst = appendLines(w.dst, "'*", w.game.After(0))
	for i := range w.game.Moves {
		m := &w.game.Moves[i]
		w.dst = append(append(w.dst, m.Text...), '\n')
		if ms, ok := clocks.Used(side, m); timed && ok {
			w.dst = appendTaken(append(w.dst, 'T'), ms)
			w.dst = append(w.dst, '\n')
		}
		list := w.game.After(i + 1)
		if m.HasValue && !told(list, "* ") {
			w.dst = append(w.dst, "'** "...)
			w.dst = append(strconv.AppendInt(w.dst, int64(shogiValue(m.Value)), 10), '\n')
		}
		w.dst = appendLines(w.dst, "'*", list)
		side = side.Other()
	}
}

// shogiValue is a value as programs write it: a mate is ±30000.
func shogiValue(v int32) int32 {
	switch {
	case v > schemas.Decided:
		return 30000
	case v < -schemas.Decided:
		return -30000
	}
	return v
}

// appendTaken appends milliseconds in seconds, with a fraction if there is one.
func appendTaken(dst []byte, ms int64) []byte {
	dst = strconv.AppendInt(dst, ms/1000, 10)
	if ms %= 1000; ms != 0 {
		dst = append(dst, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10))
	}
	return dst
}

// newShogiClocks reads the time control, seconds or seconds+increment. A move in byoyomi, or with which it
// begins, is given a second more than was left. ok is false without a time control, or if no move has a clock.
func newShogiClocks(g *export.Game) (c export.Clocks, ok bool) {
	base, increment, _ := bytes.Cut(g.TimeControl, []byte("+"))
	c.Increment, _ = export.ClockTime(increment)
	c.Beyond = 1000
	return c, c.Begin(g, base)
}

// csaEndings are the statements of endings by why the game ended, those that imply the winner from the
// side to move first.
var csaEndings = []struct {
	why, name string
	wins      int // 1 the side to move, -1 the other, 0 a draw, 2 none
}{
	{"resignation", "TORYO", -1}, {"time forfeit", "TIME_UP", -1}, {"illegal move", "ILLEGAL_MOVE", -1},
	{"checkmate", "TSUMI", -1}, {"declaration", "KACHI", 1},
	{"repetition", "SENNICHITE", 0}, {"impasse", "JISHOGI", 0}, {"length limit", "MAX_MOVES", 0}, {"draw", "HIKIWAKE", 0},
	{"abandoned", "CHUDAN", 2}, {"no mate", "FUZUMI", 2}, {"a move taken back", "MATTA", 2}, {"error", "ERROR", 2},
}

// end returns the name of the ending, or "" for it, and the winner: 1 the side to move, -1 the other, 0
// a draw, 2 none.
func (w *csaWriter) end() (name string, wins int) {
	g := w.game
	mover := g.Mover()
	wins = g.Wins()
	for _, e := range csaEndings {
		if e.why == g.Ended() && e.wins == wins {
			return e.name, wins
		}
	}
	summary := w.summarised() != nil
	switch {
	case wins == 1 && string(g.Termination) == "illegal move":
		return "-+"[mover:mover+1] + "ILLEGAL_ACTION", wins
	case wins == -1 && g.Termination == nil && !summary:
		return "TORYO", wins
	case wins == 0 && g.Termination == nil && !summary:
		return "HIKIWAKE", wins
	}
	return "", wins
}

func (w *csaWriter) ending() {
	g := w.game
	name, wins := w.end()
	summary := w.summarised()
	if name != "" {
		w.dst = append(append(append(w.dst, '%'), name...), '\n')
	} else if (wins != 2 || g.Termination != nil) && summary == nil {
		w.summary()
	}
	w.line("'summary:", summary)
}

// summarised returns the summary of a server that the record had, nil without one.
func (w *csaWriter) summarised() []byte {
	if summary, ok := w.game.Tag("Summary"); ok && servers(summary) {
		return summary
	}
	return nil
}

// summary names the reason and who won in the words of floodgate's servers; without a result, the reason alone.
func (w *csaWriter) summary() {
	w.line("'summary:", append(bytes.Clone(w.game.Termination), map[games.Outcome]string{
		games.FirstWins: ":black win:white lose", games.SecondWins: ":black lose:white win", games.Drawn: ":black draw:white draw",
	}[w.game.Result]...))
}

// SFEN writes a game per line: the start and the moves in USI, as programs exchange openings.
// It has no names and no result.
type SFEN struct{}

// Name is "usi".
func (SFEN) Name() string { return "usi" }

// Drops is what the format leaves out of games.
func (SFEN) Drops() string { return "anything but the start and the moves" }

// Append appends a line.
func (SFEN) Append(dst []byte, g *export.Game) []byte {
	if g.From == nil {
		dst = append(dst, "startpos"...)
	} else {
		dst = append(append(dst, "sfen "...), g.From...)
	}
	if len(g.Moves) > 0 {
		dst = append(dst, " moves"...)
	}
	for i := range g.Moves {
		dst = append(append(dst, ' '), g.Moves[i].Text...)
	}
	return append(dst, '\n')
}
