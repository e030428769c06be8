package ggf

import (
	"bytes"

	"kifu/ingest/record"
)

// tag appends a property of the game under the name that other formats have for it:
//
//	PB, PW   Black, White
//	RB, RW   BlackElo, WhiteElo: the whole part; RB and RW too when there is another
//	PC       Site
//	DT       Date and, when there is more, Time
//	TI       TimeControl
//	TY       Variant: "8", "s8r18"; and TY, unless it is the usual "8"
//	BO       FEN: the size of the board, its rows, the side to move
//	RE       the game's result, Score (Black's discs minus White's) and, when there is
//	         more, Termination
//
// All others keep their names.
func (r *BlockReader) tag(g *record.Game, name, value []byte) {
	value = bytes.TrimSpace(value)
	add := func(name, value []byte) { g.Tags = append(g.Tags, record.Tag{Name: name, Value: value}) }
	switch string(name) {
	case "PB":
		add(tagBlack, value)
	case "PW":
		add(tagWhite, value)
	case "RB", "RW":
		whole, _, fraction := bytes.Cut(value, []byte("."))
		if name[1] == 'B' {
			add(tagBlackElo, whole)
		} else {
			add(tagWhiteElo, whole)
		}
		if fraction {
			add(name, value)
		}
	case "PC":
		add(tagSite, value)
	case "DT":
		date, time := cutDate(value)
		add(tagDate, date)
		if len(time) > 0 {
			add(tagTime, time)
		}
	case "TI":
		add(tagTimeControl, value)
		r.clocks.control(value)
	case "TY":
		add(tagVariant, value)
		if string(value) != "8" {
			add(name, value)
		}
	case "BO":
		add(tagPosition, value)
	case "RE":
		score, end, ended := bytes.Cut(value, []byte(":"))
		if bytes.IndexByte(score, '.') >= 0 { // -6.000 is -6, as other formats write it
			score = bytes.TrimRight(bytes.TrimRight(score, "0"), ".")
		}
		add(tagScore, score)
		g.Result = result(score)
		if ended {
			add(tagTermination, termination(end))
		}
	default:
		add(name, value)
	}
}

// cutDate cuts a date and what follows it apart: 2003.12.15_12:33:18.MST, 2000-4-16 11:13
// EST.
func cutDate(value []byte) (date, time []byte) {
	n := 0
	for n < len(value) && (value[n] >= '0' && value[n] <= '9' || value[n] == '.' || value[n] == '-' || value[n] == '/') {
		n++
	}
	if n == 0 {
		return value, nil
	}
	return value[:n], bytes.TrimLeft(value[n:], "_ ")
}

// Score is Black's discs minus White's, as the tag Score has it, in hundredths.
func Score(g *record.Game) (score int32, ok bool) {
	v, ok := hundredths(g.Tag(record.TagScore))
	return int32(v), ok
}

// result is the terminator for a difference of discs; empty when it is not a number.
func result(score []byte) []byte {
	v, ok := hundredths(score)
	switch {
	case !ok:
		return nil
	case v > 0:
		return firstWins
	case v < 0:
		return secondWins
	}
	return drawn
}

// termination spells out why a game ended before its last move.
func termination(end []byte) []byte {
	switch string(end) {
	case "r":
		return resignation
	case "t":
		return timeForfeit
	case "l":
		return abandoned
	}
	return end
}

var (
	tagBlack       = []byte(record.TagBlack)
	tagWhite       = []byte(record.TagWhite)
	tagBlackElo    = []byte(record.TagBlackElo)
	tagWhiteElo    = []byte(record.TagWhiteElo)
	tagSite        = []byte(record.TagSite)
	tagDate        = []byte(record.TagDate)
	tagTime        = []byte(record.TagTime)
	tagTimeControl = []byte(record.TagTimeControl)
	tagVariant     = []byte(record.TagVariant)
	tagPosition    = []byte(record.TagFEN)
	tagScore       = []byte(record.TagScore)
	tagTermination = []byte(record.TagTermination)

	firstWins  = []byte(record.FirstWins)
	secondWins = []byte(record.SecondWins)
	drawn      = []byte(record.Drawn)

	resignation = []byte(record.Resignation)
	timeForfeit = []byte(record.TimeForfeit)
	abandoned   = []byte(record.Abandoned)
)
