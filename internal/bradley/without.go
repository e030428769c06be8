package bradley

import "math"

// CellsOf are the numbers of the cells that have each parameter.
func (m *Model) CellsOf() [][]int {
	of := make([][]int, len(m.Parameters))
	for i := range m.cells {
		for _, t := range m.cells[i].Terms {
			of[t.Parameter] = append(of[t.Parameter], i)
		}
	}
	return of
}

// Without is the parameter of that number, and its variance, when the games of a cluster are left out
// and all other unknowns keep their place. of are its cells. So the expectation of a pair does not
// depend on its own games.
func (m *Model) Without(parameter, cluster int, of []int) (at, variance float64) {
	at = m.Parameters[parameter]
	for range 100 {
		gradient, information := -m.precision[parameter]*at, m.precision[parameter]
		for _, i := range of {
			c := &m.cells[i]
			if c.Cluster == cluster {
				continue
			}
			x, own := m.ahead(c), 0.0
			for _, t := range c.Terms {
				if t.Parameter == parameter {
					own = t.Factor
				}
			}
			o := m.At(x + own*(at-m.Parameters[parameter]))
			g, lean := c.games(), (o.Win-o.Loss)/2
			gradient += own * (float64(c.Wins-c.Losses)/2 - g*lean)
			information += own * own * g * ((o.Win+o.Loss)/4 - lean*lean)
		}
		step := math.Max(-2, math.Min(2, gradient/information))
		at, variance = at+step, 1/information
		if math.Abs(step) < 1e-10 {
			break
		}
	}
	return at, variance
}
