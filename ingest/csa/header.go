package csa

import (
	"bytes"

	"kifu/ingest/record"
	"kifu/ingest/record/japanese"
)

// header holds the statements of a game before its moves. A game that begins with neither version
// nor player inherits it. The tags:
//
//	N+, N-            Black, White
//	$EVENT, $SITE     Event, Site
//	$START_TIME       Date and, when there is more, Time
//	$TIME_LIMIT       TimeControl, in seconds; a byoyomi becomes the tag Byoyomi
//	$TIME             the same in V3.0; with an increment 600+10
//	$OPENING          Opening
//	'black_rate:…     BlackElo, whole, and the tag BlackRate as written; so for White
//	'Increment:…      the increment of TimeControl
//	'summary:…        Summary
//	PI, P1 …, P+, +   FEN, unless they are the usual start
//	%TORYO …          Termination
//
// Others keep their names without the $. Where floodgate gives no time, it is taken from the event's name
// (floodgate-300-10F).
type header struct {
	tags   []record.Tag
	board  japanese.Board
	placed bool // board was set by a record
	limit  limit
}

func (h *header) reset() {
	h.tags, h.placed, h.limit = h.tags[:0], false, limit{}
	h.board.SetUp()
}

// add appends a tag that is not empty; a later one of a name replaces the earlier one.
func (h *header) add(name, value []byte) {
	if len(value) == 0 {
		return
	}
	for i := range h.tags {
		if bytes.Equal(h.tags[i].Name, name) {
			h.tags[i].Value = value
			return
		}
	}
	h.tags = append(h.tags, record.Tag{Name: name, Value: value})
}

// toMove takes the statement of who begins.
func (h *header) toMove(white bool) {
	if h.board.White != white {
		h.board.White, h.placed = white, true
	}
}

// head reads a line that begins with N, $, P or V.
func (r *BlockReader) head(at int, line []byte) error {
	switch {
	case line[0] == 'V':
	case player(line):
		if line[1] == '+' {
			r.add(tagBlack, line[2:])
		} else {
			r.add(tagWhite, line[2:])
		}
	case line[0] == '$':
		name, value, found := bytes.Cut(line[1:], colon)
		if !found {
			return r.places.Fault(at, "not a statement of CSA", line)
		}
		r.information(name, value)
	case line[0] == 'P' && len(line) > 1:
		return r.position(at, line)
	default:
		return r.places.Fault(at, "not a statement of CSA", line)
	}
	return nil
}

var colon = []byte(":")

func (r *BlockReader) information(name, value []byte) {
	switch string(name) {
	case "EVENT":
		r.add(tagEvent, value)
	case "SITE":
		r.add(tagSite, value)
	case "OPENING":
		r.add(tagOpening, value)
	case "START_TIME":
		date, time, _ := bytes.Cut(value, []byte(" "))
		r.add(tagDate, date)
		if time = bytes.TrimSpace(time); len(time) > 0 {
			r.add(tagTime, time)
		}
	case "TIME_LIMIT":
		if !r.limit.old(value) {
			r.add(name, value)
		}
	case "TIME":
		if !r.limit.new(value) {
			r.add(name, value)
		}
	default:
		r.add(name, value)
	}
}

// finish closes the header: its tags become g's, in UTF-8.
func (r *BlockReader) finish(g *record.Game) {
	if !r.limit.known {
		for i := range r.tags {
			if bytes.Equal(r.tags[i].Name, tagEvent) {
				r.limit.floodgate(r.tags[i].Value)
			}
		}
	}
	if r.limit.known && r.increment > 0 {
		r.limit.increment, r.limit.byoyomi = r.increment, 0
	}
	g.Tags = append(g.Tags, r.tags...)
	r.recode(g.Tags)
	if r.limit.known {
		from := len(r.buf)
		r.buf = r.limit.appendControl(r.buf)
		g.Tags = append(g.Tags, record.Tag{Name: tagTimeControl, Value: r.buf[from:]})
		if r.limit.byoyomi > 0 {
			from := len(r.buf)
			r.buf = appendSeconds(r.buf, r.limit.byoyomi)
			g.Tags = append(g.Tags, record.Tag{Name: tagByoyomi, Value: r.buf[from:]})
		}
		r.clocks = clocks{running: true, left: [2]int64{r.limit.base, r.limit.base}, limit: r.limit}
	}
	if r.placed && !r.board.Usual() {
		from := len(r.buf)
		r.buf = r.board.AppendSFEN(r.buf)
		g.Tags = append(g.Tags, record.Tag{Name: tagFEN, Value: r.buf[from:]})
	}
	r.black = !r.board.White
}

// recode turns the values that are not UTF-8 into it; their encoding is detected from all of them.
func (r *BlockReader) recode(tags []record.Tag) {
	e := japanese.UTF8
	for i := range tags {
		if found := japanese.Detect(tags[i].Value); e == japanese.UTF8 || found == japanese.ShiftJIS {
			e = found
		}
	}
	if e == japanese.UTF8 {
		return
	}
	for i := range tags {
		if japanese.Detect(tags[i].Value) != japanese.UTF8 {
			from := len(r.buf)
			r.buf = japanese.Append(r.buf, e, tags[i].Value)
			tags[i].Value = r.buf[from:]
		}
	}
}

var (
	tagBlack       = []byte(record.TagBlack)
	tagWhite       = []byte(record.TagWhite)
	tagBlackElo    = []byte(record.TagBlackElo)
	tagWhiteElo    = []byte(record.TagWhiteElo)
	tagEvent       = []byte(record.TagEvent)
	tagSite        = []byte(record.TagSite)
	tagDate        = []byte(record.TagDate)
	tagTime        = []byte(record.TagTime)
	tagTimeControl = []byte(record.TagTimeControl)
	tagOpening     = []byte(record.TagOpening)
	tagFEN         = []byte(record.TagFEN)
	tagTermination = []byte(record.TagTermination)
	tagByoyomi     = []byte("Byoyomi")
	tagBlackRate   = []byte("BlackRate")
	tagWhiteRate   = []byte("WhiteRate")
	tagMaxMoves    = []byte("MaxMoves")
	tagEndTime     = []byte("END_TIME")
	tagSummary     = []byte("Summary")

	firstWins  = []byte(record.FirstWins)
	secondWins = []byte(record.SecondWins)
	drawn      = []byte(record.Drawn)
	unfinished = []byte("*")
)
