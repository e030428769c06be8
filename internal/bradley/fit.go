package bradley

import (
	"fmt"
	"math"
	"slices"

	"kifu/internal/lists"
	"kifu/internal/logit"
	"kifu/internal/panels"
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
	Cluster             int  // of games that may depend on each other; any number
	Unsided             bool // who moved first is not known

	prior float64 // games that were not played, half won and half lost
}

// lead is how much of the advantage the first player has.
func (c *Cell) lead() float64 {
	if c.Unsided {
		return 0
	}
	return 1
}

func (c *Cell) games() float64 { return float64(c.Wins+c.Draws+c.Losses) + c.prior }

// Model is a fit.
type Model struct {
	Curve
	Parameters    []float64
	LogLikelihood float64 // of the games, in nats, without the prior
	// The games leave the advantage, or ν, without a finite estimate: one side won none, or all decided games agree with an order
	// of the players. Then Fit adds a game between equals that is half won and half lost.
	OpenAdvantage, OpenDraws bool

	cells     []Cell
	precision []float64 // of all unknowns: the parameters, the advantage, log ν
	drawn     bool      // there are draws, so ν is unknown
	cluster   []int     // of each cell, numbered as they come
	clusters  int
	parts     []part     // of the cells at the maximum
	best      *curvature // there
}

// part are the gradient of a cell's log-likelihood by (x, log ν), minus its Hessian, half of what a win is likelier than a loss,
// and the probability of a draw.
type part struct{ x, d, xx, xd, dd, lean, draw float64 }

// weakest is the precision of parameters without a prior. It does not change what is known, and
// keeps finite what the games leave open (the first player won all).
const weakest = 1e-6

// Fit finds the n parameters, the advantage and ν at which the games' likelihood times
// the prior is largest: by Newton's method, each step by conjugate gradients. precision
// is the precision of the normal prior of each parameter around 0 (none: flat). start are
// parameters to begin at, nil for 0.
//
// Where the games have no finite estimate of the advantage or of ν, a prior of half a win and half a loss between equals gives
// one (the log-F prior of Greenland and Mansournia 2015): errors grow as the games say less. Without an
// advantage, what it does to the games would be taken for strength.
func Fit(cells []Cell, n int, precision, start []float64) (*Model, error) {
	m, err := fit(cells, n, precision, start)
	if err != nil {
		return nil, err
	}
	advantage, draws := m.open()
	if !advantage && !draws {
		return m, nil
	}
	sided := slices.ContainsFunc(cells, func(c Cell) bool { return !c.Unsided })
	more := Cell{prior: 1, Unsided: !sided}
	if m, err = fit(append(slices.Clip(cells), more), n, precision, start); err != nil {
		return nil, err
	}
	m.OpenAdvantage, m.OpenDraws = advantage, draws
	return m, nil
}

// Note describes on a page what a fit did about numbers that the games leave open; mostly nothing.
func (m *Model) Note() string {
	open := ""
	switch {
	case m.OpenAdvantage:
		open = "The advantage of the first move has no finite estimate, for example because one side won no game. It is left out."
	case m.OpenDraws:
		open = "The rate of draws between equals has no finite estimate, because all decided games agree with one order of the players. It is left out."
	default:
		return ""
	}
	return open + " Strengths are fitted with one more game between equals, half won and half lost (the log-F prior of Greenland and Mansournia 2015)."
}

// mostOpen is the variance, in logits², from which on games leave a number open: 95 % intervals above ±10 logits.
const mostOpen = 25

// open reports whether the games leave the advantage or log ν open. Errors that are robust to a wrong model cannot tell: where a
// model explains all games, they are 0.
func (m *Model) open() (advantage, draws bool) {
	n := len(m.Parameters)
	units := make([]panels.Line, n+2)
	units[n][0], units[n+1][1] = 1, 1
	x := m.best.solve(units)
	sided := slices.ContainsFunc(m.cells, func(c Cell) bool { return !c.Unsided })
	return sided && x[n][0] > mostOpen, m.drawn && x[n+1][1] > mostOpen
}

// fit is Fit with the games as they are.
func fit(cells []Cell, n int, precision, start []float64) (*Model, error) {
	m := &Model{Parameters: make([]float64, n), cells: cells, precision: make([]float64, n+2), parts: make([]part, len(cells))}
	for k := range m.precision {
		m.precision[k] = weakest
	}
	copy(m.precision, precision)
	copy(m.Parameters, start)
	var games, draws float64
	number := map[int]int{}
	for i := range cells {
		games, draws = games+cells[i].games(), draws+float64(cells[i].Draws)
		k, known := number[cells[i].Cluster]
		if !known {
			k = len(number)
			number[cells[i].Cluster] = k
		}
		m.cluster = append(m.cluster, k)
	}
	m.clusters = len(number)
	logDraws := math.Inf(-1)
	if m.drawn = draws > 0; m.drawn {
		logDraws = math.Log(2 * draws / max(1, games-draws))
	}
	at := append(append(make([]float64, 0, n+2), m.Parameters...), 0, logDraws)
	if _, err := logit.Maximise(&density{Model: m}, at); err != nil {
		return nil, fmt.Errorf("bradley: %w", err)
	}
	m.best = m.curvature()
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
	copy(step, d.curvature().solveOne(gradient))
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
	prior := 0.0
	for i := range m.cells {
		c := &m.cells[i]
		o := m.At(m.ahead(c))
		if c.prior > 0 {
			prior += c.prior / 2 * (math.Log(max(o.Win, math.SmallestNonzeroFloat64)) + math.Log(max(o.Loss, math.SmallestNonzeroFloat64)))
		}
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
			xx: g * (decided/4 - lean*lean), xd: -g * lean * o.Draw, dd: g * o.Draw * decided, lean: lean, draw: o.Draw,
		}
	}
	objective := m.LogLikelihood + prior
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

// Together is how many systems are solved at once.
const Together = len(panels.Line{})

// curvature is minus the Hessian. It holds the numbers other than 0 of each line, by blocks of columns.
type curvature struct {
	diagonal []float64
	value    []float64
	at       []uint16 // in its block
	ends     []int    // of each line's blocks
}

const block = 1 << 16 // columns

func (m *Model) curvature() *curvature {
	n := len(m.Parameters)
	h := &curvature{diagonal: m.diagonal()}
	lead, draws, both := make([]float64, n), make([]float64, n), 0.0
	for i := range m.cells {
		c, p := &m.cells[i], &m.parts[i]
		for _, t := range c.Terms {
			lead[t.Parameter] += c.lead() * t.Factor * p.xx
			draws[t.Parameter] += t.Factor * p.xd
		}
		both += c.lead() * p.xd
	}
	last := h.diagonal[n+1]
	if !m.drawn {
		last = 1
	}
	each := func(do func(i, j int, v float64)) {
		for k := range n {
			do(k, k, h.diagonal[k])
			do(k, n, lead[k])
			do(n, k, lead[k])
			do(k, n+1, draws[k])
			do(n+1, k, draws[k])
		}
		do(n, n, h.diagonal[n])
		do(n, n+1, both)
		do(n+1, n, both)
		do(n+1, n+1, last)
		for i := range m.cells {
			terms := m.cells[i].Terms
			for a, t := range terms {
				for b, u := range terms {
					if a != b {
						do(t.Parameter, u.Parameter, t.Factor*u.Factor*m.parts[i].xx)
					}
				}
			}
		}
	}
	blocks := h.blocks()
	starts := make([]int, len(h.diagonal)*blocks+1)
	each(func(i, j int, _ float64) { starts[i*blocks+j/block+1]++ })
	for k := range starts[1:] {
		starts[k+1] += starts[k]
	}
	h.value, h.at = make([]float64, starts[len(starts)-1]), make([]uint16, starts[len(starts)-1])
	each(func(i, j int, v float64) {
		next := &starts[i*blocks+j/block]
		h.value[*next], h.at[*next] = v, uint16(j%block)
		*next++
	})
	h.ends = starts[:len(starts)-1] // each begins where the one before ends now
	return h
}

func (h *curvature) blocks() int { return (len(h.diagonal) + block - 1) / block }

// times fills out with the products with v, and returns the products of these with v.
func (h *curvature) times(out, v []panels.Line) (products panels.Line) {
	blocks, from := h.blocks(), 0
	for k := range out {
		sum := &out[k]
		*sum = panels.Line{}
		for b := range blocks {
			to := h.ends[k*blocks+b]
			panels.Add(sum, h.value[from:to], h.at[from:to], v[b*block:])
			from = to
		}
		for l, x := range &v[k] {
			products[l] += x * sum[l]
		}
	}
	return products
}

// solve returns the inverse times the vectors b, which have a line for each unknown, by conjugate gradients
// with the diagonal as preconditioner.
func (h *curvature) solve(b []panels.Line) []panels.Line {
	x, r := make([]panels.Line, len(b)), slices.Clone(b)
	p, hp := make([]panels.Line, len(b)), make([]panels.Line, len(b))
	var rz, enough, step panels.Line
	for k, d := range h.diagonal {
		for l, v := range &r[k] {
			p[k][l] = v / d
			rz[l] += v * p[k][l]
		}
	}
	for l, v := range rz {
		enough[l] = v * 1e-24
	}
	for range 10*len(b) + 100 {
		open := false
		for l := range rz {
			open = open || rz[l] > enough[l]
		}
		if !open {
			break
		}
		php := h.times(hp, p)
		for l := range step {
			if step[l] = 0; rz[l] > enough[l] { // one that is solved stays
				step[l] = rz[l] / php[l]
			}
		}
		var now panels.Line
		for k, d := range h.diagonal {
			x, r, p, hp, inverse := &x[k], &r[k], &p[k], &hp[k], 1/d
			for l, s := range &step {
				x[l] += s * p[l]
				r[l] -= s * hp[l]
				hp[l] = r[l] * inverse
				now[l] += r[l] * hp[l]
			}
		}
		for l := range step {
			if step[l] = 0; rz[l] > enough[l] {
				step[l] = now[l] / rz[l]
			}
		}
		for k := range p {
			p, z := &p[k], &hp[k]
			for l, s := range &step {
				p[l] = z[l] + s*p[l]
			}
		}
		rz = now
	}
	return x
}

// solveOne is solve of one vector.
func (h *curvature) solveOne(b []float64) []float64 {
	lines := make([]panels.Line, len(b))
	for k, v := range b {
		lines[k][0] = v
	}
	return lists.Of(h.solve(lines), func(of panels.Line) float64 { return of[0] })
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
// is robust to dependence between the games of a cluster. With fewer than ten clusters, or where the games leave a number open, it
// assumes independent games.
func (m *Model) Error(of int) float64 {
	n := len(m.Parameters)
	if of < 0 {
		of += n + 2
	}
	unit := make([]float64, n+2)
	unit[of] = 1
	row := m.best.solveOne(unit)
	sums := make([]float64, m.clusters)
	for i := range m.cells {
		x, d := m.cells[i].lead()*row[n]*m.parts[i].x, row[n+1]*m.parts[i].d
		for _, t := range m.cells[i].Terms {
			x += row[t.Parameter] * t.Factor * m.parts[i].x
		}
		sums[m.cluster[i]] += x + d
	}
	if m.clusters < fewClusters || m.OpenAdvantage || m.OpenDraws {
		return math.Sqrt(row[of])
	}
	var v float64
	for _, sum := range sums {
		v += sum * sum
	}
	return math.Sqrt(v)
}

// Rows returns minus the inverse Hessian times each contrast of the parameters, of which there are at most Together. From a
// row, Variances computes how surely the sum of the parameters times the contrast is known. Rows of differences are differences
// of rows.
func (m *Model) Rows(contrasts [][]float64) [][]float64 {
	b := make([]panels.Line, len(m.Parameters)+2)
	for l, c := range contrasts {
		for k, v := range c {
			b[k][l] = v
		}
	}
	x := m.best.solve(b)
	return lists.N(len(contrasts), func(l int) []float64 {
		return lists.N(len(x), func(k int) float64 { return x[k][l] })
	})
}

// Variances returns the parts of the variance of the sum of the parameters times a contrast,
// given its row. games treats games as independent, whatever the model gets wrong about a game,
// and where the games leave a number open it is at least what the model expects;
// clusters treats clusters of them as independent. fourths is the sum of the fourth powers of
// the clusters' influences.
func (m *Model) Variances(row []float64) (games, clusters, fourths float64) {
	n := len(m.Parameters)
	sums := make([]float64, m.clusters)
	expected := 0.0
	for i := range m.cells {
		c := &m.cells[i]
		along := c.lead() * row[n]
		for _, t := range c.Terms {
			along += row[t.Parameter] * t.Factor
		}
		p := &m.parts[i]
		expected += along*along*p.xx + 2*along*row[n+1]*p.xd + row[n+1]*row[n+1]*p.dd
		lean, draw := p.lean, p.draw
		sum := 0.0
		for _, r := range []struct {
			games int64
			x, d  float64
		}{{c.Wins, 0.5 - lean, -draw}, {c.Draws, -lean, 1 - draw}, {c.Losses, -0.5 - lean, -draw}} {
			u := along*r.x + row[n+1]*r.d
			games += float64(r.games) * u * u
			sum += float64(r.games) * u
		}
		sums[m.cluster[i]] += sum
	}
	for _, sum := range sums {
		square := sum * sum
		clusters, fourths = clusters+square, fourths+square*square
	}
	if m.OpenAdvantage || m.OpenDraws {
		games = max(games, expected)
	}
	return games, clusters, fourths
}
