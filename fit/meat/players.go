package meat

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/rows"
	"kifu/internal/dyads"
	"kifu/internal/ordered"
	"kifu/internal/panels"
)

// mostNumbers bounds the memory for sums of scores by cluster: 64 MB, and as much for their products with the inverse.
const mostNumbers = 1 << 23

// clusterSums has the sums of the scores of the clusters from..to-1.
type clusterSums struct {
	n, from, to int
	of          *dyads.Clusters
	u, v        []float64 // a line a cluster: its score, and A⁻¹ times it, which is nil without the inverse
}

// next makes s the empty sums of the next clusters, at most most, in the same memory.
func (s *clusterSums) next(most int) {
	s.from, s.to = s.to, min(len(s.of.Sums), s.to+most)
	size := (s.to - s.from) * s.n
	s.u = slices.Grow(s.u[:0], size)[:size]
	clear(s.u)
}

// lines calls do with the line of each of the game's clusters that are in s.
func (s *clusterSums) lines(game int, do func(line int)) {
	for _, k := range s.of.Of[game] {
		if int(k) >= s.from && int(k) < s.to {
			do(int(k) - s.from)
		}
	}
}

// has reports whether the game is of a cluster in s.
func (s *clusterSums) has(game int) bool {
	some := false
	s.lines(game, func(int) { some = true })
	return some
}

// gathered has the scores of a chunk's games that are of clusters.
type gathered struct {
	games []int
	u     []float64
}

func (x *gathered) reset() { x.games, x.u = x.games[:0], x.u[:0] }

// keep keeps the scores of the games that are of clusters in s; s nil: none.
func (x *gathered) keep(s *clusterSums, g Games) {
	if s == nil {
		return
	}
	for i := range g.Len() {
		if s.has(g.At[i]) {
			x.games, x.u = append(x.games, g.At[i]), append(x.u, g.Score(i)...)
		}
	}
}

// add adds the scores of a chunk to s.
func (s *clusterSums) add(x *gathered) {
	for i, game := range x.games {
		u := x.u[i*s.n : (i+1)*s.n]
		s.lines(game, func(line int) { floats.Add(s.u[line*s.n:(line+1)*s.n], u) })
	}
}

// gather adds the games' scores to s, in their order whatever the number of workers.
func (pass GameScores) gather(s *clusterSums, workers int) {
	all := make([]gathered, max(1, workers))
	pass(Wanted{Games: s.has}, func(w int) { all[w].reset() }, func(w int, g Games) { all[w].keep(s, g) }, func(w int) { s.add(&all[w]) })
}

// spread divides the scores in s by 1-h; multiply multiplies the inverse by some.
func (pass GameScores) spread(s *clusterSums, multiply func(w int, g Games) []float64, workers int) {
	count := s.to - s.from
	s.v = slices.Grow(s.v[:0], len(s.u))[:len(s.u)]
	ordered.Merge(workers, (count+together-1)/together, func(w, i int) {
		from, to := i*together*s.n, min((i+1)*together, count)*s.n
		copy(s.v[from:to], multiply(w, Games{At: make([]int, (to-from)/s.n), N: s.n, U: s.u[from:to]}))
	}, func(int, int) {})
	curves := make([]float64, count)
	type part struct {
		line  int
		curve float64
	}
	all := make([][]part, max(1, workers))
	pass(Wanted{Games: s.has, Along: true}, func(w int) { all[w] = all[w][:0] }, func(w int, g Games) {
		for i := range g.Len() {
			s.lines(g.At[i], func(line int) {
				all[w] = append(all[w], part{line, g.Along(i, s.v[line*s.n:(line+1)*s.n])})
			})
		}
	}, func(w int) {
		for _, p := range all[w] {
			curves[p.line] += p.curve
		}
	})
	for line, curve := range curves {
		u := s.u[line*s.n : (line+1)*s.n]
		h := Leverage(curve / floats.Dot(u, s.v[line*s.n:(line+1)*s.n]))
		floats.Scale(1/(1-h), u)
		floats.Scale(1/(1-h), s.v[line*s.n:(line+1)*s.n])
	}
}

// fourthsTo adds what the players among the clusters in s move numbers by.
func (s *clusterSums) fourthsTo(f *Fourths) {
	moves := s.v
	if moves == nil {
		moves = s.u
	}
	for line := range s.to - s.from {
		if s.of.Sums[s.from+line] > 0 {
			f.add(moves[line*s.n:(line+1)*s.n], 1)
		}
	}
}

// addTo adds the sum of factor·u·uᵀ over the clusters in s.
func (s *clusterSums) addTo(total *mat.SymDense, workers int) {
	const stretch = 1 << 11
	sums := make([]*panels.Squares, max(1, workers))
	ordered.Merge(workers, (s.to-s.from+stretch-1)/stretch, func(w, i int) {
		if sums[w] == nil {
			sums[w] = panels.NewSquares(s.n, 0)
		}
		for line := i * stretch; line < min((i+1)*stretch, s.to-s.from); line++ {
			sums[w].AddLine(s.of.Sums[s.from+line], s.u[line*s.n:(line+1)*s.n])
		}
	}, func(w, _ int) { addSquares(total, sums[w]) })
}

// Fourths sums the shifts of numbers by clusters, games or players: their squares, and their fourth
// powers. Of is each number's derivatives by the unknowns, none where it is not fitted.
type Fourths struct {
	Of               [][]rows.Entry
	Squares, Fourths []float64
}

// NewFourths returns empty sums for numbers with these derivatives.
func NewFourths(of [][]rows.Entry) *Fourths {
	return &Fourths{Of: of, Squares: make([]float64, len(of)), Fourths: make([]float64, len(of))}
}

// Degrees returns the degrees of freedom of each number's variance; NaN for one that nothing moves.
func (f *Fourths) Degrees() []float64 {
	df := make([]float64, len(f.Of))
	for j, s := range f.Squares {
		df[j] = dyads.DegreesOf(s, f.Fourths[j])
	}
	return df
}

// add adds a cluster that moves the unknowns by times v.
func (f *Fourths) add(v []float64, times float64) {
	if f == nil {
		return
	}
	for j, of := range f.Of {
		s := 0.0
		for _, x := range of {
			s += x.Share * v[x.At]
		}
		s *= times
		s *= s
		f.Squares[j] += s
		f.Fourths[j] += s * s
	}
}

// empty returns sums of the same numbers, nil for nil.
func (f *Fourths) empty() *Fourths {
	if f == nil {
		return nil
	}
	return NewFourths(f.Of)
}

func (f *Fourths) clear() {
	if f != nil {
		clear(f.Squares)
		clear(f.Fourths)
	}
}

func (f *Fourths) merge(other *Fourths) {
	if f == nil {
		return
	}
	for j := range f.Squares {
		f.Squares[j] += other.Squares[j]
		f.Fourths[j] += other.Fourths[j]
	}
}
