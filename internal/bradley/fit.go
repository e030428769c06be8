package bradley

import (
	"fmt"
	"math"

	"kifu/internal/logit"
)

// Term is a part of x: a factor times the parameter of that number.
type Term struct {
	Parameter int
	Factor    float64
}

// Cell are games that are ahead by the same x, by their results for the first player.
// The advantage of the first move is no term: every cell has it, except in Unsided.
type Cell struct {
	Terms               []Term
	Wins, Draws, Losses int64
	Cluster             int  // of games that may depend on each other, from 0
	Unsided             bool // who moved first is not known
}

// lead is how much of the advantage the first player has.
func (c *Cell) lead() float64 {
	if c.Unsided {
		return 0
	}
	return 1
}

func (c *Cell) games() float64 { return float64(c.Wins + c.Draws + c.Losses) }

// Model is a fit.
type Model struct {
	Curve
	Parameters    []float64
	LogLikelihood float64 // of the games, in nats, without the prior

	cells     []Cell
	precision []float64 // of all unknowns: the parameters, the advantage, log ν
	drawn     bool      // there are draws, so ν is unknown
	parts     []part    // of the cells at the maximum
}

// part are the gradient of a cell's log-likelihood by (x, log ν) and minus its Hessian.
type part struct{ x, d, xx, xd, dd float64 }

// weakest is the precision of what has no prior of its own: at 1e-6 it changes nothing
// that is known, and keeps finite what the games leave open (the first player won all).
const weakest = 1e-6

// Fit finds the n parameters, the advantage and ν at which the games' likelihood times
// the prior is largest: by Newton's method, each step by conjugate gradients. precision
// is the precision of the normal prior of each parameter around 0 (none: flat). start are
// parameters to begin at, nil for 0.
func Fit(cells []Cell, n int, precision, start []float64) (*Model, error) {
	m := &Model{Parameters: make([]float64, n), cells: cells, precision: make([]float64, n+2), parts: make([]part, len(cells))}
	for k := range m.precision {
		m.precision[k] = weakest
	}
	copy(m.precision, precision)
	copy(m.Parameters, start)
	var games, draws float64
	for i := range cells {
		games, draws = games+cells[i].games(), draws+float64(cells[i].Draws)
	}
	logDraws := math.Inf(-1)
	if m.drawn = draws > 0; m.drawn {
		logDraws = math.Log(2 * draws / max(1, games-draws))
	}
	at := append(append(make([]float64, 0, n+2), m.Parameters...), 0, logDraws)
	if _, err := logit.Maximise(&density{Model: m}, at); err != nil {
		return nil, fmt.Errorf("bradley: %w", err)
	}
	return m, nil
}

// density is the logarithm of the posterior density of a model, at the unknowns that Newton's
// method is at.
type density struct {
	*Model
	at []float64
}

func (d *density) Set(at []float64) float64 {
	d.at = at
	return d.set(at)
}

func (d *density) Step(step []float64) (rise float64, err error) {
	gradient := d.gradient(d.at)
	copy(step, d.solve(gradient))
	for k, g := range gradient {
		rise += g * step[k]
	}
	return rise, nil
}

// set moves the model to the unknowns and returns the logarithm of the posterior density.
func (m *Model) set(at []float64) float64 {
	n := len(m.Parameters)
	copy(m.Parameters, at)
	m.Curve = Curve{Advantage: at[n], Draws: math.Exp(at[n+1])}
	m.LogLikelihood = 0
	for i := range m.cells {
		c := &m.cells[i]
		o := m.At(m.ahead(c))
		for _, r := range []struct {
			games int64
			p     float64
		}{{c.Wins, o.Win}, {c.Draws, o.Draw}, {c.Losses, o.Loss}} {
			if r.games > 0 {
				m.LogLikelihood += float64(r.games) * math.Log(max(r.p, math.SmallestNonzeroFloat64))
			}
		}
		g, lean, decided := c.games(), (o.Win-o.Loss)/2, o.Win+o.Loss
		m.parts[i] = part{
			x: float64(c.Wins-c.Losses)/2 - g*lean, d: float64(c.Draws) - g*o.Draw,
			xx: g * (decided/4 - lean*lean), xd: -g * lean * o.Draw, dd: g * o.Draw * decided,
		}
	}
	objective := m.LogLikelihood
	for k, p := range m.precision {
		if k <= n || m.drawn {
			objective -= p * at[k] * at[k] / 2
		}
	}
	return objective
}

// ahead is x of a cell.
func (m *Model) ahead(c *Cell) float64 {
	x := c.lead() * m.Advantage
	for _, t := range c.Terms {
		x += t.Factor * m.Parameters[t.Parameter]
	}
	return x
}

// gradient returns the gradient of the posterior density's logarithm.
func (m *Model) gradient(at []float64) []float64 {
	n := len(m.Parameters)
	g := make([]float64, n+2)
	for i := range m.cells {
		m.spread(g, i, m.parts[i].x, m.parts[i].d)
	}
	for k := range g {
		g[k] -= m.precision[k] * at[k]
	}
	if !m.drawn {
		g[n+1] = 0
	}
	return g
}

// spread adds a cell's derivatives by x and log ν to those by the unknowns.
func (m *Model) spread(g []float64, i int, x, d float64) {
	n := len(m.Parameters)
	for _, t := range m.cells[i].Terms {
		g[t.Parameter] += t.Factor * x
	}
	g[n] += m.cells[i].lead() * x
	g[n+1] += d
}

// times is minus the Hessian times v.
func (m *Model) times(v []float64) []float64 {
	n := len(m.Parameters)
	out := make([]float64, n+2)
	for i := range m.cells {
		x := m.cells[i].lead() * v[n]
		for _, t := range m.cells[i].Terms {
			x += t.Factor * v[t.Parameter]
		}
		p := &m.parts[i]
		m.spread(out, i, p.xx*x+p.xd*v[n+1], p.xd*x+p.dd*v[n+1])
	}
	for k := range out {
		out[k] += m.precision[k] * v[k]
	}
	if !m.drawn {
		out[n+1] = v[n+1]
	}
	return out
}

// diagonal returns the diagonal of minus the Hessian.
func (m *Model) diagonal() []float64 {
	n := len(m.Parameters)
	d := append([]float64(nil), m.precision...)
	for i := range m.cells {
		for _, t := range m.cells[i].Terms {
			d[t.Parameter] += t.Factor * t.Factor * m.parts[i].xx
		}
		d[n] += m.cells[i].lead() * m.parts[i].xx
		d[n+1] += m.parts[i].dd
	}
	return d
}

// solve is minus the inverse Hessian times b, by conjugate gradients with the diagonal
// as preconditioner.
func (m *Model) solve(b []float64) []float64 {
	d := m.diagonal()
	x, r := make([]float64, len(b)), append([]float64(nil), b...)
	z, p := make([]float64, len(b)), make([]float64, len(b))
	var rz float64
	restart := func() (now float64) {
		for k := range r {
			z[k] = r[k] / d[k]
			now += r[k] * z[k]
		}
		return now
	}
	rz = restart()
	copy(p, z)
	enough := rz * 1e-24
	for range 10*len(b) + 100 {
		if rz <= enough {
			break
		}
		hp := m.times(p)
		var php float64
		for k := range p {
			php += p[k] * hp[k]
		}
		a := rz / php
		for k := range p {
			x[k] += a * p[k]
			r[k] -= a * hp[k]
		}
		now := restart()
		for k := range p {
			p[k] = z[k] + now/rz*p[k]
		}
		rz = now
	}
	return x
}

// Information returns the information on each parameter when all else is known: from the games and the
// prior.
func (m *Model) Information() []float64 { return m.diagonal()[:len(m.Parameters)] }

// The unknowns besides the parameters, for Error.
const (
	Advantage = -2
	LogDraws  = -1
)

// fewClusters are too few for an error that is robust to their games' dependence.
const fewClusters = 10

// Error is the standard error of a parameter, of the Advantage or of LogDraws (log ν),
// robust to games of a cluster that depend on each other. With fewer than ten clusters it
// assumes independent games.
func (m *Model) Error(of int) float64 {
	n := len(m.Parameters)
	if of < 0 {
		of += n + 2
	}
	unit := make([]float64, n+2)
	unit[of] = 1
	row := m.solve(unit)
	sums := map[int]float64{}
	var order []int
	for i := range m.cells {
		x, d := m.cells[i].lead()*row[n]*m.parts[i].x, row[n+1]*m.parts[i].d
		for _, t := range m.cells[i].Terms {
			x += row[t.Parameter] * t.Factor * m.parts[i].x
		}
		k := m.cells[i].Cluster
		if _, known := sums[k]; !known {
			order = append(order, k)
		}
		sums[k] += x + d
	}
	if len(order) < fewClusters {
		return math.Sqrt(row[of])
	}
	var v float64
	for _, k := range order {
		v += sums[k] * sums[k]
	}
	return math.Sqrt(v)
}

// Variances returns the variance of the sum of the parameters times contrast, and by what it is made up: games that are
// independent, whatever the model gets wrong about a game, and clusters of them, with the sum of the fourth powers of what
// each cluster moves the sum by.
func (m *Model) Variances(contrast []float64) (games, clusters, fourths float64) {
	n := len(m.Parameters)
	row := m.solve(append(append([]float64(nil), contrast...), 0, 0))
	sums := map[int]float64{}
	var order []int
	for i := range m.cells {
		c := &m.cells[i]
		along := c.lead() * row[n]
		for _, t := range c.Terms {
			along += row[t.Parameter] * t.Factor
		}
		o := m.At(m.ahead(c))
		lean := (o.Win - o.Loss) / 2
		sum := 0.0
		for _, r := range []struct {
			games int64
			x, d  float64
		}{{c.Wins, 0.5 - lean, -o.Draw}, {c.Draws, -lean, 1 - o.Draw}, {c.Losses, -0.5 - lean, -o.Draw}} {
			u := along*r.x + row[n+1]*r.d
			games += float64(r.games) * u * u
			sum += float64(r.games) * u
		}
		if _, known := sums[c.Cluster]; !known {
			order = append(order, c.Cluster)
		}
		sums[c.Cluster] += sum
	}
	for _, k := range order {
		square := sums[k] * sums[k]
		clusters, fourths = clusters+square, fourths+square*square
	}
	return games, clusters, fourths
}
