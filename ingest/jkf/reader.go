// Package jkf reads games of Shogi in JKF, the JSON Kifu Format of programs for the web, into
// record.Games. A stream holds one object a game, one after the other. It knows syntax only:
// start positions are handed out as SFEN, moves in USI, as CSA has them, or in Japanese where
// a move names no square that it comes from.
//
// Of the moves the main line is read, and forks are counted. Times become clocks where the header has 持ち時間.
package jkf

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"kifu/ingest/record"
	"kifu/ingest/record/comments"
	shogi "kifu/ingest/record/japanese"
	"kifu/internal/hcp"
)

// game is the object of a game.
type game struct {
	Header  map[string]string `json:"header"`
	Initial *initial          `json:"initial"`
	Moves   []move            `json:"moves"`
	clocks  shogi.Clocks
}

type initial struct {
	Preset string `json:"preset"`
	Data   *board `json:"data"`
}

type board struct {
	Color int              `json:"color"`
	Board [][]piece        `json:"board"` // by file, then rank
	Hands []map[string]int `json:"hands"`
}

type piece struct {
	Color *int   `json:"color"`
	Kind  string `json:"kind"`
}

type square struct{ X, Y int }

// move is an entry of the moves: a move, a comment, an ending. The first has no move.
type move struct {
	Comments []string          `json:"comments"`
	Move     *played           `json:"move"`
	Special  string            `json:"special"`
	Time     json.RawMessage   `json:"time"`
	Forks    []json.RawMessage `json:"forks"`
}

type played struct {
	From     *square `json:"from"`
	To       *square `json:"to"`
	Piece    string  `json:"piece"`
	Promote  *bool   `json:"promote"`
	Relative string  `json:"relative"`
}

// reader reads the games of objects.
type reader struct {
	keep  func(*record.Game) bool
	game  game   // its moves are reused
	texts []byte // of the moves
}

// newBlockReader returns a BlockReader; Reset gives it a block.
func newBlockReader(o record.Options) *record.ObjectReader {
	return record.NewObjectReader((&reader{keep: o.Keep}).read)
}

func (r *reader) read(g *record.Game, object []byte) (reason, detail string) {
	clear(r.game.Moves[:cap(r.game.Moves)]) // encoding/json keeps what an element had where the new one is silent
	r.game = game{Moves: r.game.Moves[:0]}
	if err := json.Unmarshal(object, &r.game); err != nil {
		return "not an object of JKF", err.Error()
	}
	return r.fill(g, &r.game), ""
}

// fill makes g of read, or returns the reason why it cannot.
func (r *reader) fill(g *record.Game, read *game) (reason string) {
	white, reason := read.start(g)
	if reason != "" {
		return reason
	}
	read.tags(g)
	ending := slices.IndexFunc(read.Moves, func(m move) bool { return m.Special != "" })
	known := ending >= 0 && read.end(g, ending, white)
	if r.keep != nil && !r.keep(g) {
		g.Skipped = true
		return ""
	}
	to := square{}
	r.texts = r.texts[:0]
	for i := range read.Moves {
		m := &read.Moves[i]
		g.Variations += len(m.Forks)
		switch {
		case i == ending && !known: // an unknown ending is a move that cannot be read
			g.AddMove([]byte(m.Special))
		case m.Move != nil && (ending < 0 || i < ending):
			from := len(r.texts)
			if r.texts = m.text(r.texts, &to); len(r.texts) == from {
				return "not a move"
			}
			g.AddMove(r.texts[from:])
			if read.clocks.Running {
				side := len(g.Moves) - 1
				if white {
					side++
				}
				last := &g.Moves[len(g.Moves)-1]
				last.Clock, last.HasClock = read.spend(side&1, m.Time)
			}
		}
		for _, c := range m.Comments {
			for line := range strings.SplitSeq(c, "\n") {
				comments.Line(g, []byte(strings.TrimSuffix(line, "\r")), value)
			}
		}
	}
	return ""
}

// spend takes the time of a move off a side's clock; if it cannot be read, no clock is known any more.
func (read *game) spend(side int, text json.RawMessage) (left int32, ok bool) {
	var time struct {
		Now *struct{ H, M, S float64 } `json:"now"`
	}
	if len(text) == 0 {
		return 0, false
	}
	seconds := math.NaN()
	if json.Unmarshal(text, &time) == nil && time.Now != nil {
		seconds = 3600*time.Now.H + 60*time.Now.M + time.Now.S
	}
	if read.clocks.Running = seconds >= 0 && seconds < 1e6; !read.clocks.Running {
		return 0, false
	}
	return read.clocks.Spend(side, int64(math.Round(1000*seconds)))
}

// text appends a move, nothing if it is none; to is where the one before went, and this one goes.
// A move with a source and without a word on promotion is written as CSA has it: the piece may be
// the one after the move.
func (m *move) text(dst []byte, to *square) []byte {
	if m.Move.To != nil {
		*to = *m.Move.To
	}
	kind := strings.Index(pieces, m.Move.Piece)
	if !on(*to) || len(m.Move.Piece) != 2 || kind < 0 || kind%2 != 0 {
		return dst
	}
	from := m.Move.From
	switch promote := m.Move.Promote; {
	case from == nil:
		dst = append(dst, "１２３４５６７８９"[3*to.X-3:][:3]...)
		dst = append(dst, "一二三四五六七八九"[3*to.Y-3:][:3]...)
		dst = append(dst, japanese[kind/2]...)
		for _, ch := range m.Move.Relative {
			dst = append(dst, relative[ch]...)
		}
		if promote != nil && *promote {
			dst = append(dst, "成"...)
		}
		return dst
	case !on(*from):
		return dst
	case promote != nil && *promote:
		return append(dst, byte('0'+from.X), byte('`'+from.Y), byte('0'+to.X), byte('`'+to.Y), '+')
	}
	dst = append(dst, byte('0'+from.X), byte('0'+from.Y), byte('0'+to.X), byte('0'+to.Y))
	return append(dst, m.Move.Piece...)
}

func on(s square) bool { return s.X >= 1 && s.X <= 9 && s.Y >= 1 && s.Y <= 9 }

// pieces are the names of the kinds in CSA, and japanese their names in records.
const pieces = "FUKYKEGIKIKAHIOUTONYNKNGUMRY"

var japanese = [14]string{"歩", "香", "桂", "銀", "金", "角", "飛", "玉", "と", "成香", "成桂", "成銀", "馬", "龍"}

var relative = map[rune]string{'L': "左", 'C': "直", 'R': "右", 'U': "上", 'M': "寄", 'D': "引", 'H': "打"}

// value reads a program's value in a comment, in CSA's form: ** 130 …; it reports whether more text
// follows.
func value(c []byte, to *record.Move) (more bool) {
	text, found := bytes.CutPrefix(bytes.TrimPrefix(c, []byte("'")), []byte("** "))
	v, n, negative := comments.Integer(text, 0)
	if !found || n == 0 || to.HasValue {
		return true
	}
	if negative && v > 0 {
		v = -v
	}
	const mate = 30000
	to.Value, to.HasValue = v, true
	if v >= mate || v <= -mate {
		to.Value = comments.Mate(999, v < 0)
	}
	return n < len(text)
}

// letters of SFEN by kind in pieces.
const letters = "PLNSGBRKPLNSBR"

// start notes how the game begins, and reports whether White moves first.
func (read *game) start(g *record.Game) (white bool, reason string) {
	in := read.Initial
	if in == nil || in.Preset == "HIRATE" {
		return false, ""
	}
	if in.Data == nil {
		name, known := presets[in.Preset]
		if !known {
			return false, "no such preset"
		}
		g.Tags = append(g.Tags, record.Tag{Name: []byte(record.TagVariant), Value: []byte(name)})
		return true, ""
	}
	p := hcp.Position{White: in.Data.Color == 1}
	if len(in.Data.Board) != 9 || len(in.Data.Hands) != 2 {
		return false, "not a board"
	}
	for x, file := range in.Data.Board {
		if len(file) != 9 {
			return false, "not a board"
		}
		for y, at := range file {
			if at.Kind == "" {
				continue
			}
			k := strings.Index(pieces, at.Kind)
			if len(at.Kind) != 2 || k < 0 || k%2 != 0 || at.Color == nil || *at.Color < 0 || *at.Color > 1 {
				return false, "not a piece of the board"
			}
			letter := letters[k/2] | byte(*at.Color)<<5
			if k/2 > 7 {
				letter |= hcp.Promoted
			}
			p.Squares[9*x+y] = letter
		}
	}
	for side, hand := range in.Data.Hands {
		for name, n := range hand {
			k := strings.Index(pieces, name)
			if len(name) != 2 || k < 0 || k%2 != 0 || k/2 > 6 || n < 0 || n > 18 {
				return false, "not a hand"
			}
			p.Hands[side][strings.IndexByte(hcp.Kinds, letters[k/2])] = uint8(n)
		}
	}
	g.Tags = append(g.Tags, record.Tag{Name: []byte(record.TagFEN), Value: p.AppendSFEN(nil)})
	return p.White, ""
}

// Format returns the description of JKF.
func Format() *record.Format {
	return &record.Format{
		Name: "JKF", Extensions: []string{".jkf"},
		Recognize:   recognize,
		NewSplitter: record.ObjectCuts(8<<20, "longer than 8 MiB").Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return newBlockReader(o) },
		VariantTag:  record.TagVariant,
	}
}

var mark = []byte("\uFEFF")

// recognize reports whether head begins with an object that has a header or a start, and
// moves.
func recognize(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, mark), " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"moves"`)) &&
		(bytes.Contains(head, []byte(`"header"`)) || bytes.Contains(head, []byte(`"initial"`)))
}
