package export

import (
	"bytes"
	"strconv"
	"strings"

	"kifu/games"
)

// SGF writes games of Go in the Smart Game Format, FF[4]. Values and the reason why moves
// end early are written as V, in points from Black's side, and CUT; clocks as BL and WL.
// Tags that SGF has no property for are left out.
type SGF struct{}

// Name is "sgf".
func (SGF) Name() string { return "sgf" }

// Append appends a game and the end of its line.
func (SGF) Append(dst []byte, g *Game) []byte {
	v := sgfVariantOf(g.Variant)
	w := sgfWriter{dst: append(dst, "(;GM[1]FF[4]CA[UTF-8]SZ["...), game: g}
	w.dst = append(append(w.dst, v.size...), ']')
	w.column("EV", "Event", g.Event)
	w.column("RO", "Round", g.Round)
	w.column("PC", "Site", g.Site)
	w.date()
	w.column("PB", "Black", g.First)
	w.rating("BR", "BlackElo", g.FirstElo)
	w.column("PW", "White", g.Second)
	w.rating("WR", "WhiteElo", g.SecondElo)
	w.said("RU", v.rules)
	w.said("KM", v.komi)
	w.said("HA", v.handicap)
	w.column("TM", "TimeControl", g.TimeControl)
	w.column("AN", "Annotator", nil)
	w.said("ON", g.Opening)
	for _, name := range []string{"GN", "BT", "WT", "OT", "AP", "SO", "US", "CP", "GC"} {
		w.said(name, nil)
	}
	w.result()
	w.property("CUT", g.Cut)
	w.setup()
	w.moves()
	return append(w.dst, ")\n"...)
}

// sgfVariant are the parts of a variant's name, as "19x19 japanese handicap 4 komi 0.5".
type sgfVariant struct{ size, rules, handicap, komi []byte }

func sgfVariantOf(name []byte) (v sgfVariant) {
	fields := bytes.Fields(name)
	if len(fields) == 0 {
		fields = [][]byte{[]byte("19x19")}
	}
	v.size, _, _ = bytes.Cut(fields[0], []byte("x"))
	for fields = fields[1:]; len(fields) > 0; {
		word := string(fields[0])
		if len(fields) == 1 || word != "handicap" && word != "komi" {
			v.rules, fields = fields[0], fields[1:]
			continue
		}
		if word == "komi" {
			v.komi = fields[1]
		} else {
			v.handicap = fields[1]
		}
		fields = fields[2:]
	}
	return v
}

type sgfWriter struct {
	dst  []byte
	game *Game
}

// property writes what is known.
func (w *sgfWriter) property(name string, value []byte) {
	if value == nil {
		return
	}
	w.dst = append(append(w.dst, name...), '[')
	for _, c := range value {
		if c == ']' || c == '\\' {
			w.dst = append(w.dst, '\\')
		}
		w.dst = append(w.dst, c)
	}
	w.dst = append(w.dst, ']')
}

// column writes a column, and behind it the tag of that name: the column has the first of
// two.
func (w *sgfWriter) column(name, tag string, value []byte) {
	w.property(name, value)
	if again, twice := w.game.Tag(tag); twice {
		w.property(name, again)
	}
}

// said writes a property as the record had it, else value.
func (w *sgfWriter) said(name string, value []byte) {
	if text, ok := w.game.Tag(name); ok {
		value = text
	}
	w.property(name, value)
}

// rating writes a rating, which may be a rank ("9d") or some other text.
func (w *sgfWriter) rating(name, tag string, rating int32) {
	if rating != 0 {
		w.property(name, strconv.AppendInt(nil, int64(rating), 10))
	}
	for _, tag := range []string{tag, name} {
		if text, ok := w.game.Tag(tag); ok {
			w.property(name, text)
		}
	}
}

// date writes the list of dates that the record had, or its one date.
func (w *sgfWriter) date() {
	date := w.game.Date
	for _, tag := range []string{"Date", "DT"} {
		if text, ok := w.game.Tag(tag); ok {
			date = text
		}
	}
	w.property("DT", date)
}

// sgfEnds are the words for why a game ended before it was counted.
var sgfEnds = map[string]string{"resignation": "R", "time forfeit": "T", "forfeit": "F", "abandoned": "Offline"}

// result writes who won and by how much or why: what the record said, if it was nothing
// of the kind.
func (w *sgfWriter) result() {
	if text, ok := w.game.Tag("RE"); ok {
		w.property("RE", text)
		return
	}
	text := "B+"
	switch w.game.Result {
	case games.Undecided:
		return
	case games.Drawn:
		w.property("RE", []byte("0"))
		return
	case games.SecondWins:
		text = "W+"
	}
	if score, ok := w.game.Tag("Score"); ok {
		text += strings.TrimLeft(string(score), "+-")
	} else {
		text += sgfEnds[string(w.game.Termination)]
	}
	w.property("RE", []byte(text))
}

// setup writes the stones of the start position, and who begins where the moves do not
// tell.
func (w *sgfWriter) setup() {
	rows, _, _ := bytes.Cut(w.game.Start, []byte(" "))
	for _, c := range []struct {
		name  string
		stone byte
	}{{"AB", 'X'}, {"AW", 'O'}} {
		if bytes.IndexByte(rows, c.stone) >= 0 {
			w.dst = append(w.dst, c.name...)
			w.stones(rows, c.stone)
		}
	}
	if len(w.game.Moves) == 0 || w.game.Start != nil {
		w.property("PL", []byte{w.first()})
	}
}

// stones writes the points with such a stone, in rows that full stops or numbers of empty
// points fill up.
func (w *sgfWriter) stones(rows []byte, stone byte) {
	row, column, number := byte('a'), byte('a'), byte(0)
	for _, c := range rows {
		switch {
		case c >= '0' && c <= '9':
			number = 10*number + c - '0'
			continue
		case c == '/':
			row, column, number = row+1, 'a', 0
			continue
		}
		column, number = column+number, 0
		if c == stone {
			w.dst = append(w.dst, '[', column, row, ']')
		}
		column++
	}
}

// first is the letter of the side that begins.
func (w *sgfWriter) first() byte {
	if w.game.FirstToMove {
		return 'B'
	}
	return 'W'
}

// sgfLine is how many moves stand on a line.
const sgfLine = 10

// moves writes the moves with their values and the seconds that are left.
func (w *sgfWriter) moves() {
	side := w.first()
	for i := range w.game.Moves {
		m := &w.game.Moves[i]
		if i%sgfLine == 0 {
			w.dst = append(w.dst, '\n')
		}
		w.dst = append(w.dst, ';', side)
		w.dst = append(append(append(w.dst, '['), m.Text...), ']')
		if m.HasClock {
			w.dst = append(w.dst, side, 'L', '[')
			w.dst = append(appendSeconds(w.dst, m.Clock), ']')
		}
		if m.HasValue {
			w.dst = append(appendFraction(append(w.dst, "V["...), int64(m.Value), 2), ']')
		}
		side ^= 'B' ^ 'W'
	}
}

// appendSeconds appends ms as seconds, as short as can be.
func appendSeconds(dst []byte, ms int32) []byte {
	return strconv.AppendFloat(dst, float64(max(ms, 0))/1000, 'f', -1, 64)
}
