package weiqi

import "kifu/games/weiqi"

// vital is a region that is vital to a chain around it: it has no own stones, and all its
// empty points are liberties of the chain.
type vital struct{ region, border, chain weiqi.Bitboard }

// alive returns the points of the side that are alive even if it always passes: chains with
// two vital regions that border on such chains alone, and these regions (David B. Benson,
// "Life in the Game of Go", Information Sciences 10, 1976, theorem 1).
func (v *view) alive() (points weiqi.Bitboard) {
	eyes := v.vitals(make([]vital, 0, 24))
	for {
		n := len(eyes)
		points = weiqi.Bitboard{}
		for i := range eyes {
			for j := range i {
				if eyes[i].chain == eyes[j].chain {
					points = points.Or(&eyes[i].chain)
				}
			}
		}
		healthy := eyes[:0]
		for _, e := range eyes {
			if lost := e.border.Without(&points); lost.Empty() {
				healthy = append(healthy, e)
			}
		}
		if eyes = healthy; len(eyes) == n {
			break
		}
	}
	for i := range eyes {
		points = points.Or(&eyes[i].region)
	}
	return points
}

// vitals appends the regions with the chains to which they are vital. Only a chain next to
// the first empty point of a region can qualify.
func (v *view) vitals(dst []vital) []vital {
	outside := v.board.Without(&v.own)
	near := v.own.Neighbours()
	for rest := outside; !rest.Empty(); {
		region := outside.Fill(weiqi.At(rest.First()))
		rest = rest.Without(&region)
		points := region.And(&v.empty)
		if far := points.Without(&near); points.Empty() || !far.Empty() {
			continue
		}
		first := weiqi.At(points.First())
		for near := first.Neighbours().And(&v.own); !near.Empty(); {
			chain := v.own.Fill(weiqi.At(near.First()))
			near = near.Without(&chain)
			liberties := chain.Neighbours()
			if far := points.Without(&liberties); far.Empty() {
				dst = append(dst, vital{region, region.Neighbours().And(&v.own), chain})
			}
		}
	}
	return dst
}
