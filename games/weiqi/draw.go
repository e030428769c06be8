package weiqi

import (
	"strconv"
	"sync"

	"kifu/games"
)

var (
	_ games.Drawer[Position]       = Rules{}
	_ games.PieceCounter[Position] = Rules{}
)

// layouts are the layouts of all sizes of board, each made when it is first asked for.
var layouts = func() (all [MaxSize + 1]func() *games.Layout) {
	for size := range all {
		all[size] = sync.OnceValue(func() *games.Layout { return layoutOf(size) })
	}
	return all
}()

func layoutOf(size int) *games.Layout {
	l := &games.Layout{
		Columns: size, Rows: size, Grid: games.Crossed,
		Colours: [3]string{"#e3b96d", "#e3b96d", "#4a3415"},
		Sides:   [2]string{"Black", "White"},
		Light:   White, Symmetric: true,
	}
	for i := range size {
		l.Files = append(l.Files, columns[i:i+1])
		l.Ranks = append(l.Ranks, strconv.Itoa(size-i))
	}
	for i := range size * size {
		l.Names = append(l.Names, string(appendPoint(nil, PointAt(i%size, i/size), size)))
	}
	for _, at := range stars(size) {
		l.Stars = append(l.Stars, at.Row()*size+at.Column())
	}
	return l
}

// stars returns the points that boards have a dot on.
func stars(size int) []Point {
	switch {
	case size < 7:
		return nil
	case size%2 == 0 || size == 7:
		return fixedHandicap(size, 4)
	case size < 13:
		return fixedHandicap(size, 5)
	}
	return fixedHandicap(size, 9)
}

var pieces = []games.Piece{
	{},
	{Letter: "X", Symbol: "●", Name: "black stone", Side: Black, Drawing: `<circle cx="22.5" cy="22.5" r="20.5" fill="#1a1a1a" stroke="#000" stroke-width="1.5"/>`},
	{Letter: "O", Symbol: "○", Name: "white stone", Side: White, Drawing: `<circle cx="22.5" cy="22.5" r="20.5" fill="#fff" stroke="#222" stroke-width="1.5"/>`},
}

// Layout returns the board of p's size.
func (Rules) Layout(p Position) *games.Layout { return layouts[p.size]() }

// Pieces returns the empty point, the black and the white stone.
func (Rules) Pieces() []games.Piece { return pieces }

// AppendCells appends the stones.
func (Rules) AppendCells(dst []uint8, p Position) []uint8 {
	size := int(p.size)
	start := len(dst)
	dst = append(dst, make([]uint8, size*size)...)
	for side := range p.stones {
		for rest := p.stones[side]; ; {
			at, ok := rest.Pop()
			if !ok {
				break
			}
			dst[start+at.Row()*size+at.Column()] = uint8(side + 1)
		}
	}
	return dst
}

// PieceCount returns the number of stones.
func (Rules) PieceCount(p Position) int { return p.stones[Black].Count() + p.stones[White].Count() }

// AppendMarks appends the point of the new stone.
func (Rules) AppendMarks(dst []int, p Position, m games.Move) []int {
	if m == Pass {
		return dst
	}
	return append(dst, To(m).Row()*int(p.size)+To(m).Column())
}

var _ games.Placer[Position] = Rules{}

// Place returns the positions of these stones with komi and rules of like. First comes the one
// after a move, then those with a ko that may not be retaken, and after passes. All follow
// again under rules with other suicide and endings, because a database may have games by
// several rules.
func (Rules) Place(like Position, cells []uint8, _ [2][]uint8, toMove games.Side) (all []Position, err error) {
	size := int(like.size)
	if len(cells) != size*size {
		return nil, unreadableText
	}
	p := New(size, like.ruleset, int(like.komi))
	p.side = toMove
	for i, piece := range cells {
		if int(piece) >= len(pieces) {
			return nil, unreadableText
		}
		if piece > 0 {
			p.put(pieces[piece].Side, PointAt(i%size, i/size))
		}
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	for _, r := range [...]Ruleset{like.ruleset, Unnamed, Ing, TrompTaylor} {
		p.ruleset = r
		all = append(all, p)
		for _, at := range p.retakes() {
			q := p
			q.ko = at
			all = append(all, q)
		}
		for n := uint8(1); n <= 2; n++ {
			q := p
			q.passes = n
			all = append(all, q)
		}
	}
	return all, nil
}

// retakes returns the points on which the last move may have opened a ko: empty, with nothing
// but stones of the other side around, one of which has no other liberty.
func (p *Position) retakes() (points []Point) {
	empty := p.Empty()
	for i := range int(p.size) * int(p.size) {
		at := PointAt(i%int(p.size), i/int(p.size))
		if !empty.Has(at) {
			continue
		}
		q := *p
		if q = q.Play(Move(at)); q.ko != noPoint {
			points = append(points, at)
		}
	}
	return points
}
