package bradley

import (
	"fmt"
	"math"
	"slices"

	"kifu/internal/lists"
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

// weakest is the precision of parameters without a prior. It does not change what is known, and
// keeps finite what the games leave open (the first player won all).
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
	copy(step, d.solve(gradient, 1))
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

// times fills out with minus the Hessian times w vectors. out and v have the w numbers of an unknown next to each other; along is
// room for 2w numbers.
func (m *Model) times(out, v, along []float64, w int) {
	n := len(m.Parameters)
	clear(out)
	x, d := along[:w], along[w:2*w]
	advantage, draws := v[n*w:(n+1)*w], v[(n+1)*w:(n+2)*w]
	byAdvantage, byDraws := out[n*w:(n+1)*w], out[(n+1)*w:(n+2)*w]
	for i := range m.cells {
		c, p := &m.cells[i], &m.parts[i]
		lead := c.lead()
		for l, v := range advantage {
			x[l] = lead * v
		}
		for _, t := range c.Terms {
			of := v[t.Parameter*w:][:len(x)]
			for l, v := range of {
				x[l] += t.Factor * v
			}
		}
		for l, v := range draws[:len(x)] {
			x[l], d[l] = p.xx*x[l]+p.xd*v, p.xd*x[l]+p.dd*v
		}
		for _, t := range c.Terms {
			of := out[t.Parameter*w:][:len(x)]
			for l, x := range x {
				of[l] += t.Factor * x
			}
		}
		for l, x := range x {
			byAdvantage[l] += lead * x
			byDraws[l] += d[l]
		}
	}
	for k := range out {
		out[k] += m.precision[k/w] * v[k]
	}
	if !m.drawn {
		copy(byDraws, draws)
	}
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

// solve returns minus the inverse Hessian times w vectors b, by conjugate gradients with the
// diagonal as preconditioner. b and the result have the w numbers of an unknown next to each
// other, so one pass over the cells serves all vectors.
func (m *Model) solve(b []float64, w int) []float64 {
	d := m.diagonal()
	x, r := make([]float64, len(b)), slices.Clone(b)
	z, p, hp := make([]float64, len(b)), make([]float64, len(b)), make([]float64, len(b))
	along, step := make([]float64, 2*w), make([]float64, w)
	rz, php, now := make([]float64, w), make([]float64, w), make([]float64, w)
	precondition := func(rz []float64) {
		clear(rz)
		for k := range d {
			for l := range w {
				at := k*w + l
				z[at] = r[at] / d[k]
				rz[l] += r[at] * z[at]
			}
		}
	}
	precondition(rz)
	copy(p, z)
	enough := make([]float64, w)
	for l, v := range rz {
		enough[l] = v * 1e-24
	}
	for range 10*len(d) + 100 {
		open := false
		for l := range w {
			open = open || rz[l] > enough[l]
		}
		if !open {
			break
		}
		m.times(hp, p, along, w)
		clear(php)
		for k := range d {
			for l := range w {
				php[l] += p[k*w+l] * hp[k*w+l]
			}
		}
		for l := range w {
			if step[l] = 0; rz[l] > enough[l] { // one that is solved stays
				step[l] = rz[l] / php[l]
			}
		}
		for k := range d {
			for l := range w {
				at := k*w + l
				x[at] += step[l] * p[at]
				r[at] -= step[l] * hp[at]
			}
		}
		precondition(now)
		for l := range w {
			if step[l] = 0; rz[l] > enough[l] {
				step[l] = now[l] / rz[l]
			}
		}
		for k := range d {
			for l := range w {
				at := k*w + l
				p[at] = z[at] + step[l]*p[at]
			}
		}
		copy(rz, now)
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

// Error returns the standard error of a parameter, of the Advantage or of LogDraws (log ν). It
// is robust to dependence between the games of a cluster. With fewer than ten clusters it
// assumes independent games.
func (m *Model) Error(of int) float64 {
	n := len(m.Parameters)
	if of < 0 {
		of += n + 2
	}
	unit := make([]float64, n+2)
	unit[of] = 1
	row := m.solve(unit, 1)
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

// Rows returns minus the inverse Hessian times each contrast of the parameters. From a row,
// Variances computes how surely the sum of the parameters times the contrast is known. Rows of
// differences are differences of rows.
func (m *Model) Rows(contrasts [][]float64) [][]float64 {
	w, n := len(contrasts), len(m.Parameters)
	b := make([]float64, (n+2)*w)
	for l, c := range contrasts {
		for k, v := range c {
			b[k*w+l] = v
		}
	}
	x := m.solve(b, w)
	return lists.N(w, func(l int) []float64 {
		return lists.N(n+2, func(k int) float64 { return x[k*w+l] })
	})
}

// Variances returns the parts of the variance of the sum of the parameters times a contrast,
// given its row. games treats games as independent, whatever the model gets wrong about a game;
// clusters treats clusters of them as independent. fourths is the sum of the fourth powers of
// the clusters' influences.
func (m *Model) Variances(row []float64) (games, clusters, fourths float64) {
	n := len(m.Parameters)
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
