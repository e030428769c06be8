package weiqi

import (
	"kifu/games"
	"kifu/games/weiqi"
)

// extract counts all terms of p, Black's less White's. Value and Trace both use it. While
// one side has no stones, nothing on the board is attacked, enclosed or badly placed: only
// stones, influence and the move are counted.
func extract(p *weiqi.Position) (counts [termCount]int32) {
	v := view{empty: p.Empty(), board: weiqi.Board(p.Size()), rings: &ringsOf[p.Size()]}
	j := judgement{board: v.board, toMove: p.ToMove()}
	black, white := p.Stones(weiqi.Black), p.Stones(weiqi.White)
	j.stones = [2]weiqi.Bitboard{weiqi.Black: black, weiqi.White: white}
	contested := !black.Empty() && !white.Empty()
	for _, side := range [2]games.Side{weiqi.Black, weiqi.White} {
		v.own, v.other = j.stones[side], j.stones[side.Other()]
		counts[stones] += side.Sign() * int32(v.own.Count())
		if contested {
			j.eyes[side] = v.count(&counts, side.Sign(), p, side)
		}
	}
	f := newField(j.board, black, white)
	for range dilations {
		f.dilate()
	}
	counts[influence] = f.difference()
	if contested {
		j.count(&counts, f)
		counts[nearer] = closer(v.board, black, white)
	}
	counts[toMove] = p.ToMove().Sign()
	return counts
}

// view is a board as seen by one side.
type view struct {
	board, empty, own, other weiqi.Bitboard
	rings                    *[4]weiqi.Bitboard
}

// ringsOf are the rings of each size. Only its initialiser writes it.
var ringsOf = func() (all [weiqi.MaxSize + 1][4]weiqi.Bitboard) {
	for size := weiqi.MinSize; size <= weiqi.MaxSize; size++ {
		all[size] = rings(size)
	}
	return all
}()

// rings returns the first four lines of a board, from the edge.
func rings(size int) (rings [4]weiqi.Bitboard) {
	rest := weiqi.Board(size)
	for i := range rings {
		east, west, south, north := rest.East(), rest.West(), rest.South(), rest.North()
		inner := rest.And(&east).And(&west).And(&south).And(&north)
		rings[i] = rest.Without(&inner)
		rest = inner
	}
	return rings
}

// count adds one side's counts, sign times, and returns its real eyes.
func (v *view) count(counts *[termCount]int32, sign int32, p *weiqi.Position, side games.Side) (real weiqi.Bitboard) {
	add := func(term, n int) { counts[term] += sign * int32(n) }
	for i := range v.rings {
		add(line1+i, v.own.CountAnd(&v.rings[i]))
	}
	near := v.own.Neighbours()
	add(liberties, near.CountAnd(&v.empty))
	p.EachChain(side, func(chain, liberties weiqi.Bitboard) {
		add(chains, 1)
		switch liberties.Count() {
		case 1:
			if side == p.ToMove() {
				add(atari, chain.Count())
			} else {
				add(capturable, chain.Count())
			}
		case 2:
			add(twoLiberties, chain.Count())
		case 3:
			add(threeLiberties, chain.Count())
		}
	})
	safe := v.alive()
	add(aliveArea, safe.Count())
	real, hollow := v.eyes()
	add(eyes, real.Count())
	add(falseEyes, hollow.Count())
	v.countGroups(add, &real)
	add(enclosed, p.Area(side)-v.own.Count())
	return real
}

// eyes returns the empty points all of whose neighbours are own stones: real ones, where
// the other side has at most one of the diagonal points, or none on the edge, and the
// others.
func (v *view) eyes() (real, hollow weiqi.Bitboard) {
	open := v.board.Without(&v.own)
	near := open.Neighbours()
	points := v.empty.Without(&near)
	for {
		at, ok := points.Pop()
		if !ok {
			return real, hollow
		}
		one := weiqi.At(at)
		east, west := one.East(), one.West()
		row := east.Or(&west)
		above, below := row.North(), row.South()
		diagonal := above.Or(&below)
		bad := diagonal.CountAnd(&v.other)
		if v.rings[0].Has(at) {
			bad++
		}
		if bad > 1 {
			hollow.Add(at)
		} else {
			real.Add(at)
		}
	}
}

// countGroups adds the groups of the side, and those with eyes.
func (v *view) countGroups(add func(term, n int), real *weiqi.Bitboard) {
	touched := v.other.Neighbours()
	links := v.own.Neighbours().And(&v.empty).Without(&touched)
	joined := v.own.Or(&links)
	for rest := v.own; !rest.Empty(); {
		group := joined.Fill(weiqi.At(rest.First()))
		members := group.And(&v.own)
		rest = rest.Without(&group)
		n := members.Count()
		add(groups, 1)
		if n == 1 {
			add(lone, 1)
		}
		if group.CountAnd(real) >= 2 {
			add(twoEyed, n)
		}
	}
}

// Bouzy's numbers of dilations and erosions.
const (
	dilations         = 5
	moyoErosions      = 10
	territoryErosions = 21
)

// count adds the moyo and territory that erosions leave of the influence f, for all stones
// and for those that do not look dead. An own stone counts as its own influence.
func (j *judgement) count(counts *[termCount]int32, f field) {
	for range moyoErosions {
		f.erode()
	}
	j.moyo = f
	counts[moyo], counts[territory] = f.moyoAndTerritory()
	j.countWeak(counts)
	j.removeDead(counts)
	counts[clearedMoyo], counts[clearedTerritory] = j.moyo.moyoAndTerritory()
}

// closer returns the number of points nearer to a black stone than to a white one, minus the
// number nearer to a white one. Distances are steps over empty points; they end on points that
// both sides reach at once.
func closer(board, black, white weiqi.Bitboard) int32 {
	for free := board.Without(&black).Without(&white); ; {
		nearBlack, nearWhite := black.Neighbours().And(&free), white.Neighbours().And(&free)
		both := nearBlack.And(&nearWhite)
		next := nearBlack.Or(&nearWhite)
		if next.Empty() {
			return int32(black.Count() - white.Count())
		}
		black = black.Or(&nearBlack).Without(&both)
		white = white.Or(&nearWhite).Without(&both)
		free = free.Without(&next)
	}
}
