package shogi

import (
	"math/rand/v2"
	"testing"

	"kifu/eval"
	"kifu/games/shogi"
)

// plainly counts the terms of p one piece after the other, as terms.go describes them.
func plainly(p *shogi.Position) (counts [termsCount]int32, phase int) {
	kings := [2]shogi.Square{p.King(shogi.Black), p.King(shogi.White)}
	occ, x := p.Occupied(), p.Pressure()
	for b := occ; !b.Empty(); b = b.Rest() {
		s := b.First()
		k, side := p.KindAt(s), p.SideAt(s)
		sign := side.Sign()
		if long := mobilityOf[k]; long >= 0 {
			counts[mobility+long] += sign * int32(shogi.Attacks(k, side, s, occ).Without(p.Side(side)).Count())
		}
		if k == shogi.King {
			continue
		}
		counts[materialOf[k]] += sign
		if at := kings[side^1]; at != shogi.NoSquare && distance(s, at) <= 4 {
			counts[attack+4*placeOf[k]+distance(s, at)-1] += sign
		}
		if at := kings[side]; at != shogi.NoSquare && distance(s, at) <= 3 {
			counts[shelter+3*placeOf[k]+distance(s, at)-1] += sign
		}
	}
	for side := shogi.Black; side <= shogi.White; side++ {
		sign, pawns := side.Sign(), p.Pawns().And(p.Side(side))
		for k := shogi.Pawn; k <= shogi.Gold; k++ {
			counts[hand+handOf[k&7]] += sign * int32(p.Hand(side).Count(k))
		}
		for b := pawns; !b.Empty(); b = b.Rest() {
			s := b.First()
			forward := int(sign) // towards the first rank for Black
			if f := s.File(); (f == 0 || f == 8) && forward*(4-s.Rank()) >= 0 {
				counts[edgePawn] += sign
			}
			if at := kings[side]; at != shogi.NoSquare && at.Rank()-s.Rank() == forward {
				switch max(s.File()-at.File(), at.File()-s.File()) {
				case 0:
					counts[kingPawn] += sign
				case 1:
					counts[kingPawn+1] += sign
				}
			}
		}
		if p.Hand(side).Count(shogi.Pawn) > 0 {
			for file := range 9 {
				if !pawns.Meets(shogi.FileOf(file)) {
					counts[dropFile] += sign
				}
			}
		}
		if at := kings[side]; at != shogi.NoSquare {
			if rank := 4 + int(sign)*(4-at.Rank()); rank > 0 {
				counts[kingRank+rank-1] += sign
			}
			counts[pinned] += sign * int32(p.Pinned(side).Count())
		}
	}
	phase = x.Progress()
	counts[unsafety] = int32(phase * (x.Unsafety(shogi.White) - x.Unsafety(shogi.Black)))
	counts[unsafety+1] = int32(phase * (x.Cover(shogi.Black) - x.Cover(shogi.White)))
	counts[golds] = int32(p.FourGolds())
	counts[turn] = p.ToMove().Sign()
	return counts, phase
}

// TestTally: whatever positions came before, an evaluator counts what there is to count, and
// its value is the sum of the weights.
func TestTally(t *testing.T) {
	all := positions(t)
	e := newEvaluator(t, Default())
	weights, err := eval.NewPhases(e.Model(), shogi.MaxPhase, maxWeight)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3 * len(all) {
		p := all[i%len(all)]
		if i >= len(all) {
			p = all[r.IntN(len(all))]
		}
		counts, phase := plainly(&p)
		features, got := e.Trace(p, nil)
		want := eval.AppendCounts(nil, counts[:])
		if got != phase || len(features) != len(want) {
			t.Fatalf("%s: %v at phase %d, want %v at phase %d", p.String(), features, got, want, phase)
		}
		for j, f := range features {
			if f != want[j] {
				t.Fatalf("%s: %s is counted %d times, want %v", p.String(), e.Model().Terms[f.Term].Name, f.Count, want[j])
			}
		}
		if v, want := e.Value(p), weights.Value(counts[:], phase); v != want {
			t.Fatalf("%s: value %d, want %d", p.String(), v, want)
		}
	}
}
