package tree

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
)

// group is a group of games by what Params.By names: the fields that it does not name are 0.
type group struct {
	rating int16 // least of its band, and 1 more, so that 0 is none
	speed  uint8
	month  uint32 // a date without day
}

// bandOf is the width of a band of ratings.
const bandOf = 200

// row sums up the games of a move in a position.
type row struct {
	move  uint32
	next  int32 // row of the same position; -1: none
	group group

	games, firstWins, draws, secondWins int32
	elos                                [2]int64
	rated                               [2]int32
	from, to                            uint32 // dates; 0: none
	latest, best                        int64  // games; best is -1 where none has both ratings
	bestElo                             int32
}

// position is an entry of the table of positions.
type position struct {
	hash  uint64
	games int32
	rows  int32 // the first one; -1: the entry is empty
}

// summer sums up the entries of a bucket. It must not be shared by goroutines.
type summer struct {
	params               Params
	rating, speed, month bool
	names                []string
	out                  *output

	slots     []int32 // of positions by their hash; 0: none, else its index and 1
	positions []position
	rows      []row
}

func newSummer(p Params, names []string, out *columns.Batch) *summer {
	return &summer{params: p, names: names, out: newOutput(out), slots: make([]int32, 1<<12),
		rating: slices.Contains(p.By, "rating"), speed: slices.Contains(p.By, "speed"), month: slices.Contains(p.By, "month")}
}

// add takes entries.
func (s *summer) add(data []byte) {
	var e entry
	for ; len(data) > 0; data = data[entryBytes:] {
		e.read(data)
		s.rowOf(&e).add(&e)
	}
}

// groupOf returns the group of a game.
func (s *summer) groupOf(f facts) (g group) {
	if a, b := f.elo(0), f.elo(1); s.rating && a > 0 && b > 0 {
		g.rating = int16((a+b)/2/bandOf*bandOf + 1)
	}
	if s.speed {
		g.speed = uint8(f.speed())
	}
	if s.month {
		g.month = f.date() &^ 31
	}
	return g
}

// rowOf returns the row of an entry, and counts it for its position.
func (s *summer) rowOf(e *entry) *row {
	p := s.positionOf(e.hash)
	p.games++
	g := s.groupOf(e.facts)
	for i := p.rows; i >= 0; i = s.rows[i].next {
		if r := &s.rows[i]; r.move == e.move && r.group == g {
			return r
		}
	}
	s.rows = append(s.rows, row{move: e.move, group: g, next: p.rows, latest: -1, best: -1})
	p.rows = int32(len(s.rows) - 1)
	return &s.rows[p.rows]
}

// positionOf finds or adds a position. Hashes of a bucket differ in their lower bits.
func (s *summer) positionOf(hash uint64) *position {
	if 2*len(s.positions) >= len(s.slots) {
		s.grow()
	}
	mask := uint64(len(s.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		at := s.slots[i]
		if at == 0 {
			s.positions = append(s.positions, position{hash: hash, rows: -1})
			s.slots[i] = int32(len(s.positions))
			return &s.positions[len(s.positions)-1]
		}
		if p := &s.positions[at-1]; p.hash == hash {
			return p
		}
	}
}

// grow doubles the slots.
func (s *summer) grow() {
	s.slots = make([]int32, 2*len(s.slots))
	mask := uint64(len(s.slots) - 1)
	for k := range s.positions {
		i := s.positions[k].hash & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = int32(k + 1)
	}
}

func (r *row) add(e *entry) {
	r.games++
	switch e.result() {
	case games.FirstWins:
		r.firstWins++
	case games.Drawn:
		r.draws++
	case games.SecondWins:
		r.secondWins++
	}
	a, b := e.elo(0), e.elo(1)
	for side, elo := range [2]int32{a, b} {
		if elo > 0 {
			r.elos[side] += int64(elo)
			r.rated[side]++
		}
	}
	if a > 0 && b > 0 && (r.best < 0 || cmp.Or(cmp.Compare(a+b, r.bestElo), cmp.Compare(r.best, e.game)) > 0) {
		r.best, r.bestElo = e.game, a+b
	}
	date := e.date()
	if r.latest < 0 || cmp.Or(cmp.Compare(date, r.to), cmp.Compare(e.game, r.latest)) > 0 {
		r.to, r.latest = date, e.game
	}
	if date != 0 && (r.from == 0 || date < r.from) {
		r.from = date
	}
}

// rowGroupRows is the length of a row group.
const rowGroupRows = 64 << 10

// write appends the rows of the kept positions to the output and forgets what was added. flush empties the
// output when it is a row group.
func (s *summer) write(flush func() error) (c datasets.Counts, err error) {
	all := len(s.positions)
	kept := slices.DeleteFunc(s.positions, func(p position) bool { return p.games >= 0 && int(p.games) < s.params.MinGames })
	c.Note(s.params.cutNote(), int64(all-len(kept)))
	slices.SortFunc(kept, func(a, b position) int { return cmp.Compare(a.hash, b.hash) })
	var of []*row
	for _, p := range kept {
		if p.games < 0 {
			return c, fmt.Errorf("more than %d games have a position", math.MaxInt32)
		}
		of = of[:0]
		for i := p.rows; i >= 0; i = s.rows[i].next {
			of = append(of, &s.rows[i])
		}
		slices.SortFunc(of, s.compare)
		for _, r := range of {
			s.out.append(p.hash, s.names[r.move], r)
		}
		c.Written += int64(len(of))
		if s.out.Rows >= rowGroupRows {
			if err := flush(); err != nil {
				return c, err
			}
		}
	}
	s.positions, s.rows = s.positions[:0], s.rows[:0]
	clear(s.slots)
	return c, nil
}

func (s *summer) compare(a, b *row) int {
	return cmp.Or(cmp.Compare(s.names[a.move], s.names[b.move]), cmp.Compare(a.group.rating, b.group.rating),
		cmp.Compare(a.group.speed, b.group.speed), cmp.Compare(a.group.month, b.group.month))
}
