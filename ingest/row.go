package ingest

import (
	"bytes"

	"kifu/datasets"
	"kifu/games"
	"kifu/ingest/record"
)

// row is what the rules say about a game, beside its tags.
type row struct {
	variant string
	start   []byte // null when empty
	moves   []byte // packed
	final   games.Outcome
	score   int32  // at the end: the first player's points minus the second's, hundredths
	scored  bool   // there is such a score
	dialect string // of the piece letters, empty for the usual one
	cut     reject // why the moves end early; no reason when they do not
}

// table appends games to a batch.
type table struct {
	*datasets.Batch
	cleaner
	other []int // tags that no column has taken

	id, offset, plies                                *datasets.Vec
	game, file, first, second, firstElo, secondElo   *datasets.Vec
	event, site, round, date, timeControl, opening   *datasets.Vec
	baseMS, incrementMS                              *datasets.Vec
	variant, start, result, termination, moves, tags *datasets.Vec
	evals, clocks, cut                               *datasets.Vec
}

func newTable(b *datasets.Batch) *table {
	return &table{Batch: b,
		id: b.Col("game_id"), offset: b.Col("source_offset"), plies: b.Col("ply_count"),
		game: b.Col("game"), file: b.Col("source_file"),
		first: b.Col("first_player"), second: b.Col("second_player"),
		firstElo: b.Col("first_elo"), secondElo: b.Col("second_elo"),
		event: b.Col("event"), site: b.Col("site"), round: b.Col("round"), date: b.Col("date"),
		timeControl: b.Col("time_control"), baseMS: b.Col("base_ms"), incrementMS: b.Col("increment_ms"), opening: b.Col("opening"),
		variant: b.Col("variant"), start: b.Col("start_position"),
		result: b.Col("result"), termination: b.Col("termination"), moves: b.Col("moves"), tags: b.Col("tags"),
		evals: b.Col("evals"), clocks: b.Col("clocks_ms"), cut: b.Col("cut"),
	}
}

// header are the tags that columns are made of, by their place in the game; -1 when
// absent. Of a repeated tag the first that says something counts.
type header struct {
	first, second, firstElo, secondElo, event, site, round, date, utcDate int
	timeControl, eco, opening, result, termination, variant, fen, setUp   int
	cut                                                                   int
}

func readHeader(g *record.Game, variantTag string, blackFirst bool) header {
	h := header{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}
	for i := range g.Tags {
		var at *int
		switch string(g.Tags[i].Name) {
		case "White":
			at = &h.first
		case "Black":
			at = &h.second
		case "WhiteElo":
			at = &h.firstElo
		case "BlackElo":
			at = &h.secondElo
		case "Event":
			at = &h.event
		case "Site":
			at = &h.site
		case "Round":
			at = &h.round
		case "Date":
			at = &h.date
		case "UTCDate":
			at = &h.utcDate
		case "TimeControl":
			at = &h.timeControl
		case "ECO":
			at = &h.eco
		case "Opening":
			at = &h.opening
		case "Result":
			at = &h.result
		case "Termination":
			at = &h.termination
		case "FEN":
			at = &h.fen
		case "SetUp":
			at = &h.setUp
		case "Cut":
			at = &h.cut
		case variantTag:
			at = &h.variant
		default:
			continue
		}
		if *at < 0 || unknown(bytes.TrimSpace(g.Tags[*at].Value)) {
			*at = i
		}
	}
	if blackFirst {
		h.first, h.second, h.firstElo, h.secondElo = h.second, h.first, h.secondElo, h.firstElo
	}
	return h
}

func tagValue(g *record.Game, i int) []byte {
	if i < 0 {
		return nil
	}
	return g.Tags[i].Value
}

// append adds one game. Its id is counted from 0 in the batch. note is called with
// what was odd.
func (t *table) append(file string, g *record.Game, h header, r *row, note func(string)) {
	t.begin(g)
	t.id.AppendInt64(int64(t.Rows))
	t.file.AppendString(file)
	t.offset.AppendInt64(g.Offset)
	t.plies.AppendInt32(int32(len(g.Moves)))
	t.variant.AppendString(r.variant)
	appendText(t.start, r.start)
	t.moves.AppendBytes(r.moves)
	t.appendCut(g, h, r, note)
	if r.dialect != "" {
		note("foreign piece letters: " + r.dialect)
	}

	// taken holds the tags whose whole content the columns have.
	var taken [18]int
	n := 0
	take := func(i int) {
		if i >= 0 {
			taken[n] = i
			n++
		}
	}
	for _, c := range [...]struct {
		v *datasets.Vec
		i int
	}{{t.first, h.first}, {t.second, h.second}, {t.event, h.event}, {t.site, h.site}, {t.round, h.round},
		{t.timeControl, h.timeControl}, {t.termination, h.termination}} {
		appendText(c.v, t.text(tagValue(g, c.i)))
		take(c.i)
	}
	for _, c := range [...]struct {
		v *datasets.Vec
		i int
	}{{t.firstElo, h.firstElo}, {t.secondElo, h.secondElo}} {
		rating, ok := elo(tagValue(g, c.i))
		if rating > 0 {
			c.v.AppendInt32(rating)
		} else {
			c.v.AppendNull()
		}
		if ok {
			take(c.i)
		}
	}

	if base, increment, ok := timeControl(tagValue(g, h.timeControl)); ok {
		t.baseMS.AppendInt32(base)
		t.incrementMS.AppendInt32(increment)
	} else {
		t.baseMS.AppendNull()
		t.incrementMS.AppendNull()
	}

	date, ok := t.cleaner.date(tagValue(g, h.date))
	if ok {
		take(h.date)
	}
	if date == nil {
		if date, ok = t.cleaner.date(tagValue(g, h.utcDate)); ok {
			take(h.utcDate)
		}
	}
	appendText(t.date, date)

	if opening := t.text(tagValue(g, h.eco)); opening != nil || h.opening < 0 {
		appendText(t.opening, opening)
		take(h.eco)
	} else {
		appendText(t.opening, t.text(tagValue(g, h.opening)))
		take(h.eco)
		take(h.opening)
	}

	if h.cut >= 0 {
		r.final = games.Undecided // as when the moves were cut
	}
	outcome, whole := decide(g, h, r.final, note)
	if outcome == games.Undecided {
		t.result.AppendNull()
	} else {
		t.result.AppendString(outcome.String())
	}
	if whole {
		take(h.result)
	}
	take(h.variant)
	take(h.fen)
	take(h.setUp)
	take(h.cut)
	t.appendOther(g, taken[:n])
	t.appendComments(g)
	t.Rows++
}

// appendCut says why the moves end early: because of the move that comes next, or of
// one that was left out when this record was written (the tag Cut of kifu export).
func (t *table) appendCut(g *record.Game, h header, r *row, note func(string)) {
	if r.cut.reason == "" {
		appendText(t.cut, t.text(tagValue(g, h.cut)))
		return
	}
	note("cut: " + r.cut.reason)
	t.cut.AppendString(r.cut.reason)
}

// decide settles the result. The tag and the terminator behind the moves say the same,
// or one of them nothing; if they contradict each other, a decided final position says
// who is right, and without one the result is unknown. It also stands in for a result
// that nobody has written. whole tells that the tag says nothing beyond what was
// settled.
func decide(g *record.Game, h header, final games.Outcome, note func(string)) (o games.Outcome, whole bool) {
	tag, ok := result(tagValue(g, h.result))
	end, _ := result(g.Result)
	switch {
	case tag == end || end == games.Undecided:
		o = tag
	case tag == games.Undecided:
		o = end
	default:
		note("result tag contradicts the result behind the moves")
		o = final
	}
	switch {
	case final == games.Undecided || final == o:
	case o == games.Undecided:
		o = final
		note("result taken from the final position")
	default:
		note("result contradicts the final position")
	}
	return o, ok && (tag == o || tag == games.Undecided)
}

// appendOther puts the tags that are not taken into the map, each name once.
func (t *table) appendOther(g *record.Game, taken []int) {
	t.other = t.other[:0]
next:
	for i := range g.Tags {
		for _, k := range taken {
			if i == k {
				continue next
			}
		}
		for _, k := range t.other {
			if bytes.Equal(g.Tags[i].Name, g.Tags[k].Name) {
				continue next
			}
		}
		t.other = append(t.other, i)
		t.tags.AppendPair(g.Tags[i].Name, t.repair(g.Tags[i].Value))
	}
	t.tags.EndMap()
}

// appendComments puts down the values and clocks of the comments.
func (t *table) appendComments(g *record.Game) {
	values, clocks := false, false
	for i := range g.Moves {
		values = values || g.Moves[i].HasValue
		clocks = clocks || g.Moves[i].HasClock
	}
	if values {
		for i := range g.Moves {
			t.evals.AppendItem(g.Moves[i].Value, g.Moves[i].HasValue)
		}
		t.evals.EndList()
	} else {
		t.evals.AppendNull()
	}
	if clocks {
		for i := range g.Moves {
			t.clocks.AppendItem(g.Moves[i].Clock, g.Moves[i].HasClock)
		}
		t.clocks.EndList()
	} else {
		t.clocks.AppendNull()
	}
}

func appendText(v *datasets.Vec, text []byte) {
	if len(text) == 0 {
		v.AppendNull()
	} else {
		v.AppendBytes(text)
	}
}
