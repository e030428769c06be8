package match

import (
	"cmp"
	"strconv"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/schemas"
)

// rows holds the games of one part, column by column.
type rows struct {
	*columns.Batch
	game string
	text []byte
}

func newRows(game string, p *Params) *rows {
	return &rows{Batch: columns.NewBatch(p.table()), game: game}
}

// table returns the table of the match's games: with what programs report, if one plays.
func (p *Params) table() schemas.Table {
	programs, times := false, false
	for i := range p.Players {
		programs = programs || p.Players[i].Outside != nil
		times = times || p.Players[i].Control() != ""
	}
	if programs {
		return schemas.Played(times)
	}
	return schemas.Games
}

// append adds a game; columns that a match cannot fill are null.
func (r *rows) append(p *Params, g *record) {
	for i := range r.Cols {
		r.column(&r.Cols[i], p, g)
	}
	r.Rows++
}

func (r *rows) column(v *columns.Vec, p *Params, g *record) {
	switch v.Column.Name {
	case "game_id":
		v.AppendInt64(int64(g.Number))
	case "game":
		v.AppendString(r.game)
	case "source_file":
		v.AppendString("match")
	case "source_offset":
		v.AppendInt64(0)
	case "first_player":
		v.AppendString(p.Players[g.player(games.First)].Text)
	case "second_player":
		v.AppendString(p.Players[g.player(games.Second)].Text)
	case "round":
		r.text = strconv.AppendInt(r.text[:0], int64(g.index/2+1), 10)
		r.text = append(r.text, '.', byte('1'+g.index%2))
		v.AppendBytes(r.text)
	case "opening":
		v.AppendText(g.Opening)
	case "variant":
		v.AppendString(g.Variant)
	case "start_position":
		v.AppendText(g.Start)
	case "result":
		v.AppendText([]byte(g.Outcome.String()))
	case "termination":
		v.AppendString(g.Rule)
	case "ply_count":
		v.AppendInt32(int32(g.Plies))
	case "moves":
		v.AppendBytes(g.Moves)
	case "evals":
		if !g.AnyValue {
			v.AppendNull()
			break
		}
		for i, x := range g.Values {
			v.AppendItem(x, g.Valued[i])
		}
		v.EndList()
	case "event":
		v.AppendText([]byte(p.Names.Event))
	case "site":
		v.AppendText([]byte(p.Names.Site))
	case "date":
		v.AppendText([]byte(p.Names.Date))
	case "time_control", "base_ms", "increment_ms":
		r.control(v, p, g)
	case "clocks_ms":
		appendList(v, g.Left, -1)
	case "times_ms":
		appendList(v, g.Times, -1)
	case "depths":
		appendList(v, g.Depths, 0)
	case "tags":
		r.tags(v, p, g)
	default:
		v.AppendNull()
	}
}

// control appends a column of the time control that both sides have.
func (r *rows) control(v *columns.Vec, p *Params, g *record) {
	own := &p.Players[g.player(games.First)]
	control := own.Control()
	clock := own.Limits().Clock
	switch {
	case control == "" || p.Players[g.player(games.Second)].Control() != control:
		v.AppendNull()
	case v.Column.Name == "time_control":
		v.AppendString(control)
	case own.Limits().Strict: // a time for each move is none for the game
		v.AppendNull()
	case v.Column.Name == "base_ms":
		v.AppendInt32(int32(clock.Base.Milliseconds()))
	default:
		v.AppendInt32(int32(clock.Increment.Milliseconds()))
	}
}

// tags appends what has no column, in the words of records.
func (r *rows) tags(v *columns.Vec, p *Params, g *record) {
	if g.Booked > 0 {
		v.AppendPair([]byte("OpeningPlies"), strconv.AppendInt(r.text[:0], int64(g.Booked), 10))
	}
	first, second := p.Players[g.player(games.First)].Control(), p.Players[g.player(games.Second)].Control()
	if first != second {
		for _, side := range []struct{ name, control string }{{"WhiteTimeControl", first}, {"BlackTimeControl", second}} {
			side.control = cmp.Or(side.control, "-")
			v.AppendPair([]byte(side.name), []byte(side.control))
		}
	}
	switch {
	case g.Rule == illegalMove:
		v.AppendPair([]byte("IllegalMove"), []byte(g.Why))
	case g.Why == "draw":
		v.AppendPair([]byte("Adjudication"), []byte(g.Why))
	}
	v.EndMap()
}

// appendList appends a number a ply; none means no number, and without any the list is
// null.
func appendList(v *columns.Vec, numbers []int32, none int32) {
	some := false
	for _, n := range numbers {
		some = some || n != none
	}
	if !some {
		v.AppendNull()
		return
	}
	for _, n := range numbers {
		v.AppendItem(n, n != none)
	}
	v.EndList()
}

// write makes a row group of the games and empties r.
func (r *rows) write(w *datasets.PartWriter) error {
	g, err := w.Encode(r.Batch)
	if err != nil {
		return err
	}
	r.Reset()
	return w.Append(g)
}
