// Package rows makes a row of a game: the columns of schemas.Games, of the tags, comments and annotations of its record and of what the
// rules made of the moves.
//
// In: a record.Game, a Row. Out: values appended to a batch of columns. It does not read files, and plays no moves.
package rows

import (
	"bytes"
	"cmp"
	"slices"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/ingest/record"
)

// Row has the values that the rules add to a game's tags.
type Row struct {
	Variant    string
	Start      []byte // null when empty
	Moves      []byte // packed
	Opening    string // from the moves, where the record names none
	Final      games.Outcome
	Repetition games.Outcome // what the first repetition that ends a game decides
	GoesOn     bool          // moves follow it
	Score      int32         // at the end: the first player's points minus the second's, hundredths
	Scored     bool          // there is such a score
	Other      bool          // the start comes from games.OtherStart
	Dialect    string        // of the piece letters, empty for the usual one
	Cut        string        // the reason why the moves end early, empty when they do not
	Fault      string        // that reason, and where
}

// Table appends games to a batch. Each method for a family of columns marks the tags whose
// whole content its columns have; the others go into the column tags.
type Table struct {
	*columns.Batch
	cleaner
	taken []int // tags of the game that columns have in whole
	other []int // tags that no column has taken

	ID, offset, Plies                                *columns.Vec
	Game, file, first, second, firstElo, secondElo   *columns.Vec
	event, site, round, date, timeControl, opening   *columns.Vec
	baseMS, incrementMS                              *columns.Vec
	Variant, Start, Result, termination, Moves, tags *columns.Vec
	evals, clocks, cut, annotations                  *columns.Vec
}

// NewTable returns the table of a batch of games.
func NewTable(b *columns.Batch) *Table {
	return &Table{Batch: b, taken: make([]int, 0, columnTags),
		ID: b.Col("game_id"), offset: b.Col("source_offset"), Plies: b.Col("ply_count"),
		Game: b.Col("game"), file: b.Col("source_file"),
		first: b.Col("first_player"), second: b.Col("second_player"),
		firstElo: b.Col("first_elo"), secondElo: b.Col("second_elo"),
		event: b.Col("event"), site: b.Col("site"), round: b.Col("round"), date: b.Col("date"),
		timeControl: b.Col("time_control"), baseMS: b.Col("base_ms"), incrementMS: b.Col("increment_ms"), opening: b.Col("opening"),
		Variant: b.Col("variant"), Start: b.Col("start_position"),
		Result: b.Col("result"), termination: b.Col("termination"), Moves: b.Col("moves"), tags: b.Col("tags"),
		evals: b.Col("evals"), clocks: b.Col("clocks_ms"), cut: b.Col("cut"), annotations: b.Col("annotations"),
	}
}

// Append adds one game from file, but for the name of its game. Its id is its number in the
// batch, from 0. note is called with what was odd.
func (t *Table) Append(file string, g *record.Game, h Header, r *Row, note func(string)) {
	t.Begin(g)
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

// mark marks the tag at i, if there is one.
func (t *Table) mark(i int) {
	if i >= 0 {
		t.taken = append(t.taken, i)
	}
}

// appendPlace appends where the game was found, and its length.
func (t *Table) appendPlace(file string, g *record.Game) {
	t.ID.AppendInt64(int64(t.Rows))
	t.file.AppendString(file)
	t.offset.AppendInt64(g.Offset)
	t.Plies.AppendInt32(int32(len(g.Moves)))
}

// appendPlay appends what the rules made of the game: its variant, start and moves. It is
// cut because of the move that comes next, or of one that was left out when this record
// was written (TagCut).
func (t *Table) appendPlay(g *record.Game, h Header, r *Row, note func(string)) {
	t.Variant.AppendString(r.Variant)
	t.Start.AppendText(r.Start)
	t.Moves.AppendBytes(r.Moves)
	switch why := cmp.Or(r.Cut, g.Cut); {
	case why != "":
		note("cut: " + why)
		t.cut.AppendString(why)
	default:
		t.cut.AppendText(t.Text(TagValue(g, h.cut)))
	}
	if r.Other {
		note("handicap stones as Fox sets them")
	}
	if r.Dialect != "" {
		note("foreign piece letters: " + r.Dialect)
	}
	t.mark(h.Variant)
	t.mark(h.FEN)
	t.mark(h.setUp)
	t.mark(h.cut)
}

// appendTexts appends the players and the columns that are as the tags have them.
func (t *Table) appendTexts(g *record.Game, h Header) {
	for _, c := range [...]struct {
		v *columns.Vec
		i int
	}{{t.first, h.First}, {t.second, h.Second}, {t.event, h.event}, {t.site, h.site}, {t.round, h.round},
		{t.timeControl, h.timeControl}, {t.termination, h.termination}} {
		c.v.AppendText(t.Text(TagValue(g, c.i)))
		t.mark(c.i)
	}
}

func (t *Table) appendRatings(g *record.Game, h Header) {
	for _, c := range [...]struct {
		v *columns.Vec
		i int
	}{{t.firstElo, h.firstElo}, {t.secondElo, h.secondElo}} {
		rating, ok := elo(TagValue(g, c.i))
		c.v.AppendInt32If(rating, rating > 0)
		if ok {
			t.mark(c.i)
		}
	}
}

// appendTimeControl appends the numbers of the time control.
func (t *Table) appendTimeControl(g *record.Game, h Header) {
	base, increment, ok := timeControl(TagValue(g, h.timeControl))
	t.baseMS.AppendInt32If(base, ok)
	t.incrementMS.AppendInt32If(increment, ok)
}

// appendDate appends the first of Date and UTCDate that names a year.
func (t *Table) appendDate(g *record.Game, h Header) {
	date, ok := t.cleaner.date(TagValue(g, h.date))
	if ok {
		t.mark(h.date)
	}
	if date == nil {
		if date, ok = t.cleaner.date(TagValue(g, h.utcDate)); ok {
			t.mark(h.utcDate)
		}
	}
	t.date.AppendText(date)
}

// appendOpening appends the code of the opening or, without one, its name; if the record has neither, the
// opening of its moves.
func (t *Table) appendOpening(g *record.Game, h Header, r *Row) {
	opening := t.Text(TagValue(g, h.ECO))
	t.mark(h.ECO)
	if opening == nil && h.Opening >= 0 {
		opening = t.Text(TagValue(g, h.Opening))
		t.mark(h.Opening)
	}
	if opening == nil && r.Opening != "" {
		opening = []byte(r.Opening)
	}
	t.opening.AppendText(opening)
}

// appendResult appends who won. The last position decides nothing when moves are missing.
func (t *Table) appendResult(g *record.Game, h Header, r *Row, note func(string)) {
	if h.cut >= 0 || g.Cut != "" {
		r.Final = games.Undecided
	}
	outcome, whole := decide(g, h, r.Final, note)
	switch {
	case r.GoesOn:
		note("play goes on after a repetition that ends the game")
	case r.Repetition != games.Undecided && outcome != games.Undecided && r.Repetition != outcome:
		note("result contradicts a repetition that ends the game")
	}
	t.Result.AppendText([]byte(outcome.String()))
	if whole {
		t.mark(h.result)
	}
}

// decide settles the result. If the tag and the terminator after the moves agree, or only one of them is
// known, that is the result. If they contradict each other, a decided final position settles it; otherwise
// the result is unknown. The final position also decides when both are missing. whole reports that the tag
// holds nothing else.
func decide(g *record.Game, h Header, final games.Outcome, note func(string)) (o games.Outcome, whole bool) {
	tag, ok := Result(TagValue(g, h.result), h.blackFirst)
	end, _ := Result(g.Result, h.blackFirst)
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
func (t *Table) appendComments(g *record.Game) {
	appendItems(t.evals, g.Moves, func(m *record.Move) (int32, bool) { return m.Value, m.HasValue })
	appendItems(t.clocks, g.Moves, func(m *record.Move) (int32, bool) { return m.Clock, m.HasClock })
}

func appendItems(v *columns.Vec, moves []record.Move, of func(*record.Move) (item int32, ok bool)) {
	some := false
	for i := 0; i < len(moves) && !some; i++ {
		_, some = of(&moves[i])
	}
	if !some {
		v.AppendNull()
		return
	}
	for i := range moves {
		v.AppendItem(of(&moves[i]))
	}
	v.EndList()
}

// appendOther puts the tags that are not taken into the map, each name once.
func (t *Table) appendOther(g *record.Game) {
	t.other = t.other[:0]
	for i := range g.Tags {
		again := func(k int) bool { return bytes.Equal(g.Tags[i].Name, g.Tags[k].Name) }
		if slices.Contains(t.taken, i) || slices.ContainsFunc(t.other, again) {
			continue
		}
		t.other = append(t.other, i)
		t.tags.AppendPair(g.Tags[i].Name, t.Repair(g.Tags[i].Value))
	}
	t.tags.EndMap()
}
