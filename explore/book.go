package explore

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games/board"
)

// book is the first moves of a dataset's games in memory: for each game the hashes of its
// positions and the codes of its moves, as many as pliesOf says. A position is looked for in
// all of them, so that transpositions are one: 3 ms for 100,000 games.
type book struct {
	start sync.Once
	ready chan struct{} // closed when all is read, or err is set
	err   error
	plies int

	ids     []int64
	starts  []int32 // of a game in hashes; one more at the end
	hashes  []uint64
	codes   []uint16 // of the move played in the position; 0 where hashes ends a game
	results []int8   // points of the first player, doubled; -1 without a result
	opening []int32  // index into names
	names   []string
}

// Games are read as far into a book as its positions, ten bytes each, allow.
const (
	mostPlies     = 60
	leastPlies    = 12
	mostPositions = 60_000_000
)

// pliesOf is how far so many games are read.
func pliesOf(games int64) int {
	return int(min(mostPlies, max(leastPlies, mostPositions/max(1, games))))
}

// bookGame is a game of a book.
type bookGame struct {
	id      int64
	hashes  []uint64
	codes   []uint16
	result  int8
	opening string
}

// bookOf returns the book of games, which the first who asks reads.
func (c *call) bookOf(d *Set) (*book, error) {
	g, ok := c.site.games[d.Game()]
	if !ok {
		return nil, complain("%s holds games of several kinds, or of none", d.Name)
	}
	c.site.mu.Lock()
	b := c.site.books[d.Name]
	if b == nil {
		b = &book{ready: make(chan struct{}), plies: pliesOf(d.Rows())}
		c.site.books[d.Name] = b
	}
	c.site.mu.Unlock()
	b.start.Do(func() {
		// For all who will ask: a reader who goes away does not end it.
		ctx := context.WithoutCancel(c.ctx)
		go func() {
			defer close(b.ready)
			b.err = b.read(ctx, d.Dir, g.Boards, c.site.options.Threads)
		}()
	})
	select {
	case <-b.ready:
		return b, b.err
	case <-c.ctx.Done():
		return nil, complaint{http.StatusServiceUnavailable, errors.New("the openings are still being read into memory: ask again in a while")}
	}
}

func (b *book) read(ctx context.Context, d *datasets.Dir, g board.Game, workers int) error {
	names := map[string]int32{}
	err := datasets.Each(ctx, d, workers, "openings", "games", func(_ int, group datasets.Group, emit func([]bookGame) error) error {
		batch := columns.NewBatch(d.Table, "game_id", "variant", "start_position", "moves", "result", "opening")
		if err := group.Read(batch); err != nil {
			return err
		}
		all := make([]bookGame, batch.Rows)
		for i := range all {
			all[i] = bookGameOf(g, batch, i, b.plies)
		}
		return emit(all)
	}, func(all []bookGame) error {
		for _, one := range all {
			b.add(one, names)
		}
		return nil
	})
	b.starts = append(b.starts, int32(len(b.hashes)))
	return err
}

func bookGameOf(g board.Game, batch *columns.Batch, i, plies int) bookGame {
	text := func(name string) string {
		v := batch.Col(name)
		if v.IsNull(i) {
			return ""
		}
		return string(v.Value(i))
	}
	one := bookGame{id: batch.Col("game_id").Int64[i], opening: text("opening"), result: -1}
	switch text("result") {
	case "first":
		one.result = 2
	case "second":
		one.result = 0
	case "draw":
		one.result = 1
	}
	at, err := g.Start(text("variant"), text("start_position"))
	if err != nil {
		return one
	}
	codes := batch.Col("moves").Value(i)
	for k := 0; ; k++ {
		one.hashes = append(one.hashes, at.Hash())
		if k == plies || 2*k+1 >= len(codes) {
			one.codes = append(one.codes, 0)
			return one
		}
		code := binary.LittleEndian.Uint16(codes[2*k:])
		m, err := at.FindCode(code)
		if err != nil {
			one.codes = append(one.codes, 0)
			return one
		}
		one.codes = append(one.codes, code)
		at = m.Play()
	}
}

func (b *book) add(g bookGame, names map[string]int32) {
	b.ids, b.results = append(b.ids, g.id), append(b.results, g.result)
	b.starts = append(b.starts, int32(len(b.hashes)))
	b.hashes, b.codes = append(b.hashes, g.hashes...), append(b.codes, g.codes...)
	n, known := names[g.opening]
	if !known {
		n = int32(len(b.names))
		names[g.opening] = n
		b.names = append(b.names, g.opening)
	}
	b.opening = append(b.opening, n)
}

// node sums up the games that met a position: how often they reached it, and went on.
type node struct {
	Tally
	Games []int64 // the first ones
	Name  string  // of the opening that more than half of them tell; may be empty
	Next  []branch
}

// branch is a move played in a position.
type branch struct {
	Tally
	hash uint64 // of the position in which code is played
	code uint16
	Move string
	To   string // address
	Name string // of the opening that it leads to

	after board.Board // nil: the move cannot be played
}

// Tally counts games by their results; First and Second are wins.
type Tally struct{ All, First, Draws, Second int64 }

// join adds the games of another tally.
func (t *Tally) join(o Tally) {
	t.All, t.First, t.Draws, t.Second = t.All+o.All, t.First+o.First, t.Draws+o.Draws, t.Second+o.Second
}

func (t *Tally) add(result int8) {
	t.All++
	switch result {
	case 2:
		t.First++
	case 1:
		t.Draws++
	case 0:
		t.Second++
	}
}

// Score is the first player's share of the points, and how many games have a result.
func (t Tally) Score() (percent float64) {
	n := t.First + t.Draws + t.Second
	return 100 * (float64(t.First) + float64(t.Draws)/2) / float64(max(1, n))
}

// Bar is where the parts of a bar begin, in percent of the games with a result: draws, and
// the second player's wins.
func (t Tally) Bar() [4]string {
	n := float64(max(1, t.First+t.Draws+t.Second))
	first, draws, second := 100*float64(t.First)/n, 100*float64(t.Draws)/n, 100*float64(t.Second)/n
	write := func(v float64) string { return fmt.Sprintf("%.2f", v) }
	return [4]string{write(first), write(draws), write(first + draws), write(second)}
}

// listed is the number of games of a node that are listed.
const listed = 40

// find counts the games that reached one of some positions, of those that are taken (nil: all).
// A game counts once, at the first time that it has one.
func (b *book) find(hashes map[uint64]bool, taken func(id int64) bool) node {
	var n node
	type move struct {
		hash uint64
		code uint16
	}
	next := map[move]*branch{}
	openings := map[int32]int64{}
	var ends uint64 // a bit for the last six bits of each hash, as most positions have none of these
	for h := range hashes {
		ends |= 1 << (h & 63)
	}
	for i, id := range b.ids {
		from, to := b.starts[i], b.starts[i+1]
		k := slices.IndexFunc(b.hashes[from:to], func(h uint64) bool { return ends>>(h&63)&1 != 0 && hashes[h] })
		if k < 0 || taken != nil && !taken(id) {
			continue
		}
		n.add(b.results[i])
		openings[b.opening[i]]++
		if len(n.Games) < listed {
			n.Games = append(n.Games, id)
		}
		if at := int(from) + k; at+1 < int(to) {
			m := move{b.hashes[at], b.codes[at]}
			if next[m] == nil {
				next[m] = &branch{hash: m.hash, code: m.code}
			}
			next[m].add(b.results[i])
		}
	}
	for o, count := range openings {
		if 2*count > n.All {
			n.Name = b.names[o]
		}
	}
	for _, one := range next {
		n.Next = append(n.Next, *one)
	}
	slices.SortFunc(n.Next, func(a, b branch) int {
		return cmp.Or(cmp.Compare(b.All, a.All), cmp.Compare(a.code, b.code), cmp.Compare(a.hash, b.hash))
	})
	return n
}
