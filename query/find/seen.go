package find

import (
	"slices"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/games/board"
)

// seen is the position that conditions are asked about, perhaps with the sides exchanged. What they ask for is
// computed once a position.
type seen[P games.Position[P]] struct {
	of        *seeker[P]
	exchanger games.Exchanger[P]
	motifs    games.Motifs[P]
	boards    board.Game
	shown     board.View
	p         P
	at        int // the ply; -1: none yet
	exchanged bool
	ready     struct{ position, view, columns, motifs bool }
	values    []int16
	found     uint64 // motifs
}

func (v *seen[P]) shows(s *seeker[P], finder games.Motifs[P]) {
	v.of, v.motifs, v.boards, v.at = s, finder, board.Of(s.rules), -1
	v.shown = v.boards.View()
}

// turn turns to the position after so many plies.
func (v *seen[P]) turn(ply int, exchanged bool) {
	if ply == v.at && exchanged == v.exchanged {
		return
	}
	v.at, v.exchanged = ply, exchanged
	v.ready.position, v.ready.view, v.ready.columns, v.ready.motifs = false, false, false, false
}

func (v *seen[P]) position() *P {
	if !v.ready.position {
		v.p = v.of.positions[v.at]
		if v.exchanged {
			v.p = v.exchanger.Exchange(v.p)
		}
		v.ready.position = true
	}
	return &v.p
}

func (v *seen[P]) game() board.Game { return v.boards }

func (v *seen[P]) view() board.View {
	if !v.ready.view {
		board.Show(v.shown, *v.position())
		v.ready.view = true
	}
	return v.shown
}

// moveText returns null after the last move.
func (v *seen[P]) moveText(coordinates bool) value {
	if !v.of.reaches(v.at + 1) {
		return value{}
	}
	p, m := *v.position(), v.of.moves[v.at]
	if v.exchanged {
		m = v.exchanger.ExchangeMove(v.of.positions[v.at], m)
	}
	if coordinates {
		return textOf(string(v.of.rules.AppendCoordinates(nil, p, m)))
	}
	return textOf(string(v.of.rules.AppendMove(nil, p, m)))
}

// column returns a column as positions have it.
func (v *seen[P]) column(name string) (e eval, ok bool) {
	switch name {
	case "game_id":
		return func() value { return numberOf(float64(v.of.batch.Col("game_id").Int64[v.of.row])) }, true
	case "ply":
		return func() value { return numberOf(float64(v.at)) }, true
	case "first_to_move":
		return func() value {
			return truthOf((v.of.positions[v.at].ToMove() == games.First) != v.exchanged)
		}, true
	case "hash":
		return func() value { return value{kind: hash, u: (*v.position()).Hash()} }, true
	case "move":
		return func() value { return v.moveText(true) }, true
	case "result":
		return v.result, true
	case "first_elo", "second_elo":
		return func() value { return v.rating((name == "second_elo") != v.exchanged) }, true
	case "comment_value":
		return func() value {
			value := item(v.of.batch.Col("evals"), v.of.row, v.at-1)
			if v.exchanged {
				value.n = -value.n
			}
			return value
		}, true
	case "clock_ms":
		return func() value { return item(v.of.batch.Col("clocks_ms"), v.of.row, v.at-2) }, true
	case "legal_moves":
		count := games.CountMoves(v.of.rules)
		return func() value { return numberOf(float64(count(*v.position()))) }, true
	}
	is := func(c games.Column) bool { return c.Name == name }
	if i := slices.IndexFunc(v.of.rules.Columns(), is); i >= 0 {
		return func() value { return numberOf(float64(v.column16(i))) }, true
	}
	if v.motifs == nil {
		return nil, false
	}
	if i := slices.IndexFunc(v.motifs.Motifs(), is); i >= 0 {
		return func() value { return truthOf(v.motif()>>i&1 != 0) }, true
	}
	return nil, false
}

func (v *seen[P]) result() value {
	o := v.of.result()
	switch {
	case o == games.Undecided:
		return value{}
	case v.exchanged:
		o = exchanged(o)
	}
	return textOf(o.String())
}

func (v *seen[P]) rating(second bool) value {
	c := v.of.batch.Col("first_elo")
	if second {
		c = v.of.batch.Col("second_elo")
	}
	if c.IsNull(v.of.row) {
		return value{}
	}
	return numberOf(float64(c.Int32[v.of.row]))
}

// column16 returns a condition column of the game.
func (v *seen[P]) column16(i int) int16 {
	if !v.ready.columns {
		v.values, v.ready.columns = v.of.rules.AppendColumns(v.values[:0], *v.position()), true
	}
	return v.values[i]
}

// motif returns the motifs of the move; they are the same with the sides exchanged.
func (v *seen[P]) motif() uint64 {
	if !v.ready.motifs {
		v.found, v.ready.motifs = 0, true
		v.of.reaches(v.at + games.MotifPlies)
		if v.at < len(v.of.moves) {
			v.found = v.motifs.MotifsOf(v.of.positions, v.of.moves, v.at)
		}
	}
	return v.found
}

// item returns element i of a row's list, null without one.
func item(list *columns.Vec, row, i int) value {
	if x, known := list.Item(row, i); known {
		return numberOf(float64(x))
	}
	return value{}
}
