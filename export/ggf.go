package export

import (
	"bytes"
	"strconv"

	"kifu/games"
)

// GGF writes games of Othello in the Generic Game Format of GGS, one game per line, with
// the properties in the order in which GGS has them. What GGF has no property for is
// written under the name of its tag, which ingest reads back.
//
// A value cannot hold a closing bracket: a round one is written. Tags whose names are
// not letters alone are left out.
type GGF struct{}

// Name returns "ggf".
func (GGF) Name() string { return "ggf" }

// Append appends a game and the end of its line.
func (GGF) Append(dst []byte, g *Game) []byte {
	w := ggfWriter{append(dst, "(;GM[Othello]"...), g}
	w.property("PC", g.Site)
	w.date()
	w.property("PB", g.First)
	w.property("PW", g.Second)
	w.rating("RB", "BlackElo", g.FirstElo)
	w.rating("RW", "WhiteElo", g.SecondElo)
	w.property("TI", g.TimeControl)
	if matchType, ok := g.Tag("TY"); ok {
		w.property("TY", matchType)
	} else {
		w.property("TY", []byte("8"))
	}
	w.result()
	w.property("Event", g.Event)
	w.property("Round", g.Round)
	w.property("Opening", g.Opening)
	w.property("Cut", g.Cut)
	for _, t := range g.Tags {
		w.other(t)
	}
	w.board()
	w.moves()
	return append(w.dst, ";)\n"...)
}

type ggfWriter struct {
	dst  []byte
	game *Game
}

// property writes what is known.
func (w *ggfWriter) property(name string, value []byte) {
	if value != nil {
		w.dst = append(append(w.dst, name...), '[')
		w.value(value)
		w.dst = append(w.dst, ']')
	}
}

func (w *ggfWriter) value(text []byte) {
	for _, c := range text {
		if c == ']' {
			c = ')'
		}
		w.dst = append(w.dst, c)
	}
}

// date writes date and time as 2003.12.15_12:33:18.MST. A date that is none is among the
// other tags.
func (w *ggfWriter) date() {
	date, unread := w.game.Tag("Date")
	if !unread {
		date = bytes.ReplaceAll(w.game.Date, []byte("-"), []byte("."))
	}
	time, timed := w.game.Tag("Time")
	switch {
	case len(date) == 0:
		w.property("Time", time)
	case timed && !unread:
		w.property("DT", append(append(date[:len(date):len(date)], '_'), time...))
	default:
		w.property("DT", date)
	}
}

// rating writes a rating, with the fraction of the record's tag, if there is such a tag.
func (w *ggfWriter) rating(name, tag string, rating int32) {
	if text, ok := w.game.Tag(name); ok {
		w.property(name, text)
	} else if text, ok := w.game.Tag(tag); ok { // no number
		w.property(name, text)
	} else if rating != 0 {
		w.property(name, strconv.AppendInt(nil, int64(rating), 10))
	}
}

// ggfEnds are the letters for why a game ended before its last move.
var ggfEnds = []struct{ letter, termination string }{{"r", "resignation"}, {"t", "time forfeit"}, {"l", "abandoned"}}

// result writes Black's discs minus White's: from the record, in GGF or in WTHOR, else from the final
// position. If the score is unknown, the winner is written as the tag Result of other formats.
func (w *ggfWriter) result() {
	score, known := w.game.Tag("Score")
	if !known {
		score, known = w.score()
	}
	if !known {
		if w.game.Result != games.Undecided {
			w.property("Result", []byte(results[w.game.Result]))
		}
		w.property("Termination", w.game.Termination)
		return
	}
	w.dst = append(w.dst, "RE["...)
	w.value(score)
	if w.game.Termination != nil {
		end := w.game.Termination
		for _, e := range ggfEnds {
			if string(end) == e.termination {
				end = []byte(e.letter)
			}
		}
		w.dst = append(w.dst, ':')
		w.value(end)
	}
	w.dst = append(w.dst, ']')
}

// score returns the score of a game whose record has none in GGF's form.
func (w *ggfWriter) score() (text []byte, known bool) {
	score := w.game.Score
	if discs, ok := w.game.Tag("BlackDiscs"); ok {
		n, err := strconv.ParseUint(string(discs), 10, 7)
		if err != nil {
			return nil, false
		}
		score = 100 * (2*int32(n) - 64)
	} else if !w.game.Scored {
		return nil, false
	}
	winner := games.Drawn
	switch {
	case score > 0:
		winner, text = games.FirstWins, []byte{'+'}
	case score < 0:
		winner = games.SecondWins
	}
	return appendFraction(text, 10*int64(score), 3), winner == w.game.Result
}

// other writes a tag that no property before has taken.
func (w *ggfWriter) other(t Tag) {
	switch string(t.Name) {
	case "Date", "Time", "RB", "RW", "BlackElo", "WhiteElo", "TY", "Score", "B", "W":
		return
	}
	for _, c := range t.Name {
		if c |= 0x20; c < 'a' || c > 'z' {
			return
		}
	}
	w.property(string(t.Name), t.Value)
}

// board writes the position that the game starts from, row by row.
func (w *ggfWriter) board() {
	text := w.game.Start
	if text == nil {
		text = []byte("---------------------------OX------XO--------------------------- X")
	}
	w.dst = append(w.dst, "BO[8"...)
	n := 0
	for _, c := range text {
		switch {
		case c == ' ':
			continue
		case n%8 == 0:
			w.dst = append(w.dst, ' ')
		}
		if c == 'X' {
			c = '*'
		}
		w.dst = append(w.dst, c)
		n++
	}
	w.dst = append(w.dst, ']')
}

// moves writes the moves with the mover's evaluation in discs and the seconds used.
func (w *ggfWriter) moves() {
	clocks, timed := newGGFClocks(w.game)
	side := w.game.Begins()
	for i := range w.game.Moves {
		m := &w.game.Moves[i]
		w.dst = append(w.dst, "BW"[side], '[')
		w.dst = append(w.dst, m.Text...)
		var used int64
		if timed {
			used, _ = clocks.Used(side, m)
		}
		if m.HasValue || used != 0 {
			w.dst = append(w.dst, '/')
		}
		if m.HasValue {
			w.dst = appendFraction(w.dst, int64(m.Value*side.Sign()), 2)
		}
		switch {
		case used == 0:
		case used%10 == 0:
			w.dst = appendFraction(append(w.dst, '/'), used/10, 2)
		default:
			w.dst = appendFraction(append(w.dst, '/'), used, 3)
		}
		w.dst = append(w.dst, ']')
		side = side.Other()
	}
}

// appendFraction appends v/10^places.
func appendFraction(dst []byte, v int64, places int) []byte {
	unit := int64(1)
	for range places {
		unit *= 10
	}
	if v < 0 {
		dst, v = append(dst, '-'), -v
	}
	dst = append(strconv.AppendInt(dst, v/unit, 10), '.')
	for unit /= 10; unit > 0; unit /= 10 {
		dst = append(dst, '0'+byte(v/unit%10))
	}
	return dst
}

// OBF writes positions of Othello as the board files (.obf) of Othello programs begin: 64 squares and
// the side to move. After a semicolon follow, as in EPD, c0 with the move that was played and c1 with
// the result.
type OBF struct{}

// Name returns "obf".
func (OBF) Name() string { return "obf" }

// Append appends a line.
func (OBF) Append(dst []byte, p *Position) []byte {
	dst = append(append(dst, p.Text...), ';')
	return append(appendOpcodes(dst, p), '\n')
}
