package main

import (
	"math"
	"math/rand/v2"
	"sync"
)

// network has one hidden layer of tanh and a logistic output; it learns by RPROP (Riedmiller and
// Braun, "A Direct Adaptive Method for Faster Backpropagation Learning", 1993).
type network struct {
	hidden int
	// weights are the hidden units', feature by feature, then their constants, then the output's, then
	// its constant.
	weights []float64
}

func newNetwork(hidden int) *network {
	n := &network{hidden: hidden, weights: make([]float64, (features+2)*hidden+1)}
	r := rand.New(rand.NewPCG(1, 0))
	for i := range n.weights {
		n.weights[i] = 0.1 * r.NormFloat64()
	}
	return n
}

// forward sets the hidden units and returns the output before the logistic function.
func (n *network) forward(on *[64]int, units []float64) float64 {
	h := n.hidden
	copy(units, n.weights[features*h:][:h])
	for _, f := range on {
		for k, w := range n.weights[f*h:][:h] {
			units[k] += w
		}
	}
	out := n.weights[(features+2)*h]
	for k, w := range n.weights[(features+1)*h:][:h] {
		units[k] = math.Tanh(units[k])
		out += w * units[k]
	}
	return out
}

// value is above zero where it predicts Black to win.
func (n *network) value(p *position) float64 {
	on := p.on()
	return n.forward(&on, make([]float64, n.hidden))
}

// gradient adds the gradient of the log-loss of list to g, and returns the loss.
func (n *network) gradient(list []position, g []float64) (loss float64) {
	h := n.hidden
	units := make([]float64, h)
	for i := range list {
		on := list[i].on()
		out := n.forward(&on, units)
		y := float64(list[i].class())
		loss += math.Log1p(math.Exp(-math.Abs(out))) + max(out, 0) - y*out
		d := 1/(1+math.Exp(-out)) - y
		g[(features+2)*h] += d
		for k, u := range units {
			g[(features+1)*h+k] += d * u
			units[k] = d * n.weights[(features+1)*h+k] * (1 - u*u)
			g[features*h+k] += units[k]
		}
		for _, f := range on {
			for k, u := range units {
				g[f*h+k] += u
			}
		}
	}
	return loss
}

const (
	lanes    = 8 // sums of the gradient, added up in order
	most     = 300
	patience = 30 // epochs
)

// train goes through the positions until the log-loss of each tenth one, kept apart, has not fallen for
// some time, and returns the number of epochs. It keeps the best epoch's weights.
func (n *network) train(all []position) (epochs int) {
	var learn, apart []position
	for i, p := range all {
		if i%10 == 0 {
			apart = append(apart, p)
		} else {
			learn = append(learn, p)
		}
	}
	step, last := make([]float64, len(n.weights)), make([]float64, len(n.weights))
	for i := range step {
		step[i] = 0.01
	}
	best, kept := math.Inf(1), append([]float64(nil), n.weights...)
	for epoch := 1; epoch <= most && epoch-epochs <= patience; epoch++ {
		g, _ := n.sums(learn)
		for i, v := range g {
			switch sign := v * last[i]; {
			case sign > 0:
				step[i] = min(1.2*step[i], 50)
			case sign < 0:
				step[i] = max(0.5*step[i], 1e-6)
				v = 0 // no step after a change of sign
			}
			if v != 0 {
				n.weights[i] -= math.Copysign(step[i], v)
			}
			last[i] = v
		}
		if _, loss := n.sums(apart); loss < best {
			best, epochs = loss, epoch
			copy(kept, n.weights)
		}
	}
	n.weights = kept
	return epochs
}

// sums returns the gradient and the loss of list.
func (n *network) sums(list []position) (g []float64, loss float64) {
	var of [lanes][]float64
	var losses [lanes]float64
	var wg sync.WaitGroup
	for l := range lanes {
		of[l] = make([]float64, len(n.weights))
		wg.Go(func() {
			losses[l] = n.gradient(list[l*len(list)/lanes:(l+1)*len(list)/lanes], of[l])
		})
	}
	wg.Wait()
	g = of[0]
	for l := 1; l < lanes; l++ {
		for i, v := range of[l] {
			g[i] += v
		}
		losses[0] += losses[l]
	}
	return g, losses[0]
}
