package conjunctions

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/fit/sparse"
	"kifu/games/chess"
)

// TestNaive: the score is the logarithm of the ratio of the classes' likelihoods, by Bayes' rule.
func TestNaive(t *testing.T) {
	s, a, _ := toy(300, 4, coin)
	found, err := mine(context.Background(), s, a, Limits{Support: 5, Size: 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	sets := found.Sets()
	y, x := columnsOf(s, sets)
	z, err := naive(s, sets).scores(context.Background(), s, sets, 2)
	if err != nil {
		t.Fatal(err)
	}
	var n [2]float64
	for _, c := range y {
		n[c]++
	}
	for _, i := range []int{0, 7, 299} {
		var like [2]float64
		for c := range like {
			like[c] = math.Log(n[c] + 1)
			for j := range sets {
				alike := 1.0
				for k := range y {
					if y[k] == c && x[j][k] == x[j][i] {
						alike++
					}
				}
				like[c] += math.Log(alike / (n[c] + 2))
			}
		}
		if want := like[1] - like[0]; math.Abs(z[i]-want) > 1e-9 {
			t.Errorf("position %d: %v, want %v", i, z[i], want)
		}
	}
}

// TestFitDense: the weights of method value are those of the normal equations, solved densely.
func TestFitDense(t *testing.T) {
	s, a, _ := toy(400, 4, coin)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range s.Y {
		s.Y[i] = r.NormFloat64()
	}
	found, err := mine(context.Background(), s, a, Limits{Support: 5, Size: 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	sets := found.Sets()
	_, x := columnsOf(s, sets)
	n := len(sets) + 1
	normal, right := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i := range s.N {
		row := []float64{1}
		for j := range sets {
			row = append(row, float64(x[j][i]))
		}
		for j, v := range row {
			right.SetVec(j, right.AtVec(j)+v*s.Y[i])
			for k := j; k < n; k++ {
				normal.SetSym(j, k, normal.At(j, k)+v*row[k])
			}
		}
	}
	const ridge = 3
	for j := range n {
		normal.SetSym(j, j, normal.At(j, j)+ridge)
	}
	var want mat.VecDense
	if err := want.SolveVec(normal, right); err != nil {
		t.Fatal(err)
	}
	p := Defaults()
	p.Method, p.Ridge = losses.Value, ridge
	for _, workers := range []int{1, 2} {
		w, _, err := fitted(context.Background(), s, sets, p, workers)
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range append([]float64{w.Constant}, w.Of...) {
			if math.Abs(v-want.AtVec(j)) > 1e-6 {
				t.Errorf("weight %d: %v, want %v", j, v, want.AtVec(j))
			}
		}
	}
}

// TestPlanted: a conjunction that decides games is the strongest, its weight the planted one,
// and pruning leaves it and takes noise out.
func TestPlanted(t *testing.T) {
	const planted = 2.0
	s, a, _ := toy(20_000, 5, func(r *rand.Rand, c []int) bool {
		z := 0.0
		if c[0] == 2 && c[2] == 1 {
			z = planted
		}
		return r.Float64() < 1/(1+math.Exp(-z))
	})
	found, err := mine(context.Background(), s, a, Limits{Support: 50, Size: 2}, 2)
	if err != nil {
		t.Fatal(err)
	}
	sets := found.Sets()
	p := Defaults()
	p.Ridge, p.Prune = 20, 0.5
	w, e, taken, err := pruned(context.Background(), s, sets, p, 2)
	if err != nil {
		t.Fatal(err)
	}
	first := byWeight(w.Of)[0]
	if name := a.Name(sets[first].Atoms); name != "a2 & c1" || math.Abs(w.Of[first]-planted) > 0.3 {
		t.Errorf("the strongest is %s, %v; want a2 & c1, %v", name, w.Of[first], planted)
	}
	if len(taken) < len(sets)/2 || e.Fitted != len(sets)+1-len(taken) {
		t.Errorf("%d of %d taken out, %d weights fitted", len(taken), len(sets), e.Fitted)
	}
	for _, i := range taken {
		if w.Of[i] != 0 {
			t.Errorf("%s was taken out and weighs %v", a.Name(sets[i].Atoms), w.Of[i])
		}
	}
	for i, v := range w.Of {
		if v != 0 && math.Abs(v) < p.Prune {
			t.Errorf("%s weighs %v: below what was to be taken out", a.Name(sets[i].Atoms), v)
		}
	}
}

// TestMean: the error of a mean of independent games is that of their means; copies of the
// positions of a game add nothing.
func TestMean(t *testing.T) {
	m, se := mean([]float64{1, 0, 1, 1}, []int64{1, 2, 3, 4})
	if m != 0.75 || math.Abs(se-0.25) > 1e-15 {
		t.Errorf("%v ± %v, want 0.75 ± 0.25", m, se)
	}
	m2, se2 := mean([]float64{1, 1, 0, 0, 1, math.NaN(), 1, 1, 1}, []int64{1, 1, 2, 2, 3, 9, 3, 4, 4})
	if m2 != m || math.Abs(se2-se) > 1e-15 {
		t.Errorf("twice: %v ± %v, want %v ± %v", m2, se2, m, se)
	}
}

// TestGain: of values that predict better both gains are positive.
func TestGain(t *testing.T) {
	s := &Sample{N: 4, Y: []float64{1, 0, 1, 0}, Game: []int64{1, 2, 3, 4}}
	of := func(z ...float64) measures { return s.measure(losses.MLM, func(i int) float64 { return z[i] }) }
	better, worse := of(1, -1, 1, -1), of(1, -1, -0.5, 0.5)
	q, back := s.gain(better, worse), s.gain(worse, better)
	want := s.quality(worse).Loss - s.quality(better).Loss
	if !(q.Loss > 0.2) || math.Abs(q.Loss-want) > 1e-12 || q.Named != 0.5 || back.Loss != -q.Loss || back.Named != -q.Named {
		t.Errorf("%+v, and back %+v", q, back)
	}
}

// TestBound: all pairs of squares of too many positions are refused before they are read, whatever the least support, and not if
// few pairs, few positions or enough memory are asked for.
func TestBound(t *testing.T) {
	rules := chess.Rules{}
	a := newAtoms(rules.Layout(chess.Position{}), rules.Pieces(), sideMover, nil)
	p := Defaults()
	p.Board, p.Select, p.Size = true, selectAll, 2
	near, many, one, rare := p, p, p, p
	near.Distance, many.Select, one.Size, rare.Support = 1, "cmim:100", 1, 400_000
	for _, c := range []struct {
		p         Params
		n         int
		memory    int64
		forbidden bool
	}{
		{p, 500_000, 4e9, true}, {p, 500_000, 6e9, false}, {p, 300_000, 4e9, false}, {p, 500_000, 0, false}, {near, 500_000, 4e9, false},
		{many, 500_000, 4e9, false}, {one, 500_000, 4e9, false}, {rare, 500_000, 4e9, false},
	} {
		if err := c.p.bound(a, c.n, c.memory); (err != nil) != c.forbidden {
			t.Errorf("%+v, %d positions, %d bytes: %v", c.p, c.n, c.memory, err)
		}
	}
	if got := iterations(1_000_000); got != sparse.Iterations {
		t.Errorf("few truths are fitted in %d iterations", got)
	}
	if a, b := iterations(100_000_000), iterations(1e12); !(a < sparse.Iterations && a > b) || b != fewestIterations {
		t.Errorf("many truths are fitted in %d, %d iterations", a, b)
	}
}
