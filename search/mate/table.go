package mate

// entry holds the proof and disproof numbers found for a position, and where its edges are.
type entry struct {
	board  uint64
	hand   uint32
	pn, dn uint32
	search uint32
	first  uint32
	count  uint16 // of the edges; 0 if they are not kept
	plies  uint8  // of the mate, if pn is 0
}

// probes is in how many places an entry may be. They are filled one after the other.
const probes = 8

// find returns the entry of a position, or nil.
func (s *Solver[P]) find(board uint64, hand uint32) *entry {
	if word, bit := s.sift(board); s.filter[word]&bit == 0 {
		return nil
	}
	mask := uint64(len(s.table) - 1)
	for i := range uint64(probes) {
		e := &s.table[(board+i)&mask]
		if e.search != s.search {
			return nil
		}
		if e.board == board && e.hand == hand {
			return e
		}
	}
	return nil
}

// sift returns a word of the filter and the bit in it for a board.
func (s *Solver[P]) sift(board uint64) (word uint32, bit uint64) {
	return uint32(board>>38) & uint32(len(s.filter)-1), 1 << (board >> 32 & 63)
}

// look sets the numbers of c to what the table knows of its position or, when that settles
// it, of the same board with other pieces in hand, and reports whether it knows anything.
func (s *Solver[P]) look(c *edge) bool {
	if word, bit := s.sift(c.board); s.filter[word]&bit == 0 {
		return false // most are new, and the filter is small enough for the cache
	}
	mask, known := uint64(len(s.table)-1), false
	for i := range uint64(probes) {
		e := &s.table[(c.board+i)&mask]
		if e.search != s.search {
			break
		}
		if e.board != c.board {
			continue
		}
		if e.hand == c.hand || e.pn == 0 && s.holds(c.hand, e.hand) || e.dn == 0 && s.holds(e.hand, c.hand) {
			c.pn, c.dn, c.plies, known = e.pn, e.dn, e.plies, true
			if e.pn == 0 || e.dn == 0 {
				break
			}
		}
	}
	return known
}

// store keeps n's numbers, and drops the numbers that are worth the least.
func (s *Solver[P]) store(n *edge, first, count int) {
	mask := uint64(len(s.table) - 1)
	var at *entry
	for i := range uint64(probes) {
		e := &s.table[(n.board+i)&mask]
		if e.search != s.search || e.board == n.board && e.hand == n.hand {
			at = e
			break
		}
		if at == nil || worth(e) < worth(at) {
			at = e
		}
	}
	word, bit := s.sift(n.board)
	if s.filter[word] == 0 {
		s.set = append(s.set, word)
	}
	s.filter[word] |= bit
	*at = entry{board: n.board, hand: n.hand, pn: n.pn, dn: n.dn, search: s.search, first: uint32(first), count: uint16(count), plies: n.plies}
}

// worth is high for what has been settled.
func worth(e *entry) uint32 {
	if e.pn == 0 {
		return infinite + 1
	}
	return e.pn + e.dn
}
