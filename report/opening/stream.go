package opening

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/games/board"
	"kifu/query"
	"kifu/report/sheet"
	"kifu/schemas"
)

// The rows are read once, in the order of games and plies, and their moves are summed up as
// they come; rows in another order are sorted first. Where the tables become too many,
// the rows are read twice: the first time positions are counted in a fixed number of
// counters, the second time only those are kept that can be frequent enough. Memory grows with
// the moves that are shown, and not with the games. The sums equal opening.sql's.

// stream is the datasets of a tree that is summed up so.
type stream struct {
	*report
	path    string        // of the positions
	from    *datasets.Dir // the positions, in order
	record  *playedGames  // nil: no games are named
	tree    *sharded
	forms   *merged   // nil: mirror images are not one
	keep    *frequent // nil: all positions are kept
	counted bool      // positions were counted first
	texts   texts
	most    int64 // entries of the tables with which all are kept
}

// errFull is returned when the tables of all positions are too many.
var errFull = errors.New("too many positions")

// mostEntries is the number of entries with which all positions are kept, 200 bytes each.
const mostEntries = 1 << 20

// rowAt is a row of the first plies.
type rowAt struct {
	game          int64
	at            spot
	form          uint64
	row           int64
	first, kept   bool
	moved, valued bool
	move, name    uint32
	node          int32 // number in the table of positions
	outcome       schemas.Outcome
	elo           [2]int32
	value         float32
	date          schemas.Date
}

const noElo = math.MinInt32

// rowsRead are the columns of positions that are read, where they are there.
var rowsRead = []string{"game_id", "ply", "hash", "first_to_move", "move", "result", "first_elo", "second_elo"}

func (o *report) newStream(ctx context.Context, db *query.DB, from, games *datasets.Dir) (s *stream, err error) {
	s = &stream{report: o, path: from.Path, from: from, most: mostEntries}
	s.texts.number("") // is noText
	if at := from.Table.Index(o.Column); o.Column != "" && (at < 0 || from.Table.Columns[at].Type != schemas.Float32) {
		return nil, sheet.Errorf("%s has no values %s", from.Path, o.Column)
	}
	if games != nil {
		s.record, err = readGames(ctx, db, games, o.Params)
	}
	return s, err
}

// sort replaces the positions by the first plies in the order of games and plies.
func (s *stream) sort(ctx context.Context, db *query.DB) (err error) {
	columns := append(slices.Clone(rowsRead), s.Column, schemas.OpeningName.Name, "board")
	t, list := s.from.Table, []string{}
	t.Columns = nil
	for _, c := range s.from.Table.Columns {
		if slices.Contains(columns, c.Name) {
			if c.Type == schemas.FixedBytes {
				c.Type = schemas.Bytes // DuckDB has no bytes of a fixed number
			}
			t.Columns, list = append(t.Columns, c), append(list, query.QuoteName(c.Name))
		}
	}
	s.from, err = db.Table(ctx, fmt.Sprintf("SELECT %s FROM %s WHERE ply <= %d ORDER BY game_id, ply", strings.Join(list, ", "), s.q.View, s.Params.Depth), t)
	return err
}

// sum makes the tables of the rows.
func (s *stream) sum(ctx context.Context) (err error) {
	if err = s.fold(ctx); !errors.Is(err, errFull) {
		return err
	}
	s.tree = nil
	keep := newFrequent(s.from.Rows(), s.Params.MinGames)
	if err := s.count(ctx, keep); err != nil {
		return err
	}
	s.keep, s.counted = keep, true
	err = s.fold(ctx)
	s.keep = nil // so that its memory is free for what is shown
	return err
}

// count counts the rows of all positions.
func (s *stream) count(ctx context.Context, keep *frequent) error {
	columns := []string{"game_id", "ply", "hash", "first_elo", "second_elo"}
	return s.read(ctx, columns, visitor{row: func(_ *tables, a *rowAt) { keep.add(spot{a.at.ply, a.form}.mix()) }})
}

// fold sums up the rows of positions that may be frequent.
func (s *stream) fold(ctx context.Context) error {
	t := &sharded{}
	s.tree = t
	columns := slices.Clone(rowsRead)
	if s.Column != "" {
		columns = append(columns, s.Column)
	}
	if s.q.Named {
		columns = append(columns, schemas.OpeningName.Name)
	}
	return s.read(ctx, columns, visitor{s.node, s.edge, func(part *tables) error {
		t.add(part)
		part.reset()
		if s.keep == nil && t.entries.Load() > s.most {
			return errFull
		}
		return nil
	}})
}

// node adds a row.
func (s *stream) node(local *tables, a *rowAt) {
	if a.kept = s.keep == nil || s.keep.has(spot{a.at.ply, a.form}.mix()); !a.kept {
		return
	}
	a.node = local.nodes.number(a.at)
	local.nodes.sums[a.node].add(nodeSum{rows: 1, row: a.row, form: a.form})
	if (s.q.Merged || s.q.Choices != "") && a.moved {
		local.moves.sum(moveKey{a.at, a.move}).rows++
	}
}

// edge adds the move that leads from a to b.
func (s *stream) edge(local *tables, a, b *rowAt) error {
	if !a.kept {
		return nil
	}
	key := moveKey{a.at, a.move}
	local.nodes.sums[a.node].left++
	if s.q.Choices != "" && a.moved {
		local.moves.sum(key).left++
	}
	if !b.kept {
		return nil
	}
	local.edges.sum(edgeKey{key, b.at.hash, b.name, a.first}).add(a.sum(b))
	return nil
}

// halves are the points of the game for who moves, two a win; -1: it has no result.
func (a *rowAt) halves() int64 {
	points, ok := a.outcome.Halves()
	switch {
	case !ok:
		return -1
	case a.first:
		return int64(points)
	}
	return 2 - int64(points)
}

// sum is the contribution of the move from a to b.
func (a *rowAt) sum(b *rowAt) edgeSum {
	t := edgeSum{games: 1, value: b.value, valued: b.valued, parent: a.value, parentValued: a.valued, date: a.date}
	own, other := a.elo[0], a.elo[1]
	if !a.first {
		own, other = other, own
	}
	halves := a.halves()
	switch halves {
	case 2:
		t.wins = 1
	case 1:
		t.draws = 1
	case 0:
		t.losses = 1
	}
	if own != noElo {
		t.own, t.owns = int64(own), 1
	}
	if other != noElo && halves >= 0 {
		t.other, t.rated, t.ratedHalves = int64(other), 1, halves
	}
	if a.date != 0 {
		t.years, t.yeared = a.date.Year(), 1
	}
	return t
}

// reader reads the rows of row groups, one worker's.
type reader struct {
	s      *stream
	batch  *columns.Batch
	forms  map[uint64]uint64 // of hashes
	texts  map[string]uint32
	local  tables
	rowsAt []rowAt
}

// ends are the first and the last row of a row group, and the first and the last of the first plies.
type ends struct {
	game, lastGame int64
	ply, lastPly   int32
	first, last    rowAt
	any            bool // there are such rows, of this group for first, of it or one before for last
}

// mostLocal is the number of entries with which a worker adds its tables to the common ones.
const mostLocal = 1 << 15

// visitor takes rows: by several workers at the same time, each with its tables.
type visitor struct {
	row  func(local *tables, a *rowAt)
	edge func(local *tables, a, b *rowAt) error // a row of a game and the one after the next move; may be nil
	done func(local *tables) error              // when the tables are large, and at the end
}

// read visits the rows of the first plies of the games that are chosen.
func (s *stream) read(ctx context.Context, columns []string, v visitor) error {
	if s.q.Merged {
		columns = append(columns, "board")
	}
	batches := datasets.Batches(s.from.Table, s.Params.Workers, columns...)
	readers := make([]*reader, len(batches))
	for i, b := range batches {
		readers[i] = &reader{s: s, batch: b, forms: map[uint64]uint64{}, texts: map[string]uint32{}}
	}
	var before *ends // of the last row group
	var joins tables
	err := datasets.Each(ctx, s.from, s.Params.Workers, "opening: read", "positions", func(worker int, g datasets.Group, emit func(*ends) error) error {
		r := readers[worker]
		if err := g.Read(r.batch); err != nil || r.batch.Rows == 0 {
			return err
		}
		e, err := r.rows(g.First)
		if err == nil {
			err = r.visit(v)
		}
		if err != nil {
			return err
		}
		if len(r.rowsAt) > 0 {
			e.any, e.first, e.last = true, r.rowsAt[0], r.rowsAt[len(r.rowsAt)-1]
		}
		return emit(e)
	}, func(e *ends) error {
		if before != nil {
			if err := s.follows(before.lastGame, before.lastPly, e.game, e.ply); err != nil {
				return err
			}
			if v.edge != nil && before.any && e.any && before.last.leadsTo(&e.first) {
				before.last.node = joins.nodes.number(before.last.at)
				if err := v.edge(&joins, &before.last, &e.first); err != nil {
					return err
				}
			}
			if !e.any {
				e.any, e.last = before.any, before.last
			}
		}
		before = e
		return nil
	})
	if v.done == nil {
		return err
	}
	for _, r := range readers {
		if err == nil {
			err = v.done(&r.local)
		}
	}
	if err == nil {
		err = v.done(&joins)
	}
	return err
}

// follows returns an error unless a row may come after another one, of games and plies.
func (s *stream) follows(game int64, ply int32, nextGame int64, nextPly int32) error {
	switch {
	case nextGame > game || nextGame == game && nextPly > ply:
		return nil
	case nextGame == game && nextPly == ply:
		return sheet.Errorf("%s: game %d has two positions at ply %d: make the positions again from their games (--force)", s.path, game, ply)
	}
	return bygame.ErrApart
}

// visit calls v with the rows that were taken.
func (r *reader) visit(v visitor) error {
	for i := range r.rowsAt {
		v.row(&r.local, &r.rowsAt[i])
	}
	if v.edge == nil {
		return nil
	}
	for i := 1; i < len(r.rowsAt); i++ {
		if a, b := &r.rowsAt[i-1], &r.rowsAt[i]; a.leadsTo(b) {
			if err := v.edge(&r.local, a, b); err != nil {
				return err
			}
		}
	}
	if r.local.entries() < mostLocal {
		return nil
	}
	return v.done(&r.local)
}

// leadsTo reports whether b is the row after a in a game.
func (a *rowAt) leadsTo(b *rowAt) bool { return a.game == b.game && a.at.ply+1 == b.at.ply }

// rows takes the rows of the batch that are of the first plies and of the games that are chosen.
func (r *reader) rows(first int64) (*ends, error) {
	b, s := r.batch, r.s
	ids, plies := b.Col("game_id").Int64, b.Col("ply").Int32
	n := len(ids) - 1
	e := &ends{game: ids[0], ply: plies[0], lastGame: ids[n], lastPly: plies[n]}
	r.rowsAt = r.rowsAt[:0]
	hashes, elos := b.Col("hash").Uint64, [2]*columns.Vec{b.Col("first_elo"), b.Col("second_elo")}
	for i, id := range ids {
		if i > 0 {
			if err := s.follows(ids[i-1], plies[i-1], id, plies[i]); err != nil {
				return nil, err
			}
		}
		if int(plies[i]) > s.Params.Depth {
			continue
		}
		a := rowAt{game: id, at: spot{int64(plies[i]), hashes[i]}, row: first + int64(i), form: hashes[i]}
		for k, v := range elos {
			a.elo[k] = noElo
			if !v.IsNull(i) {
				a.elo[k] = v.Int32[i]
			}
		}
		if !s.Params.Chosen.rated(a.elo) {
			continue
		}
		if s.record != nil {
			chosen := false
			if a.date, chosen = s.record.date(id); !chosen {
				continue
			}
		}
		if err := r.fill(&a, i); err != nil {
			return nil, err
		}
		r.rowsAt = append(r.rowsAt, a)
	}
	return e, nil
}

// rated reports whether the ratings are within the requested ones.
func (c Chosen) rated(elo [2]int32) bool {
	if c.MinElo <= 0 && c.MaxElo <= 0 {
		return true
	}
	sum := int(elo[0]) + int(elo[1])
	return elo[0] != noElo && elo[1] != noElo && (c.MinElo <= 0 || sum >= 2*c.MinElo) && (c.MaxElo <= 0 || sum <= 2*c.MaxElo)
}

// fill takes the other columns that the batch has of row i.
func (r *reader) fill(a *rowAt, i int) error {
	b, s := r.batch, r.s
	v := b.Col("board")
	if v != nil {
		var err error
		if a.form, err = r.form(a.at.hash, v.Value(i)); err != nil {
			return err
		}
	}
	v = b.Col("first_to_move")
	if v == nil { // only positions are counted
		return nil
	}
	a.first = v.Bool[i]
	if v = b.Col("move"); !v.IsNull(i) && len(v.Value(i)) > 0 {
		a.moved, a.move = true, r.text(v.Value(i))
	}
	a.outcome = schemas.OutcomeOf(b.Col("result").Value(i))
	if v = b.Col(s.Column); v != nil && !v.IsNull(i) {
		a.valued, a.value = true, v.Float32[i]
	}
	if v = b.Col(schemas.OpeningName.Name); v != nil && !v.IsNull(i) {
		a.name = r.text(v.Value(i))
	}
	return nil
}

// text returns the number of a text.
func (r *reader) text(text []byte) uint32 {
	n, ok := r.texts[string(text)]
	if !ok {
		n = r.s.texts.number(string(text))
		r.texts[string(text)] = n
	}
	return n
}

// mostForms is how many forms a worker remembers.
const mostForms = 1 << 16

// form is equal for mirror images and rotations of a board.
func (r *reader) form(hash uint64, packed []byte) (uint64, error) {
	form, ok := r.forms[hash]
	if ok {
		return form, nil
	}
	b, err := r.s.Rules.Unpack(packed)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", r.s.path, err)
	}
	if len(r.forms) >= mostForms {
		clear(r.forms)
	}
	form = board.Canonical(b)
	r.forms[hash] = form
	return form, nil
}
