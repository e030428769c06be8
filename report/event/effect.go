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
	at             map[place]int // in controls
	controls       []summed
	events         []happened
	moves          int64
	now            [2]int64 // game and player of the moves before
	before         []control
}

func newRows() *rows {
	return &rows{players: map[int64]int32{}, cells: map[int64]int32{}, at: map[place]int{}}
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
		r.now, r.before = now, r.before[:0]
	}
	r.moves++
	at := place{number(r.players, player), number(r.cells, cell)}
	if event {
		r.events = append(r.events, happened{at, y, slices.Clone(by), slices.Clone(r.before)})
		return
	}
	i, seen := r.at[at]
	if !seen {
		i = len(r.controls)
		r.at[at], r.controls = i, append(r.controls, summed{place: at})
	}
	for k := range y {
		r.controls[i].sums[k].add(y[k])
	}
	r.before = append(r.before, control{at.cell, y})
}

// additive is a model of an outcome without the event: what is usual for the player and for the cell.
type additive struct {
	player, cell   []float64
	players, cells []sum // n: moves; s: outcomes of players less those of cells
}

// sweeps is how often player and cell are estimated in turn at most, and still what they change by at the end, as a share of the outcome's size.
const sweeps, still = 300, 1e-6

// without fits the model to the moves without the event, by least squares: players and cells in turn until nothing moves.
func (r *rows) without(k int) *additive {
	m := &additive{make([]float64, len(r.players)), make([]float64, len(r.cells)), make([]sum, len(r.players)), make([]sum, len(r.cells))}
	size, n := 0.0, 0.0
	for i := range r.controls {
		c := r.controls[i].sums[k]
		size, n = size+math.Abs(c.s), n+c.n
	}
	for range sweeps {
		r.byPlayer(m, k)
		for i, p := range m.players {
			m.player[i] = p.s / max(1, p.n)
		}
		clear(m.cells)
		for i := range r.controls {
			at := &r.controls[i]
			c, of := at.sums[k], &m.cells[at.cell]
			of.n, of.s = of.n+c.n, of.s+c.s-c.n*m.player[at.player]
		}
		moved := 0.0
		for i, c := range m.cells {
			now := c.s / max(1, c.n)
			moved, m.cell[i] = max(moved, math.Abs(now-m.cell[i])), now
		}
		if moved <= still*size/max(1, n) {
			break
		}
	}
	r.byPlayer(m, k)
	return m
}

// byPlayer sums up by player the outcomes less the level of their cells.
func (r *rows) byPlayer(m *additive, k int) {
	clear(m.players)
	for i := range r.controls {
		at := &r.controls[i]
		c, p := at.sums[k], &m.players[at.player]
		p.n, p.s = p.n+c.n, p.s+c.s-c.n*m.cell[at.cell]
	}
}

// Effect compares what follows events with what is usual.
type Effect struct {
	Events, Players int     // that are compared
	Unmatched       int     // events without another game of the player, or without another move in the cell
	After, Usual    float64 // means after the event, and what is usual for the same players in the same cells
	Difference      float64
	Low, High       float64 // 95 % interval, by player; NaN for fewer than two
}

// effect compares the events that which accepts with what the model expects: the player's level from other games alone, and the cell's
// (the imputation of Borusyak, Jaravel and Spiess 2024). Errors are by player, and allow for the estimate of the cells.
func (r *rows) effect(k int, m *additive, which func(*happened) bool) (e Effect) {
	u, size := make([]float64, len(r.players)), make([]float64, len(r.players))
	in := make([]float64, len(r.cells)) // events by cell
	for i := range r.events {
		h := &r.events[i]
		if math.IsNaN(h.y[k]) || !which(h) {
			continue
		}
		of := m.players[h.player]
		for _, c := range h.game {
			if !math.IsNaN(c.y[k]) {
				of.n, of.s = of.n-1, of.s-(c.y[k]-m.cell[c.cell])
			}
		}
		if of.n < 0.5 || m.cells[h.cell].n == 0 {
			e.Unmatched++
			continue
		}
		usual := of.s/of.n + m.cell[h.cell]
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
	for i := range r.controls {
		at := &r.controls[i]
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
