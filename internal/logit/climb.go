package logit

import (
	"slices"

	"gonum.org/v1/gonum/optimize"
)

// Climb returns where a function of n unknowns is largest, from 0, by L-BFGS (Liu and Nocedal 1989) with a memory of so many steps.
// It ends where no slope is above even, or after steps. at returns the value at x and writes its slopes; its error ends
// the climb. The place returned is the one at which it was called last.
func Climb(n, memory, steps int, even float64, at func(x, slopes []float64) (float64, error)) ([]float64, error) {
	var here []float64
	slopes, value := make([]float64, n), 0.0
	var stopped error
	move := func(x []float64) {
		if stopped == nil && !slices.Equal(x, here) {
			here = append(here[:0], x...)
			value, stopped = at(here, slopes)
		}
	}
	r, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { move(x); return -value },
		Grad: func(g, x []float64) {
			move(x)
			for i := range g {
				g[i] = -slopes[i]
			}
		},
		Status: func() (optimize.Status, error) { return optimize.NotTerminated, stopped },
	}, make([]float64, n), &optimize.Settings{GradientThreshold: even, Converger: optimize.NeverTerminate{}, MajorIterations: steps}, &optimize.LBFGS{Store: memory})
	if stopped != nil {
		return nil, stopped
	}
	if r == nil {
		return nil, err
	}
	move(r.X) // a search of a line that failed ends elsewhere: its best place is good enough for a start
	return here, stopped
}
