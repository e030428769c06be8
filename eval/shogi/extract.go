package shogi

import (
	"kifu/games"
	"kifu/games/shogi"
)

// pair is a sum of weights times counts, by stage, in hundredths.
type pair struct{ opening, endgame int64 }

func (x *pair) add(w pair, n int32) {
	x.opening += w.opening * int64(n)
	x.endgame += w.endgame * int64(n)
}

// tally holds the counts of a position and their value. It keeps the hands from one position to
// the next, and what a piece adds by itself: its kind, its distances from the kings, and its
// attacks on the squares around them if it has no long reach. Successive positions of a search
// differ on a few squares, and only these are counted again.
type tally struct {
	weights [termsCount + 1]pair
	counts  [termsCount + 1]int32 // the last is of no term, and takes what counts for nothing
	pieces  pair                  // what stays
	rest    pair                  // the other terms
	seen    shogi.Position        // the position whose pieces are counted
	kings   [2]shogi.Square       // its kings
	near    [2][2]int             // the weights of the attacks around a king, by side of king and piece
	long    [shogi.NoSquare]line  // of the pieces with a long reach on each square
	rows    *rows
}

// line holds the counts of a piece with a long reach.
type line struct {
	reach shogi.Bitboard // the squares that it attacks
	near  [2]int16       // the weights of those around each king
	term  uint8          // its mobility
	count int8
}

// extract counts the terms of p and returns its phase.
func (t *tally) extract(p *shogi.Position) (phase int) {
	t.board(p)
	t.hands(p)
	t.seen = *p
	t.rest = pair{}
	clear(t.counts[unsafety:attack])
	clear(t.counts[kingRank:mobility])
	clear(t.counts[pinned:])
	x := shogi.Pressure{
		Attack:  [2]int{t.near[0][1], t.near[1][0]},
		Defence: [2]int{t.near[0][0], t.near[1][1]},
	}
	for side := shogi.Black; side <= shogi.White; side++ {
		if t.kings[side] != shogi.NoSquare {
			t.king(p, side)
		}
		t.pawns(p, side)
	}
	x.Finish(p)
	phase = x.Progress()
	t.add(unsafety, int32(phase*(x.Unsafety(shogi.White)-x.Unsafety(shogi.Black))))
	t.add(unsafety+1, int32(phase*(x.Cover(shogi.Black)-x.Cover(shogi.White))))
	t.add(golds, int32(p.FourGolds()))
	t.add(turn, p.ToMove().Sign())
	return phase
}

// value returns the value of what has been counted at a phase, rounded to the nearest, halves away
// from zero.
func (t *tally) value(phase int) int32 {
	n := (t.pieces.opening+t.rest.opening)*int64(lastKnot-phase) + (t.pieces.endgame+t.rest.endgame)*int64(phase)
	if n < 0 {
		return int32(-((-n + lastKnot/2) / lastKnot))
	}
	return int32((n + lastKnot/2) / lastKnot)
}

// add counts a term that is counted again in every position.
func (t *tally) add(term int, n int32) {
	t.counts[term] += n
	t.rest.add(t.weights[term], n)
}

// keep counts a term that stays.
func (t *tally) keep(term int, n int32) {
	t.counts[term] += n
	t.pieces.add(t.weights[term], n)
}

// board brings the counts of the pieces on the board up to date.
func (t *tally) board(p *shogi.Position) {
	kings := [2]shogi.Square{p.King(shogi.Black), p.King(shogi.White)}
	if kings != t.kings {
		t.counts, t.pieces, t.seen, t.near, t.kings = [termsCount + 1]int32{}, pair{}, shogi.Position{}, [2][2]int{}, kings
	}
	changed := p.Differs(&t.seen)
	again := t.cut(changed)
	for b := changed; !b.Empty(); b = b.Rest() {
		s := b.First()
		if k := t.seen.KindAt(s); k != shogi.NoKind {
			t.piece(k, t.seen.SideAt(s), s, -1)
		}
		if k := p.KindAt(s); k != shogi.NoKind {
			t.piece(k, p.SideAt(s), s, 1)
		}
	}
	t.draw(p, again.Or(changed))
}

// piece counts a piece n times.
func (t *tally) piece(k shogi.Kind, side games.Side, s shogi.Square, n int) {
	side &= 1
	sign := side.Sign() * int32(n)
	t.keep(materialOf[k&15], sign)
	for king := range t.kings {
		e := &t.rows[king][t.kings[king]][side][k&15][s&127]
		t.near[king][side] += n * int(e.attacks)
		t.keep(int(e.term), sign)
	}
}

// hands brings the counts of the pieces in hand up to date.
func (t *tally) hands(p *shogi.Position) {
	black, white := p.Hand(shogi.Black), p.Hand(shogi.White)
	if black == t.seen.Hand(shogi.Black) && white == t.seen.Hand(shogi.White) {
		return
	}
	for k := shogi.Pawn; k <= shogi.Gold; k++ {
		term := hand + handOf[k&7]
		t.keep(term, int32(black.Count(k)-white.Count(k))-t.counts[term])
	}
}

// longRange returns the pieces with a long reach.
func longRange(p *shogi.Position) shogi.Bitboard {
	return p.Lances().Or(p.Diagonal()).Or(p.Straight())
}

// cut takes back what the pieces with a long reach count for that are on changed squares or reach
// some, and returns their squares.
func (t *tally) cut(changed shogi.Bitboard) (squares shogi.Bitboard) {
	for b := longRange(&t.seen); !b.Empty(); b = b.Rest() {
		s := b.First()
		if l := &t.long[s]; changed.Meets(l.reach.Or(s.Bit())) {
			t.line(l, t.seen.SideAt(s), -1)
			squares = squares.Or(s.Bit())
		}
	}
	return squares
}

// draw counts the pieces with a long reach on some squares.
func (t *tally) draw(p *shogi.Position, squares shogi.Bitboard) {
	occ := p.Occupied()
	for b := longRange(p).And(squares); !b.Empty(); b = b.Rest() {
		s := b.First()
		k, side, l := p.KindAt(s), p.SideAt(s)&1, &t.long[s]
		l.reach = shogi.Attacks(k, side, s, occ)
		l.term = uint8(mobility + mobilityOf[k&15])
		l.count = int8(l.reach.Without(p.Side(side)).Count()) * int8(side.Sign())
		for king, at := range t.kings {
			l.near[king] = int16(shogi.Weigh(l.reach.And(shogi.KingArea(at)), at))
		}
		t.line(l, side, 1)
	}
}

// line counts l n times.
func (t *tally) line(l *line, side games.Side, n int) {
	t.near[0][side&1] += n * int(l.near[0])
	t.near[1][side&1] += n * int(l.near[1])
	t.keep(int(l.term), int32(n)*int32(l.count))
}

// king counts what concerns a king alone: how far it has advanced, the pawns before it,
// and its pieces that are pinned.
func (t *tally) king(p *shogi.Position, side games.Side) {
	sign, s := side.Sign(), t.kings[side&1]
	rank, ahead := 8-s.Rank(), -1 // from the own side
	if side == shogi.White {
		rank, ahead = s.Rank(), 1
	}
	if rank > 0 {
		t.add(kingRank+rank-1, sign)
	}
	if rank < 8 {
		pawns := p.Pawns().And(p.Side(side)).And(shogi.RankOf(s.Rank() + ahead))
		file := shogi.FileOf(s.File())
		t.add(kingPawn, sign*int32(pawns.And(file).Count()))
		t.add(kingPawn+1, sign*int32(pawns.And(adjacent[s.File()]).Count()))
	}
	t.add(pinned, sign*int32(p.Pinned(side).Count()))
}

// edges are files 1 and 9; beyond are the ranks beyond the fourth, as a side counts; adjacent are
// the files next to a file.
var (
	edges  = shogi.FileOf(0).Or(shogi.FileOf(8))
	beyond = func() (b [2]shogi.Bitboard) {
		for rank := range 5 {
			b[shogi.Black] = b[shogi.Black].Or(shogi.RankOf(rank))
			b[shogi.White] = b[shogi.White].Or(shogi.RankOf(8 - rank))
		}
		return b
	}()
	adjacent = func() (b [9]shogi.Bitboard) {
		for file := range 9 {
			for _, next := range []int{file - 1, file + 1} {
				if 0 <= next && next < 9 {
					b[file] = b[file].Or(shogi.FileOf(next))
				}
			}
		}
		return b
	}()
)

// pawns counts edge pawns that have advanced, and the files on which a pawn in hand may be dropped.
func (t *tally) pawns(p *shogi.Position, side games.Side) {
	own := p.Pawns().And(p.Side(side))
	t.add(edgePawn, side.Sign()*int32(own.And(edges).And(beyond[side&1]).Count()))
	if p.Hand(side).Count(shogi.Pawn) > 0 {
		t.add(dropFile, side.Sign()*int32(9-own.Files()))
	}
}
