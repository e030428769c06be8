package event

import (
	"math"
	"slices"

	"kifu/internal/dyads"
)

// outcomes is how many outcomes a move has: score, loss and time of the next moves.
const outcomes = 3

// place is a player in a cell.
type place struct{ player, cell int32 }

// sum is a number of moves with an outcome, and the outcomes' sum.
type sum struct{ n, s float64 }

func (a *sum) add(y float64) {
	if !math.IsNaN(y) {
		a.n, a.s = a.n+1, a.s+y
	}
}

// control is a move without the event: its cell, and in the lowest bits which outcomes are known.
type control uint32

func (c control) cell() int32      { return int32(c >> outcomes) }
func (c control) knows(k int) bool { return c>>k&1 != 0 }

// happened is an event.
type happened struct {
	place
	y      [outcomes]float64
	by     []string
	before [outcomes]float64 // sums of the outcomes of the moves of the player before it in the same game
	game   []control         // these moves
}

// summed are the outcomes of the moves of a player in a cell: their numbers and sums.
type summed struct {
	cell int32
	n    [outcomes]int32
	s    [outcomes]float64
}

// person holds the moves of a player without the event, by cell, in the order in which the cells came: those of a game are looked up
// together, so that they are together in memory.
type person struct {
	controls []summed
	slots    []slot // a power of two of them; a cell is at the first free one from its hash on
}

// slot has the place of a cell: one more than its number in controls, 0 if the slot is free.
type slot struct{ cell, after int32 }

// at returns the number of a cell's moves in controls.
func (p *person) at(cell int32) int32 {
	if 2*len(p.controls) >= len(p.slots) {
		p.slots = make([]slot, max(32, 2*len(p.slots)))
		p.controls = slices.Grow(p.controls, len(p.slots)/2-len(p.controls))
		for i := range p.controls {
			*p.slot(p.controls[i].cell) = slot{p.controls[i].cell, int32(i + 1)}
		}
	}
	at := p.slot(cell)
	if at.after == 0 {
		p.controls = append(p.controls, summed{cell: cell})
		*at = slot{cell, int32(len(p.controls))}
	}
	return at.after - 1
}

// slot returns the slot of a cell, or the free one where it belongs.
func (p *person) slot(cell int32) *slot {
	at := uint32(cell) * 0x9e3779b9 >> 16
	for {
		at &= uint32(len(p.slots) - 1)
		if s := &p.slots[at]; s.after == 0 || s.cell == cell {
			return s
		}
		at++
	}
}

// rows are the moves of players: those without the event, summed up, and the events.
type rows struct {
	players, cells map[int64]int32
	people         []person // by player
	events         list[happened]
	moves          int64
	known          []int64  // moves whose band is known, by what moves have in common
	now            [2]int64 // game and player of the moves before
	player         int32    // of these
	before         []control
	sums           [outcomes]float64 // of these
	near           []near
	recent         [1 << 12]near // cells and their numbers, by the lowest bits of the id; at: 1 if there is one
	games          list[control] // of events
	labels         list[string]  // of events
	pairs          []pair        // memory of additive.of
}

// near is a cell that the player has been in before in the same game.
type near struct {
	id   int64
	cell int32
	at   int32 // of its moves in the person's controls; -1: no move without the event
}

func newRows() *rows {
	return &rows{players: map[int64]int32{}, cells: map[int64]int32{}, now: [2]int64{-1, -1}}
}

func number(of map[int64]int32, id int64) int32 {
	k, seen := of[id]
	if !seen {
		k = int32(len(of))
		of[id] = k
	}
	return k
}

// cell returns the number of a cell.
func (r *rows) cell(id int64) int32 {
	in := &r.recent[uint64(id)%uint64(len(r.recent))]
	if in.id != id || in.at == 0 {
		*in = near{id, number(r.cells, id), 1}
	}
	return in.cell
}

// add adds a move; the moves of a player in a game come one after the other. by is copied.
func (r *rows) add(game, player, cell int64, event bool, y [outcomes]float64, by []string) {
	if now := [2]int64{game, player}; now != r.now {
		r.now, r.player, r.before, r.near = now, number(r.players, player), r.before[:0], r.near[:0]
		clear(r.sums[:])
		if int(r.player) == len(r.people) {
			r.people = append(r.people, person{})
		}
	}
	r.moves++
	i := len(r.near) - 1
	for i >= 0 && r.near[i].id != cell {
		i--
	}
	if i < 0 {
		i = len(r.near)
		r.near = append(r.near, near{id: cell, cell: r.cell(cell), at: -1})
	}
	in := &r.near[i]
	if event {
		r.events.add(happened{place{r.player, in.cell}, y, r.labels.add(by...), r.sums, r.games.add(r.before...)})
		return
	}
	p := &r.people[r.player]
	if in.at < 0 {
		in.at = p.at(in.cell)
	}
	of, c := &p.controls[in.at], control(in.cell)<<outcomes
	for k, x := range y {
		if !math.IsNaN(x) {
			of.n[k], of.s[k] = of.n[k]+1, of.s[k]+x
			r.sums[k] += x
			c |= 1 << k
		}
	}
	r.before = append(r.before, c)
}

// additive is a model of an outcome without the event: what is usual for the player and for the cell.
type additive struct {
	player, cell   []float64
	players, cells []sum     // n: moves; s: outcomes of players less those of cells
	of             []pair    // player after player
	ends           []int     // of each player's
	usual          []float64 // of each event; NaN: not compared
}

// pair is the outcome of the moves of a player in a cell: their number and its sum.
type pair struct {
	cell, n int32
	s       float64
}

// sweeps is how often all moves are gone through at most, and still what a cell is off by at the end, as a share of the outcome's size.
const sweeps, still = 300, 1e-6

// without fits the model to the moves without the event, by least squares: the cells by conjugate gradients (Hestenes and Stiefel 1952),
// each player at the mean of what the cells leave.
func (r *rows) without(k int) *additive {
	m := &additive{player: make([]float64, len(r.people)), cell: make([]float64, len(r.cells)), players: make([]sum, len(r.people)), cells: make([]sum, len(r.cells)), of: r.pairs[:0]}
	size, n, pairs := 0.0, 0.0, 0
	for i := range r.people {
		pairs += len(r.people[i].controls)
	}
	m.of, m.ends = slices.Grow(m.of, pairs), make([]int, 0, len(r.people))
	for i := range r.people {
		for j := range r.people[i].controls {
			c := &r.people[i].controls[j]
			if c.n[k] == 0 {
				continue
			}
			m.of = append(m.of, pair{c.cell, c.n[k], c.s[k]})
			m.cells[c.cell].n += float64(c.n[k])
			size, n = size+math.Abs(c.s[k]), n+float64(c.n[k])
		}
		m.ends = append(m.ends, len(m.of))
	}
	r.pairs = m.of
	off, step := m.off(1, m.cell), make([]float64, len(r.cells))
	before := 1.0
	for range sweeps {
		square, most := 0.0, 0.0
		for i, x := range off {
			z := x / max(1, m.cells[i].n)
			square, most = square+x*z, max(most, math.Abs(z))
		}
		if most <= still*size/max(1, n) {
			break
		}
		for i, x := range off {
			step[i] = x/max(1, m.cells[i].n) + square/before*step[i]
		}
		before = square
		change, fall := m.off(0, step), 0.0
		for i, x := range change {
			fall -= step[i] * x
		}
		for i, x := range change {
			m.cell[i] += square / fall * step[i]
			off[i] += square / fall * x
		}
	}
	m.off(1, m.cell)
	m.usual = r.usual(k, m)
	return m
}

// usual returns what the model expects for each event: the player's level from other games alone, and the cell's.
func (r *rows) usual(k int, m *additive) []float64 {
	all := make([]float64, 0, r.events.n)
	for h := range r.events.all() {
		of := m.players[h.player]
		of.s -= h.before[k]
		for _, c := range h.game {
			if c.knows(k) {
				of.n, of.s = of.n-1, of.s+m.cell[c.cell()]
			}
		}
		x := math.NaN()
		if of.n >= 0.5 && m.cells[h.cell].n > 0 {
			x = of.s/of.n + m.cell[h.cell]
		}
		all = append(all, x)
	}
	return all
}

// off returns how far the outcomes, counted so many times, are above the model with these cells, in sum by cell. Players are at the means of
// what the cells leave.
func (m *additive) off(times float64, cell []float64) []float64 {
	above := make([]float64, len(cell))
	from := 0
	for i, to := range m.ends {
		of, p := m.of[from:to], sum{}
		for j := range of {
			n := float64(of[j].n)
			p.n, p.s = p.n+n, p.s+times*of[j].s-n*cell[of[j].cell]
		}
		mean := p.s / max(1, p.n)
		m.players[i], m.player[i], from = p, mean, to
		for j := range of {
			above[of[j].cell] += times*of[j].s - float64(of[j].n)*(mean+cell[of[j].cell])
		}
	}
	return above
}

// Effect compares what follows events with what is usual.
type Effect struct {
	Events, Players int     // that are compared
	Unmatched       int     // events without another game of the player, or without another move in the cell
	After, Usual    float64 // means after the event, and what is usual for the same players in the same cells
	Difference      float64
	Low, High       float64 // 95 % interval, by player; NaN for fewer than two
}

// effect compares the events that which accepts with what the model expects (the imputation of Borusyak, Jaravel and Spiess 2024). Errors are by player, and allow for the estimate of the cells.
func (r *rows) effect(k int, m *additive, which func(*happened) bool) (e Effect) {
	u, size := make([]float64, len(r.people)), make([]float64, len(r.people))
	in := make([]float64, len(r.cells)) // events by cell
	i := -1
	for h := range r.events.all() {
		i++
		if math.IsNaN(h.y[k]) || !which(h) {
			continue
		}
		usual := m.usual[i]
		if math.IsNaN(usual) {
			e.Unmatched++
			continue
		}
		e.Events++
		e.After, e.Usual = e.After+h.y[k], e.Usual+usual
		u[h.player] += h.y[k] - usual
		size[h.player]++
		in[h.cell]++
	}
	n := float64(e.Events)
	e.After, e.Usual = e.After/n, e.Usual/n
	e.Difference, e.Low, e.High = e.After-e.Usual, math.NaN(), math.NaN()
	for p := range u {
		u[p] -= e.Difference * size[p]
	}
	// What a cell's estimate is off by moves all of its events: it is put down to the players whose moves it is made of.
	for p := range r.people {
		for i := range r.people[p].controls {
			if c := &r.people[p].controls[i]; in[c.cell] > 0 {
				u[p] -= in[c.cell] / m.cells[c.cell].n * (c.s[k] - float64(c.n[k])*(m.player[p]+m.cell[c.cell]))
			}
		}
	}
	var us, sizes []float64
	for p := range u {
		if size[p] > 0 {
			e.Players++
		}
		if u[p] != 0 || size[p] > 0 {
			us, sizes = append(us, u[p]), append(sizes, size[p])
		}
	}
	if e.Players > 1 {
		reach := dyads.SpreadOf(us, sizes).Reach()
		e.Low, e.High = e.Difference-reach, e.Difference+reach
	}
	return e
}
