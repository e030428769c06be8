package rows

import (
	"slices"

	"kifu/fit/losses"
	"kifu/internal/panels"
)

// AtOnce is the most vectors theta of a Several: half a line of a panel has one number for each, for one of
// the two stages that a row is of.
const AtOnce = 16

// Several computes the scores of games under several vectors theta at once. Rows are unpacked once for all of them, and their
// scores and derivatives are lines of numbers, one a theta.
type Several struct {
	r       *Store
	l       losses.Loss
	thetas  [][]float64
	place   []int // of each slot among those with a weight; -1: none
	slots   []int // that have a place
	pairs   []stagePair
	of      []half          // of each class
	column  []int32         // of theta; -1: in no unknown
	columns int             // of the scores
	weights [][]panels.Line // by pair and place
}

// stagePair are two stages, whose shares are in the two halves of lines.
type stagePair struct{ a, b int }

// half has the shares of a class in the stages of a pair.
type half struct {
	pair   int
	ma, mb float64
}

// Several returns the computation for loss l under at most AtOnce vectors theta.
func (r *Store) Several(l losses.Loss, un *Unknowns, thetas [][]float64) *Several {
	x := &Several{r: r, l: l, thetas: thetas, column: slices.Repeat([]int32{-1}, r.Design.Size())}
	for j, of := range un.Of {
		if len(of) > 0 {
			x.column[j] = int32(x.columns)
			x.columns++
		}
	}
	x.place = slices.Repeat([]int{-1}, len(r.Design.slots))
	for s, slot := range r.Design.slots {
		if slices.Contains(r.Design.dense, s) || !slices.ContainsFunc(slot.params, func(p int) bool {
			return x.column[p] >= 0 || slices.ContainsFunc(thetas, func(theta []float64) bool { return theta[p] != 0 })
		}) {
			continue
		}
		x.place[s] = len(x.slots)
		x.slots = append(x.slots, s)
	}
	x.pair()
	return x
}

// Columns returns the number of columns of the scores, those of the parameters that unknowns move.
func (x *Several) Columns() int { return max(1, x.columns) }

// Column returns the column of a parameter that an unknown moves.
func (x *Several) Column(param int) int { return int(x.column[param]) }

// pair finds the pairs of stages, and fills in the weights by them.
func (x *Several) pair() {
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
			for i, theta := range x.thetas {
				weights[place][i], weights[place][AtOnce+i] = theta[d.slots[s].params[p.a]], theta[d.slots[s].params[p.b]]
			}
		}
		x.weights = append(x.weights, weights)
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

// SeveralScores has the scores of some games as sparse lines. A worker needs one.
type SeveralScores struct {
	x *Several
	// Of a game: the places and counts of its rows, end to end, and scores and derivatives by theta.
	places  []uint16
	counts  []float64
	ends    []int
	z, d    [AtOnce][]float64
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
	times  [AtOnce][]float64
}

// Scores returns the scores of no game.
func (x *Several) Scores() *SeveralScores {
	s := &SeveralScores{x: x, lists: make([]list, len(x.slots)), mixed: make([]panels.Line, listRows), plain: make([]panels.Line, listRows)}
	for i := range uint16(listRows) {
		s.rows = append(s.rows, i)
	}
	for range x.pairs {
		s.lines, s.seen = append(s.lines, make([]panels.Line, len(x.slots))), append(s.seen, make([]bool, len(x.slots)))
	}
	s.dense = make([]panels.Line, len(x.r.Design.dense)+2)
	return s
}

// Add adds the game with these rows of b.
func (s *SeveralScores) Add(b *Block, rows Span) {
	s.game(b, rows)
	s.end()
}

// Under returns the scores under theta i, a line a game, until Reset.
func (s *SeveralScores) Under(i int) *panels.Sparse { return s.sparse.With(s.times[i]) }

// Reset forgets the games.
func (s *SeveralScores) Reset() {
	for i := range s.times {
		s.times[i] = s.times[i][:0]
	}
	s.where = s.where[:0]
	s.sparse.Reset()
}

// game adds up the derivatives of a game's rows.
func (s *SeveralScores) game(b *Block, rows Span) {
	x := s.x
	s.score(b, rows)
	only := b.Only(rows)
	for i, theta := range x.thetas {
		s.d[i], s.dt = x.r.Derivatives(x.l, only, s.z[i], x.r.Design.Draw(theta), s.d[i], s.dt[:0])
		for _, d := range s.dt {
			s.dense[len(s.dense)-1][i] += d
		}
	}
	for from := 0; from < len(only.Y); {
		pair, to := x.of[b.class[rows.From+from]].pair, from
		for to < len(only.Y) && to < from+listRows && x.of[b.class[rows.From+to]].pair == pair {
			to++
		}
		s.gather(b, rows.From, Span{from, to}, pair)
		from = to
	}
}

// score unpacks rows and computes their scores.
func (s *SeveralScores) score(b *Block, rows Span) {
	x := s.x
	s.places, s.counts, s.ends = s.places[:0], s.counts[:0], s.ends[:0]
	for i := range x.thetas {
		s.z[i] = slices.Grow(s.z[i][:0], rows.To-rows.From)[:rows.To-rows.From]
	}
	d := x.r.Design
	for row := rows.From; row < rows.To; row++ {
		from := len(s.places)
		s.unpack(b, row)
		of := x.of[b.class[row]]
		var sum panels.Line
		panels.Add(&sum, s.counts[from:], s.places[from:], x.weights[of.pair])
		for i, theta := range x.thetas {
			z := of.ma*sum[i] + of.mb*sum[AtOnce+i] + theta[d.Scale()]*float64(b.Value[row])
			for j, slot := range d.dense {
				z += theta[d.slots[slot].params[0]] * float64(b.dense[row*len(d.dense)+j])
			}
			s.z[i][row-rows.From] = z
		}
		s.ends = append(s.ends, len(s.places))
	}
}

// unpack appends the places and counts of a row.
func (s *SeveralScores) unpack(b *Block, row int) {
	n, most := len(s.places), int(b.ends[row]-b.start(row))
	s.places, s.counts = slices.Grow(s.places, most)[:n+most], slices.Grow(s.counts, most)[:n+most]
	places, counts := s.places[n:], s.counts[n:]
	k := 0
	for code := range b.row(row) {
		a := &s.x.r.atoms[code]
		if place := s.x.place[a.slot]; place >= 0 {
			places[k], counts[k] = uint16(place), a.value
			k++
		}
	}
	s.places, s.counts = s.places[:n+k], s.counts[:n+k]
}

// gather adds up the derivatives of some of a game's rows, which begin at first and are of a pair of stages.
func (s *SeveralScores) gather(b *Block, first int, some Span, pair int) {
	x, lists, n := s.x, s.lists, some.To-some.From
	from := 0
	if some.From > 0 {
		from = s.ends[some.From-1]
	}
	for row := some.From; row < some.To; row++ {
		of, at := x.of[b.class[first+row]], row-some.From
		mixed, plain := &s.mixed[at], &s.plain[at]
		for i := range x.thetas {
			d := s.d[i][row]
			mixed[i], mixed[AtOnce+i], plain[i] = d*of.ma, d*of.mb, d
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

// end makes lines of sparse numbers of the game's sums, one a theta, and empties these.
func (s *SeveralScores) end() {
	x := s.x
	begun := len(s.where)
	put := func(column int32, line *panels.Line, half int) {
		numbers := line[half : half+len(x.thetas)]
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
			put(x.column[params[pair.b]], line, AtOnce)
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
	s.sparse.Append(s.where[begun:], x.Columns())
}
