package meat

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/internal/panels"
)

// Null is a hypothesis about the weights: theta under it, and the lines that the score of each game is multiplied by, which have
// a column per unknown.
type Null struct {
	Theta []float64
	Lines *mat.Dense
}

// NullSums are sums over games of lines times scores, s: of s, of s·sᵀ by game and by player, as Meats has them. ByPlayer is nil
// without clusters.
type NullSums struct {
	Sum              []float64
	ByGame, ByPlayer *mat.SymDense
}

// Nulls returns the sums under each hypothesis.
func Nulls(r *rows.Store, l losses.Loss, un *rows.Unknowns, nulls []Null, c *dyads.Clusters, workers int) (out []NullSums) {
	for some := range slices.Chunk(nulls, rows.AtOnce) {
		out = append(out, newNulls(r, l, un, some, c).sums(max(1, workers))...)
	}
	return out
}

// nulls are the hypotheses of a walk over the rows.
type nulls struct {
	r        *rows.Store
	of       *rows.Several
	all      []Null
	starts   []int // of each one's numbers among those of all, and their number
	products []*panels.Product
	clusters *dyads.Clusters
	last     []int32 // game of each cluster
	most     int     // clusters that are open at once
}

func newNulls(r *rows.Store, l losses.Loss, un *rows.Unknowns, all []Null, c *dyads.Clusters) *nulls {
	x := &nulls{r: r, all: all, clusters: c, starts: []int{0}}
	x.of = r.Several(l, un, lists.Of(all, func(n Null) []float64 { return n.Theta }))
	for _, n := range all {
		k, _ := n.Lines.Dims()
		x.starts = append(x.starts, x.starts[len(x.starts)-1]+k)
		lines := mat.NewDense(k, x.of.Columns(), nil)
		for i, column := range un.Columns {
			for _, e := range column {
				for a := range k {
					at := x.of.Column(e.At)
					lines.Set(a, at, lines.At(a, at)+e.Share*n.Lines.At(a, i))
				}
			}
		}
		x.products = append(x.products, panels.NewProduct(lines))
	}
	x.most = max(1, 2*mostNumbers/max(1, x.size()))
	if c != nil {
		x.last = make([]int32, len(c.Sums))
		for game, of := range c.Of {
			for _, k := range of {
				if k >= 0 {
					x.last[k] = int32(game)
				}
			}
		}
	}
	return x
}

// size is the number of numbers of a game under all hypotheses.
func (x *nulls) size() int { return x.starts[len(x.all)] }

// sums walks over the rows, again for clusters that had no place in memory.
func (x *nulls) sums(workers int) []NullSums {
	out := make([]NullSums, len(x.all))
	base := 0.0
	if x.clusters != nil {
		base = x.clusters.Factor(x.clusters.Commonest())
	}
	for i := range out {
		k := x.starts[i+1] - x.starts[i]
		out[i] = NullSums{Sum: make([]float64, k), ByGame: mat.NewSymDense(k, nil)}
		if x.clusters != nil {
			out[i].ByPlayer = mat.NewSymDense(k, nil)
		}
	}
	open := x.newOpen()
	x.walk(workers, base, out, open)
	for i := range out {
		if x.clusters != nil {
			floats.AddScaled(out[i].ByPlayer.RawSymmetric().Data, base, out[i].ByGame.RawSymmetric().Data)
		}
	}
	for open.again() && !x.r.Stopped() {
		x.walk(workers, base, nil, open)
	}
	for i := range out {
		if x.clusters != nil {
			addSquares(out[i].ByPlayer, open.squares[i])
		}
	}
	return out
}

// walk adds the games to out, and to the clusters that are open or can be opened. With out nil only games of such clusters are visited.
func (x *nulls) walk(workers int, base float64, out []NullSums, open *openClusters) {
	r, before := x.r, x.r.GamesBefore()
	all := make([]nullScratch, workers)
	stretches := stretches(r)
	r.Merge(workers, len(stretches), func(w, i int) {
		s := &all[w]
		s.begin(x)
		flush := func() {
			s.multiply(x, func(game int, numbers []float64) {
				if out != nil {
					s.add(x, game, base, numbers)
				}
				if open != nil && open.has(game) {
					s.games, s.numbers = append(s.games, game), append(s.numbers, numbers...)
				}
			})
		}
		for j := stretches[i].From; j < stretches[i].To && !r.Stopped(); j++ {
			b, from := r.Blocks[j], 0
			for number, run := range b.Games {
				rows := rows.Span{From: from, To: run.End}
				if from = run.End; out == nil && !open.has(before[j]+number) {
					continue
				}
				s.scores.Add(b, rows)
				s.at = append(s.at, before[j]+number)
				if len(s.at) == together/2 {
					flush()
				}
			}
		}
		flush()
	}, func(w, _ int) {
		s := &all[w]
		for i := range out {
			floats.Add(out[i].Sum, s.sum[x.starts[i]:x.starts[i+1]])
			addSquares(out[i].ByGame, s.squares[i])
			if x.clusters != nil {
				addSquares(out[i].ByPlayer, s.own[i])
			}
		}
		for k, game := range s.games {
			open.add(game, s.numbers[k*x.size():(k+1)*x.size()])
		}
	})
}

// openClusters are the clusters of which some game came and another is still to come, with the sums of their games.
type openClusters struct {
	x       *nulls
	line    []int32 // of each cluster; or one of the following
	sums    [][]float64
	free    []int32
	left    int // clusters for another walk
	squares []*panels.Squares
}

const (
	unopened int32 = -1 - iota
	closed
	later // for another walk
)

// newOpen returns no open cluster; nil without clusters.
func (x *nulls) newOpen() *openClusters {
	if x.clusters == nil {
		return nil
	}
	o := &openClusters{x: x, line: slices.Repeat([]int32{unopened}, len(x.last))}
	for i := range x.all {
		o.squares = append(o.squares, panels.NewSquares(x.starts[i+1]-x.starts[i], 0))
	}
	return o
}

// has reports whether a game may be of a cluster that this walk adds up.
func (o *openClusters) has(game int) bool {
	return slices.ContainsFunc(o.x.clusters.Of[game][:], func(k int32) bool { return k >= 0 && o.line[k] != closed })
}

// again makes the clusters that were left for later the ones of another walk; false: there are none.
func (o *openClusters) again() bool {
	if o == nil || o.left == 0 {
		return false
	}
	o.left = 0
	for k, line := range o.line {
		if line == later {
			o.line[k] = unopened
		}
	}
	return true
}

// add adds a game's numbers to its clusters. Games come in their order.
func (o *openClusters) add(game int, numbers []float64) {
	for _, k := range o.x.clusters.Of[game] {
		if k < 0 {
			continue
		}
		if o.line[k] == unopened {
			o.open(k)
		}
		line := o.line[k]
		if line < 0 {
			continue
		}
		if floats.Add(o.sums[line], numbers); int(o.x.last[k]) == game {
			for i, squares := range o.squares {
				squares.AddLine(o.x.clusters.Sums[k], o.sums[line][o.x.starts[i]:o.x.starts[i+1]])
			}
			o.line[k], o.free = closed, append(o.free, line)
		}
	}
}

// open gives a cluster a line, if there is one.
func (o *openClusters) open(k int32) {
	switch n := len(o.free); {
	case n > 0:
		o.line[k], o.free = o.free[n-1], o.free[:n-1]
		clear(o.sums[o.line[k]])
	case len(o.sums) < o.x.most:
		o.line[k] = int32(len(o.sums))
		o.sums = append(o.sums, make([]float64, o.x.size()))
	default:
		o.line[k] = later
		o.left++
	}
}

// nullScratch is what a worker needs.
type nullScratch struct {
	scores *rows.SeveralScores // of the games at
	at     []int
	out    [rows.AtOnce][]float64
	number []float64

	// Of a stretch:
	sum          []float64
	squares, own []*panels.Squares
	games        []int // of clusters
	numbers      []float64
}

// begin makes s ready for a stretch.
func (s *nullScratch) begin(x *nulls) {
	if s.scores == nil {
		s.scores, s.sum, s.number = x.of.Scores(), make([]float64, x.size()), make([]float64, x.size())
		for i := range x.all {
			s.squares = append(s.squares, panels.NewSquares(x.starts[i+1]-x.starts[i], 0))
			s.own = append(s.own, panels.NewSquares(x.starts[i+1]-x.starts[i], 0))
		}
	}
	clear(s.sum)
	s.games, s.numbers = s.games[:0], s.numbers[:0]
}

// multiply calls do with the numbers of each game and forgets the games.
func (s *nullScratch) multiply(x *nulls, do func(game int, numbers []float64)) {
	for i := range x.all {
		k := x.starts[i+1] - x.starts[i]
		s.out[i] = slices.Grow(s.out[i][:0], len(s.at)*k)[:len(s.at)*k]
		x.products[i].Multiply(s.scores.Under(i), s.out[i])
	}
	for g, game := range s.at {
		for i := range x.all {
			k := x.starts[i+1] - x.starts[i]
			copy(s.number[x.starts[i]:], s.out[i][g*k:(g+1)*k])
		}
		do(game, s.number)
	}
	s.at = s.at[:0]
	s.scores.Reset()
}

// add adds a game's numbers to the stretch's sums.
func (s *nullScratch) add(x *nulls, game int, base float64, numbers []float64) {
	floats.Add(s.sum, numbers)
	for i := range x.all {
		line := numbers[x.starts[i]:x.starts[i+1]]
		s.squares[i].AddLine(1, line)
		if c := x.clusters; c != nil && c.Factor(c.Own[game]) != base {
			s.own[i].AddLine(c.Factor(c.Own[game])-base, line)
		}
	}
}
