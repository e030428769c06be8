package kif

import (
	"bytes"

	"kifu/ingest/record"
	"kifu/ingest/record/comments"
)

// values are the values of a game in its comments. Some programs write them from the first player's side,
// others from the mover's, by an option that the record does not name. From one side, successive values are
// close to each other; from the movers', to each other's opposites.
type values struct {
	change int64 // sum of the differences of successive values,
	sum    int64 // and of their sums, both without sign
	pairs  int
	last   int32
	at     int // of which move last is, from 1; 0 for none
}

// mate is the least value that means a mate.
const mate = 30000

var wordValue = []byte("評価値")

// value reads the text after ** : 対局 … 評価値 74 読み筋 …, 評価値=-120, 評価値 +詰 5. The first of several values of a
// move counts. It reports whether more text follows.
func (r *BlockReader) value(g *record.Game, text []byte) (more bool) {
	if g.Moves[len(g.Moves)-1].HasValue {
		return true
	}
	before, text, found := bytes.Cut(text, wordValue)
	if !found {
		return true
	}
	text = bytes.TrimLeft(text, " =:")
	v, ok := readValue(text)
	if !ok {
		return true
	}
	m := &g.Moves[len(g.Moves)-1]
	m.Value, m.HasValue = v, true
	r.values.note(v, len(g.Moves))
	return len(before) > 0 || len(bytes.TrimLeft(text, "+-詰 0123456789")) > 0
}

// wordMate follows the sign of a mate, whose moves may follow.
var wordMate = []byte("詰")

func readValue(text []byte) (v int32, ok bool) {
	if len(text) > 1 && (text[0] == '+' || text[0] == '-') && bytes.HasPrefix(text[1:], wordMate) {
		moves, end, _ := comments.Integer(bytes.TrimLeft(text[1+len(wordMate):], " "), 0)
		if end == 0 {
			moves = 999
		}
		return comments.Mate(max(moves, -moves), text[0] == '-'), true
	}
	if digits(bytes.TrimLeft(text, "+-")) == 0 {
		return 0, false
	}
	n, _, neg := comments.Integer(text, 0)
	switch n = max(n, -n); {
	case n >= mate:
		return comments.Mate(999, neg), true
	case neg:
		return -n, true
	}
	return n, true
}

// note takes the value of a move into the sums. Mates do not count: they are far from
// all else.
func (s *values) note(v int32, ply int) {
	if s.at > 0 && s.at == ply-1 && max(v, -v) < mate && max(s.last, -s.last) < mate {
		s.change += int64(max(v-s.last, s.last-v))
		s.sum += int64(max(v+s.last, -v-s.last))
		s.pairs++
	}
	s.last, s.at = v, ply
}

// leastPairs is how many successive values are needed to decide that they are the movers'.
const leastPairs = 4

// settle turns values that are the movers' into the first player's.
func (s *values) settle(g *record.Game, white bool) {
	if s.pairs < leastPairs || 2*s.sum >= s.change {
		return
	}
	for i := range g.Moves {
		if (i%2 == 1) != white {
			g.Moves[i].Value = -g.Moves[i].Value
		}
	}
	add(g, tagValuesOf, []byte("mover"))
}
