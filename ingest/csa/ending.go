package csa

import (
	"bytes"

	"kifu/ingest/record"
)

// Endings: who wins, seen by the side to move; and why.
var endings = []struct {
	name string
	wins int // 1 the side to move, -1 the other; 0 a draw, 2 nothing is said
	why  []byte
}{
	{"TORYO", -1, []byte(record.Resignation)},
	{"TIME_UP", -1, []byte(record.TimeForfeit)},
	{"ILLEGAL_MOVE", -1, []byte("illegal move")},
	{"TSUMI", -1, []byte("checkmate")},
	{"KACHI", 1, []byte("declaration")},
	{"SENNICHITE", 0, []byte("repetition")},
	{"JISHOGI", 0, []byte("impasse")},
	{"HIKIWAKE", 0, []byte("draw")},
	{"MAX_MOVES", 0, []byte("length limit")},
	{"CHUDAN", 2, []byte(record.Abandoned)},
	{"FUZUMI", 2, []byte("no mate")},
	{"MATTA", 2, []byte("a move taken back")},
	{"ERROR", 2, []byte("error")},
}

var illegal = []byte("illegal move")

// ending reads the statement after a percent sign. +ILLEGAL_ACTION is a foul of Black,
// whoever is to move.
func (r *BlockReader) ending(g *record.Game, name []byte) {
	if r.ended {
		return
	}
	r.ended = true
	switch string(name) {
	case "+ILLEGAL_ACTION":
		r.end(g, -1, true, illegal)
		return
	case "-ILLEGAL_ACTION":
		r.end(g, -1, false, illegal)
		return
	}
	for _, e := range endings {
		if e.name == string(name) {
			r.end(g, e.wins, r.black, e.why)
			return
		}
	}
	r.end(g, 2, r.black, name)
}

// end notes the result for black or for the other side.
func (r *BlockReader) end(g *record.Game, wins int, black bool, why []byte) {
	switch {
	case wins == 2:
		g.Result = unfinished
	case wins == 0:
		g.Result = drawn
	case wins > 0 == black:
		g.Result = firstWins
	default:
		g.Result = secondWins
	}
	g.Tags = append(g.Tags, record.Tag{Name: tagTermination, Value: why})
}

// settle takes the result from the server's summary, reason:black win:white lose, where
// the game has no ending of its own.
func (r *BlockReader) settle(g *record.Game) {
	if len(r.summary) == 0 || len(g.Result) > 0 && !bytes.Equal(g.Result, unfinished) {
		return
	}
	why, players, _ := bytes.Cut(r.summary, colon)
	black, white, _ := bytes.Cut(players, colon)
	switch {
	case bytes.HasSuffix(black, []byte(" win")) && bytes.HasSuffix(white, []byte(" lose")):
		g.Result = firstWins
	case bytes.HasSuffix(black, []byte(" lose")) && bytes.HasSuffix(white, []byte(" win")):
		g.Result = secondWins
	case bytes.HasSuffix(black, []byte(" draw")) && bytes.HasSuffix(white, []byte(" draw")):
		g.Result = drawn
	default:
		return
	}
	if !r.ended {
		g.Tags = append(g.Tags, record.Tag{Name: tagTermination, Value: why})
	}
}
