package csa

import (
	"bytes"

	"kifu/ingest/record"
	"kifu/ingest/record/comments"
)

// comment reads the comments of programs and servers: the value of the last move, the ratings of the
// players, limits, and how the game ended.
func (r *BlockReader) comment(g *record.Game, text []byte) {
	if len(text) > 0 && text[0] == '*' {
		comments.Line(g, text[1:], func(text []byte, m *record.Move) (more bool) {
			return len(text) == 0 || text[0] != '*' || r.ended || value(text[1:], m)
		})
		return
	}
	name, value, found := bytes.Cut(text, colon)
	if !found || r.asked && g.Skipped {
		return
	}
	switch string(name) {
	case "black_rate":
		r.rating(tagBlackElo, tagBlackRate, value)
	case "white_rate":
		r.rating(tagWhiteElo, tagWhiteRate, value)
	case "Increment":
		if ms, ok := seconds(value); ok {
			r.increment = ms
		}
	case "Max_Moves":
		r.tag(g, tagMaxMoves, value)
	case "$END_TIME":
		r.tag(g, tagEndTime, value)
	case "summary":
		if r.summary = value; r.ended || !plain(value) {
			r.tag(g, tagSummary, value)
		}
	}
}

// tag adds a tag to the header, or to g when that is closed.
func (r *BlockReader) tag(g *record.Game, name, value []byte) {
	if r.asked {
		g.Tags = append(g.Tags, record.Tag{Name: name, Value: value})
	} else {
		r.add(name, value)
	}
}

// rating reads name+hash:3526.0.
func (r *BlockReader) rating(elo, full, value []byte) {
	number := value[bytes.LastIndexByte(value, ':')+1:]
	whole, _, _ := bytes.Cut(number, []byte("."))
	r.add(elo, whole)
	r.add(full, number)
}

// mate is the least value that means a mate; its distance is not given.
const mate = 30000

// value reads " 130 +2726FU …", hundredths of a pawn from the first player's side, and reports whether more
// text follows.
func value(text []byte, m *record.Move) (more bool) {
	text = bytes.TrimLeft(text, " ")
	n, end, neg := comments.Integer(text, 0)
	if end == 0 || end < len(text) && text[end] != ' ' {
		return true
	}
	m.HasValue = true
	switch n = max(n, -n); {
	case n >= mate:
		m.Value = comments.Mate(999, neg)
	case neg:
		m.Value = -n
	default:
		m.Value = n
	}
	return len(bytes.TrimLeft(text[end:], " ")) > 0
}
