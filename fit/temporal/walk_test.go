package temporal

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// walk is an episode of Sutton's bounded random walk (1988, section 3.2): five states, from
// the middle to the left or right with equal chance; ending on the right is 1.
func walk(r *rand.Rand) *Sequence {
	s := &Sequence{}
	for at := 2; ; {
		s.At, s.X, s.Ends = append(s.At, int32(at)), append(s.X, 1), append(s.Ends, len(s.Ends)+1)
		if at += 2*r.IntN(2) - 1; at < 0 || at > 4 {
			s.Result = float64(at / 5)
			return s
		}
	}
}

func rms(values []float64) float64 {
	sum := 0.0
	for i, v := range values {
		d := v - float64(i+1)/6
		sum += d * d
	}
	return math.Sqrt(sum / 5)
}

// TestRandomWalk: training sets of ten walks, presented until nothing changes any more. TD(λ)
// comes to where LSTD(λ) is at once: with λ = 1 the mean result of the visits to a state, with
// 0 the value in the chain of the largest likelihood (Sutton's theorem of section 4.2). Errors
// grow with λ, as in his figure 3.
func TestRandomWalk(t *testing.T) {
	const sets = 100
	var means []float64
	for _, lambda := range []float64{0, 0.3, 0.7, 1} {
		r := rand.New(rand.NewPCG(1988, 3))
		mean := 0.0
		for set := range sets {
			var games []*Sequence
			e := NewEquations(5)
			for range 10 {
				games = append(games, walk(r))
				e.Add(games[len(games)-1], lambda)
			}
			values := visited(t, e)
			mean += rms(values) / sets
			same := func(name string, want []float64) {
				for i, v := range want {
					if math.Abs(v-values[i]) > 1e-9 {
						t.Errorf("λ %g, set %d, state %d: LSTD %.10f, %s %.10f", lambda, set, i, values[i], name, v)
					}
				}
			}
			switch lambda {
			case 0:
				same("the likeliest chain", chain(t, games))
			case 1:
				same("the mean result", visits(games))
			}
			if set == 0 {
				same("TD", presented(games, lambda))
			}
		}
		means = append(means, mean)
	}
	if !(means[0] < means[1] && means[1] < means[2] && means[2] < means[3]) {
		t.Errorf("errors by λ %.4f do not rise", means)
	}
}

// presented learns from games again and again.
func presented(games []*Sequence, lambda float64) []float64 {
	values, sum := []float64{0.5, 0.5, 0.5, 0.5, 0.5}, make([]float64, 5)
	l := &Learner{Value: Linear, Lambda: lambda}
	for range 20000 {
		clear(sum)
		for _, s := range games {
			l.Change(s, values, sum)
		}
		for i, d := range sum {
			values[i] += 0.01 * d
		}
	}
	return values
}

// visits returns the mean result of the visits to each state.
func visits(games []*Sequence) []float64 {
	var n, won [5]float64
	for _, s := range games {
		for _, at := range s.At {
			n[at]++
			won[at] += s.Result
		}
	}
	values := []float64{0.5, 0.5, 0.5, 0.5, 0.5}
	for i := range values {
		if n[i] > 0 {
			values[i] = won[i] / n[i]
		}
	}
	return values
}

// chain returns the values in the chain whose steps are as frequent as those of the games.
func chain(t *testing.T, games []*Sequence) []float64 {
	t.Helper()
	var steps [5][5]float64
	var n, won [5]float64
	for _, s := range games {
		for k, at := range s.At {
			n[at]++
			if k+1 < len(s.At) {
				steps[at][s.At[k+1]]++
			} else {
				won[at] += s.Result
			}
		}
	}
	a, b := mat.NewDense(5, 5, nil), mat.NewVecDense(5, nil)
	for i := range 5 {
		a.Set(i, i, 1)
		if n[i] == 0 {
			b.SetVec(i, 0.5)
			continue
		}
		b.SetVec(i, won[i]/n[i])
		for j := range 5 {
			a.Set(i, j, a.At(i, j)-steps[i][j]/n[i])
		}
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	return x.RawVector().Data
}

// visited solves e for the states that occur; the others keep 0.5, where Sutton began.
func visited(t *testing.T, e *Equations) []float64 {
	t.Helper()
	var of []int
	values := []float64{0.5, 0.5, 0.5, 0.5, 0.5}
	for i := range values {
		if e.A[6*i] != 0 {
			of = append(of, i)
		}
	}
	a, b := mat.NewDense(len(of), len(of), nil), mat.NewVecDense(len(of), nil)
	for p, i := range of {
		for q, j := range of {
			a.Set(p, q, e.A[5*i+j])
		}
		b.SetVec(p, e.B[i])
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	for p, i := range of {
		values[i] = x.AtVec(p)
	}
	return values
}
