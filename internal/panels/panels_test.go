package panels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
)

// some are lines of n numbers, of which most are 0.
func some(random *rand.Rand, lines, n int, number func() float64) []float64 {
	u := make([]float64, lines*n)
	for i := range u {
		if random.IntN(1+i%n) < 5 {
			u[i] = number()
		}
	}
	return u
}

func TestAssemblyAddsAsGoDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	panel, times, at := make([]Line, 40), make([]float64, 17), make([]uint16, 17)
	for i := range panel {
		for j := range panel[i] {
			panel[i][j] = random.NormFloat64()
		}
	}
	other := slices.Clone(panel)
	slices.Reverse(other)
	for n := range times {
		times[n], at[n] = random.NormFloat64(), uint16(random.IntN(len(panel)))
		var got, want Line
		got[3], want[3] = 1, 1
		add(&got, times[:n], at[:n], panel)
		addEach(&want, times[:n], at[:n], panel)
		if got != want {
			t.Fatalf("%d products: %v, want %v", n, got, want)
		}
		var left, right, wantLeft, wantRight Line
		right[5], wantRight[5] = 2, 2
		both(&left, &right, times[:n], at[:n], panel, other)
		addEach(&wantLeft, times[:n], at[:n], panel)
		addEach(&wantRight, times[:n], at[:n], other)
		if left != wantLeft || right != wantRight {
			t.Fatalf("%d products of two panels: %v and %v, want %v and %v", n, left, right, wantLeft, wantRight)
		}
	}
}

// TestHeldIsSummedAsGoDoes compares the sums of spans that leave out words, empty ones too, and the counts.
func TestHeldIsSummedAsGoDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const words = 60
	first, second, codes := make([]uint64, words), make([]uint64, words), make([]uint16, 64*words)
	for w := range first {
		first[w], second[w] = random.Uint64()&random.Uint64(), random.Uint64()
		if w%3 == 0 {
			second[w] = 1 << 63
		}
	}
	table := make([]Pair, 50)
	for i := range table {
		table[i] = Pair{random.NormFloat64(), random.NormFloat64()}
	}
	for i := range codes {
		codes[i] = uint16(random.IntN(len(table)))
	}
	for _, spans := range [][]Words{nil, {{0, words}}, {{1, 2}, {5, 5}, {6, 20}, {30, 33}}} {
		got, want := make([]Held, len(spans)), make([]Held, len(spans))
		counts, wantCounts := make([]uint32, len(table)), make([]uint32, len(table))
		counts[7], wantCounts[7] = 3, 3
		SumHeld(got, spans, first, second, codes, table, counts)
		HeldEach(want, spans, first, second, codes, table, wantCounts)
		if !slices.Equal(got, want) || !slices.Equal(counts, wantCounts) {
			t.Errorf("%v: %v and %v, want %v and %v", spans, got, counts, want, wantCounts)
		}
	}
}

// TestWithin compares words with the comparisons, of numbers at the ends and of none.
func TestWithin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	ends := []float64{math.Inf(-1), -1.5, math.Copysign(0, -1), 0, 2, 2.5, math.Inf(1)}
	values := make([]float64, 64)
	for range 2000 {
		n := random.IntN(len(values) + 1)
		for i := range values[:n] {
			values[i] = append(ends, math.NaN())[random.IntN(len(ends)+1)]
		}
		low, high := ends[random.IntN(len(ends))], ends[random.IntN(len(ends))]
		want := uint64(0)
		for i, x := range values[:n] {
			if low <= x && x <= high {
				want |= 1 << i
			}
		}
		if got := Within(values[:n], low, high); got != want {
			t.Fatalf("from %v to %v: %b, want %b of %v", low, high, got, want, values[:n])
		}
	}
}

func TestPairsAreAddedAsGoDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const lines, places, count = 40, 2000, 30
	codes := make([]uint32, places)
	for i := range codes {
		codes[i] = uint32(random.IntN(lines))
	}
	var gaps []uint8
	var ends []uint32
	table, rows := make([]Pair, lines), make([]Pair, count)
	for i := range table {
		table[i] = Pair{random.NormFloat64(), random.NormFloat64()}
	}
	for i := range rows {
		rows[i] = Pair{random.NormFloat64(), random.NormFloat64()}
		for range random.IntN(7) {
			if random.IntN(3) == 0 {
				gaps = append(gaps, 255)
			}
			gaps = append(gaps, uint8(random.IntN(30)))
		}
		ends = append(ends, uint32(len(gaps)))
	}
	for first := range count {
		from := uint32(0)
		if first > 0 {
			from = ends[first-1]
		}
		got, want := make([]Pair, count-first), make([]Pair, count-first)
		SumPairs(got, from, ends[first:], gaps, codes, table)
		SumEach(want, from, ends[first:], gaps, codes, table)
		sums, wantSums := slices.Clone(table), slices.Clone(table)
		AddPairs(rows[first:], from, ends[first:], gaps, codes, sums)
		AddEach(rows[first:], from, ends[first:], gaps, codes, wantSums)
		if !slices.Equal(got, want) || !slices.Equal(sums, wantSums) {
			t.Fatalf("from row %d: %v and %v, want %v and %v", first, got, sums, want, wantSums)
		}
	}
}

func TestMultiply(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const lines, n, k = 7, 170, 75
	u, m := mat.NewDense(lines, n, some(random, lines, n, random.NormFloat64)), mat.NewDense(k, n, some(random, k, n, random.NormFloat64))
	var sparse Sparse
	sparse.Set(u.RawMatrix().Data, n)
	got := mat.NewDense(lines, k, nil)
	NewProduct(m).Multiply(&sparse, got.RawMatrix().Data)
	var want mat.Dense
	want.Mul(u, m.T())
	if !mat.EqualApprox(got, &want, 1e-13) {
		t.Errorf("got %v, want %v", mat.Formatted(got), mat.Formatted(&want))
	}
}

func TestSquares(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const lines, n = 3*batch + 5, 110
	u := some(random, lines, n, random.NormFloat64)
	want, s := mat.NewSymDense(n, nil), NewSquares(n, 2)
	for range 2 { // Take empties
		want.Zero()
		for l := range lines {
			line, c := u[l*n:(l+1)*n], random.Float64()-0.5
			want.SymRankOne(want, c, mat.NewVecDense(n, line))
			if l%2 == 0 {
				s.AddLine(c, line)
				continue
			}
			var at []int32
			var x []float64
			for j, v := range line {
				if v != 0 {
					at, x = append(at, int32(j)), append(x, v)
				}
			}
			s.Add(c, at, x)
		}
		got := mat.NewSymDense(n, nil)
		s.Take(func(i, j int, v float64) { got.SetSym(i, j, got.At(i, j)+v) })
		for i := range n {
			for j := i; j < n; j++ {
				if !scalar.EqualWithinAbs(got.At(i, j), want.At(i, j), 1e-9) {
					t.Fatalf("%d, %d: %v, want %v", i, j, got.At(i, j), want.At(i, j))
				}
			}
		}
	}
}

// Whoever has some of the lines orders their columns otherwise, and has to have the same sums.
func TestSquaresOfCountsDoNotDependOnTheOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const lines, n = batch + 5, 70
	u := some(random, lines, n, func() float64 { return float64(random.IntN(1<<16) - 1<<15) })
	for l := range lines {
		u[l*n+n-1] = random.NormFloat64()
	}
	all := make([]int32, n)
	for j := range all {
		all[j] = int32(j)
	}
	sums := func(order func(s *Squares)) (out []float64) {
		random := rand.New(rand.NewPCG(3, 4))
		s := NewSquares(n, 1)
		order(s)
		for l := range lines {
			s.Add(random.Float64(), all, u[l*n:(l+1)*n])
		}
		out = make([]float64, n*n)
		s.Take(func(i, j int, v float64) { out[i*n+j] = v })
		return out
	}
	byNumber := sums(func(*Squares) {})
	other := sums(func(s *Squares) {
		s.choose()
		slices.Reverse(s.order[1:])
	})
	for i, v := range byNumber {
		if math.Float64bits(v) != math.Float64bits(other[i]) {
			t.Fatalf("%d, %d: %v and %v", i/n, i%n, v, other[i])
		}
	}
}

// TestTimesTransposed compares products with gonum's, by one worker and by three.
func TestTimesTransposed(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	for _, size := range [][3]int{{1, 1, 1}, {3, 65, 70}, {130, 40, 33}, {64, 128, 5}} {
		a := mat.NewDense(size[0], size[1], some(random, size[0], size[1], random.NormFloat64))
		b := mat.NewDense(size[2], size[1], some(random, size[2], size[1], random.NormFloat64))
		var want mat.Dense
		want.Mul(a, b.T())
		if one, three := TimesTransposed(a, b, 1), TimesTransposed(a, b, 3); !mat.Equal(one, three) || !mat.EqualApprox(one, &want, 1e-12) {
			t.Errorf("%v: the products of one worker and three are not gonum's", size)
		}
	}
}
