package sparse

import (
	"context"
	"math"

	"kifu/internal/ordered"
)

// direction sets dir to an approximate solution of H·dir = -grad and n.step to the change of the
// scores along it. The solution is more exact closer to the optimum (Nocedal and Wright, 7.1). With
// linear scores one Newton step suffices, so the system is solved exactly at once.
func (n *newton) direction(ctx context.Context) error {
	e := n.estimate
	enough := min(0.1, math.Sqrt(e.Norm))
	if l := n.set.Loss; l.At(0, 0, 0).Exact == l.At(3, 0, 0).Exact {
		enough = 0
	}
	clear(n.step)
	for j, g := range n.grad {
		n.residual[j] = -g
	}
	return n.conjugate(ctx, max(enough, 0.5*n.set.Tolerance/e.Norm), func(alpha, left float64) {
		ordered.Each(n.workers, len(n.blocks), func(_, i int) {
			b := n.blocks[i]
			for row := b.first; row < b.first+b.rows(); row++ {
				n.step[row] += alpha * n.u[row]
			}
		})
		n.tell(left)
	})
}

// conjugate solves H·dir = residual from dir = 0 until the norm of the residual has fallen to the share
// enough, or iterations run out. after is called after every step: alpha is its length, left the share of the norm that
// remains, and n.u has the products of its direction with the rows.
func (n *newton) conjugate(ctx context.Context, enough float64, after func(alpha, left float64)) error {
	e := n.estimate
	clear(n.dir)
	for j, v := range n.residual {
		n.search[j] = n.precondition(j, v)
	}
	first := n.norm(n.residual)
	rho := first * first
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if math.Sqrt(rho) <= enough*first || rho == 0 || e.Iterations >= n.set.Iterations {
			return nil
		}
		e.Iterations++
		e.Passes++
		n.passes.product(n.search, n.product)
		n.addPenalty(n.search, n.product)
		curvature := 0.0
		for j, v := range n.search {
			curvature += v * n.product[j]
		}
		if !(curvature > 0) {
			return nil
		}
		alpha := rho / curvature
		for j, v := range n.search {
			n.dir[j] += alpha * v
			n.residual[j] -= alpha * n.product[j]
		}
		next := n.norm(n.residual)
		after(alpha, next/first)
		beta := next * next / rho
		rho = next * next
		for j, v := range n.residual {
			n.search[j] = n.precondition(j, v) + beta*n.search[j]
		}
	}
}

// precondition returns component j of D⁻¹ times a vector; 0 for a weight that is held.
func (n *newton) precondition(j int, v float64) float64 {
	if n.held[j] || !(n.diag[j] > 0) {
		return 0
	}
	return v / n.diag[j]
}
