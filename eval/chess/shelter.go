package chess

import "kifu/games/chess"

// shelterEntry is a remembered shelter: the pawns before a king, as its player sees them,
// and the slots of their terms, each repeated by its count.
type shelterEntry struct {
	own, foe chess.Bitboard // on the three files of the shelter
	king     chess.Square
	used     bool
	n        uint8
	slots    [maxShelter]uint16
	sum      packed
}

// maxShelter is the largest number of counts of a shelter: two pawns per file, the king's
// open file and the two next to it.
const maxShelter = 3*2 + 3

// shelterTable remembers shelters by all that they depend on, for both players: a hit is
// always exact, and no value depends on earlier positions.
type shelterTable [1 << shelterTableBits]shelterEntry

const shelterTableBits = 9

// shelterOf adds the pawns of both sides in front of the king of v, on its file and the two
// adjacent ones. For a king on an edge file these are the nearest three files.
func (e *evaluator) shelterOf(v *view) packed {
	near := shelterFiles[v.king.File()]
	own, foe := v.men[chess.Pawn]&near, v.foe[chess.Pawn]&near
	key := uint64(own)*0x9e3779b97f4a7c15 ^ (uint64(foe)+uint64(v.king))*0xc2b2ae3d27d4eb4f
	s := &e.shelters[(key^key>>29)*0xbf58476d1ce4e5b9>>(64-shelterTableBits)]
	if !s.used || s.own != own || s.foe != foe || s.king != v.king {
		*s = shelterEntry{own: own, foe: foe, king: v.king, used: true}
		s.count()
		for _, slot := range s.slots[:s.n] {
			s.sum += e.weights[slot&(slots-1)]
		}
	}
	if e.counting {
		for _, slot := range s.slots[:s.n] {
			e.tally.add(int(slot), v.sign)
		}
	}
	return s.sum
}

// count finds the slots.
func (s *shelterEntry) count() {
	centre := min(max(s.king.File(), 1), 6)
	ahead := ^belowRank(s.king.Rank())
	for file := centre - 1; file <= centre+1; file++ {
		base := 8 * edge(file)
		column := chess.FileOf(file) & ahead
		own := s.own & column
		if own != 0 {
			s.add(shelter + base + own.First().Rank())
		}
		if foe := s.foe & column; foe != 0 {
			first := foe.First()
			if own.Has(first - 8) {
				s.add(stormBlocked + first.Rank())
			} else {
				s.add(storm + base + first.Rank())
			}
		}
	}
	all := s.own | s.foe
	if all&chess.FileOf(s.king.File()) == 0 {
		s.add(kingOpenFile)
	}
	for _, side := range [2]chess.Bitboard{s.king.Bit().West(), s.king.Bit().East()} {
		if side != 0 && all&chess.FileOf(side.First().File()) == 0 {
			s.add(besideOpen)
		}
	}
}

func (s *shelterEntry) add(slot int) {
	s.slots[s.n] = uint16(slot)
	s.n++
}

// shelterFiles are the files of the shelter of a king on a file.
var shelterFiles = func() (t [8]chess.Bitboard) {
	for f := range 8 {
		centre := min(max(f, 1), 6)
		t[f] = chess.FileOf(centre) | besideFiles[centre]
	}
	return t
}()
