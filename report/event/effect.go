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

// control is a move without the event.
type control struct {
	cell int32
	y    [outcomes]float64
}

// happened is an event.
type happened struct {
	place
	y    [outcomes]float64
	by   []string
	game []control // moves of the player before it in the same game
}

// summed are the outcomes of the moves of a player in a cell.
type summed struct {
	place
	sums [outcomes]sum
}

// rows are the moves of players: those without the event, summed up, and the events.
type rows struct {
	players, cells map[int64]int32
	at             map[place]int32 // in controls
	controls       list[summed]
	events         list[happened]
	moves          int64
	known          []int64  // moves whose band is known, by what moves have in common
	now            [2]int64 // game and player of the moves before
	player         int32    // of these
	before         []control
	near           []near
	games          list[control] // of events
	labels         list[string]  // of events
	pairs          []pair        // memory of additive.of
}

// near is a cell that the player has been in before in the same game.
type near struct {
	id   int64
	cell int32
	sums *[outcomes]sum // nil: no move without the event
}

func newRows() *rows {
	return &rows{players: map[int64]int32{}, cells: map[int64]int32{}, at: map[place]int32{}, now: [2]int64{-1, -1}}
}

func number(of map[int64]int32, id int64) int32 {
	k, seen := of[id]
	if !seen {
		k = int32(len(of))
		of[id] = k
	}
	return k
}

// add adds a move; the moves of a player in a game come one after the other. by is copied.
func (r *rows) add(game, player, cell int64, event bool, y [outcomes]float64, by []string) {
	if now := [2]int64{game, player}; now != r.now {
		r.now, r.player, r.before, r.near = now, number(r.players, player), r.before[:0], r.near[:0]
	}
	r.moves++
	i := len(r.near) - 1
	for i >= 0 && r.near[i].id != cell {
		i--
	}
	if i < 0 {
		i = len(r.near)
		r.near = append(r.near, near{id: cell, cell: number(r.cells, cell)})
	}
	in := &r.near[i]
	at := place{r.player, in.cell}
	if event {
		r.events.add(happened{at, y, r.labels.add(by...), r.games.add(r.before...)})
		return
	}
	if in.sums == nil {
		in.sums = &r.summed(at).sums
	}
	for k := range y {
		in.sums[k].add(y[k])
	}
	r.before = append(r.before, control{at.cell, y})
}

// summed returns the sums of a player in a cell.
func (r *rows) summed(at place) *summed {
	if i, seen := r.at[at]; seen {
		return r.controls.at(int(i))
	}
	r.at[at] = int32(r.controls.n)
	return &r.controls.add(summed{place: at})[0]
}

// additive is a model of an outcome without the event: what is usual for the player and for the cell.
type additive struct {
	player, cell   []float64
	players, cells []sum // n: moves; s: outcomes of players less those of cells
	of             []pair
	usual          []float64 // of each event; NaN: not compared
}

// pair is the outcome of the moves of a player in a cell.
type pair struct {
	place
	sum
}

// sweeps is how often all moves are gone through at most, and still what a cell is off by at the end, as a share of the outcome's size.
const sweeps, still = 300, 1e-6

// without fits the model to the moves without the event, by least squares: the cells by conjugate gradients (Hestenes and Stiefel 1952),
// each player at the mean of what the cells leave.
func (r *rows) without(k int) *additive {
	m := &additive{player: make([]float64, len(r.players)), cell: make([]float64, len(r.cells)), players: make([]sum, len(r.players)), cells: make([]sum, len(r.cells)), of: slices.Grow(r.pairs[:0], r.controls.n)}
	size, n := 0.0, 0.0
	for s := range r.controls.all() {
		c := s.sums[k]
		if c.n == 0 {
			continue
		}
		m.of = append(m.of, pair{s.place, c})
		m.cells[s.cell].n += c.n
		size, n = size+math.Abs(c.s), n+c.n
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
		for _, c := range h.game {
			if !math.IsNaN(c.y[k]) {
				of.n, of.s = of.n-1, of.s-(c.y[k]-m.cell[c.cell])
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
	clear(m.players)
	for i := range m.of {
		of := &m.of[i]
		p := &m.players[of.player]
		p.n, p.s = p.n+of.n, p.s+times*of.s-of.n*cell[of.cell]
	}
	for i, p := range m.players {
		m.player[i] = p.s / max(1, p.n)
	}
	above := make([]float64, len(cell))
	for i := range m.of {
		of := &m.of[i]
		above[of.cell] += times*of.s - of.n*(m.player[of.player]+cell[of.cell])
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
	u, size := make([]float64, len(r.players)), make([]float64, len(r.players))
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
	for at := range r.controls.all() {
		if c := at.sums[k]; in[at.cell] > 0 {
			u[at.player] -= in[at.cell] / m.cells[at.cell].n * (c.s - c.n*(m.player[at.player]+m.cell[at.cell]))
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
