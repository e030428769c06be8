package rows

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/internal/dyads"
)

// mostNumbers bounds the memory for sums of scores by cluster: 128 MB.
const mostNumbers = 1 << 24

// PlayersMeat returns the covariance of the sum of the scores of n numbers, in which games
// that share a player depend on each other (package dyads). It may have negative
// eigenvalues.
//
// With the inverse of the Hessian the sum of a cluster is divided by 1-h, h being the
// cluster's leverage along its own influence as in Meat: so it is what the estimate would
// move by without this player, the jackknife of players (CR3 of Bell and McCaffrey 2002).
// A database has few players who play much, and these corrections are larger than those of
// games. inverse nil leaves the sums as they are.
//
// Sums are kept for as many clusters at once as mostNumbers allows, each with a pass, and
// with the inverse another.
//
// What the players move the numbers of fourths by is added to these, if not nil.
func (pass GameScores) PlayersMeat(n int, c *dyads.Clusters, inverse *mat.SymDense, fourths *Fourths, workers int) *mat.SymDense {
	return pass.playersMeat(n, c, inverse, fourths, workers, max(1, mostNumbers/max(1, n)))
}

// playersMeat is PlayersMeat with sums of so many clusters at once.
func (pass GameScores) playersMeat(n int, c *dyads.Clusters, inverse *mat.SymDense, fourths *Fourths, workers, most int) *mat.SymDense {
	total := pass.own(n, c, inverse, fourths, workers)
	for from := 0; from < len(c.Sums); from += most {
		s := &clusterSums{n: n, from: from, to: min(len(c.Sums), from+most), of: c}
		pass.gather(s, workers)
		if inverse != nil {
			pass.spread(s, inverse, workers)
		}
		s.fourthsTo(fourths)
		s.addTo(total)
	}
	return total
}

// own returns the part of the clusters of one game.
func (pass GameScores) own(n int, c *dyads.Clusters, inverse *mat.SymDense, fourths *Fourths, workers int) *mat.SymDense {
	total := mat.NewSymDense(n, nil)
	type scratch struct {
		sum, u, v []float64
		fourths   *Fourths
	}
	all := make([]scratch, max(1, workers))
	pass(func(w int) {
		x := &all[w]
		if x.sum == nil {
			x.sum, x.u, x.v, x.fourths = make([]float64, n*n), make([]float64, n), make([]float64, n), fourths.empty()
		}
		clear(x.sum)
		x.fourths.clear()
	}, func(w, game int, u []float64, along func(v []float64) float64) {
		x, own := &all[w], c.Own[game]
		if own == 0 {
			return
		}
		factor, moves, players := c.Factor(own), u, float64(own.Players())
		if inverse != nil {
			rest := 1 - leverage(inverse, u, x.v, along)
			factor, moves, players = factor/(rest*rest), x.v, players/(rest*rest)
		}
		x.fourths.add(moves, math.Sqrt(players))
		for i, v := range u {
			floats.AddScaled(x.sum[i*n+i:(i+1)*n], factor*v, u[i:])
		}
	}, func(w int) {
		raw := total.RawSymmetric()
		for i, v := range all[w].sum {
			raw.Data[i] += v
		}
		fourths.merge(all[w].fourths)
	})
	return total
}

// clusterSums has the sums of the scores of the clusters from..to-1.
type clusterSums struct {
	n, from, to int
	of          *dyads.Clusters
	u, v        []float64 // a line a cluster: its score, and A⁻¹ times it, which is nil without the inverse
}

// lines calls do with the line of each of the game's clusters that are in s.
func (s *clusterSums) lines(game int, do func(line int)) {
	for _, k := range s.of.Of[game] {
		if int(k) >= s.from && int(k) < s.to {
			do(int(k) - s.from)
		}
	}
}

// gather adds the games' scores to s, in their order whatever the number of workers.
func (pass GameScores) gather(s *clusterSums, workers int) {
	s.u = make([]float64, (s.to-s.from)*s.n)
	type scratch struct {
		games []int
		u     []float64
	}
	all := make([]scratch, max(1, workers))
	pass(func(w int) { all[w].games, all[w].u = all[w].games[:0], all[w].u[:0] }, func(w, game int, u []float64, _ func(v []float64) float64) {
		s.lines(game, func(int) {
			if x := &all[w]; len(x.games) == 0 || x.games[len(x.games)-1] != game {
				x.games, x.u = append(x.games, game), append(x.u, u...)
			}
		})
	}, func(w int) {
		for i, game := range all[w].games {
			u := all[w].u[i*s.n : (i+1)*s.n]
			s.lines(game, func(line int) { floats.Add(s.u[line*s.n:(line+1)*s.n], u) })
		}
	})
}

// spread divides the scores in s by 1-h.
func (pass GameScores) spread(s *clusterSums, inverse *mat.SymDense, workers int) {
	count := s.to - s.from
	s.v = make([]float64, len(s.u))
	for line := range count {
		mat.NewVecDense(s.n, s.v[line*s.n:(line+1)*s.n]).MulVec(inverse, mat.NewVecDense(s.n, s.u[line*s.n:(line+1)*s.n]))
	}
	curves := make([]float64, count)
	type part struct {
		line  int
		curve float64
	}
	all := make([][]part, max(1, workers))
	pass(func(w int) { all[w] = all[w][:0] }, func(w, game int, _ []float64, along func(v []float64) float64) {
		s.lines(game, func(line int) { all[w] = append(all[w], part{line, along(s.v[line*s.n : (line+1)*s.n])}) })
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
func (s *clusterSums) addTo(total *mat.SymDense) {
	count := s.to - s.from
	signed := make([]float64, len(s.u))
	copy(signed, s.u)
	for line := range count {
		floats.Scale(s.of.Sums[s.from+line], signed[line*s.n:(line+1)*s.n])
	}
	sum := blas64.General{Rows: s.n, Cols: s.n, Stride: s.n, Data: make([]float64, s.n*s.n)}
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, blas64.General{Rows: count, Cols: s.n, Stride: s.n, Data: s.u},
		blas64.General{Rows: count, Cols: s.n, Stride: s.n, Data: signed}, 0, sum)
	raw := total.RawSymmetric()
	for i := range s.n {
		for j := i; j < s.n; j++ {
			raw.Data[i*raw.Stride+j] += sum.Data[i*s.n+j]
		}
	}
}
