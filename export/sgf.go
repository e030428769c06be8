package export

import (
	"bytes"
	"strconv"
	"strings"

	"kifu/games"
	"kifu/schemas"
)

// SGF writes games of Go in the Smart Game Format, FF[4]. Values are V, in points from Black's
// side, clocks BL and WL. The reason why moves end early is CUT, a termination that RE does not state END,
// and a ko that may not be retaken at the start KOAT. Tags without a property in SGF are omitted; the
// others keep their order.
type SGF struct{}

// Name returns "sgf".
func (SGF) Name() string { return "sgf" }

// Append appends a game and the end of its line.
func (SGF) Append(dst []byte, g *Game) []byte {
	v := sgfVariantOf(g.Variant)
	w := sgfWriter{dst: append(dst, "(;GM[1]FF[4]CA[UTF-8]SZ["...), game: g}
	w.dst = append(append(w.dst, v.size...), ']')
	w.property("EV", g.Event)
	w.property("RO", g.Round)
	w.property("PC", g.Site)
	w.property("PB", g.First)
	w.rating("BR", g.FirstElo)
	w.property("PW", g.Second)
	w.rating("WR", g.SecondElo)
	w.property("TM", g.TimeControl)
	w.unlessTag("DT", g.Date, "Date", "DT")
	w.unlessTag("RU", v.rules, "RU")
	w.unlessTag("KM", v.komi, "KM")
	w.unlessTag("HA", v.handicap, "HA")
	w.unlessTag("ON", g.Opening, "ON")
	w.unlessTag("RE", w.result(), "RE", "Score")
	for _, t := range g.Tags {
		w.tag(t)
	}
	w.property("CUT", g.Cut)
	w.property("END", w.unstated())
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

// unlessTag writes a property that none of the tags has.
func (w *sgfWriter) unlessTag(name string, value []byte, tags ...string) {
	for _, tag := range tags {
		if _, ok := w.game.Tag(tag); ok {
			return
		}
	}
	w.property(name, value)
}

func (w *sgfWriter) rating(name string, rating int32) {
	if rating != 0 {
		w.property(name, strconv.AppendInt(nil, int64(rating), 10))
	}
}

// tag writes a tag that no column has taken, in its place among them: ratings that are
// ranks, dates that are lists, and the second of two.
func (w *sgfWriter) tag(t Tag) {
	switch name := string(t.Name); name {
	case "HA":
		// Readers set up as many stones as HA says. So it is the variant's number, even if the record had another.
		value := t.Value
		if stones := sgfVariantOf(w.game.Variant).handicap; w.game.Start == nil && stones != nil && !bytes.Equal(bytes.TrimFunc(value, notDigit), stones) {
			value = stones
		}
		w.property(name, value)
	case "RU", "KM", "ON", "GN", "BT", "WT", "OT", "AP", "SO", "US", "CP", "GC", "BR", "WR", "DT", "RE":
		w.property(name, t.Value)
	case "Score":
		w.property("RE", w.result())
	case "Date":
		w.unlessTag("DT", t.Value, "DT")
	default:
		if of := properties[name]; of != "" {
			w.property(of, t.Value)
		}
	}
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

// properties are the names of tags in the format.
var properties = map[string]string{
	"Event": "EV", "Round": "RO", "Site": "PC", "Black": "PB", "White": "PW", "BlackElo": "BR", "WhiteElo": "WR", "TimeControl": "TM", "Annotator": "AN",
}

// result is who won and by how much or why, nil while it is not known.
func (w *sgfWriter) result() []byte {
	text := "B+"
	switch w.game.Result {
	case games.Undecided:
		return nil
	case games.Drawn:
		return []byte("0")
	case games.SecondWins:
		text = "W+"
	}
	if score, ok := w.game.Tag("Score"); ok {
		return append([]byte(text), bytes.TrimLeft(score, "+-")...)
	}
	return append([]byte(text), reasons[string(w.game.Termination)]...)
}

// reasons are the terminations that a result states.
var reasons = map[string]string{"resignation": "R", "time forfeit": "T", "forfeit": "F", "abandoned": "Offline"}

// unstated is the termination that the result does not state.
func (w *sgfWriter) unstated() []byte {
	_, scored := w.game.Tag("Score")
	if won := w.game.Result != games.Undecided && w.game.Result != games.Drawn; won && !scored && reasons[string(w.game.Termination)] != "" {
		return nil
	}
	return w.game.Termination
}

// setup writes the stones of the start position, and who begins where the moves leave it open.
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
	// SGF has no property for the point of a ko at the start.
	if fields := bytes.Fields(w.game.Start); len(fields) > 2 && string(fields[2]) != "-" {
		w.property("KOAT", fields[2])
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

// first returns the letter of the side that begins.
func (w *sgfWriter) first() byte {
	if w.game.FirstToMove {
		return 'B'
	}
	return 'W'
}

// sgfLine is how many moves are on a line.
const sgfLine = 10

// moves writes the moves with their values, the seconds that are left and annotations. A move that
// variations replace begins a branch.
func (w *sgfWriter) moves() {
	side := w.first()
	w.annotations(w.game.After(0))
	var after []byte // the branches after the main line
	for i := range w.game.Moves {
		after = w.branch(i+1, after)
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
		w.annotations(w.game.After(i + 1))
		side ^= 'B' ^ 'W'
	}
	if last := len(w.game.Moves) + 1; len(w.game.After(last)) > 0 {
		after = w.branch(last, after)
		w.dst = append(w.dst, ';') // the main line is a node without a move
	}
	w.dst = append(w.dst, after...)
}

// branch opens a branch for the main line if variations replace move ply, and puts them before after.
func (w *sgfWriter) branch(ply int, after []byte) []byte {
	var text []byte
	for _, a := range w.game.After(ply) {
		if a.Variation != "" {
			text = append(append(append(text, '('), a.Variation...), ')')
		}
	}
	if text == nil {
		return after
	}
	w.dst = append(w.dst, '(')
	return append(append([]byte{')'}, text...), after...)
}

// annotations writes the comment and the marks of a node.
func (w *sgfWriter) annotations(list []schemas.Annotation) {
	var text []string
	for _, a := range list {
		if a.Comment != "" {
			text = append(text, a.Comment)
		}
		w.dst = append(w.dst, a.Marks...)
	}
	if text != nil {
		w.property("C", []byte(strings.Join(text, "\n")))
	}
}

// Annotates implements Annotator.
func (SGF) Annotates(a schemas.Annotation) bool { return a.Glyph == 0 }

// appendSeconds appends ms as seconds, as short as can be.
func appendSeconds(dst []byte, ms int32) []byte {
	return strconv.AppendFloat(dst, float64(max(ms, 0))/1000, 'f', -1, 64)
}
