package weiqi

import "kifu/games"

var _ games.Placer[Position] = Rules{}

// Place returns the positions of these stones with komi and rules of like: first as after a
// move, then with a ko that may not be retaken, after passes, and all of these under rules that
// see suicide and the end otherwise, as games of a database may be played by different ones.
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
