package ingest

import (
	"bytes"
	"cmp"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/ingest/record"
)

// row has the values that the rules add to a game's tags.
type row struct {
	variant    string
	start      []byte // null when empty
	moves      []byte // packed
	opening    string // from the moves, where the record names none
	final      games.Outcome
	repetition games.Outcome // what the first repetition that ends a game decides
	goesOn     bool          // moves follow it
	score      int32         // at the end: the first player's points minus the second's, hundredths
	scored     bool          // there is such a score
	other      bool          // the start comes from games.OtherStart
	dialect    string        // of the piece letters, empty for the usual one
	cut        reject        // why the moves end early; no reason when they do not
}

// table appends games to a batch. Each method for a family of columns marks the tags whose
// whole content its columns have; the others go into the column tags.
type table struct {
	*columns.Batch
	cleaner
	taken []int // tags of the game that columns have in whole
	other []int // tags that no column has taken

	id, offset, plies                                *columns.Vec
	game, file, first, second, firstElo, secondElo   *columns.Vec
	event, site, round, date, timeControl, opening   *columns.Vec
	baseMS, incrementMS                              *columns.Vec
	variant, start, result, termination, moves, tags *columns.Vec
	evals, clocks, cut, annotations                  *columns.Vec
}

func newTable(b *columns.Batch) *table {
	return &table{Batch: b, taken: make([]int, 0, columnTags),
		id: b.Col("game_id"), offset: b.Col("source_offset"), plies: b.Col("ply_count"),
		game: b.Col("game"), file: b.Col("source_file"),
		first: b.Col("first_player"), second: b.Col("second_player"),
		firstElo: b.Col("first_elo"), secondElo: b.Col("second_elo"),
		event: b.Col("event"), site: b.Col("site"), round: b.Col("round"), date: b.Col("date"),
		timeControl: b.Col("time_control"), baseMS: b.Col("base_ms"), incrementMS: b.Col("increment_ms"), opening: b.Col("opening"),
		variant: b.Col("variant"), start: b.Col("start_position"),
		result: b.Col("result"), termination: b.Col("termination"), moves: b.Col("moves"), tags: b.Col("tags"),
		evals: b.Col("evals"), clocks: b.Col("clocks_ms"), cut: b.Col("cut"), annotations: b.Col("annotations"),
	}
}

// append adds one game from file, but for the name of its game. Its id is its number in the
// batch, from 0. note is called with what was odd.
func (t *table) append(file string, g *record.Game, h header, r *row, note func(string)) {
	t.begin(g)
	t.taken = t.taken[:0]
	t.appendPlace(file, g)
	t.appendPlay(g, h, r, note)
	t.appendTexts(g, h)
	t.appendRatings(g, h)
	t.appendTimeControl(g, h)
	t.appendDate(g, h)
	t.appendOpening(g, h, r)
	t.appendResult(g, h, r, note)
	t.appendComments(g)
	t.appendOther(g)
	t.appendAnnotations(g)
	if guess := t.guess(); guess != "" {
		note(guess)
	}
	t.Rows++
}

// take marks the tag at i, if there is one.
func (t *table) take(i int) {
	if i >= 0 {
		t.taken = append(t.taken, i)
	}
}

// appendPlace appends where the game was found, and its length.
func (t *table) appendPlace(file string, g *record.Game) {
	t.id.AppendInt64(int64(t.Rows))
	t.file.AppendString(file)
	t.offset.AppendInt64(g.Offset)
	t.plies.AppendInt32(int32(len(g.Moves)))
}

// appendPlay appends what the rules made of the game: its variant, start and moves. It is
// cut because of the move that comes next, or of one that was left out when this record
// was written (TagCut).
func (t *table) appendPlay(g *record.Game, h header, r *row, note func(string)) {
	t.variant.AppendString(r.variant)
	appendText(t.start, r.start)
	t.moves.AppendBytes(r.moves)
	switch why := cmp.Or(r.cut.reason, g.Cut); {
	case why != "":
		note("cut: " + why)
		t.cut.AppendString(why)
	default:
		appendText(t.cut, t.text(tagValue(g, h.cut)))
	}
	if r.other {
		note("handicap stones as Fox sets them")
	}
	if r.dialect != "" {
		note("foreign piece letters: " + r.dialect)
	}
	t.take(h.variant)
	t.take(h.fen)
	t.take(h.setUp)
	t.take(h.cut)
}

// appendTexts appends the players and the columns that are as the tags have them.
func (t *table) appendTexts(g *record.Game, h header) {
	for _, c := range [...]struct {
		v *columns.Vec
		i int
	}{{t.first, h.first}, {t.second, h.second}, {t.event, h.event}, {t.site, h.site}, {t.round, h.round},
		{t.timeControl, h.timeControl}, {t.termination, h.termination}} {
		appendText(c.v, t.text(tagValue(g, c.i)))
		t.take(c.i)
	}
}

func (t *table) appendRatings(g *record.Game, h header) {
	for _, c := range [...]struct {
		v *columns.Vec
		i int
	}{{t.firstElo, h.firstElo}, {t.secondElo, h.secondElo}} {
		rating, ok := elo(tagValue(g, c.i))
		if rating > 0 {
			c.v.AppendInt32(rating)
		} else {
			c.v.AppendNull()
		}
		if ok {
			t.take(c.i)
		}
	}
}

// appendTimeControl appends the numbers of the time control.
func (t *table) appendTimeControl(g *record.Game, h header) {
	if base, increment, ok := timeControl(tagValue(g, h.timeControl)); ok {
		t.baseMS.AppendInt32(base)
		t.incrementMS.AppendInt32(increment)
	} else {
		t.baseMS.AppendNull()
		t.incrementMS.AppendNull()
	}
}

// appendDate appends the first of Date and UTCDate that names a year.
func (t *table) appendDate(g *record.Game, h header) {
	date, ok := t.cleaner.date(tagValue(g, h.date))
	if ok {
		t.take(h.date)
	}
	if date == nil {
		if date, ok = t.cleaner.date(tagValue(g, h.utcDate)); ok {
			t.take(h.utcDate)
		}
	}
	appendText(t.date, date)
}

// appendOpening appends the code of the opening or, without one, its name; if the record has neither, the
// opening of its moves.
func (t *table) appendOpening(g *record.Game, h header, r *row) {
	opening := t.text(tagValue(g, h.eco))
	t.take(h.eco)
	if opening == nil && h.opening >= 0 {
		opening = t.text(tagValue(g, h.opening))
		t.take(h.opening)
	}
	if opening == nil && r.opening != "" {
		opening = []byte(r.opening)
	}
	appendText(t.opening, opening)
}

// appendResult appends who won. The last position decides nothing when moves are missing.
func (t *table) appendResult(g *record.Game, h header, r *row, note func(string)) {
	if h.cut >= 0 || g.Cut != "" {
		r.final = games.Undecided
	}
	outcome, whole := decide(g, h, r.final, note)
	switch {
	case r.goesOn:
		note("play goes on after a repetition that ends the game")
	case r.repetition != games.Undecided && outcome != games.Undecided && r.repetition != outcome:
		note("result contradicts a repetition that ends the game")
	}
	if outcome == games.Undecided {
		t.result.AppendNull()
	} else {
		t.result.AppendString(outcome.String())
	}
	if whole {
		t.take(h.result)
	}
}

// decide settles the result. If the tag and the terminator after the moves agree, or only one of them is
// known, that is the result. If they contradict each other, a decided final position settles it; otherwise
// the result is unknown. The final position also decides when both are missing. whole reports that the tag
// holds nothing else.
func decide(g *record.Game, h header, final games.Outcome, note func(string)) (o games.Outcome, whole bool) {
	tag, ok := result(tagValue(g, h.result), h.blackFirst)
	end, _ := result(g.Result, h.blackFirst)
	switch {
	case tag == end || end == games.Undecided:
		o = tag
	case tag == games.Undecided:
		o = end
	default:
		note("result tag contradicts the result after the moves")
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

// appendComments appends the values and clocks of the comments; null when there are none.
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

// appendOther puts the tags that are not taken into the map, each name once.
func (t *table) appendOther(g *record.Game) {
	t.other = t.other[:0]
next:
	for i := range g.Tags {
		for _, k := range t.taken {
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

func appendText(v *columns.Vec, text []byte) {
	if len(text) == 0 {
		v.AppendNull()
	} else {
		v.AppendBytes(text)
	}
}
