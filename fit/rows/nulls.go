package rows

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/internal/dyads"
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

// nullsAtOnce is the number of hypotheses whose scores are computed together: half a line of a panel has one number for each, for one of
// the two stages that a row is of.
const nullsAtOnce = 16

// Nulls returns the sums under each hypothesis. Rows are unpacked once for all of them, and their scores and derivatives are lines of
// numbers, one a hypothesis.
func (r *Store) Nulls(l losses.Loss, un *Unknowns, nulls []Null, c *dyads.Clusters, workers int) (out []NullSums) {
	for some := range slices.Chunk(nulls, nullsAtOnce) {
		out = append(out, r.newNulls(l, un, some, c).sums(max(1, workers))...)
	}
	return out
}

// nulls are the hypotheses of a walk over the rows.
type nulls struct {
	r        *Store
	l        losses.Loss
	all      []Null
	starts   []int // of each one's numbers among those of all, and their number
	place    []int // of each slot among those with a weight; -1: none
	slots    []int // that have a place
	pairs    []stagePair
	of       []half          // of each class
	column   []int32         // of theta; -1: in no unknown
	columns  int             // of the products
	weights  [][]panels.Line // by pair and place
	products []*panels.Product
	clusters *dyads.Clusters
	last     []int32 // game of each cluster
	most     int     // clusters that are open at once
}

// stagePair are two stages, whose shares are in the two halves of lines.
type stagePair struct{ a, b int }

// half has the shares of a class in the stages of a pair.
type half struct {
	pair   int
	ma, mb float64
}

func (r *Store) newNulls(l losses.Loss, un *Unknowns, all []Null, c *dyads.Clusters) *nulls {
	x := &nulls{r: r, l: l, all: all, clusters: c, starts: []int{0}, column: slices.Repeat([]int32{-1}, r.Design.Size())}
	for j, of := range un.Of {
		if len(of) > 0 {
			x.column[j] = int32(x.columns)
			x.columns++
		}
	}
	x.place = slices.Repeat([]int{-1}, len(r.Design.slots))
	for s, slot := range r.Design.slots {
		if slices.Contains(r.Design.dense, s) || !slices.ContainsFunc(slot.params, func(p int) bool {
			return x.column[p] >= 0 || slices.ContainsFunc(all, func(n Null) bool { return n.Theta[p] != 0 })
		}) {
			continue
		}
		x.place[s] = len(x.slots)
		x.slots = append(x.slots, s)
	}
	x.pair()
	for _, n := range all {
		k, _ := n.Lines.Dims()
		x.starts = append(x.starts, x.starts[len(x.starts)-1]+k)
		lines := mat.NewDense(k, max(1, x.columns), nil)
		for i, column := range un.Columns {
			for _, e := range column {
				for a := range k {
					at := int(x.column[e.At])
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

// pair finds the pairs of stages, and fills in the weights by them.
func (x *nulls) pair() {
	d := x.r.Design
	x.of = make([]half, len(d.classes))
	for i, c := range d.classes {
		if c.mb != 0 {
			at := slices.Index(x.pairs, stagePair{c.a, c.b})
			if at < 0 {
				at = len(x.pairs)
				x.pairs = append(x.pairs, stagePair{c.a, c.b})
			}
			x.of[i] = half{at, c.ma, c.mb}
		}
	}
	for i, c := range d.classes {
		if c.mb != 0 {
			continue
		}
		at := slices.IndexFunc(x.pairs, func(p stagePair) bool { return p.a == c.a || p.b == c.a })
		if at < 0 {
			at = len(x.pairs)
			x.pairs = append(x.pairs, stagePair{c.a, c.a})
		}
		if x.of[i] = (half{pair: at, ma: c.ma}); x.pairs[at].a != c.a {
			x.of[i] = half{pair: at, mb: c.ma}
		}
	}
	for _, p := range x.pairs {
		weights := make([]panels.Line, len(x.slots))
		for place, s := range x.slots {
			for i, n := range x.all {
				weights[place][i], weights[place][nullsAtOnce+i] = n.Theta[d.slots[s].params[p.a]], n.Theta[d.slots[s].params[p.b]]
			}
		}
		x.weights = append(x.weights, weights)
	}
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
	for open.again() && !x.r.stopped() {
		x.walk(workers, base, nil, open)
	}
	for i := range out {
		if x.clusters != nil {
			take(out[i].ByPlayer, open.squares[i])
		}
	}
	return out
}

// walk adds the games to out, and to the clusters that are open or can be opened. With out nil only games of such clusters are visited.
func (x *nulls) walk(workers int, base float64, out []NullSums, open *openClusters) {
	r, before := x.r, x.r.GamesBefore()
	all := make([]nullScratch, workers)
	stretches := r.stretches()
	r.merge(workers, len(stretches), func(w, i int) {
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
		for j := stretches[i].From; j < stretches[i].To && !r.stopped(); j++ {
			b, from := r.Blocks[j], 0
			for number, run := range b.Games {
				rows := Span{from, run.End}
				if from = run.End; out == nil && !open.has(before[j]+number) {
					continue
				}
				s.game(x, b, rows)
				s.end(x, before[j]+number)
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
			take(out[i].ByGame, s.squares[i])
			if x.clusters != nil {
				take(out[i].ByPlayer, s.own[i])
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

// listRows is the number of rows whose counts are put together by slot.
const listRows = 128

// list has the counts of a slot in some rows.
type list struct {
	n  int
	at [listRows]uint16
	x  [listRows]float64
}

// nullScratch is what a worker needs.
type nullScratch struct {
	// Of a game: the places and counts of its rows, end to end, and scores and derivatives by hypothesis.
	places  []uint16
	counts  []float64
	ends    []int
	z, d    [nullsAtOnce][]float64
	dt      []float64
	lists   []list
	touched []uint16
	mixed   []panels.Line // derivatives times shares
	plain   []panels.Line
	rows    []uint16 // 0, 1, 2, …
	column  []float64

	// Sums of a game:
	lines [][]panels.Line // by pair and place
	seen  [][]bool        // whether they have a number
	dense []panels.Line   // of the dense slots, of the value, and of the draw width

	// Of some games:
	sparse panels.Sparse
	where  []uint16
	times  [nullsAtOnce][]float64
	at     []int
	out    [nullsAtOnce][]float64
	number []float64

	// Of a stretch:
	sum          []float64
	squares, own []*panels.Squares
	games        []int // of clusters
	numbers      []float64
}

// begin makes s ready for a stretch.
func (s *nullScratch) begin(x *nulls) {
	if s.sum == nil {
		s.sum, s.number = make([]float64, x.size()), make([]float64, x.size())
		s.lists, s.mixed, s.plain = make([]list, len(x.slots)), make([]panels.Line, listRows), make([]panels.Line, listRows)
		for i := range x.all {
			s.squares = append(s.squares, panels.NewSquares(x.starts[i+1]-x.starts[i], 0))
			s.own = append(s.own, panels.NewSquares(x.starts[i+1]-x.starts[i], 0))
		}
		for i := range uint16(listRows) {
			s.rows = append(s.rows, i)
		}
		for range x.pairs {
			s.lines, s.seen = append(s.lines, make([]panels.Line, len(x.slots))), append(s.seen, make([]bool, len(x.slots)))
		}
		s.dense = make([]panels.Line, len(x.r.Design.dense)+2)
	}
	clear(s.sum)
	s.games, s.numbers = s.games[:0], s.numbers[:0]
}

// game adds up the derivatives of a game's rows.
func (s *nullScratch) game(x *nulls, b *Block, rows Span) {
	s.score(x, b, rows)
	only := b.only(rows)
	for i, n := range x.all {
		s.d[i], s.dt = x.r.derivatives(x.l, only, s.z[i], x.r.Design.Draw(n.Theta), s.d[i], s.dt[:0])
		for _, d := range s.dt {
			s.dense[len(s.dense)-1][i] += d
		}
	}
	for from := 0; from < len(only.Y); {
		pair, to := x.of[b.class[rows.From+from]].pair, from
		for to < len(only.Y) && to < from+listRows && x.of[b.class[rows.From+to]].pair == pair {
			to++
		}
		s.gather(x, b, rows.From, Span{from, to}, pair)
		from = to
	}
}

// score unpacks rows and computes their scores.
func (s *nullScratch) score(x *nulls, b *Block, rows Span) {
	s.places, s.counts, s.ends = s.places[:0], s.counts[:0], s.ends[:0]
	for i := range x.all {
		s.z[i] = slices.Grow(s.z[i][:0], rows.To-rows.From)[:rows.To-rows.From]
	}
	d := x.r.Design
	for row := rows.From; row < rows.To; row++ {
		from := len(s.places)
		if b.narrow != nil {
			unpack(s, x, b.narrow[b.start(row):b.ends[row]])
		} else {
			unpack(s, x, b.wide[b.start(row):b.ends[row]])
		}
		of := x.of[b.class[row]]
		var sum panels.Line
		panels.Add(&sum, s.counts[from:], s.places[from:], x.weights[of.pair])
		for i, n := range x.all {
			z := of.ma*sum[i] + of.mb*sum[nullsAtOnce+i] + n.Theta[d.Scale()]*float64(b.Value[row])
			for j, slot := range d.dense {
				z += n.Theta[d.slots[slot].params[0]] * float64(b.dense[row*len(d.dense)+j])
			}
			s.z[i][row-rows.From] = z
		}
		s.ends = append(s.ends, len(s.places))
	}
}

// unpack appends the places and counts of a row's codes.
func unpack[C uint16 | uint32](s *nullScratch, x *nulls, codes []C) {
	n := len(s.places)
	s.places, s.counts = slices.Grow(s.places, len(codes))[:n+len(codes)], slices.Grow(s.counts, len(codes))[:n+len(codes)]
	places, counts := s.places[n:], s.counts[n:]
	k := 0
	for _, code := range codes {
		a := &x.r.atoms[code]
		if place := x.place[a.slot]; place >= 0 {
			places[k], counts[k] = uint16(place), a.value
			k++
		}
	}
	s.places, s.counts = s.places[:n+k], s.counts[:n+k]
}

// gather adds up the derivatives of some of a game's rows, which begin at first and are of a pair of stages.
func (s *nullScratch) gather(x *nulls, b *Block, first int, some Span, pair int) {
	lists, n := s.lists, some.To-some.From
	from := 0
	if some.From > 0 {
		from = s.ends[some.From-1]
	}
	for row := some.From; row < some.To; row++ {
		of, at := x.of[b.class[first+row]], row-some.From
		mixed, plain := &s.mixed[at], &s.plain[at]
		for i := range x.all {
			d := s.d[i][row]
			mixed[i], mixed[nullsAtOnce+i], plain[i] = d*of.ma, d*of.mb, d
		}
		counts := s.counts[from:s.ends[row]]
		for j, place := range s.places[from:s.ends[row]] {
			l := &lists[place]
			if l.n == 0 {
				s.touched = append(s.touched, place)
			}
			l.at[l.n&(listRows-1)], l.x[l.n&(listRows-1)] = uint16(at), counts[j]
			l.n++
		}
		from = s.ends[row]
	}
	for _, place := range s.touched {
		l := &lists[place]
		panels.Add(&s.lines[pair][place], l.x[:l.n], l.at[:l.n], s.mixed)
		s.seen[pair][place], l.n = true, 0
	}
	s.touched = s.touched[:0]
	k := len(x.r.Design.dense)
	for j := range k + 1 {
		s.column = s.column[:0]
		for row := first + some.From; row < first+some.To; row++ {
			if j < k {
				s.column = append(s.column, float64(b.dense[row*k+j]))
			} else {
				s.column = append(s.column, float64(b.Value[row]))
			}
		}
		panels.Add(&s.dense[j], s.column, s.rows[:n], s.plain)
	}
}

// end makes lines of sparse numbers of the game's sums, one a hypothesis, and empties these.
func (s *nullScratch) end(x *nulls, game int) {
	s.at = append(s.at, game)
	begun := len(s.where)
	put := func(column int32, line *panels.Line, half int) {
		numbers := line[half : half+len(x.all)]
		if column < 0 || !slices.ContainsFunc(numbers, func(v float64) bool { return v != 0 }) { // a stage that no row has a share in
			return
		}
		s.where = append(s.where, uint16(column))
		for i, v := range numbers {
			s.times[i] = append(s.times[i], v)
		}
	}
	d := x.r.Design
	for place, slot := range x.slots {
		for p, pair := range x.pairs {
			if !s.seen[p][place] {
				continue
			}
			line, params := &s.lines[p][place], d.slots[slot].params
			put(x.column[params[pair.a]], line, 0)
			put(x.column[params[pair.b]], line, nullsAtOnce)
			*line, s.seen[p][place] = panels.Line{}, false
		}
	}
	for j, slot := range d.dense {
		put(x.column[d.slots[slot].params[0]], &s.dense[j], 0)
	}
	put(x.column[d.Scale()], &s.dense[len(d.dense)], 0)
	if d.Drawn {
		put(x.column[d.Width()], &s.dense[len(d.dense)+1], 0)
	}
	clear(s.dense)
	s.sparse.Append(s.where[begun:], max(1, x.columns))
}

// multiply calls do with the numbers of each game and forgets the games.
func (s *nullScratch) multiply(x *nulls, do func(game int, numbers []float64)) {
	for i := range x.all {
		k := x.starts[i+1] - x.starts[i]
		s.out[i] = slices.Grow(s.out[i][:0], len(s.at)*k)[:len(s.at)*k]
		x.products[i].Multiply(s.sparse.With(s.times[i]), s.out[i])
		s.times[i] = s.times[i][:0]
	}
	for g, game := range s.at {
		for i := range x.all {
			k := x.starts[i+1] - x.starts[i]
			copy(s.number[x.starts[i]:], s.out[i][g*k:(g+1)*k])
		}
		do(game, s.number)
	}
	s.at, s.where = s.at[:0], s.where[:0]
	s.sparse.Reset()
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
