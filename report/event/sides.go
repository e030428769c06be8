package event

import (
	"math"
	"slices"

	"kifu/datasets/columns"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// moves are the rows of event.sql.
var moves = schemas.Table{Name: "moves", Columns: []schemas.Column{{Name: "game_id", Type: schemas.Int64}, {Name: "sign", Type: schemas.Int16}, {Name: "player", Type: schemas.Int64}, {Name: "event", Type: schemas.Bool},
	{Name: "score", Type: schemas.Float64, Nullable: true}, {Name: "value", Type: schemas.Float64, Nullable: true}, {Name: "loss", Type: schemas.Float64, Nullable: true}, {Name: "clock", Type: schemas.Float64, Nullable: true},
	{Name: "spent", Type: schemas.Float64, Nullable: true}, {Name: "move", Type: schemas.Int32}, {Name: "rating", Type: schemas.Int32, Nullable: true}, {Name: "opponent_rating", Type: schemas.Int32, Nullable: true}}}

// sides gathers the moves of one side of a game after the other, and adds to rows those up to the first event, with what follows.
type sides struct {
	match, by []int // in bands
	next      int
	rows      *rows
	game      int64
	player    int64
	sign      int32
	score     float64
	moves     []move
	sums      [2][]sum // of loss and spent before each move
	labels    []string
}

func newSides(p *Params, to *rows) *sides {
	s := &sides{next: p.Next, rows: to, labels: make([]string, len(p.By))}
	at := func(names []string) (all []int) {
		for _, name := range names {
			all = append(all, slices.Index(Bands(), name))
		}
		return all
	}
	s.match, s.by = at(p.Match), at(p.By)
	to.known = make([]int64, len(s.match))
	return s
}

// read reads rows of event.sql.
func (s *sides) read(b *columns.Batch) {
	game, sign, player := b.Col("game_id").Int64, b.Col("sign").Int32, b.Col("player").Int64
	event, number, score := b.Col("event").Bool, b.Col("move").Int32, b.Col("score")
	value, loss, clock, spent, own, other := b.Col("value"), b.Col("loss"), b.Col("clock"), b.Col("spent"), b.Col("rating"), b.Col("opponent_rating")
	for i := range b.Rows {
		if len(s.moves) == 0 || game[i] != s.game || sign[i] != s.sign {
			s.end()
			s.game, s.sign, s.player, s.score = game[i], sign[i], player[i], score.Number(i)
		}
		rating := own.Number(i)
		s.moves = append(s.moves, move{value: value.Number(i), loss: loss.Number(i), clock: clock.Number(i), spent: spent.Number(i), rating: rating, ahead: rating - other.Number(i), number: float64(number[i]), event: event[i]})
	}
}

// end adds the moves of the side that was read last.
func (s *sides) end() {
	for k := range s.sums {
		s.sums[k] = append(s.sums[k][:0], sum{})
	}
	for i := range s.moves {
		for k, y := range [2]float64{s.moves[i].loss, s.moves[i].spent} {
			next := s.sums[k][i]
			next.add(y)
			s.sums[k] = append(s.sums[k], next)
		}
	}
	for i := range s.moves {
		m := &s.moves[i]
		if cell, known := s.cell(m); known {
			for k, by := range s.by {
				if m.event {
					s.labels[k] = label(by, m)
				}
			}
			s.rows.add(s.game, s.player, cell, m.event, [outcomes]float64{s.score, s.mean(0, i), s.mean(1, i)}, s.labels)
		}
		if m.event {
			break
		}
	}
	s.moves = s.moves[:0]
}

// mean returns the mean of a sum over the moves after move i; NaN for none.
func (s *sides) mean(k, i int) float64 {
	from, to := s.sums[k][i+1], s.sums[k][min(i+1+s.next, len(s.moves))]
	return (to.s - from.s) / (to.n - from.n)
}

// cell returns a number for the bands of a move in which it is compared, unless one of them is not known.
func (s *sides) cell(m *move) (cell int64, known bool) {
	key := uint64(0)
	known = true
	for i, b := range s.match {
		x := bands[b].of(m)
		if math.IsNaN(x) {
			known = false
			continue
		}
		s.rows.known[i]++
		key = splitmix.Mix(key + uint64(int64(x)) + splitmix.Golden)
	}
	return int64(key), known
}

// label returns the name of a move's band.
func label(band int, m *move) string {
	if math.IsNaN(bands[band].of(m)) {
		return "9: unknown"
	}
	return bands[band].label(m)
}
