package legal

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/internal/lists"
	"kifu/schemas"
)

// positionsTable returns the table of positions read as such: transform's table, with the records' clock
// where the game's texts have one, and with soft the expected results.
func positionsTable[P any](r games.Rules[P], soft, suites bool) schemas.Table {
	columns := lists.Of(r.Columns(), func(c games.Column) schemas.GameColumn { return schemas.GameColumn{Name: c.Name, Doc: c.Doc} })
	t := schemas.Positions(r.BoardSize(), columns, false)
	if _, named := r.(games.OpeningNames[P]); named {
		t.Columns = append(t.Columns, schemas.OpeningName)
	}
	if _, counts := r.(games.Counter[P]); counts {
		t.Columns = append(t.Columns, schemas.HalfmoveClock)
	}
	if suites {
		t.Columns = append(t.Columns, schemas.Suites[:]...)
	}
	if soft {
		t.Columns = append(t.Columns, schemas.ExpectedResult)
	}
	return t
}

// listed appends positions to the batch of a job. Positions that a move joins, of one result,
// have one game_id.
type listed[P games.Position[P]] struct {
	rules   games.Rules[P]
	reader  games.PositionReader[P] // nil if texts of positions are copied first
	counter games.Counter[P]        // nil if texts of positions count nothing
	names   games.OpeningNames[P]   // nil if openings have no names
	lasting bool                    // an opening's name lasts until the next

	batch                                                   *columns.Batch
	gameID, ply, toMove, move, hash, board, result, comment *columns.Vec
	nulls                                                   []*columns.Vec // columns that records do not fill
	columns                                                 []*columns.Vec // of the game
	opening, clock, expected                                *columns.Vec
	suites                                                  [len(schemas.Suites)]*columns.Vec // best and avoided moves, and a name
	joined, moved                                           bool                              // there is a last row, with a move
	next                                                    P                                 // what its move leads to; without a move its own position
	lastPly                                                 int                               // its number and outcome
	outcome                                                 games.Outcome
	moves                                                   []games.Move
	stretches                                               int64 // begun in the batch
	name                                                    string
	text                                                    []byte
	values                                                  []int16 // of columns, row by row, not yet appended
}

func (l *listed[P]) bind(rules games.Rules[P]) {
	l.rules = rules
	l.reader, _ = rules.(games.PositionReader[P])
	l.counter, _ = rules.(games.Counter[P])
	l.names, _ = rules.(games.OpeningNames[P])
	_, l.lasting = rules.(games.ListedOpenings[P])
}

// begin finds the columns of a batch, and begins with its numbers again if it is empty.
func (l *listed[P]) begin(b *columns.Batch) {
	if b.Rows == 0 {
		l.stretches = 0
	}
	if l.batch == b {
		return
	}
	l.batch = b
	l.gameID, l.ply, l.toMove, l.move = b.Col("game_id"), b.Col("ply"), b.Col("first_to_move"), b.Col("move")
	l.hash, l.board, l.result, l.comment = b.Col("hash"), b.Col("board"), b.Col("result"), b.Col("comment_value")
	l.opening, l.clock, l.expected = b.Col("opening_name"), b.Col(schemas.HalfmoveClock.Name), b.Col(schemas.ExpectedResult.Name)
	for i, c := range schemas.Suites {
		l.suites[i] = b.Col(c.Name)
	}
	l.nulls = []*columns.Vec{b.Col("clock_ms"), b.Col("first_elo"), b.Col("second_elo")}
	l.columns = nil
	for _, c := range l.rules.Columns() {
		l.columns = append(l.columns, b.Col(c.Name))
	}
}

// place is a position with what its record has in addition to the board.
type listedAt[P any] struct {
	p          P
	ply, clock int
	move       games.Move
	moves      bool // there is a move
	value      *record.Move
	suite      [len(schemas.Suites)][]byte // as in listed.suites
	soft       bool                        // the result is a number:
	expected   float32                     // in the first player's eyes
}

// append appends a position of a game with that outcome.
func (l *listed[P]) append(at *listedAt[P], outcome games.Outcome) {
	hash := at.p.Hash()
	if !l.follows(at.p, hash, outcome) {
		l.stretches++
		l.name = ""
	} else if !l.moved {
		at.ply = max(at.ply, l.lastPly+1) // a list may number no moves
	}
	l.gameID.AppendInt64(l.stretches - 1)
	l.ply.AppendInt32(int32(at.ply))
	l.toMove.AppendBool(at.p.ToMove() == games.First)
	l.hash.AppendUint64(hash)
	l.board.Bytes = l.rules.AppendBoard(l.board.Bytes, at.p)
	l.board.Ends = append(l.board.Ends, int32(len(l.board.Bytes)))
	if at.moves {
		l.text = l.rules.AppendCoordinates(l.text[:0], at.p, at.move)
		l.move.AppendBytes(l.text)
	} else {
		l.move.AppendNull()
	}
	l.result.AppendText([]byte(outcome.String()))
	l.comment.AppendInt32If(at.value.Value, at.value.HasValue)
	l.values = l.rules.AppendColumns(l.values, at.p)
	l.appendOpening(at.p)
	if l.clock != nil {
		l.clock.AppendInt32(min(int32(at.clock), math.MaxInt16))
	}
	l.appendExpected(at, outcome)
	l.appendSuite(at)
	l.batch.Rows++
	l.joined, l.moved, l.next, l.lastPly, l.outcome = true, at.moves, at.p, at.ply, outcome
	if at.moves {
		l.next = at.p.Play(at.move)
	}
}

// follows reports whether p, in a game of that outcome, comes after the last row: by its move, or by any if it has none.
func (l *listed[P]) follows(p P, hash uint64, outcome games.Outcome) bool {
	switch {
	case !l.joined || l.outcome != outcome:
		return false
	case l.moved:
		return l.next.Hash() == hash
	case l.next.ToMove() == p.ToMove():
		return false
	}
	l.moves = l.next.AppendMoves(l.moves[:0])
	return slices.ContainsFunc(l.moves, func(m games.Move) bool { return l.next.Play(m).Hash() == hash })
}

// appendExpected appends the result as a number, from the record or else from outcome.
func (l *listed[P]) appendExpected(at *listedAt[P], outcome games.Outcome) {
	switch {
	case l.expected == nil:
	case at.soft:
		l.expected.AppendFloat32(at.expected)
	case outcome == games.Undecided:
		l.expected.AppendNull()
	case outcome == games.Drawn:
		l.expected.AppendFloat32(0.5)
	case outcome == games.WinFor(games.First):
		l.expected.AppendFloat32(1)
	default:
		l.expected.AppendFloat32(0)
	}
}

// appendSuite appends the best moves and those to avoid, in coordinates as far as they can be played, and the name.
func (l *listed[P]) appendSuite(at *listedAt[P]) {
	for i, v := range l.suites {
		switch text := at.suite[i]; {
		case v == nil:
		case len(text) == 0:
			v.AppendNull()
		case i == len(l.suites)-1:
			v.AppendBytes(bytes.ToValidUTF8(text, []byte("\uFFFD")))
		default:
			l.text = l.text[:0]
			for _, word := range bytes.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
				if len(l.text) > 0 {
					l.text = append(l.text, ' ')
				}
				if m, err := l.rules.ParseMove(at.p, word); err == nil {
					l.text = l.rules.AppendCoordinates(l.text, at.p, m)
				} else {
					l.text = append(l.text, bytes.ToValidUTF8(word, []byte("\uFFFD"))...)
				}
			}
			v.AppendBytes(l.text)
		}
	}
}

func (l *listed[P]) appendOpening(p P) {
	if l.opening == nil {
		return
	}
	if name := l.names.OpeningName(p); name != "" || !l.lasting {
		l.name = name
	}
	l.opening.AppendText([]byte(l.name))
}

// appendColumns appends the values to columns, some thousand at a time: they stay in the cache.
func (l *listed[P]) appendColumns() {
	width := len(l.columns)
	for block := range slices.Chunk(l.values, max(1, width)*512) {
		for i, v := range l.columns {
			v.Int32 = slices.Grow(v.Int32, len(block)/width)
			for ; i < len(block); i += width {
				v.Int32 = append(v.Int32, int32(block[i]))
			}
		}
	}
	l.values = l.values[:0]
}

// Filled implements Resolver.
func (p *player[P]) Filled(t *rows.Table) {
	p.list.begin(t.Batch)
	p.list.appendColumns()
	for _, v := range p.list.nulls {
		v.AppendNulls(t.Rows - v.Len())
	}
}

// Part implements Resolver.
func (p *player[P]) Part() { p.list.joined = false }

// Positions implements Resolver.
func (p *player[P]) Positions(g *record.Game, t *rows.Table) (stretches int, err error) {
	p.list.begin(t.Batch)
	before := p.list.stretches
	err = p.positionsOf(g)
	return int(p.list.stretches - before), err
}

func (p *player[P]) positionsOf(g *record.Game) (err error) {
	at := &p.at
	if err := p.firstListed(at, g); err != nil {
		return err
	}
	outcome, _ := rows.Result(g.Result, false)
	at.soft, at.expected = g.Soft, g.Expected
	at.suite = [...][]byte{g.Tag(record.TagBestMoves), g.Tag(record.TagAvoid), g.Tag(record.TagID)}
	for i := range g.Moves {
		m := &g.Moves[i]
		at.value, at.moves = m, len(m.Text) > 0
		if at.moves {
			if at.move, err = p.rules.ParseMove(at.p, m.Text); err != nil {
				return &Reject{reasonOf(err, "unreadable move"), fmt.Sprintf("%q in %s", m.Text, p.rules.AppendPosition(nil, at.p))}
			}
		}
		p.list.append(at, outcome)
		at.suite = [len(schemas.Suites)][]byte{}
		if i+1 == len(g.Moves) || !at.moves {
			break
		}
		clock := p.progress(at.p, at.clock)
		at.p, at.clock, at.ply = p.list.next, clock, at.ply+1
	}
	return nil
}

// progress returns the clock after a move.
func (p *player[P]) progress(before P, clock int) int {
	if p.list.counter == nil {
		return 0
	}
	was, _ := p.list.counter.Counters(before)
	if is, _ := p.list.counter.Counters(p.list.next); is <= was {
		return is
	}
	return clock + 1
}

// firstListed makes at the first position of g.
func (p *player[P]) firstListed(at *listedAt[P], g *record.Game) (err error) {
	*at = listedAt[P]{}
	if g.Board != nil {
		if at.p, err = p.rules.UnpackBoard(g.Board); err != nil {
			return &Reject{Reason: reasonOf(err, "unreadable position")}
		}
		at.clock = g.Clock
	} else {
		text := bytes.TrimSpace(g.Tag(record.TagFEN))
		switch {
		case len(text) == 0:
			at.p, _, err = p.rules.Start("", "") // what a record leaves out is the usual start
		case p.list.reader != nil:
			at.p, err = p.list.reader.ReadPosition(text)
		default:
			at.p, err = p.rules.ParsePosition(string(text))
		}
		if err != nil {
			return &Reject{reasonOf(err, "unreadable position"), fmt.Sprintf("%q", text)}
		}
		if p.list.counter != nil {
			at.clock, at.ply = p.list.counter.Counters(at.p)
		}
	}
	if g.HasPly {
		at.ply = g.Ply
	}
	return nil
}
