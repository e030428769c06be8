package export

import (
	"bytes"
	"strconv"

	"kifu/games"
	"kifu/schemas"
)

// PGN writes games in the export style of the PGN standard: the Seven Tag Roster
// first, lines of less than 80 characters, evaluations and clocks as the commands
// [%eval] and [%clk] with which Lichess writes them.
//
// The moves of programs that report a depth have the comments of match managers instead,
// {+0.31/12 0.234s, tl=4.9s}.
//
// After the roster come the tags that kifu has columns for, then all others in the
// order they were read in. A tag that a column and the other tags both have was there
// twice and is written twice: the first counts.
type PGN struct {
	// Game is written as the Variant of games of their game's usual variant; "" for
	// chess, which needs no name.
	Game string
}

// Name returns "pgn".
func (PGN) Name() string { return "pgn" }

// results are the words of PGN.
var results = [...]string{games.Undecided: "*", games.FirstWins: "1-0", games.SecondWins: "0-1", games.Drawn: "1/2-1/2"}

// Append appends a game and the empty line after it.
func (f PGN) Append(dst []byte, g *Game) []byte {
	w := pgnWriter{dst: dst, game: g}
	w.roster("Event", g.Event)
	if again, twice := g.Tag("Event"); twice { // further down it would begin a new game
		w.tagString("Event", string(again))
	}
	w.roster("Site", g.Site)
	w.date()
	w.roster("Round", g.Round)
	w.roster("White", g.First)
	w.roster("Black", g.Second)
	w.tagString("Result", results[g.Result])
	w.elo("WhiteElo", g.FirstElo)
	w.elo("BlackElo", g.SecondElo)
	w.optional("TimeControl", g.TimeControl)
	w.optional("Termination", g.Termination)
	w.opening()
	if variant := g.Variant; variant != nil || f.Game == "" {
		w.optional("Variant", variant)
	} else {
		w.tagString("Variant", f.Game)
	}
	w.optional("FEN", g.Start)
	if g.Start != nil {
		w.tagString("SetUp", "1")
	} else {
		w.optional("SetUp", nil)
	}
	w.optional("Cut", g.Cut)
	if _, told := g.Tag("PlyCount"); g.AllTags && !told {
		w.tagString("PlyCount", strconv.Itoa(len(g.Moves)))
	}
	for _, t := range g.Tags {
		if name := string(t.Name); name != "Event" && name != "Date" {
			w.tag(t.Name, t.Value)
		}
	}
	w.dst = append(w.dst, '\n')
	w.moves()
	w.dst = append(w.dst, '\n', '\n')
	return w.dst
}

type pgnWriter struct {
	dst    []byte
	game   *Game
	column int // characters on the present line
}

// tag writes a tag, with escapes for the two characters that need them.
func (w *pgnWriter) tag(name, value []byte) {
	w.dst = append(append(append(w.dst, '['), name...), ` "`...)
	for _, b := range value {
		if b == '"' || b == '\\' {
			w.dst = append(w.dst, '\\')
		}
		w.dst = append(w.dst, b)
	}
	w.dst = append(w.dst, "\"]\n"...)
}

func (w *pgnWriter) tagString(name, value string) { w.tag([]byte(name), []byte(value)) }

// roster writes a tag that every game has.
func (w *pgnWriter) roster(name string, value []byte) {
	if value == nil {
		value = []byte("?")
	}
	w.tag([]byte(name), value)
}

// optional writes a tag that stays away when nothing is known.
func (w *pgnWriter) optional(name string, value []byte) {
	if value != nil {
		w.tag([]byte(name), value)
	} else if _, twice := w.game.Tag(name); twice { // what the column took of the two was nothing
		w.tagString(name, "?")
	}
}

// elo writes a rating. One that is no number is among the other tags.
func (w *pgnWriter) elo(name string, rating int32) {
	if rating != 0 {
		w.tag([]byte(name), strconv.AppendInt(nil, int64(rating), 10))
	} else if v, twice := w.game.Tag(name); twice && readable(v) {
		w.tagString(name, "0") // it hid the second, which must not come to light
	}
}

// readable reports whether a rating's text would be taken for one, or for none.
func readable(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(bytes.Trim(text, "?")) == 0 || string(text) == "-" || len(text) <= 4 && len(bytes.Trim(text, "0123456789")) == 0
}

// date writes the date, with points and question marks. A Date that is none is among
// the other tags; what the column has then came from UTCDate.
func (w *pgnWriter) date() {
	var buf [10]byte
	date := append(buf[:0], "????.??.??"...)
	for i, b := range w.game.Date {
		if b == '-' {
			b = '.'
		}
		if i < len(date) {
			date[i] = b
		}
	}
	again, twice := w.game.Tag("Date")
	switch _, utc := w.game.Tag("UTCDate"); {
	case !twice:
		w.tag([]byte("Date"), date)
		return
	case w.game.Date == nil || utc:
	case len(w.game.Date) == 4 && bytes.HasPrefix(bytes.TrimSpace(again), w.game.Date):
		// The year is of this Date, whose rest is not a date.
	default:
		w.tag([]byte("UTCDate"), date)
	}
	w.tag([]byte("Date"), again)
}

// opening writes the column as ECO when it looks like a code, or when a name is there
// next to it.
func (w *pgnWriter) opening() {
	o := w.game.Opening
	if w.game.Code != "" {
		w.tagString("ECO", w.game.Code)
		w.tagString("Opening", w.game.Name)
		return
	}
	_, named := w.game.Tag("Opening")
	if o == nil || named || len(o) >= 3 && o[0] >= 'A' && o[0] <= 'E' && o[1]-'0' <= 9 && o[2]-'0' <= 9 {
		w.optional("ECO", o)
		return
	}
	w.tag([]byte("Opening"), o)
}

// moves writes the moves with their comments and the result.
func (w *pgnWriter) moves() {
	var buf [64]byte
	number := startNumber(w.game.Start)
	first, bare := w.game.FirstToMove, true // bare: the move needs its number
	w.annotations(w.game.After(0), nil, first)
	for i := range w.game.Moves {
		m := &w.game.Moves[i]
		if first || bare {
			token := strconv.AppendInt(buf[:0], number, 10)
			token = append(token, '.')
			if !first {
				token = append(token, '.', '.')
			}
			w.token(token)
		}
		w.token(m.Text)
		bare = w.annotations(w.game.After(i+1), m, first)
		if !first {
			number++
		}
		first = !first
	}
	w.token([]byte(results[w.game.Result]))
}

// lineWidth is how long a line may be, as the standard has it.
const lineWidth = 79

// token writes what must not be broken, on a new line if the present one is full.
func (w *pgnWriter) token(t []byte) {
	switch {
	case w.column == 0:
	case w.column+1+len(t) > lineWidth:
		w.dst = append(w.dst, '\n')
		w.column = 0
	default:
		w.dst = append(w.dst, ' ')
		w.column++
	}
	w.dst = append(w.dst, t...)
	w.column += len(t)
}

// startNumber returns the number of the first move: the sixth field of a FEN, else 1.
func startNumber(fen []byte) int64 {
	if fields := bytes.Fields(fen); len(fields) == 6 {
		if n, err := strconv.ParseInt(string(fields[5]), 10, 64); err == nil && n > 0 {
			return n
		}
	}
	return 1
}

const (
	mate    = schemas.Win
	maxEval = schemas.Decided
)

// appendComment appends { [%eval 0.21] [%clk 0:05:00] }. It is one token: a line must
// not begin with a bracket, which some readers take for a tag.
func appendComment(dst []byte, m *Move) []byte {
	dst = append(dst, '{')
	if m.HasValue {
		dst = appendEval(append(dst, " [%eval "...), m.Value)
		dst = append(dst, ']')
	}
	if m.HasClock {
		dst = appendClock(append(dst, " [%clk "...), m.Clock)
		dst = append(dst, ']')
	}
	return append(dst, ' ', '}')
}

// appendReport appends {+0.31/12 0.234s, tl=4.9s}: value from the mover's side, depth, time and
// time left, as the managers of matches between programs write them, and as tools that count
// their games read them. A mate is +M5, in plies.
func appendReport(dst []byte, m *Move, first bool) []byte {
	v := m.Value
	if !first {
		v = -v
	}
	dst = append(dst, '{', '+')
	if v < 0 {
		dst[len(dst)-1], v = '-', -v
	}
	if v > maxEval {
		dst = strconv.AppendInt(append(dst, 'M'), int64(max(mate-v, 0)), 10)
	} else {
		dst = strconv.AppendInt(dst, int64(v/100), 10)
		dst = append(dst, '.', '0'+byte(v/10%10), '0'+byte(v%10))
	}
	dst = strconv.AppendInt(append(dst, '/'), int64(m.Depth), 10)
	if m.HasTime {
		dst = append(appendSeconds(append(dst, ' '), m.Time), 's')
	}
	if m.HasClock {
		dst = append(appendSeconds(append(dst, ", tl="...), m.Clock), 's')
	}
	return append(dst, '}')
}

// appendEval appends 0.21 or, for a mate in three against White, #-3.
func appendEval(dst []byte, v int32) []byte {
	negative := v < 0
	if negative {
		v = -v
	}
	if v > maxEval {
		dst = append(dst, '#')
	}
	if negative {
		dst = append(dst, '-')
	}
	if v > maxEval {
		return strconv.AppendInt(dst, int64(max(mate-v, 0)), 10)
	}
	dst = strconv.AppendInt(dst, int64(v/100), 10)
	return append(dst, '.', '0'+byte(v/10%10), '0'+byte(v%10))
}

// appendClock appends h:mm:ss, with what the milliseconds need after a point.
func appendClock(dst []byte, ms int32) []byte {
	ms = max(ms, 0)
	s := ms / 1000
	dst = strconv.AppendInt(dst, int64(s/3600), 10)
	dst = append(dst, ':', '0'+byte(s/600%6), '0'+byte(s/60%10), ':', '0'+byte(s/10%6), '0'+byte(s%10))
	if ms %= 1000; ms != 0 {
		dst = append(dst, '.', '0'+byte(ms/100))
		if ms %= 100; ms != 0 {
			dst = append(dst, '0'+byte(ms/10))
			if ms%10 != 0 {
				dst = append(dst, '0'+byte(ms%10))
			}
		}
	}
	return dst
}
