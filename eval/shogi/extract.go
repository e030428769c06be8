package shogi

import (
	"kifu/games"
	"kifu/games/shogi"
)

// distances are the numbers of king's moves between squares on an empty board.
var distances = func() (d [128][128]uint8) {
	for s := range shogi.NoSquare {
		for t := range shogi.NoSquare {
			files, ranks := s.File()-t.File(), s.Rank()-t.Rank()
			d[s][t] = uint8(max(files, -files, ranks, -ranks))
		}
	}
	return d
}()

// far is the distance from a king that is not on the board.
const far = 9

// extract counts the terms of p and returns its phase.
func extract(p *shogi.Position, counts *[termsCount]int32) (phase int) {
	*counts = [termsCount]int32{}
	kings := [2]shogi.Square{p.King(shogi.Black), p.King(shogi.White)}
	occ := p.Occupied()
	var x shogi.Pressure
	sides := [2]shogi.Bitboard{p.Side(shogi.Black), p.Side(shogi.White)}
	for k := shogi.Pawn; k <= shogi.Dragon; k++ {
		set := p.Kind(k)
		if set.Empty() {
			continue
		}
		long := mobilityOf[k&15]
		for side := shogi.Black; side <= shogi.White; side++ {
			for b := set.And(sides[side]); !b.Empty(); b = b.Rest() {
				s := b.First()
				reach := shogi.Attacks(k, side, s, occ)
				x.Add(side, reach, kings)
				place(counts, k, s, side, kings)
				if long >= 0 {
					counts[mobility+long] += side.Sign() * int32(reach.Without(sides[side]).Count())
				}
			}
		}
	}
	for side := shogi.Black; side <= shogi.White; side++ {
		sign := side.Sign()
		held := p.Hand(side)
		for k := shogi.Pawn; k <= shogi.Gold; k++ {
			counts[hand+handOf[k&7]] += sign * int32(held.Count(k))
		}
		if kings[side] != shogi.NoSquare {
			king(p, counts, side, kings[side])
		}
		pawns(p, counts, side)
	}
	x.Finish(p)
	phase = x.Progress()
	counts[unsafety] = int32(phase * (x.Unsafety(shogi.White) - x.Unsafety(shogi.Black)))
	counts[unsafety+1] = int32(phase * (x.Cover(shogi.Black) - x.Cover(shogi.White)))
	counts[golds] = int32(p.FourGolds())
	counts[turn] = p.ToMove().Sign()
	return phase
}

// place counts a piece on the board and its distances from the kings.
func place(counts *[termsCount]int32, k shogi.Kind, s shogi.Square, side games.Side, kings [2]shogi.Square) {
	if k == shogi.King {
		return
	}
	sign := side.Sign()
	counts[material+materialOf[k&15]] += sign
	class := placeOf[k&15]
	if d := distance(s, kings[side^1]); d <= 4 {
		counts[attack+4*class+d-1] += sign
	}
	if d := distance(s, kings[side]); d <= 3 {
		counts[shelter+3*class+d-1] += sign
	}
}

func distance(s, king shogi.Square) int {
	if king == shogi.NoSquare {
		return far
	}
	return int(distances[s&127][king&127])
}

// king counts what concerns a king alone: how far it has advanced, the pawns before it,
// and its pieces that are pinned.
func king(p *shogi.Position, counts *[termsCount]int32, side games.Side, s shogi.Square) {
	sign := side.Sign()
	rank := 8 - s.Rank() // from the own side
	ahead := -1
	if side == shogi.White {
		rank, ahead = s.Rank(), 1
	}
	if rank > 0 {
		counts[kingRank+rank-1] += sign
	}
	pawns := p.Pawns().And(p.Side(side))
	if rank < 8 {
		for file := max(s.File()-1, 0); file <= min(s.File()+1, 8); file++ {
			if pawns.Has(shogi.At(file, s.Rank()+ahead)) {
				if file == s.File() {
					counts[kingPawn] += sign
				} else {
					counts[kingPawn+1] += sign
				}
			}
		}
	}
	counts[pinned] += sign * int32(p.Pinned(side).Count())
}

// edges are files 1 and 9; beyond are the ranks beyond the fourth, as a side counts.
var (
	edges  = shogi.FileOf(0).Or(shogi.FileOf(8))
	beyond = func() (b [2]shogi.Bitboard) {
		for rank := range 5 {
			b[shogi.Black] = b[shogi.Black].Or(shogi.RankOf(rank))
			b[shogi.White] = b[shogi.White].Or(shogi.RankOf(8 - rank))
		}
		return b
	}()
)

// pawns counts edge pawns that have advanced, and the files on which a pawn in hand may be dropped.
func pawns(p *shogi.Position, counts *[termsCount]int32, side games.Side) {
	own := p.Pawns().And(p.Side(side))
	advanced := own.And(edges).And(beyond[side])
	counts[edgePawn] += side.Sign() * int32(advanced.Count())
	if p.Hand(side).Count(shogi.Pawn) > 0 {
		counts[dropFile] += side.Sign() * int32(9-own.Files())
	}
}
