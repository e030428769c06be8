package minimise

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// quadratic is ½(x-at)ᵀH(x-at).
func quadratic(h *mat.SymDense, at []float64) Objective {
	return func(x, grad []float64) float64 {
		d := make([]float64, len(x))
		for i := range x {
			d[i] = x[i] - at[i]
		}
		g := mat.NewVecDense(len(x), grad)
		g.MulVec(h, mat.NewVecDense(len(x), d))
		return mat.Dot(g, mat.NewVecDense(len(x), d)) / 2
	}
}

// definite returns a positive definite matrix whose columns have units from 1 to 1e4, and a point.
func definite(n int) (*mat.SymDense, []float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	a := mat.NewDense(n, n, nil)
	at := make([]float64, n)
	for i := range n {
		unit := math.Pow(10, float64(i%5))
		at[i] = rng.NormFloat64() / unit
		for j := range n {
			a.Set(j, i, rng.NormFloat64()*unit)
		}
	}
	var h mat.SymDense
	h.SymOuterK(1, a.T())
	return &h, at
}

// rosenbrock has its minimum, 0, where all coordinates are 1, at the end of a curved valley.
func rosenbrock(x, grad []float64) (f float64) {
	clear(grad)
	for i := range len(x) - 1 {
		a, b := 1-x[i], x[i+1]-x[i]*x[i]
		f += a*a + 100*b*b
		grad[i] += -2*a - 400*x[i]*b
		grad[i+1] += 200 * b
	}
	return f
}

func near(t *testing.T, what string, got, want []float64, within float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= within*max(1, math.Abs(want[i]))) {
			t.Errorf("%s: coordinate %d is %g, want %g", what, i, got[i], want[i])
		}
	}
}

func TestLBFGS(t *testing.T) {
	m, err := LBFGS(context.Background(), rosenbrock, []float64{-1.2, 1, 1}, func([]float64) {}, 1e-9, 500, nil) // the only minimum of three coordinates
	if err != nil || m.Status != Converged {
		t.Errorf("Rosenbrock: %+v, %v", m, err)
	}
	near(t, "Rosenbrock", m.X, []float64{1, 1, 1}, 1e-8)

	if m, _ = LBFGS(context.Background(), rosenbrock, []float64{-1.2, 1}, func([]float64) {}, 1e-9, 3, nil); m.Status != Exhausted || m.Iterations != 3 {
		t.Errorf("after three iterations: %+v", m)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := LBFGS(ctx, rosenbrock, []float64{-1.2, 1}, func([]float64) {}, 1e-9, 3, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestRounds: with its own Hessian as metric a quadratic function takes one step, whatever the units of its columns. A metric that
// cannot be made again leaves the minimum of the round before.
func TestRounds(t *testing.T) {
	h, at := definite(12)
	metric, err := MetricOf(h)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	m, err := Rounds(context.Background(), quadratic(h, at), make([]float64, 12), func(int, []float64) (*Metric, int, error) { return metric, 0, nil }, 1e-9, func(*Minimum, string) { told++ })
	if err != nil || m.Status != Converged || m.Iterations != 1 || told != 2 {
		t.Errorf("%+v told %d times, %v", m, told, err)
	}
	near(t, "quadratic", m.X, at, 1e-8)

	identity := mat.NewSymDense(6, nil)
	for i := range 6 {
		identity.SetSym(i, i, 1)
	}
	flat, _ := MetricOf(identity)
	m, err = Rounds(context.Background(), rosenbrock, []float64{-1.2, 1, -1.2, 1, -1.2, 1}, func(round int, _ []float64) (*Metric, int, error) {
		if round > 0 {
			return nil, 0, ErrSingular
		}
		return flat, 0, nil
	}, 1e-9, nil)
	if !errors.Is(err, ErrSingular) || m.Iterations != roundLimit || !(m.F < 24) {
		t.Errorf("after a metric that cannot be made: %+v, %v", m, err)
	}
	if _, err := MetricOf(mat.NewSymDense(2, []float64{1, 2, 2, 1})); !errors.Is(err, ErrSingular) {
		t.Errorf("an indefinite metric: %v", err)
	}
}

// TestBoxed: with a diagonal Hessian the lasso is soft thresholding and a box cuts; with another the conditions of Karush, Kuhn and
// Tucker hold.
func TestBoxed(t *testing.T) {
	inf := math.Inf(1)
	d := mat.NewSymDense(4, nil)
	for i, v := range []float64{1, 2, 4, 8} {
		d.SetSym(i, i, v)
	}
	b := Box{Low: []float64{-inf, -inf, -inf, 1}, High: []float64{inf, inf, 0.5, inf}, L1: []float64{0.5, 3, 0, 0}}
	m, err := Boxed(context.Background(), quadratic(d, []float64{2, 1, 1, 0.5}), func([]float64) *mat.SymDense { return d }, make([]float64, 4), b, 1e-12, 50)
	if err != nil || m.Status != Converged {
		t.Errorf("%+v, %v", m, err)
	}
	near(t, "soft threshold and box", m.X, []float64{1.5, 0, 0.5, 1}, 1e-10) // 2-0.5/1; |2·1| < 3; cut; cut

	h, at := definite(12)
	b = Box{Low: make([]float64, 12), High: make([]float64, 12), L1: make([]float64, 12)}
	for i := range at {
		b.Low[i], b.High[i] = -0.5*math.Abs(at[i]), inf
		if i%3 == 0 {
			b.L1[i] = 0.2 * h.At(i, i) * math.Abs(at[i])
		}
	}
	fn := quadratic(h, at)
	m, err = Boxed(context.Background(), fn, func([]float64) *mat.SymDense { return h }, make([]float64, 12), b, 1e-12, 200)
	if err != nil || m.Status != Converged {
		t.Errorf("%+v, %v", m, err)
	}
	grad, limited := make([]float64, 12), 0
	fn(m.X, grad)
	for i, g := range grad {
		within := 1e-6 * h.At(i, i) * math.Abs(at[i])
		switch x := m.X[i]; {
		case x == b.Low[i]:
			limited++
			if g-b.L1[i] < -within {
				t.Errorf("coordinate %d is at its bound, and the gradient is %g", i, g)
			}
		case x == 0 && b.L1[i] > 0:
			limited++
			if math.Abs(g) > b.L1[i]+within {
				t.Errorf("coordinate %d is 0, and the gradient is %g of %g", i, g, b.L1[i])
			}
		default:
			if math.Abs(g+math.Copysign(b.L1[i], x)) > within {
				t.Errorf("coordinate %d is free, and the gradient is %g", i, g+math.Copysign(b.L1[i], x))
			}
		}
	}
	if limited < 3 {
		t.Errorf("only %d coordinates are limited: the test says little", limited)
	}
}

// TestMetric: the inverse, and the eigenvalue that belongs to a direction, as gonum has them.
func TestMetric(t *testing.T) {
	h, _ := definite(8)
	m, err := MetricOf(h)
	if err != nil {
		t.Fatal(err)
	}
	var product mat.Dense
	product.Mul(h, m.Inverse(1))
	for i := range 8 {
		for j := range 8 {
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(product.At(i, j)*m.Root[j]/m.Root[i]-want) > 1e-6 {
				t.Errorf("H·H⁻¹ has %g at %d, %d", product.At(i, j), i, j)
			}
		}
	}
	scaled := mat.NewSymDense(8, nil)
	for i := range 8 {
		for j := i; j < 8; j++ {
			scaled.SetSym(i, j, h.At(i, j)/(m.Root[i]*m.Root[j]))
		}
	}
	var e mat.EigenSym
	e.Factorize(scaled, false)
	if _, least := m.Weakest(); math.Abs(least-e.Values(nil)[0]) > 1e-6*least {
		t.Errorf("the smallest eigenvalue is %g, want %g", least, e.Values(nil)[0])
	}
}

// TestTimeLeft: the norm fell by a factor of 1,000 in three seconds, and has to fall by as much again.
func TestTimeLeft(t *testing.T) {
	if got := TimeLeft(3*time.Second, 5, 100, 1, 1e-3, 1e-6); !strings.Contains(got, "about 3s left") {
		t.Error(got)
	}
	if got := TimeLeft(3*time.Second, 5, 10, 1, 1e-1, 1e-6); !strings.Contains(got, "about 3s left") {
		t.Errorf("to the limit of ten steps: %q", got)
	}
	if got := TimeLeft(3*time.Second, 5, 100, 1, 2, 1e-6); got != "" {
		t.Errorf("of a norm that grew: %q", got)
	}
}
