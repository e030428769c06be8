package tree

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
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

// position is an entry of the table of positions. Its first game has a row only when another follows: most positions
// have one game.
type position struct {
	entry
	games int32
	rows  int32 // the first one; -1: none
}

// bin has the entries of some neighbouring hashes of a bucket: few enough for the processor's second cache.
type bin struct {
	waiting   []byte  // entries that are not summed up yet
	slots     []int32 // of positions by their hash; 0: none, else its index and 1
	positions []position
	rows      []row
}

// The number of bins of a bucket, and the bytes that wait in one before they are summed up.
const (
	binBits  = 6
	binBytes = 64 << 10
)

// summer sums up the entries of a bucket. It must not be shared by goroutines.
type summer struct {
	params               Params
	rating, speed, month bool
	names                []string
	out                  *output
	bins                 [1 << binBits]bin
	shift                int // of a hash to its bucket and bin
}

func newSummer(p Params, buckets int, names []string, out *columns.Batch) *summer {
	return &summer{params: p, names: names, out: newOutput(out), shift: 64 - bits.TrailingZeros(uint(buckets)) - binBits,
		rating: slices.Contains(p.By, "rating"), speed: slices.Contains(p.By, "speed"), month: slices.Contains(p.By, "month")}
}

// add takes entries.
func (s *summer) add(data []byte) {
	for ; len(data) > 0; data = data[entryBytes:] {
		b := &s.bins[binary.LittleEndian.Uint64(data)>>s.shift%(1<<binBits)]
		b.waiting = append(b.waiting, data[:entryBytes]...)
		if len(b.waiting) >= binBytes {
			s.sum(b)
		}
	}
}

// sum sums up the entries that wait in a bin.
func (s *summer) sum(b *bin) {
	var e entry
	for data := b.waiting; len(data) > 0; data = data[entryBytes:] {
		e.read(data)
		p := b.positionOf(&e)
		p.games++
		switch p.games {
		case 1:
			continue
		case 2:
			s.rowOf(b, p, &p.entry).add(&p.entry)
		}
		s.rowOf(b, p, &e).add(&e)
	}
	b.waiting = b.waiting[:0]
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

// rowOf returns the row of an entry of a position.
func (s *summer) rowOf(b *bin, p *position, e *entry) *row {
	g := s.groupOf(e.facts)
	for i := p.rows; i >= 0; i = b.rows[i].next {
		if r := &b.rows[i]; r.move == e.move && r.group == g {
			return r
		}
	}
	b.rows = append(b.rows, row{move: e.move, group: g, next: p.rows, latest: -1, best: -1})
	p.rows = int32(len(b.rows) - 1)
	return &b.rows[p.rows]
}

// positionOf finds the position of e, or adds it without games. Hashes of a bin differ in their lower bits.
func (b *bin) positionOf(e *entry) *position {
	if 2*len(b.positions) >= len(b.slots) {
		b.grow()
	}
	mask := uint64(len(b.slots) - 1)
	for i := e.hash & mask; ; i = (i + 1) & mask {
		at := b.slots[i]
		if at == 0 {
			b.positions = append(b.positions, position{entry: *e, rows: -1})
			b.slots[i] = int32(len(b.positions))
			return &b.positions[len(b.positions)-1]
		}
		if p := &b.positions[at-1]; p.hash == e.hash {
			return p
		}
	}
}

// grow doubles the slots.
func (b *bin) grow() {
	b.slots = make([]int32, max(1<<8, 2*len(b.slots)))
	mask := uint64(len(b.slots) - 1)
	for k := range b.positions {
		i := b.positions[k].hash & mask
		for b.slots[i] != 0 {
			i = (i + 1) & mask
		}
		b.slots[i] = int32(k + 1)
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
func (s *summer) write(flush func() error) (c manifest.Counts, err error) {
	for i := range s.bins {
		b := &s.bins[i]
		s.sum(b)
		if err := s.writeBin(b, &c, flush); err != nil {
			return c, err
		}
		b.positions, b.rows = b.positions[:0], b.rows[:0]
		clear(b.slots)
	}
	return c, nil
}

func (s *summer) writeBin(b *bin, c *manifest.Counts, flush func() error) error {
	all := len(b.positions)
	kept := slices.DeleteFunc(b.positions, func(p position) bool { return p.games >= 0 && int(p.games) < s.params.MinGames })
	c.Note("positions of fewer than "+strconv.Itoa(s.params.MinGames)+" games left out", int64(all-len(kept)))
	slices.SortFunc(kept, func(a, b position) int { return cmp.Compare(a.hash, b.hash) })
	var of []*row
	for k := range kept {
		p := &kept[k]
		switch {
		case p.games < 0:
			return fmt.Errorf("more than %d games have a position", math.MaxInt32)
		case p.games == 1:
			s.rowOf(b, p, &p.entry).add(&p.entry)
		}
		of = of[:0]
		for i := p.rows; i >= 0; i = b.rows[i].next {
			of = append(of, &b.rows[i])
		}
		slices.SortFunc(of, s.compare)
		for _, r := range of {
			s.out.append(p.hash, s.names[r.move], r)
		}
		c.Written += int64(len(of))
		if s.out.Rows >= rowGroupRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *summer) compare(a, b *row) int {
	return cmp.Or(cmp.Compare(s.names[a.move], s.names[b.move]), cmp.Compare(a.group.rating, b.group.rating),
		cmp.Compare(a.group.speed, b.group.speed), cmp.Compare(a.group.month, b.group.month))
}
