package temporal

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// random returns games with n unknowns, several lines of which share an unknown.
func random(seed uint64, games, n int) (out []*Sequence) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range games {
		s := &Sequence{Result: float64(r.IntN(3)-1) / 2}
		for range 1 + r.IntN(12) {
			for i := range n {
				if r.IntN(3) == 0 {
					s.At, s.X = append(s.At, int32(i)), append(s.X, r.NormFloat64())
				}
			}
			s.Ends = append(s.Ends, len(s.At))
			s.Base, s.Cut = append(s.Base, r.NormFloat64()/3), append(s.Cut, r.IntN(5) == 0)
		}
		out = append(out, s)
	}
	return out
}

// streamed is figure 5.3 of Mańdziuk's book with theta held in the game: a step forwards
// through it with traces of every unknown.
func streamed(s *Sequence, theta []float64, value Value, lambda float64, replacing bool) []float64 {
	sum, trace := make([]float64, len(theta)), make([]float64, len(theta))
	z := s.Scores(theta, nil)
	for t := range s.Len() {
		v, slope := value(z[t])
		for i := range trace {
			trace[i] *= lambda
		}
		at, x := s.line(t)
		for j, i := range at {
			if g := slope * x[j]; replacing {
				trace[i] = g
			} else {
				trace[i] += g
			}
		}
		next := s.Result
		if t+1 < s.Len() {
			next, _ = value(z[t+1])
		}
		if s.Cut[t] {
			continue
		}
		for i := range sum {
			sum[i] += (next - v) * trace[i]
		}
	}
	return sum
}

// TestChange: from the end to the start is the same as from the start to the end.
func TestChange(t *testing.T) {
	const n = 7
	theta := make([]float64, n)
	for i := range theta {
		theta[i] = math.Sin(float64(i + 1))
	}
	for name, value := range map[string]Value{"linear": Linear, "logistic": Logistic} {
		for _, replacing := range []bool{false, true} {
			for _, lambda := range []float64{0, 0.3, 0.7, 1} {
				l := &Learner{Value: value, Lambda: lambda, Replacing: replacing}
				for g, s := range random(3, 50, n) {
					got := make([]float64, n)
					l.Change(s, theta, got)
					for i, want := range streamed(s, theta, value, lambda, replacing) {
						if math.Abs(got[i]-want) > 1e-12 {
							t.Fatalf("%s, λ %g, replacing %t: unknown %d of game %d changes by %g, want %g", name, lambda, replacing, i, g, got[i], want)
						}
					}
				}
			}
		}
	}
}

// TestOne: with λ = 1 and a linear value the fixed point of TD, and LSTD, are the least
// squares of the results.
func TestOne(t *testing.T) {
	const n = 7
	games := random(5, 200, n)
	var x []float64
	var y []float64
	e := NewEquations(n)
	for _, s := range games {
		s.Cut = nil
		for k := range s.Len() {
			line := make([]float64, n)
			at, v := s.line(k)
			for j, i := range at {
				line[i] = v[j]
			}
			x, y = append(x, line...), append(y, s.Result-s.Base[k])
		}
		e.Add(s, 1)
	}
	var want mat.VecDense
	if err := want.SolveVec(mat.NewDense(len(y), n, x), mat.NewVecDense(len(y), y)); err != nil {
		t.Fatal(err)
	}
	closed := solved(t, e)
	theta, sum := make([]float64, n), make([]float64, n)
	l := &Learner{Value: Linear, Lambda: 1}
	for range 4000 {
		clear(sum)
		for _, s := range games {
			l.Change(s, theta, sum)
		}
		for i, d := range sum {
			theta[i] += 1e-3 * d
		}
	}
	for i := range n {
		if w := want.AtVec(i); math.Abs(closed[i]-w) > 1e-10 || math.Abs(theta[i]-w) > 1e-8 {
			t.Errorf("unknown %d: LSTD(1) %.12g, TD(1) %.12g, least squares %.12g", i, closed[i], theta[i], w)
		}
	}
}

func solved(t *testing.T, e *Equations) []float64 {
	t.Helper()
	var theta mat.VecDense
	if err := theta.SolveVec(mat.NewDense(e.n, e.n, e.A), mat.NewVecDense(e.n, e.B)); err != nil {
		t.Fatal(err)
	}
	return theta.RawVector().Data
}

// TestFixedPoint: at the solution of LSTD(λ) TD(λ) stands still.
func TestFixedPoint(t *testing.T) {
	const n = 7
	for _, lambda := range []float64{0, 0.4, 0.9} {
		e := NewEquations(n)
		games := random(9, 300, n)
		for _, s := range games {
			e.Add(s, lambda)
		}
		theta, sum := solved(t, e), make([]float64, n)
		l := &Learner{Value: Linear, Lambda: lambda}
		for _, s := range games {
			l.Change(s, theta, sum)
		}
		for i, d := range sum {
			if math.Abs(d) > 1e-9 {
				t.Errorf("λ %g: unknown %d changes by %g at the fixed point", lambda, i, d)
			}
		}
	}
}
