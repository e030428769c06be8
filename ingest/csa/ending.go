package csa

import (
	"bytes"

	"kifu/ingest/record"
	"kifu/ingest/record/japanese"
)

// ending reads the statement after a percent sign. What is no ending is where a move
// should, and is one that cannot be read.
func (r *BlockReader) ending(g *record.Game, s []byte) {
	if r.ended {
		return
	}
	e, black, known := japanese.EndingOf(s[1:], r.black)
	if !known {
		if !g.Skipped && len(g.Moves) < maxMoves {
			g.AddMove(s)
		}
		return
	}
	r.ended = true
	g.Result = japanese.Result(e.Wins, black)
	g.Tags = append(g.Tags, record.Tag{Name: tagTermination, Value: e.Why})
}

// plain reports whether a summary is no more than a reason and a result, as kifu writes them where CSA has no ending.
func plain(summary []byte) bool {
	_, players, named := bytes.Cut(summary, colon)
	switch string(players) {
	case "black win:white lose", "black lose:white win", "black draw:white draw":
		return true
	}
	return !named
}

// settle takes the result from the server's summary, reason:black win:white lose, or a reason alone, where
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
	case len(players) > 0:
		return
	}
	if !r.ended && len(why) > 0 {
		code := bytes.ReplaceAll(bytes.ToUpper(why), []byte(" "), []byte("_")) // toryo, time up
		if e, _, known := japanese.EndingOf(code, r.black); known {
			why = e.Why
		}
		g.Tags = append(g.Tags, record.Tag{Name: tagTermination, Value: why})
	}
}
