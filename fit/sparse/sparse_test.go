package sparse

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kifu/eval"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/fit/solve"
	"kifu/internal/dyads"
)

// small is a design with few weights, to be held against solvers with matrices.
type small struct {
	rows    []Row
	weights int
}

// draw draws rows of games with counts and weights; results come from planted weights.
func draw(seed uint64, games, weights int, linear bool) *small {
	r := rand.New(rand.NewPCG(seed, 11))
	planted := make([]float64, weights)
	for j := range planted {
		planted[j] = r.NormFloat64()
	}
	s := &small{weights: weights}
	for g := range games {
		luck := r.NormFloat64() / 2 // what the rows of a game share
		for range 1 + r.IntN(6) {
			row := Row{Game: int64(1000 + 7*g), Class: r.IntN(3), Weight: 1 + float64(r.IntN(3))/2, Offset: float64(r.IntN(9)-4) / 8}
			z := row.Offset + luck
			for j := range weights {
				if r.IntN(3) == 0 {
					x := float32(1 + r.IntN(3) - 2*r.IntN(2))
					row.At, row.X = append(row.At, uint32(j)), append(row.X, x)
					z += float64(x) * planted[j]
				}
			}
			if row.Y = float64(float32(z + r.NormFloat64())); !linear {
				row.Y = math.Round(losses.Win(z) + r.Float64() - 0.5)
			}
			s.rows = append(s.rows, row)
		}
	}
	return s
}

func (s *small) store(t *testing.T) *Store {
	t.Helper()
	b := NewBuilder(s.weights)
	for i := range s.rows {
		if err := b.Add(&s.rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	return b.Finish()
}

func fit(t *testing.T, s *Store, set Settings) *Estimate {
	t.Helper()
	e, err := Fit(context.Background(), s, set)
	if err != nil {
		t.Fatal(err)
	}
	if e.Status != converged {
		t.Fatalf("%s at the norm %g after %d steps and %d iterations", e.Status, e.Norm, e.Newton, e.Iterations)
	}
	return e
}

// TestSolver holds fits to those of fit/solve, whose method is another one, to 1e-8.
func TestSolver(t *testing.T) {
	for _, c := range []struct {
		method string
		ridge  float64
	}{{losses.MLM, 0}, {losses.MLM, 3}, {losses.LS, 0}, {losses.LS, 2}, {losses.Value, 0}, {losses.Value, 5}} {
		s := draw(5, 400, 12, c.method == losses.Value)
		store := s.store(t)
		loss := losses.Of(c.method)
		want := solved(t, s, c.method, c.ridge*loss.At(0, 0.5, 0).Positive/store.Sum)
		set := Settings{Loss: loss, Ridge: c.ridge, Tolerance: 1e-11, Workers: 2}
		if c.method == losses.LS { // its valley depends on the start, which is there that of mlm
			set.Start = fit(t, store, Settings{Loss: losses.Logistic{}, Ridge: c.ridge}).Weights
		}
		e := fit(t, store, set)
		if math.Abs(e.Loss-want.MeanLoss) > 1e-10 {
			t.Errorf("%s, ridge %g: mean loss %.12f, want %.12f", c.method, c.ridge, e.Loss, want.MeanLoss)
		}
		for j, w := range e.Weights {
			if math.Abs(w-want.Weights[j]) > 1e-8 {
				t.Errorf("%s, ridge %g: weight %d is %.10f, want %.10f", c.method, c.ridge, j, w, want.Weights[j])
			}
		}
	}
}

// solved is the fit of fit/solve.
func solved(t *testing.T, s *small, method string, l2 float64) *solve.Estimate {
	t.Helper()
	m := &eval.Model{Game: "g", Unit: "u", Stages: []string{"all"}, Knots: []int{0}}
	var free []int
	for j := range s.weights {
		m.Terms = append(m.Terms, eval.Term{Name: fmt.Sprint("t", j), Group: "free", Weights: []float64{0}})
		free = append(free, j)
	}
	b := rows.NewBuilder(rows.NewDesign(m, free, nil, nil))
	for _, r := range s.rows {
		row := rows.Row{Game: r.Game, Value: r.Offset, Y: r.Y, Weight: r.Weight}
		for k, j := range r.At {
			row.Features = append(row.Features, rows.Count{Slot: uint32(j), N: int16(r.X[k])})
		}
		b.Add(&row)
	}
	e, err := solve.Fit(context.Background(), b.Finish(), solve.Settings{Method: method, L2: l2, Scale: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestClosedForm: weights of which each row has one are the shrunk means of its rows' targets,
// for logistic regression without ridge the logits of the shares.
func TestClosedForm(t *testing.T) {
	b := NewBuilder(4)
	sum, n := make([]float64, 4), make([]float64, 4)
	for i := range 300 {
		j := uint32(i * i % 7 % 3) // the last weight never occurs
		y := float64(i % 5 / 3)
		sum[j] += y
		n[j]++
		if err := b.Add(&Row{Game: int64(i), Y: y, Weight: 1, At: []uint32{j}}); err != nil {
			t.Fatal(err)
		}
	}
	s := b.Finish()
	e := fit(t, s, Settings{Loss: losses.Linear{}, Ridge: 4, Tolerance: 1e-13})
	l := fit(t, s, Settings{Loss: losses.Logistic{}, Tolerance: 1e-13})
	for j := range 3 {
		if want := sum[j] / (n[j] + 4); math.Abs(e.Weights[j]-want) > 1e-12 {
			t.Errorf("weight %d is %.14f, want %.14f", j, e.Weights[j], want)
		}
		if p := sum[j] / n[j]; p > 0 && p < 1 && math.Abs(l.Weights[j]-math.Log(p/(1-p))) > 1e-10 {
			t.Errorf("logit %d is %.12f, want %.12f", j, l.Weights[j], math.Log(p/(1-p)))
		}
	}
	if e.Weights[3] != 0 || e.Fitted != 3 {
		t.Errorf("a weight that never occurs is %g; %d were fitted", e.Weights[3], e.Fitted)
	}
	e = fit(t, s, Settings{Loss: losses.Linear{}, Ridge: 4, Least: int(n[2]) + 1, Tolerance: 1e-13, Start: []float64{7, 0, 0, 0}})
	if e.Weights[0] != 7 || e.Weights[2] != 0 || e.Fitted != 1 {
		t.Errorf("weights %v, %d fitted: want the second alone", e.Weights, e.Fitted)
	}
}

// TestTies: a weight without rows comes to where its ties draw it, and tied weights that each
// have rows to the solution of their normal equations.
func TestTies(t *testing.T) {
	b := NewBuilder(6)
	for i, y := range []float64{1, 2, 3, 10, 20} {
		if err := b.Add(&Row{Game: int64(i), Y: y, Weight: 1, At: []uint32{uint32(i / 3 * 4)}}); err != nil {
			t.Fatal(err)
		}
	}
	// Three rows of weight 0 with the sum 6 and two of weight 4 with the sum 30; 2 has none.
	e := fit(t, b.Finish(), Settings{Loss: losses.Linear{}, Ties: []Tie{{0, 2, 2, 5}, {2, 4, 2, 5}}, Tolerance: 1e-14})
	var want mat.VecDense
	if err := want.SolveVec(mat.NewDense(3, 3, []float64{3 + 5, -5, 0, -5, 10, -5, 0, -5, 2 + 5}), mat.NewVecDense(3, []float64{6, 0, 30})); err != nil {
		t.Fatal(err)
	}
	for k := range 3 {
		if got := e.Weights[2*k]; math.Abs(got-want.AtVec(k)) > 1e-10 || e.Weights[2*k+1] != 0 {
			t.Errorf("weights %d and %d are %.12f and %g, want %.12f and 0", 2*k, 2*k+1, got, e.Weights[2*k+1], want.AtVec(k))
		}
	}
}

// TestJackknife holds errors to fits without each group of games: with a linear score they are equal, else a step of Newton's
// is nearly the fit.
func TestJackknife(t *testing.T) {
	const groups = 10
	for loss, tolerance := range map[losses.Loss]float64{losses.Linear{}: 1e-3, losses.Logistic{}: 0.02} {
		s := draw(8, 300, 9, loss == losses.Loss(losses.Linear{}))
		set := Settings{Loss: loss, Ridge: 2, Tolerance: 1e-11}
		e := fit(t, s.store(t), set)
		var squares, fourths [9]float64
		for group := range int64(groups) {
			left := &small{weights: 9}
			for _, r := range s.rows {
				if (r.Game-1000)/7%groups != group {
					left.rows = append(left.rows, r)
				}
			}
			for j, w := range fit(t, left.store(t), set).Weights {
				d := w - e.Weights[j]
				squares[j] += d * d
				fourths[j] += d * d * d * d
			}
		}
		got, _, err := e.Jackknife(context.Background(), groups, nil, dyads.Both, func() {})
		if err != nil {
			t.Fatal(err)
		}
		for j, x := range got {
			se := math.Sqrt(squares[j] * (groups - 1) / groups)
			df := min(groups-1, max(1, 3*squares[j]*squares[j]/fourths[j]-2))
			if math.Abs(x.SE-se) > tolerance*se || math.Abs(x.Degrees-df) > 4*tolerance*df {
				t.Errorf("%T: weight %d has the error %v with %v degrees of freedom, want %v and %v", loss, j, x.SE, x.Degrees, se, df)
			}
		}
		again, _, err := e.Jackknife(context.Background(), groups, nil, dyads.Both, func() {})
		if err != nil || fmt.Sprint(again) != fmt.Sprint(got) {
			t.Errorf("%T: once more: %v, %v; want %v", loss, again, err, got)
		}
	}
}

// TestWorkers: weights and errors are the same to the bit.
func TestWorkers(t *testing.T) {
	s := draw(9, 8000, 40, false)
	var want string
	for _, workers := range []int{1, 2, 3, 8} {
		e := fit(t, s.store(t), Settings{Loss: losses.Logistic{}, Ridge: 1, Ties: []Tie{{0, 20, 20, 3}}, Workers: workers})
		spread, _, err := e.Jackknife(context.Background(), 5, nil, dyads.Both, func() {})
		got := fmt.Sprintf("%x %x %d %x %v", e.Weights, e.Loss, e.Iterations, spread, err)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d workers: %.200s, one: %.200s", workers, got, want)
		}
	}
}

// TestScores: scores of other rows are those of the weights.
func TestScores(t *testing.T) {
	s := draw(3, 50, 5, true)
	for i := range s.rows {
		s.rows[i].Class = 0 // in order
	}
	store := s.store(t)
	e := fit(t, store, Settings{Loss: losses.Linear{}, Ridge: 1})
	i, sum := 0, 0.0
	e.Scores(store, func(_ int, z, y, w float64) {
		want := s.rows[i].Offset
		for k, j := range s.rows[i].At {
			want += float64(s.rows[i].X[k]) * e.Weights[j]
		}
		if math.Abs(z-want) > 1e-12 || y != s.rows[i].Y || w != s.rows[i].Weight {
			t.Fatalf("row %d: score %g, target %g, weight %g; want %g, %g, %g", i, z, y, w, want, s.rows[i].Y, s.rows[i].Weight)
		}
		sum += w * (z - y) * (z - y)
		i++
	})
	if mean := sum / store.Sum; i != len(s.rows) || math.Abs(mean-e.Loss) > 1e-9 {
		t.Errorf("%d rows of %d with the mean loss %g, want %g", i, len(s.rows), mean, e.Loss)
	}
}

// TestRefusals: what cannot be fitted is said.
func TestRefusals(t *testing.T) {
	b := NewBuilder(2)
	for name, r := range map[string]Row{
		"an entry beyond the weights": {Weight: 1, At: []uint32{2}},
		"a target that is no number":  {Weight: 1, Y: math.NaN()},
		"a weight below 0":            {Weight: -1},
		"too few values":              {Weight: 1, At: []uint32{0, 1}, X: []float32{1}},
	} {
		if err := b.Add(&r); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	s := b.Finish()
	if _, err := Fit(context.Background(), s, Settings{Loss: losses.Linear{}}); err != errEmpty {
		t.Errorf("a store without rows: %v", err)
	}
}
