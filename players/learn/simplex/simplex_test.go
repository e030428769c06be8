package simplex

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// BenchmarkSeparate solves a linear programme of the size that 800 decisions of checkers
// make, of a player who errs, for each pull from the start and for one after the other.
func BenchmarkSeparate(b *testing.B) {
	rows := randomRows(rand.New(rand.NewPCG(7, 7)), 5600, 37, 150)
	for name, pulls := range map[string][]float64{"pull=30": {30}, "pull=1": {1}, "pull=0.01": {0.01}, "pull=0.0001": {1e-4}, "all": {30, 1, 1e-2, 1e-4}} {
		b.Run(name, func(b *testing.B) {
			pivots := 0
			for range b.N {
				s := New(rows, 37)
				for _, pull := range pulls {
					if _, err := s.Separate(pull); err != nil {
						b.Fatal(err)
					}
				}
				pivots += s.pivots
			}
			b.ReportMetric(float64(pivots)/float64(b.N), "pivots")
		})
	}
}

// randomRows are constraints that weights of length 1 to columns satisfy but for noise.
func randomRows(rng *rand.Rand, n, columns int, noise float64) (rows [][]Cell) {
	for range n {
		var r []Cell
		sum := noise * rng.NormFloat64()
		for j := range columns {
			if rng.IntN(3) == 0 {
				continue
			}
			x := float64(rng.IntN(7) - 3)
			r = append(r, Cell{int32(j), x})
			sum += x * float64(j+1)
		}
		if sum < 0 {
			for i := range r {
				r[i].X = -r[i].X
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// The linear programme of Separate, written out and solved by gonum's simplex method, has
// the same least cost.
func TestSeparateAgainstGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for trial := range 12 {
		const n, columns = 30, 4
		pull := []float64{1e-3, 0.1, 3}[trial%3]
		rows := randomRows(rng, n, columns, 3)
		w, err := New(rows, columns).Separate(pull)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := cost(rows, w, pull), leastCost(t, rows, columns, pull); math.Abs(got-want) > 1e-4*(1+want) {
			t.Errorf("trial %d: cost %.8g, gonum's %.8g", trial, got, want)
		}
	}
}

// scales returns the root mean squares of columns.
func scales(rows [][]Cell, columns int) []float64 {
	s := make([]float64, columns)
	for _, r := range rows {
		for _, c := range r {
			s[c.Column] += c.X * c.X / float64(len(rows))
		}
	}
	for j := range s {
		s[j] = math.Sqrt(s[j])
	}
	return s
}

func cost(rows [][]Cell, w []float64, pull float64) (sum float64) {
	for _, r := range rows {
		sum += max(0, 1-Dot(r, w))
	}
	for j, s := range scales(rows, len(w)) {
		sum += pull * s * math.Abs(w[j])
	}
	return sum
}

// leastCost is by w = u - v, slacks and surpluses, all of them at least 0.
func leastCost(t *testing.T, rows [][]Cell, columns int, pull float64) float64 {
	t.Helper()
	n := len(rows)
	c, b := make([]float64, 2*columns+2*n), make([]float64, n)
	a := mat.NewDense(n, len(c), nil)
	for j, s := range scales(rows, columns) {
		c[j], c[columns+j] = pull*s, pull*s
	}
	for i, r := range rows {
		for _, x := range r {
			a.Set(i, int(x.Column), x.X)
			a.Set(i, columns+int(x.Column), -x.X)
		}
		a.Set(i, 2*columns+i, 1)
		a.Set(i, 2*columns+n+i, -1)
		c[2*columns+i], b[i] = 1, 1
	}
	least, _, err := lp.Simplex(c, a, b, 1e-10, nil)
	if err != nil {
		t.Fatal(err)
	}
	return least
}

// Rows that weights satisfy are all satisfied, and many rows of many columns are solved to
// where no pull of the dual is left: the cost has no direction down.
func TestSeparate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	rows := randomRows(rng, 300, 6, 0)
	rows = slices.DeleteFunc(rows, func(r []Cell) bool { return Dot(r, []float64{1, 2, 3, 4, 5, 6}) == 0 })
	w, err := New(rows, 6).Separate(1e-6)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if Dot(r, w) < 1-1e-4 {
			t.Fatalf("%v counts %g", r, Dot(r, w))
		}
	}
	const columns = 25
	rows = randomRows(rng, 1500, columns, 60)
	if w, err = New(rows, columns).Separate(0.01); err != nil {
		t.Fatal(err)
	}
	least := cost(rows, w, 0.01)
	for range 300 {
		v := slices.Clone(w)
		for j := range v {
			v[j] += 1e-3 * rng.NormFloat64()
		}
		if cost(rows, v, 0.01) < least*(1-1e-7) {
			t.Fatalf("cost %g, nearby %g", least, cost(rows, v, 0.01))
		}
	}
}
