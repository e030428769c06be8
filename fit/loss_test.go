package fit

import (
	"math"
	"testing"
)

// TestSum: many rows at once are the rows one by one, however large the scores.
func TestSum(t *testing.T) {
	var z []float64
	var y, ones []float32
	for i := range 3000 {
		z = append(z, math.Sinh(float64(i%601-300)/40))
		y = append(y, float32(i%3)/2)
		ones = append(ones, 1)
	}
	for _, l := range []loss{logistic{}, squares{}} {
		d, want := make([]float64, len(z)), make([]float64, len(z))
		f, _ := l.sum(z, y, nil, 0, d)
		g, _ := sumOf(l, z, y, ones, 0, want)
		if math.Abs(f-g) > 1e-12*g {
			t.Errorf("%T: %v, row by row %v", l, f, g)
		}
		for i := range d {
			if math.Abs(d[i]-want[i]) > 1e-15 {
				t.Fatalf("%T at %v: %v, want %v", l, z[i], d[i], want[i])
			}
		}
	}
}

// TestGradient compares the gradient and the Hessian with central differences.
func TestGradient(t *testing.T) {
	for _, method := range []string{MLM, LS, Ordered, Value} {
		testGradient(t, referenceRows(t, method, true), settings{method: method}.loss())
	}
}

// TestHessian: the sums by slots and stage mixes are the sums over rows of the design.
func TestHessian(t *testing.T) {
	s := small()
	s.perGame = 24 // all phases
	r := s.rows(between(2, s.terms))
	k := r.d.scale() + 1
	theta := make([]float64, k)
	for j := range theta {
		theta[j] = 0.01 * float64(j%5-2)
	}
	theta[k-1] = 0.003
	want := make([]float64, k*k)
	r.eachScore(theta, func(b *block, z []float64) {
		for i, zi := range z {
			at, x := r.columns(b, i)
			c := squares{}.at(zi, float64(b.y[i]), 0).exact
			for p := range at {
				for q := range at {
					want[at[p]*k+at[q]] += c * x[p] * x[q]
				}
			}
		}
	})
	h := r.hessian(theta, squares{}, exact, 2)
	for i := range k {
		for j := range k {
			if math.Abs(h.At(i, j)-want[i*k+j]) > 1e-9*math.Sqrt(math.Abs(want[i*k+i]*want[j*k+j])) {
				t.Fatalf("%s, %s: %v, want %v", r.d.name(i), r.d.name(j), h.At(i, j), want[i*k+j])
			}
		}
	}
}

func testGradient(t *testing.T, r *rows, l loss) {
	for i, b := range r.blocks { // uneven weights, so that they count
		b.weight = make([]float32, b.rows())
		for j := range b.weight {
			b.weight[j] = float32(1 + (i+j)%3)
		}
	}
	theta := []float64{0.1, -0.2, 0.05, 0.3, 0.004, 0.4}[:r.d.size()]
	k := len(theta)
	step := []float64{1e-4, 1e-4, 1e-4, 1e-4, 1e-6, 1e-4}
	at := func(i int, by float64, grad []float64) float64 {
		x := append([]float64(nil), theta...)
		x[i] += by
		return r.pass(l, x, 2, grad)
	}
	grad, up, down := make([]float64, k), make([]float64, k), make([]float64, k)
	r.pass(l, theta, 2, grad)
	h := r.hessian(theta, l, exact, 2)
	for i := range theta {
		f := (at(i, step[i], up) - at(i, -step[i], down)) / (2 * step[i])
		if math.Abs(f-grad[i]) > 1e-6*(1+math.Abs(f)) {
			t.Errorf("%T: gradient %d is %v, by differences %v", l, i, grad[i], f)
		}
		for j := range theta {
			d := (up[j] - down[j]) / (2 * step[i])
			if got := h.At(i, j); math.Abs(d-got) > 1e-5*(math.Abs(d)+math.Sqrt(h.At(i, i)*h.At(j, j))) {
				t.Errorf("%T: second derivative %d %d is %v, by differences %v", l, i, j, got, d)
			}
		}
	}
}
