package weiqi

import (
	"kifu/games"
	"kifu/games/weiqi"
)

// A group is weak when it has less than two real eyes and at most this much room, by term;
// the groups with the least room are considered dead.
var roomOf = [...]int{room2: 2, room5: 5, room9: 9, room14: 14}

const (
	room2 = iota
	room5
	room9
	room14
)

const (
	// deadRoom is the largest room of a group considered dead. On 9 lines 4 predicted the
	// winner better than 3 and 5, and these better than 8 and 12.
	deadRoom = 4
	// removals bounds how often the board is evaluated again.
	removals = 6
)

// judgement is a board from which the groups that look dead are removed, the weakest first:
// the remaining groups then have more room, and may live where they looked as weak. The
// room of a group is the empty points that it is joined to, as in countGroups or by a moyo
// of its side. Nothing is played out, so whether a group can make two eyes in its room is
// not known here.
type judgement struct {
	board  weiqi.Bitboard
	toMove games.Side
	stones [2]weiqi.Bitboard // those not removed
	eyes   [2]weiqi.Bitboard // real ones
	moyo   field             // of the stones that are left
}

// newMoyo returns the field of the remaining stones, after the dilations and erosions of a
// moyo.
func (j *judgement) newMoyo() field {
	f := newField(j.board, j.stones[weiqi.Black], j.stones[weiqi.White])
	for range dilations {
		f.dilate()
	}
	for range moyoErosions {
		f.erode()
	}
	return f
}

// group is a group with less than two eyes.
type group struct {
	side            games.Side
	stones          weiqi.Bitboard
	room, liberties int
}

// weaker reports whether g dies before h: it has less room, or fewer liberties, or is not
// to move.
func (j *judgement) weaker(g, h *group) bool {
	switch {
	case g.room != h.room:
		return g.room < h.room
	case g.liberties != h.liberties:
		return g.liberties < h.liberties
	}
	return g.side != h.side && h.side == j.toMove
}

// eachGroup calls f for every group of both sides that has less than two eyes.
func (j *judgement) eachGroup(f func(g *group)) {
	empty := j.board.Without(&j.stones[weiqi.Black]).Without(&j.stones[weiqi.White])
	for side := range j.stones {
		own, other := j.stones[side], j.stones[side^1]
		touched, zone := other.Neighbours(), j.moyo.black
		if games.Side(side) == weiqi.White {
			zone = j.moyo.white
		}
		links := own.Neighbours().And(&empty).Without(&touched)
		joined := own.Or(&links).Or(&zone)
		for rest := own; !rest.Empty(); {
			all := joined.Fill(weiqi.At(rest.First()))
			rest = rest.Without(&all)
			if all.CountAnd(&j.eyes[side]) >= 2 {
				continue
			}
			g := group{side: games.Side(side), stones: all.And(&own), room: all.CountAnd(&empty)}
			near := g.stones.Neighbours()
			g.liberties = near.CountAnd(&empty)
			f(&g)
		}
	}
}

// countWeak adds the stones of weak groups.
func (j *judgement) countWeak(counts *[termCount]int32) {
	j.eachGroup(func(g *group) {
		for i, room := range roomOf {
			if g.room <= room {
				counts[weak2+i] += g.side.Sign() * int32(g.stones.Count())
				break
			}
		}
	})
}

// removeDead removes the groups that look dead, and counts their stones.
func (j *judgement) removeDead(counts *[termCount]int32) {
	for range removals {
		var weakest group
		var dead [2]weiqi.Bitboard
		found := false
		j.eachGroup(func(g *group) {
			if g.room > deadRoom || found && j.weaker(&weakest, g) {
				return
			}
			if !found || j.weaker(g, &weakest) {
				found, weakest, dead = true, *g, [2]weiqi.Bitboard{}
			}
			dead[g.side] = dead[g.side].Or(&g.stones)
		})
		if !found {
			return
		}
		for side := range dead {
			term, n := deadWaiting, int32(dead[side].Count())
			if games.Side(side) == j.toMove {
				term = deadToMove
			}
			counts[term] += games.Side(side).Sign() * n
			j.stones[side] = j.stones[side].Without(&dead[side])
		}
		j.moyo = j.newMoyo()
	}
}
